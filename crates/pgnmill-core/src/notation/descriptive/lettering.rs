//! How a language writes a descriptive text: the names of files and pieces, and what comes first.
//!
//! English writes the file before the rank and before the piece, and a hyphen before a square: `N-KB3`, `BPxP`. The
//! Romance languages write the piece first, then its file, and the rank before the file, without a hyphen: `C3AR`,
//! `PAxP`. The squares and what disambiguates are the same, so that one writer serves all; a text that is read is
//! turned into English first. Invariant: a name in another language has as many letters as the English one. Nothing
//! allocates.

use arrayvec::ArrayVec;

use crate::chess::Role;
use crate::notation::drops::AT;
use crate::notation::{MOVE_TEXT_BYTES_MAX, MoveText, algebraic};
use crate::pgn::deviation::DeviationSet;

/// A text in English.
pub(super) type English = ArrayVec<u8, MOVE_TEXT_BYTES_MAX>;

/// The names of a language.
#[derive(Debug)]
pub(super) struct Lettering {
    /// The full names of the files, from the queen's rook's.
    pub(super) files: [&'static [u8]; 8],
    /// The letters of pawn, knight, bishop, rook, queen and king.
    pub(super) letters: [u8; 6],
    /// Piece, file, rank, in this order, instead of file, piece and file, rank.
    pub(super) is_romance: bool,
    /// What follows a capture en passant.
    pub(super) en_passant: &'static [u8],
}

/// English.
pub(super) static ENGLISH: Lettering = Lettering {
    files: [b"QR", b"QN", b"QB", b"Q", b"K", b"KB", b"KN", b"KR"],
    letters: *b"PNBRQK",
    is_romance: false,
    en_passant: b"e.p.",
};

impl Lettering {
    /// The letter of a piece.
    pub(super) fn letter(&self, role: Role) -> u8 {
        self.letters[role.index()]
    }

    /// The name of a file, 0 to 7, full, or as both wings have it.
    pub(super) fn file(&self, file: u8, is_full: bool) -> &'static [u8] {
        let name = self.files[usize::from(file)];
        match (is_full, self.is_romance) {
            (true, _) => name,
            (false, true) => &name[..1],
            (false, false) => &name[name.len() - 1..],
        }
    }

    /// Adds two parts of a text, of which these are the first and the second in English.
    pub(super) fn push(&self, first: &[u8], second: &[u8], text: &mut MoveText) {
        let [first, second] = if self.is_romance { [second, first] } else { [first, second] };
        text.push_bytes(first);
        text.push_bytes(second);
    }

    /// The same text in English, without check suffixes; none if it is no text of this language.
    pub(super) fn to_english(&self, body: &[u8]) -> Option<English> {
        let mut english = English::new();
        let mut marks = DeviationSet::EMPTY;
        let body = algebraic::split_en_passant(body, &mut marks);
        let mut rest = self.take_piece(body, &mut english)?;
        match *rest {
            [b'x', ref after @ ..] => {
                english.try_push(b'x').ok()?;
                rest = self.take_piece(after, &mut english)?;
            }
            [AT, ref after @ ..] => {
                english.try_push(AT).ok()?;
                rest = self.take_square(after, &mut english)?;
            }
            _ => {
                english.try_push(b'-').ok()?;
                rest = self.take_square(rest.strip_prefix(b"-").unwrap_or(rest), &mut english)?;
            }
        }
        match *rest {
            [] => {}
            [b'=' | b'/', letter] | [b'(', letter, b')'] => {
                english.try_extend_from_slice(&[b'=', self.english(letter)?]).ok()?;
            }
            _ => return None,
        }
        if !marks.is_empty() {
            english.try_extend_from_slice(ENGLISH.en_passant).ok()?;
        }
        Some(english)
    }

    /// The letter in English.
    fn english(&self, letter: u8) -> Option<u8> {
        let at = self.letters.iter().position(|&other| other == letter)?;
        Some(ENGLISH.letters[at])
    }

    /// The name of a file or of a wing in English, added.
    fn add_file(&self, name: &[u8], english: &mut English) -> Option<()> {
        if let [letter] = *name {
            return english.try_push(self.english(letter)?).ok();
        }
        let at = self.files.iter().position(|&file| file == name)?;
        english.try_extend_from_slice(ENGLISH.files[at]).ok()
    }

