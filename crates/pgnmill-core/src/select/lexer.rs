//! The words of an expression.
//!
//! In: text. Out: [`Word`]s with their spans, or a [`Fault`]. Whitespace and comments (`#` to the end of the line) are
//! skipped. Cost: linear.

use std::ops::Range;

use crate::pgn::tag_numbers::days_since_1970;

use super::error::Fault;

/// Digits of a number, at most: such numbers are exact.
const NUMBER_DIGITS_MAX: usize = 15;

/// The days of a date that is perhaps not complete, as days since 1970-01-01, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Days {
    pub(super) first: i32,
    pub(super) last: i32,
}

impl Days {
    /// A day, a month, or a year; `None` if there is no such date.
    pub(super) fn of(year: u32, month: Option<u32>, day: Option<u32>) -> Option<Days> {
        if year == 0 || year > 9999 {
            return None;
        }
        let (first_month, last_month) = month.map_or((1, 12), |month| (month, month));
        let first = days_since_1970(year, first_month, day.unwrap_or(1))?;
        let last = match day {
            Some(_) => first,
            None => (28..=31).rev().find_map(|day| days_since_1970(year, last_month, day))?,
        };
        Some(Days { first, last })
    }
}

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    Name(String),
    Number(f64),
    Date(Days),
    /// Seconds since midnight.
    Time(i32),
    Text(String),
    /// The name of a file, after `@`.
    File(String),
    /// Punctuation and operators of characters.
    Symbol(&'static str),
    End,
}

/// A word and its span.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Word {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// The symbols, longer ones before those that they begin with.
const SYMBOLS: [&str; 21] = [
    "==", "!=", "=~", "!~", "<>", "<=", ">=", "&&", "||", "..", "<", ">", "=", "!", "(", ")", "[",
    "]", ",", "+", "-",
];

/// The words of the language, in any case, as in SQL.
const RESERVED: [&str; 13] = [
    "and", "or", "not", "in", "is", "missing", "present", "null", "like", "ilike", "between",
    "true", "false",
];

/// Symbols of other languages, and what is meant.
const FOREIGN: [(&str, &str); 7] = [
    ("&", "write and"),
    ("|", "write or"),
    ("*", "there is no multiplication"),
    ("~", "write =~ before a regular expression, like before a pattern"),
    ("=>", "write >="),
    ("=<", "write <="),
    ("===", "write =="),
];

/// The words of an expression; the last is [`Kind::End`].
pub(super) fn words(text: &str) -> Result<Vec<Word>, Fault> {
    if let Some(keyword) = clause(text) {
        let message = "write the condition alone, what follows WHERE in SQL";
        return Err(Fault::new(keyword, message));
    }
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if character.is_whitespace() || character == '\u{feff}' {
            at += character.len_utf8();
        } else if character == '#' {
            at = text[at..].find('\n').map_or(text.len(), |end| at + end);
        } else {
            let (kind, end) = word(text, at, character)?;
            words.push(Word { kind, span: at..end });
            at = end;
        }
    }
    words.push(Word { kind: Kind::End, span: text.len()..text.len() });
    Ok(words)
}

/// The `SELECT` or `WHERE` of a clause of SQL, which a word, a star or a text follows: no name of a condition is.
fn clause(text: &str) -> Option<Range<usize>> {
    let at = text.len() - text.trim_start().len();
    let end = text[at..].find(char::is_whitespace)? + at;
    let is_keyword =
        ["select", "where"].iter().any(|keyword| text[at..end].eq_ignore_ascii_case(keyword));
    let next = text[end..].split_whitespace().next()?;
    let is_operator = RESERVED.iter().any(|word| next.eq_ignore_ascii_case(word));
    let is_begun = next.starts_with(|it: char| it.is_alphanumeric() || "*'\"(".contains(it));
    (is_keyword && is_begun && (!is_operator || next.eq_ignore_ascii_case("not")))
        .then_some(at..end)
}

fn word(text: &str, at: usize, first: char) -> Result<(Kind, usize), Fault> {
    let rest = &text[at..];
    if first.is_ascii_digit() {
        return number(text, at);
    }
    if first == '"' || first == '\'' {
        return string(text, at, first);
    }
    if first == '@' {
        return file(text, at);
    }
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    if is_name(first) {
        let end = rest.find(|character| !is_name(character)).map_or(text.len(), |end| at + end);
        let name = &text[at..end];
        let reserved = RESERVED.into_iter().find(|word| word.eq_ignore_ascii_case(name));
        return Ok((Kind::Name(reserved.unwrap_or(name).to_string()), end));
    }
    let is_foreign = |&&(symbol, _): &&(&str, &str)| {
        rest.starts_with(symbol)
            && !SYMBOLS.iter().any(|own| own.len() >= symbol.len().max(2) && rest.starts_with(own))
    };
    if let Some((symbol, meant)) = FOREIGN.iter().find(is_foreign) {
        return Err(Fault::new(at..at + symbol.len(), format!("{symbol} is no operator: {meant}")));
    }
    let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
    symbol.map(|symbol| (Kind::Symbol(symbol), at + symbol.len())).ok_or_else(|| {
        let end = at + first.len_utf8();
        let message = match first {
            '“' | '”' | '„' | '«' | '»' | '‘' | '’' | '`' => {
                format!("{first} is no quote here: a text is between \" or between '")
            }
            '.' => "the character '.' has no meaning here; an expression in a file is @FILE, a function is written \
                    contains(Event, \"…\"), a date 2024-05-01"
                .to_string(),
            '/' => "the character '/' has no meaning here; a date is written 2024-05-01".to_string(),
            _ => format!("the character {first:?} has no meaning here"),
        };
        Fault::new(at..end, message)
    })
}

