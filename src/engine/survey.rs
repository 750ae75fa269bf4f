//! What the bytes of an archive say of its encoding and its line ends.
//!
//! In: blocks, or the games of a block, on any worker and in any cut. Out: a [`Survey`], which merges in any order, and at the archive's end the
//! notes that it comes to, each counted once. Cost: one pass without branches over text that is ASCII with line feeds
//! alone, in place of the count of lines; another pass where there are other bytes.
//!
//! Text that holds bytes beyond ASCII and is well-formed UTF-8 is UTF-8. Where it is not, bytes of 0x80 to 0x9F say
//! Windows-1252, in which they are signs (Latin-1 has controls there), others Latin-1; UTF-8 beside them says mixed.

use crate::archive::Part;
use crate::archive::line_scan::LineEnds;
use crate::pgn::deviation::Deviation;

/// What was seen in some blocks of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Well-formed UTF-8 beyond ASCII.
    utf8: bool,
    /// Bytes that are no UTF-8.
    other: bool,
    /// Bytes of 0x80 to 0x9F among them.
    controls: bool,
    /// Line feeds alone.
    lf: bool,
    /// A carriage return and a line feed.
    crlf: bool,
    /// Carriage returns alone.
    cr: bool,
}

impl Survey {
    /// Takes in a block, or whole lines of one, whose line ends were counted; returns how many lines end in it: with LF, with
    /// CR LF, or with CR.
    pub(super) fn look(&mut self, text: &[u8], part: Part, ends: LineEnds) -> u64 {
        let LineEnds { feeds, returns, pairs, high } = ends;
        if high {
            self.encoding(whole_signs(text, part));
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
        for chunk in text.utf8_chunks() {
            self.utf8 |= !chunk.valid().is_ascii();
            self.other |= !chunk.invalid().is_empty();
            self.controls |= chunk.invalid().iter().any(|byte| (0x80..0xA0).contains(byte));
        }
    }

    /// Both together.
    pub(super) fn merge(&mut self, other: Survey) {
        self.utf8 |= other.utf8;
        self.other |= other.other;
        self.controls |= other.controls;
        self.lf |= other.lf;
        self.crlf |= other.crlf;
        self.cr |= other.cr;
    }

    /// What it comes to over a whole archive.
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

/// Text without the signs that damage beside it may have divided. Pieces of a game that is too long to hold are never cut
/// within a sign.
fn whole_signs(mut text: &[u8], part: Part) -> &[u8] {
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
    use crate::machine::Level;

    fn look(text: &[u8], part: Part) -> (u64, Vec<&'static str>) {
        let seen = Level::all().map(|level| {
            let mut survey = Survey::default();
            (survey.look(text, part, LineEnds::of(level, text)), survey)
        });
        let seen: Vec<_> = seen.collect();
        assert!(seen.windows(2).all(|two| two[0] == two[1]), "all levels see the same");
        let (lines, survey) = seen[0];
        (lines, survey.notes().map(Deviation::name).collect())
    }

    #[test]
    fn encodings_and_line_ends_are_told() {
        let games = |text: &[u8]| look(text, Part::Games);
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
    fn a_cut_through_a_sign_is_no_other_encoding() {
        assert_eq!(look(b"M\xC3", Part::OversizeFirst).1, [""; 0]);
        assert_eq!(look(b"\xBCller\xE2\x82", Part::Fragment).1, [""; 0]);
        assert_eq!(look(b"M\xC3", Part::Games).1, ["encoding-latin-1"]);
    }
}