    /// The letters at the head of a text, and the rest.
    fn split<'t>(&self, text: &'t [u8]) -> (&'t [u8], &'t [u8]) {
        text.split_at(text.iter().take_while(|byte| self.letters.contains(byte)).count())
    }

    /// A piece with its wing, file or square, added; the rest.
    fn take_piece<'t>(&self, text: &'t [u8], english: &mut English) -> Option<&'t [u8]> {
        let (name, rest) = self.split(text);
        let (&letter, file) = name.split_first()?;
        let letter = self.english(letter)?;
        // `TD` is the queen's rook, `AT` the bishop on a rook's file, which in English is a place.
        let is_place = letter != b'P' && !matches!(file, [] | [b'D' | b'R']);
        if is_place {
            english.try_extend_from_slice(&[letter, b'/']).ok()?;
        }
        if !file.is_empty() {
            self.add_file(file, english)?;
        }
        if is_place {
            return Some(rest);
        }
        english.try_push(letter).ok()?;
        let (is_bracketed, place) = match *rest {
            // A mark before a letter is one of a promotion.
            [mark @ (b'/' | b'\\' | b'('), b'1'..=b'8', ..] => (mark == b'(', &rest[1..]),
            // `T1xP`, `C7-5C`: the rank alone.
            [b'1'..=b'8', b'x' | b'-', ..] => (false, rest),
            _ => return Some(rest),
        };
        english.try_push(b'/').ok()?;
        let rest = self.take_square(place, english)?;
        if is_bracketed { rest.strip_prefix(b")") } else { Some(rest) }
    }

    /// A rank and a file, or a rank alone, added; the rest.
    fn take_square<'t>(&self, text: &'t [u8], english: &mut English) -> Option<&'t [u8]> {
        let (&rank, rest) = text.split_first().filter(|(rank, _)| rank.is_ascii_digit())?;
        let (name, rest) = self.split(rest);
        if !name.is_empty() {
            self.add_file(name, english)?;
        }
        english.try_push(rank).ok()?;
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{french, spanish};
    use super::*;

    #[test]
    fn texts_of_books_are_these_in_english() {
        let same = [
            ("P4R", "P-K4"),
            ("C3AR", "N-KB3"),
            ("C-3AR", "N-KB3"),
            ("P4AD", "P-QB4"),
            ("T1T", "R-R1"),
            ("A5C", "B-N5"),
            ("TD1D", "QR-Q1"),
            ("T/1A3A", "R/B1-B3"),
            ("C(5C)3A", "N/N5-B3"),
            ("T(6)6A", "R/6-B6"),
            ("T1xP", "R/1xP"),
            ("C7-5C", "N/7-N5"),
            ("DxAT", "QxB/R"),
            ("DxATR", "QxB/KR"),
            ("C\\7-5C", "N/7-N5"),
            ("PARxP", "KBPxP"),
            ("PAxP/5C", "BPxP/N5"),
            ("P8C=D", "P-N8=Q"),
            ("P8C(D)", "P-N8=Q"),
            ("PxT/C", "PxR=N"),
            ("PxPa.p.", "PxPe.p."),
            ("C@3AR", "N@KB3"),
        ];
        for (text, english) in same {
            let found = spanish::LETTERING.to_english(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.to_vec()).unwrap(), english, "{text}");
            let text = text.replace('A', "F").replace("a.p.", "e.p.");
            let found = french::LETTERING.to_english(text.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.to_vec()).unwrap(), english, "{text}");
        }
        for text in
            ["", "4R", "P", "P4", "N-KB3", "PXP", "P4RR", "P4AA", "C3AR=", "C/3", "x", "PxP=P8"]
        {
            let found = spanish::LETTERING.to_english(text.as_bytes());
            let is_square =
                |english: English| english.iter().filter(|b| b.is_ascii_digit()).count() == 1;
            // A rank alone is no square, which the reader of English says.
            assert!(found.is_none_or(is_square), "{text}");
        }
    }

    #[test]
    fn names_are_as_long_as_in_english() {
        for lettering in [&spanish::LETTERING, &french::LETTERING] {
            for (name, english) in lettering.files.iter().zip(ENGLISH.files) {
                assert_eq!(name.len(), english.len());
            }
            assert_eq!(lettering.en_passant.len(), ENGLISH.en_passant.len());
        }
    }
}