/// A text in quotes; in it `\` before the quote is left out. Pairs of `\` are kept.
fn string(text: &str, at: usize, quote: char) -> Result<(Kind, usize), Fault> {
    let mut value = String::new();
    let mut characters = text[at + 1..].char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        if character == quote {
            return Ok((Kind::Text(value), at + 1 + offset + 1));
        }
        let escaped =
            characters.next_if(|&(_, next)| character == '\\' && (next == quote || next == '\\'));
        match escaped {
            // A pair stays: in a regular expression it means one, and elsewhere the parser makes one of it.
            Some((_, '\\')) => value.push_str("\\\\"),
            Some((_, next)) => value.push(next),
            None => value.push(character),
        }
    }
    Err(Fault::new(at..text.len(), "this text has no quote at its end"))
}

/// The name of a file after `@`: in quotes, or up to whitespace or a parenthesis.
fn file(text: &str, at: usize) -> Result<(Kind, usize), Fault> {
    let start = at + 1;
    if let Some(quote) = text[start..].chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let (kind, end) = string(text, start, quote)?;
        if let Kind::Text(name) = kind
            && !name.is_empty()
        {
            return Ok((Kind::File(name.replace("\\\\", "\\")), end));
        }
    }
    let is_end = |character: char| character.is_whitespace() || "()[],".contains(character);
    let end = text[start..].find(is_end).map_or(text.len(), |length| start + length);
    match &text[start..end] {
        "" | "\"\"" | "''" => Err(Fault::new(at..end, "@ is followed by the name of a file")),
        name => Ok((Kind::File(name.to_string()), end)),
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn value(text: &str) -> u32 {
    text.parse().unwrap_or(u32::MAX)
}

/// A number, a date or a time.
fn number(text: &str, at: usize) -> Result<(Kind, usize), Fault> {
    let bytes = text.as_bytes();
    let whole = digits(&bytes[at..]);
    let two = |from: usize, separator: u8| {
        let is_next = bytes.get(from) == Some(&separator) && digits(&bytes[from + 1..]) == 2;
        is_next.then(|| value(&text[from + 1..from + 3]))
    };
    let end = at + whole;
    let (kind, end) = if let (4, Some(month)) = (whole, two(end, b'-')) {
        let day = two(end + 3, b'-');
        let end = end + 3 + if day.is_some() { 3 } else { 0 };
        let days = Days::of(value(&text[at..at + 4]), Some(month), day);
        let none = || {
            let (year, month) = (&text[at..at + 4], &text[at + 5..at + 7]);
            let range = if day.is_none() {
                format!("; a range of years is in {year}..{}{month}", &year[..2])
            } else {
                String::new()
            };
            Fault::new(at..end, format!("the calendar has no such date{range}"))
        };
        (Kind::Date(days.ok_or_else(none)?), end)
    } else if let (2, Some(minutes)) = (whole, two(end, b':')) {
        let seconds = two(end + 3, b':');
        let end = end + 3 + if seconds.is_some() { 3 } else { 0 };
        let (hours, seconds) = (value(&text[at..at + 2]), seconds.unwrap_or(0));
        if hours > 23 || minutes > 59 || seconds > 59 {
            return Err(Fault::new(at..end, "there is no such time of day"));
        }
        (Kind::Time((hours * 3600 + minutes * 60 + seconds) as i32), end)
    } else if let (4, Some(month)) = (whole, two(end, b'.'))
        && let Some(day) = two(end + 3, b'.')
    {
        let date = format!("{}-{month:02}-{day:02}", &text[at..end]);
        return Err(Fault::new(at..end + 6, format!("a date is written {date}")));
    } else {
        let decimals = match bytes.get(end) {
            Some(b'.') => digits(&bytes[end + 1..]),
            _ => 0,
        };
        let end = end + if decimals > 0 { decimals + 1 } else { 0 };
        if whole + decimals > NUMBER_DIGITS_MAX {
            let most = format!("a number has at most {NUMBER_DIGITS_MAX} digits");
            return Err(Fault::new(at..end, most));
        }
        (Kind::Number(text[at..end].parse().unwrap_or(0.0)), end)
    };
    let next = text[end..].chars().next();
    if next.is_some_and(|next| next.is_alphanumeric() || next == '_' || next == ':') {
        let message = "a number, a date (2024-05-01) or a time (12:34:56) does not go on like this";
        return Err(Fault::new(at..end + 1, message));
    }
    Ok((kind, end))
}
