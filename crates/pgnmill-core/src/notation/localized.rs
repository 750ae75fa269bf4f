//! SAN with other symbols for the pieces: the letters of a language, or figurines.
//!
//! The writer is SAN's own with a table of letters. The reader puts the English letters back, in a buffer on the stack,
//! and calls SAN's reader, so that its tolerance is the same. The longest letter wins (`Кр` before `К`), and case is
//! never folded; a Latin look-alike of a Cyrillic or Greek letter, and the letters of the source where they differ, are
//! read and noted. Castling is recognised by its hyphen, never by its letter: the bishop is `О` in Bulgarian and `O` in
//! Estonian. Cost: one pass over the text more than SAN.

use crate::chess::{Board, Color, Position, Role};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::body::{Body, Checks};
use super::drops::{self, PawnLetter};
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, Claim, Described, Info, Lineage, MoveText, Reading, algebraic,
    packed_san, san,
};

/// Piece letters in the order of [`Role`]: pawn, knight, bishop, rook, queen, king. The pawn's is only read.
pub(super) type PieceLetters = [&'static str; 6];

/// The letters of a side but the pawn's, as words: the shorter ones first.
pub(super) type LetterWords = [LetterWord; 5];

/// A letter as the lowest bytes of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterWord {
    text: u64,
    mask: u64,
    /// How many bytes it has.
    bytes: u8,
    /// The English letter of the piece.
    english: u8,
}

/// The words of the letters of a side.
pub(super) const fn words_of(letters: &PieceLetters) -> LetterWords {
    let mut words = [LetterWord { text: 0, mask: 0, bytes: 0, english: 0 }; 5];
    let (mut length, mut count) = (1, 0);
    while count < words.len() {
        let mut role = 1;
        while role < letters.len() {
            let letter = letters[role].as_bytes();
            if letter.len() == length {
                let (mut text, mut at) = (0, length);
                while at > 0 {
                    at -= 1;
                    text = text << 8 | letter[at] as u64;
                }
                let mask = u64::MAX >> (64 - 8 * length);
                let english = b"PNBRQK"[role];
                words[count] = LetterWord { text, mask, bytes: length as u8, english };
                count += 1;
            }
            role += 1;
        }
        length += 1;
    }
    words
}

/// SAN with the letters of a table.
#[derive(Debug)]
pub struct Localized {
    /// The description of the notation.
    pub(super) info: &'static Info,
    /// White's letters and Black's.
    pub(super) letters: [&'static PieceLetters; 2],
    /// The same for [`Localized::read_plain`].
    pub(super) words: [LetterWords; 2],
    /// Other letters that are read, each with its role.
    pub(super) others: &'static [(&'static str, Role)],
    /// The deviation of a game in these letters without a tag pair that names the notation.
    pub(super) undeclared: Deviation,
}

/// Must a text with this first character, which is an upper-case letter or not ASCII, begin with a piece letter to be a
/// move? `false` for castling, dashes and variation selectors.
pub(crate) fn begins_with_piece_letter(text: &[u8]) -> bool {
    !matches!(*text, [0xef, 0xb8, ..])
        && algebraic::dash_bytes(text).is_none()
        && algebraic::read_castling(algebraic::split_check_suffix(text).0).is_none()
}

/// The length of the longest text whose longest letter takes `king` units for the king and `piece` for another piece:
/// `Qh4xe1#` and `bxa8=Q#` have one letter each, and the king's requires no square before it.
pub(super) const fn length_max(king: usize, piece: usize) -> usize {
    let (with_king, with_piece) = (king + 4, piece + 6);
    if with_king > with_piece { with_king } else { with_piece }
}

impl Localized {
    /// Does any letter that is read begin with this character?
    pub fn has_letter_with(&self, character: &[u8]) -> bool {
        let letters = self.letters.into_iter().flatten();
        let others = self.others.iter().map(|(letter, _)| letter);
        letters.chain(others).any(|letter| letter.as_bytes().starts_with(character))
    }

    /// Does this read every text as `other` does? `true` of languages that share their letters.
    pub fn reads_like(&self, other: &Localized) -> bool {
        self.letters == other.letters && self.others == other.others
    }

