//! The encoding and the line ends of an archive.
//!
//! In: blocks, or the games of a block, on any worker, however the archive is divided. Out: a [`Survey`] and, at the
//! end of the archive, its notes, each counted once. Invariant: surveys merge in any order with the same result.
//! Cost: one pass without branches over ASCII text with line feeds, which also counts the lines; a second pass over
//! other bytes.
//!
//! Well-formed UTF-8 is UTF-8. In other text, bytes from 0x80 to 0x9F mean Windows-1252, in which they are characters
//! (Latin-1 has controls there), other bytes above 0x7F mean Latin-1; together with well-formed UTF-8: mixed.

use pgnmill_io::archive::Part;
use pgnmill_io::archive::line_scan::LineEnds;
use pgnmill_state::state;

use crate::pgn::deviation::Deviation;

/// The bytes that occur in some blocks of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Well-formed UTF-8 beyond ASCII.
    utf8: bool,
    /// Bytes that are not UTF-8.
    other: bool,
    /// Bytes of 0x80 to 0x9F among them.
    controls: bool,
    /// Line feeds without a carriage return.
    lf: bool,
    /// A carriage return and a line feed.
    crlf: bool,
    /// Carriage returns without a line feed.
    cr: bool,
}

/// The words of [`Survey::words`].
const WORDS: [&str; 6] = ["utf8", "other", "controls", "lf", "crlf", "cr"];

state!(Survey { utf8, other, controls, lf, crlf, cr });

impl Survey {
    /// Adds a block, or complete lines of one, whose line ends were counted; returns the number of lines that end in
    /// it, with LF, CR LF or CR.
    pub(super) fn add(&mut self, text: &[u8], part: Part, ends: LineEnds) -> u64 {
        let LineEnds { feeds, returns, pairs, high } = ends;
        if high {
            self.encoding(whole_characters(text, part));
        }
        self.lf |= feeds > pairs;
        self.crlf |= pairs > 0;
        self.cr |= returns > pairs;
        feeds + returns - pairs
    }

    #[cold]
    fn encoding(&mut self, text: &[u8]) {
        if std::str::from_utf8(text).is_ok() {
            self.utf8 |= !text.is_ascii();
            return;
        }
        let mut rest = text;
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, other) = rest.split_at(error.valid_up_to());
            let (invalid, after) = other.split_at(error.error_len().unwrap_or(other.len()));
            self.utf8 |= !valid.is_ascii();
            self.other = true;
            self.controls |= invalid.iter().any(|byte| (0x80..0xA0).contains(byte));
            rest = after;
        }
        self.utf8 |= !rest.is_ascii();
    }

    /// What was found, as words for a table: `utf8 lf`.
    pub fn words(self) -> String {
        let Survey { utf8, other, controls, lf, crlf, cr } = self;
        let found = WORDS.into_iter().zip([utf8, other, controls, lf, crlf, cr]);
        let words = found.filter(|(_, is_found)| *is_found).map(|(word, _)| word);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The survey of such words; `None` if there are others.
    pub fn of_words(words: &str) -> Option<Survey> {
        let mut found = [false; WORDS.len()];
        for word in words.split_whitespace() {
            found[WORDS.iter().position(|known| *known == word)?] = true;
        }
        let [utf8, other, controls, lf, crlf, cr] = found;
        Some(Survey { utf8, other, controls, lf, crlf, cr })
    }

    /// Adds another survey of the same archive.
    pub fn merge(&mut self, other: Survey) {
        self.utf8 |= other.utf8;
        self.other |= other.other;
        self.controls |= other.controls;
        self.lf |= other.lf;
        self.crlf |= other.crlf;
        self.cr |= other.cr;
    }

    /// The deviations that follow from it, for a complete archive.
    pub fn notes(self) -> impl Iterator<Item = Deviation> {
        let encoding = match (self.other, self.utf8, self.controls) {
            (false, ..) => None,
            (true, true, _) => Some(Deviation::EncodingMixed),
            (true, false, true) => Some(Deviation::EncodingWindows1252),
            (true, false, false) => Some(Deviation::EncodingLatin1),
        };
        let line_end = match (self.lf, self.crlf, self.cr) {
            (_, false, false) => None,
            (false, true, false) => Some(Deviation::LineEndCrlf),
            (false, false, true) => Some(Deviation::LineEndCr),
            _ => Some(Deviation::LineEndMixed),
        };
        encoding.into_iter().chain(line_end)
    }
}

/// Text without the characters at its ends that adjacent damage may have divided. Parts of a game that is too long
/// for the memory are never divided within a character.
fn whole_characters(mut text: &[u8], part: Part) -> &[u8] {
    if part == Part::Fragment {
        let rest = text.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte)).count();
        text = &text[rest..];
    }
    if part != Part::Games
        && let Err(error) = std::str::from_utf8(text)
        && error.error_len().is_none()
    {
        text = &text[..error.valid_up_to()];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_simd::Level;

    fn add(text: &[u8], part: Part) -> (u64, Vec<&'static str>) {
        let found = Level::all().map(|level| {
            let mut survey = Survey::default();
            (survey.add(text, part, LineEnds::of(level, text)), survey)
        });
        let found: Vec<_> = found.collect();
        assert!(found.windows(2).all(|two| two[0] == two[1]), "all levels return the same");
        let (lines, survey) = found[0];
        (lines, survey.notes().map(Deviation::name).collect())
    }

    #[test]
    fn encodings_and_line_ends_are_recognised() {
        let games = |text: &[u8]| add(text, Part::Games);
        assert_eq!(games(b"plain\ntext\n"), (2, vec![]));
        assert_eq!(games("M\u{fc}ller\n".as_bytes()), (1, vec![]));
        assert_eq!(games(b"M\xFCller\n"), (1, vec!["encoding-latin-1"]));
        assert_eq!(games(b"\x93M\xFCller\x94\n"), (1, vec!["encoding-windows-1252"]));
        assert_eq!(games(b"M\xFCller \xC3\xBC\n"), (1, vec!["encoding-mixed"]));
        assert_eq!(games(b"a\r\nb\r\n"), (2, vec!["line-end-crlf"]));
        assert_eq!(games(b"a\rb\r"), (2, vec!["line-end-cr"]));
        assert_eq!(games(b"a\r\nb\nc\r\r\n"), (4, vec!["line-end-mixed"]));
        assert_eq!(games(&b"\n".repeat(1000)), (1000, vec![]));
        for before in 0..70 {
            let text = [&b"x".repeat(before), b"\r\n\r\r\n\nx" as &[u8], &b"y".repeat(40)].concat();
            assert_eq!(games(&text), (4, vec!["line-end-mixed"]), "{before}");
        }
    }

    #[test]
    fn a_divided_character_is_no_other_encoding() {
        assert_eq!(add(b"M\xC3", Part::OversizeFirst).1, [""; 0]);
        assert_eq!(add(b"\xBCller\xE2\x82", Part::Fragment).1, [""; 0]);
        assert_eq!(add(b"M\xC3", Part::Games).1, ["encoding-latin-1"]);
    }
}
