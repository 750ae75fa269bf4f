//! Lines that were meant as tag pairs and are none: `[Round 3]`, `[White “Able”]`, `[Site]`.
//!
//! In: a line from its bracket on, of which the first [`ODD_PAIR_BYTES_MAX`] bytes are examined. Out: where its
//! name and its value begin. Prose in brackets must not begin a game, so that only the names of the standard and
//! of common programs are taken (`KNOWN`), unless the line is in a tag section: there any name is one. Outside
//! comments, nothing after the closing bracket decides, so that a text that is cut out after it changes nothing.
//! Cost: constant.

use std::ops::Range;

use super::blanks::blanks_end;

/// No pair of this kind is longer.
pub const ODD_PAIR_BYTES_MAX: usize = 256;

/// The names of tags that open a pair without quotes, or with others than those of the standard.
const KNOWN: &[&[u8]] = &[
    b"Event",
    b"Site",
    b"Date",
    b"Round",
    b"White",
    b"Black",
    b"Result",
    b"FEN",
    b"SetUp",
    b"Setup",
    b"Variant",
    b"WhiteElo",
    b"BlackElo",
    b"WhiteRatingDiff",
    b"BlackRatingDiff",
    b"PlyCount",
    b"UTCDate",
    b"EventDate",
    b"UTCTime",
    b"Time",
    b"WhiteTitle",
    b"BlackTitle",
    b"ECO",
    b"NIC",
    b"Opening",
    b"Variation",
    b"SubVariation",
    b"Termination",
    b"TimeControl",
    b"Link",
    b"EventType",
    b"EventSponsor",
    b"EventRounds",
    b"EventCountry",
    b"EventCategory",
    b"Section",
    b"Stage",
    b"Board",
    b"Mode",
    b"Annotator",
    b"WhiteFideId",
    b"BlackFideId",
    b"WhiteTeam",
    b"BlackTeam",
    b"WhiteTeamCountry",
    b"BlackTeamCountry",
    b"WhiteClock",
    b"BlackClock",
    b"WhiteNA",
    b"BlackNA",
    b"WhiteType",
    b"BlackType",
    b"WhiteUSCF",
    b"BlackUSCF",
    b"GameStartTime",
    b"GameEndTime",
    b"GameDuration",
    b"Source",
    b"SourceTitle",
    b"SourceDate",
    b"SourceVersion",
    b"SourceVersionDate",
    b"SourceQuality",
];

/// Quotes that people, word processors and web pages write in place of `"`: characters, entities of HTML, and bytes
/// of Windows-1252.
const QUOTES: &[&[u8]] = &[
    b"'",
    b"`",
    "\u{b4}".as_bytes(),
    "“".as_bytes(),
    "”".as_bytes(),
    "„".as_bytes(),
    "‟".as_bytes(),
    "‘".as_bytes(),
    "’".as_bytes(),
    "‚".as_bytes(),
    "‛".as_bytes(),
    "«".as_bytes(),
    "»".as_bytes(),
    "‹".as_bytes(),
    "›".as_bytes(),
    "″".as_bytes(),
    "′".as_bytes(),
    "\u{ff02}".as_bytes(),
    b"&quot;",
    b"&#34;",
    b"&#034;",
    b"&#x22;",
    b"&apos;",
    b"&#39;",
    b"&#039;",
    b"&#x27;",
    b"&ldquo;",
    b"&rdquo;",
    b"&bdquo;",
    b"&#8220;",
    b"&#8221;",
    b"&laquo;",
    b"&raquo;",
    b"&lsquo;",
    b"&rsquo;",
    b"\x93",
    b"\x94",
    b"\x84",
    b"\x91",
    b"\x92",
    b"\x82",
    b"\xAB",
    b"\xBB",
    b"\x8B",
    b"\x9B",
    b"\xB4",
];