    /// Are its canonical texts those of `other`? The letters of pawns, and those that are read besides, may differ.
    pub(crate) fn has_pieces_of(&self, other: &Localized) -> bool {
        (0..2).all(|color| self.letters[color][1..] == other.letters[color][1..])
    }

    /// The letters of a side, pawn to king.
    pub(crate) fn set(&self, color: Color) -> &'static PieceLetters {
        self.letters[color.index()]
    }

    /// The longest of the canonical letters that `text` begins with.
    #[inline]
    fn letter(&self, text: &[u8], color: Color) -> Option<(Role, usize)> {
        let mut longest = None;
        for (role, letter) in Role::ALL.into_iter().zip(self.set(color)) {
            let longer = letter.len() > longest.map_or(0, |(_, length)| length);
            if longer && role != Role::Pawn && text.starts_with(letter.as_bytes()) {
                longest = Some((role, letter.len()));
            }
        }
        longest
    }

    /// The longest letter of any kind that `text` begins with; a canonical one wins over another of its length.
    fn any_letter(&self, text: &[u8], color: Color) -> Option<(Role, usize)> {
        let mut longest = self.letter(text, color);
        let mut offer = |letter: &str, role| {
            let longer = letter.len() > longest.map_or(0, |(_, length)| length);
            if longer && text.starts_with(letter.as_bytes()) {
                longest = Some((role, letter.len()));
            }
        };
        for (role, letter) in Role::ALL.into_iter().zip(self.set(color)) {
            offer(letter, role);
        }
        for (role, letter) in Role::ALL.into_iter().zip(self.set(color.other())) {
            offer(letter, role);
        }
        for &(letter, role) in self.others {
            offer(letter, role);
        }
        longest
    }

    /// A text in canonical letters, in English; `None` if it contains anything that a canonical text does not.
    #[inline]
    fn canonical_to_english(&self, text: &[u8], color: Color) -> Option<MoveText> {
        let mut english = MoveText::default();
        if text.starts_with(b"O-O") {
            english.push_bytes(text);
            return Some(english);
        }
        let mut rest = text;
        while let [byte, ref after @ ..] = *rest {
            if let b'a'..=b'h' | b'1'..=b'8' | b'x' | b'=' | b'+' | b'#' = byte {
                english.push(byte);
                rest = after;
            } else {
                let (role, length) = self.letter(rest, color)?;
                english.push(role.letter());
                rest = &rest[length..];
            }
        }
        Some(english)
    }

    /// Reads the canonical text of a plain move: a word in which the letter is replaced by the English one, then as in
    /// SAN.
    #[inline(always)]
    fn read_plain(&self, window: &[u8; AT_ONCE_BYTES], position: &Position) -> Option<AtOnce> {
        let all = u128::from_le_bytes(*window);
        let (mut word, mut extra) = (all as u64, 0);
        if !matches!(window[0], b'a'..=b'h') {
            let mut found = None;
            for letter in &self.words[position.turn().index()] {
                found = if word & letter.mask == letter.text { Some(letter) } else { found };
            }
            let LetterWord { bytes, english, .. } = *found?;
            word = ((all >> (8 * (bytes & 7))) as u64) << 8 | u64::from(english);
            extra = bytes - 1;
        }
        let found = match position.turn() {
            Color::White => packed_san::read::<true>(word, position),
            Color::Black => packed_san::read::<false>(word, position),
        }?;
        let check_suffix = found.check_suffix(word)?;
        Some(AtOnce { mv: found.plain.mv(), check_suffix, bytes: found.len() as u8 + extra })
    }

    /// A text in any letters, in English, and whether all of its letters were canonical.
    fn to_english(&self, text: &[u8], color: Color) -> Result<(MoveText, bool), Deviation> {
        let mut english = MoveText::default();
        if text.len() > super::MOVE_TEXT_BYTES_MAX {
            return Err(Deviation::MoveUnreadable);
        }
        let (body, _) = algebraic::split_check_suffix(text);
        if algebraic::read_castling(body).is_some() {
            english.push_bytes(text);
            return Ok((english, true));
        }
        let mut unused = DeviationSet::EMPTY;
        let body = algebraic::split_en_passant(body, &mut unused);
        // In `e8b` the last letter would be read as an English one.
        if let [.., b'1'..=b'8', b'a'..=b'h'] = *body {
            return Err(Deviation::MoveUnreadable);
        }
        let (mut rest, mut canonical) = (body, true);
        while let [byte, ref after @ ..] = *rest {
            if let Some((role, length)) = self.any_letter(rest, color) {
                canonical &= role == Role::Pawn || self.letter(rest, color) == Some((role, length));
                english.push(role.letter());
                rest = &rest[length..];
            } else if let [0xef, 0xb8, 0x8e | 0x8f, ref after @ ..] = *rest {
                // Variation selectors, which select a plain or a coloured figurine.
                canonical = false;
                rest = after;
            } else if let Some(length) = algebraic::dash_bytes(rest) {
                english.push_bytes(&rest[..length]);
                rest = &rest[length..];
            } else if let b'a'..=b'h'
            | b'1'..=b'8'
            | b'x'
            | b'X'
            | b':'
            | b'='
            | b'/'
            | b'('
            | b')' = byte
            {
                english.push(byte);
                rest = after;
            } else {
                return Err(Deviation::MoveUnreadable);
            }
        }
        english.push_bytes(&text[body.len()..]);
        Ok((english, canonical))
    }

    /// Reads a drop. The letter of a pawn may be the own one, `P` where that is no piece letter, or a figurine.
    fn read_drop(&self, text: &[u8], position: &impl Board) -> Result<Reading, Deviation> {
        let (body, check_suffix) = algebraic::split_check_suffix(text);
        let at = body.iter().position(|&byte| byte == drops::AT).unwrap_or(0);
        let (letter, square) = body.split_at(at);
        let color = position.turn();
        let (mut english, mut canonical) = (MoveText::default(), true);
        match self.any_letter(letter, color) {
            _ if letter.is_empty() => {}
            Some((role, length)) if length == letter.len() => {
                canonical =
                    role == Role::Pawn || self.letter(letter, color) == Some((role, length));
                english.push(role.letter());
            }
            None if [&b"P"[..], "♙".as_bytes(), "♟".as_bytes()].contains(&letter) => {
                english.push(Role::Pawn.letter());
            }
            _ => return Err(Deviation::MoveUnreadable),
        }
        if square.len() > 3 {
            return Err(Deviation::MoveUnreadable);
        }
        english.push_bytes(square);
        let read = drops::read(english.as_bytes(), PawnLetter::Omitted, check_suffix, position);
        let mut reading = read.ok_or(Deviation::MoveUnreadable)??;
        if !canonical {
            reading.deviations.add(Deviation::NotationVariant);
        }
        Ok(reading)
    }
}