/// How the value of a pair begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quote {
    /// With the quote of the standard, after blanks of Unicode.
    Straight,
    /// With another quote.
    Other,
    /// With none.
    Missing,
}

/// The beginning of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddOpening {
    /// Its name.
    pub name: Range<usize>,
    /// Where its value begins, after the quote.
    pub value: usize,
    /// How.
    pub quote: Quote,
}

/// Is it a name by which a pair is recognised?
pub fn is_known_name(name: &[u8]) -> bool {
    KNOWN.contains(&name)
}

/// The bytes of the quote at `at` that is not that of the standard; 0 if there is none.
pub fn other_quote_bytes(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    QUOTES.iter().find(|quote| rest.starts_with(quote)).map_or(0, |quote| quote.len())
}

/// The line from `at` on without its line end, of at most [`ODD_PAIR_BYTES_MAX`] bytes; whether it is whole.
fn line_at(text: &[u8], at: usize) -> (&[u8], bool) {
    let rest = &text[at..];
    let seen = &rest[..rest.len().min(ODD_PAIR_BYTES_MAX)];
    match memchr::memchr2(b'\n', b'\r', seen) {
        Some(end) => (&seen[..end], true),
        None => (seen, seen.len() == rest.len()),
    }
}

/// Where a bracket stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// At the start of a line that may begin a game: without a quote, its last byte must be a bracket.
    LineStart,
    /// Anywhere outside comments: what is after its own closing bracket does not matter.
    Text,
    /// Among tag pairs: as in [`Context::Text`], and with any name.
    Section,
}

/// The beginning of the pair that the bracket at `at` opens, if it is none as the standard has it.
///
/// ```
/// use pgnmill_io::archive::odd_pairs::{Context, odd_opening};
/// let opens = |line: &str| odd_opening(line.as_bytes(), 0, Context::LineStart).is_some();
/// assert!(opens("[Event: \"a\"]") && opens("[Event=\"a\"]"));
/// assert!(opens("[Round 3]") && opens("[White “Able”]") && opens("[Site]"));
/// assert!(!opens("[Nf3 Nc6]") && !opens("[White's move") && !opens("[%clk 0:10]"));
/// ```
#[cold]
pub fn odd_opening(text: &[u8], at: usize, context: Context) -> Option<OddOpening> {
    let (line, is_whole) = line_at(text, at);
    let start = blanks_end(line, usize::from(line.first() == Some(&b'[')));
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let end = start + line[start..].iter().take_while(is_name).count();
    let name = &line[start..end];
    let value = blanks_end(line, end);
    let opening =
        |value: usize, quote| OddOpening { name: at + start..at + end, value: at + value, quote };
    // The project's own tag: a writer replaces its value, and nothing else of the pair.
    if line.first() != Some(&b'[') || name == b"MoveNotation" {
        return None;
    }
    // What the standard calls a pair, but for blanks.
    if line.get(value) == Some(&b'"') && !name.is_empty() {
        return Some(opening(value + 1, Quote::Straight));
    }
    let is_letter = name.first().is_some_and(u8::is_ascii_alphabetic);
    if !(is_known_name(name) || is_letter && context == Context::Section) {
        return None;
    }
    let closed = match context {
        Context::LineStart => {
            let trimmed = line.trim_ascii_end();
            (is_whole && trimmed.ends_with(b"]")).then(|| trimmed.len() - 1)
        }
        _ => own_bracket(line, value),
    };
    // `Event: "a"`, `Event="a"`.
    let mark = blanks_end(line, end);
    if is_known_name(name) && matches!(line.get(mark), Some(b':' | b'=')) {
        let value = blanks_end(line, mark + 1);
        let quote = match line.get(value) {
            Some(b'"') => 1,
            _ => other_quote_bytes(line, value),
        };
        return (quote > 0 && closed.is_some()).then(|| opening(value + quote, Quote::Other));
    }
    let quote = other_quote_bytes(line, value);
    if quote > 0 && (value > end || closed.is_some_and(|closed| ends_with_quote(&line[..closed]))) {
        return Some(opening(value + quote, Quote::Other));
    }
    // Without a quote there must be a bracket.
    let is_apart = value > end || line.get(value) == Some(&b']');
    (closed.is_some() && is_apart).then(|| opening(value, Quote::Missing))
}