impl Described for Localized {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        let letters = Role::ALL.into_iter().zip(self.letters[0]).skip(1);
        let english = letters
            .filter(|(_, letter)| !letter.is_empty())
            .find_map(|(role, letter)| Some(format!("{role}{}", text.strip_prefix(letter)?)));
        let is_english = text.starts_with(|first: char| first.is_ascii_uppercase() && first != 'O');
        match english {
            Some(english) => algebraic::claim(english.as_bytes()),
            None if is_english => None,
            None => algebraic::claim(text.as_bytes()),
        }
    }

    fn undeclared(&self) -> Deviation {
        self.undeclared
    }

    fn localized(&self) -> Option<&Localized> {
        Some(self)
    }
}

impl Body for Localized {
    const CHECKS: Checks = Checks::Symbols;

    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let letters = self.set(step.before.turn());
        san::write(step, PawnLetter::Omitted, text, |role, text| {
            text.push_bytes(letters[role.index()].as_bytes());
        });
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let color = position.turn();
        if !B::IS_STANDARD && text.contains(&drops::AT) {
            return self.read_drop(text, position);
        }
        if let Some(english) = self.canonical_to_english(text, color)
            && let Some((mv, check_suffix)) = san::read_canonical(english.as_bytes(), position)
        {
            return Ok(Reading { mv, check_suffix, deviations: DeviationSet::EMPTY });
        }
        let (english, canonical) = self.to_english(text, color)?;
        let mut reading = san::read(english.as_bytes(), position)?;
        if !canonical {
            reading.deviations.add(Deviation::NotationVariant);
        }
        Ok(reading)
    }

    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        _: Option<&Lineage>,
    ) -> Option<AtOnce> {
        self.read_plain(window, position)
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, None)))
    }
}