/// The bracket from `from` on that closes one before `from`.
pub fn own_bracket(line: &[u8], from: usize) -> Option<usize> {
    let mut open = 0_usize;
    let brackets = line.iter().enumerate().skip(from).filter(|it| matches!(it.1, b'[' | b']'));
    for (at, &byte) in brackets {
        match byte {
            b'[' => open += 1,
            _ if open == 0 => return Some(at),
            _ => open -= 1,
        }
    }
    None
}

/// Does a text end with a quote, blanks apart?
pub fn ends_with_quote(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    text.ends_with(b"\"") || closing_quote_bytes(text) > 0
}

/// The bytes of the quote, not that of the standard, with which a value ends; 0 if there is none. A byte of
/// Windows-1252 is one only in a value that is not UTF-8.
pub fn closing_quote_bytes(value: &[u8]) -> usize {
    let is_whole =
        |quote: &&&[u8]| quote.len() > 1 || quote.is_ascii() || std::str::from_utf8(value).is_err();
    let found = QUOTES.iter().filter(|quote| value.ends_with(quote)).find(is_whole);
    found.map_or(0, |quote| quote.len())
}

/// May a line be meant as a pair: is it in brackets, or does a bracket begin or end it, and a known name begin
/// it? No longer line does.
pub fn is_bracketed(line: &[u8]) -> bool {
    line.len() <= ODD_PAIR_BYTES_MAX
        && match line.trim_ascii() {
            [b'[', .., b']'] => true,
            line @ [b'[', ..] => unbracketed_name(line, 1).is_some(),
            line @ [.., b']'] => unbracketed_name(line, 0).is_some(),
            _ => false,
        }
}

/// Is it a bracket alone, which closes the tag pair of the line before it?
pub fn is_bracket_alone(line: &[u8]) -> bool {
    let at = blanks_end(line, 0);
    line.len() <= ODD_PAIR_BYTES_MAX
        && line.get(at) == Some(&b']')
        && blanks_end(line, at + 1) == line.len()
}

/// The known name at `at`, with a blank after it, where the bracket before it is missing.
pub fn unbracketed_name(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    (matches!(rest[end], b' ' | b'\t') && is_known_name(&rest[..end])).then_some(at..at + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_the_whole_character() {
        for (at, quote) in QUOTES.iter().enumerate() {
            assert_eq!(other_quote_bytes(quote, 0), quote.len(), "{at}");
        }
        assert_eq!(other_quote_bytes(b"\"", 0), 0);
        assert_eq!(other_quote_bytes(b"x'", 2), 0);
    }

    #[test]
    fn prose_in_brackets_opens_no_pair() {
        for line in [
            "[Nf3 Nc6]",
            "[see game 12]",
            "[White's move is forced",
            "[White resigned here",
            "[%clk 0:01]",
            "[]",
            "[",
            "[Diagram 3]",
            "[\"x\"]",
            "[white Able]",
            "[Whiter x]",
            "[White's move]",
            "[White: 12. Nf3]",
            "[White = better]",
            "[Round: 3]",
            "[White: \"a",
            "[MoveNotation: \"uci\"]",
            "[MoveNotation uci]",
            "[Event",
            "[Event x",
        ] {
            assert_eq!(odd_opening(line.as_bytes(), 0, Context::LineStart), None, "{line}");
        }
        let long = format!("[Site {}]", "x".repeat(ODD_PAIR_BYTES_MAX));
        assert_eq!(odd_opening(long.as_bytes(), 0, Context::LineStart), None);
    }
}
