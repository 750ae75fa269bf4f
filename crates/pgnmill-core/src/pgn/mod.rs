//! The text of games: tag pairs and movetext, as tokens. This module depends on PGN only, not on chess.
//!
//! Input: the text of games. Output: [`Token`]s and [`TagPair`]s, as spans of that text. Nothing is copied or
//! allocated; each byte is examined once, whatever the bytes are.
//!
//! ```
//! use pgnmill_core::pgn::{Digits, TokenKind, Tokens};
//! let text = b"1. e4 {best by test} e5 $1 1-0";
//! let kinds: Vec<_> = Tokens::new(text, 0, Digits::Never).map(|token| token.kind).collect();
//! use TokenKind::*;
//! assert_eq!(kinds, [Number, Move, Comment, Move, Nag, Result]);
//! ```

mod command;
mod copied;
pub mod deviation;
mod encoding;
pub(crate) mod line_end;
mod tag;
mod tag_index;
pub(crate) mod tag_names;
pub mod tag_numbers;
mod tag_pairs;
mod token;
mod value_fault;

pub use command::{Command, CommandKind, CommandValue, Commands, Eval, commands, without_commands};
pub use copied::lossy;
pub(crate) use copied::utf8;
pub use encoding::{decode, tag_value, tag_value_bytes, to_utf8};
pub(crate) use encoding::{decode_onto, decode_to, tag_value_onto};
pub use tag::{TagPair, opens_tag_pair};
pub(crate) use tag_index::known_text;
pub use tag_index::{TagIndex, TagValues};
pub use tag_names::{Tag, TagKind};
pub(crate) use tag_pairs::read_tag_section;
pub use tag_pairs::{TagPairs, tag_section_end};
pub use token::{Digits, Token, TokenKind, Tokens};
pub(crate) use token::{ends_word, is_digits_of_move};
pub use value_fault::ValueFault;

/// The seven tag roster, in its order (PGN standard 8.1.1).
pub const ROSTER: [&[u8]; 7] =
    [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// The tag pair that names the notation of the movetext. It is not in the standard, whose section 17 keeps other
/// notations out of archives; without it an archive in another notation cannot be read back.
pub const NOTATION_TAG: &[u8] = b"MoveNotation";

/// The byte order mark in UTF-8, which some editors write before the first byte (Unicode 23.8).
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The number of a NAG that is written as `$14` (PGN standard 8.2.4).
pub(crate) fn nag_number(text: &[u8]) -> Option<i16> {
    let digits = text.strip_prefix(b"$").filter(|digits| !digits.is_empty())?;
    digits.iter().try_fold(0_i16, |number, digit| {
        let digit = digit.is_ascii_digit().then_some(i16::from(digit & 0xF))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// The result of a game (PGN standard 8.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl Outcome {
    /// The form of the standard.
    pub const fn canonical(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// Reads a result in the form of the standard.
    pub fn from_canonical(text: &[u8]) -> Option<Outcome> {
        match text {
            b"1-0" => Some(Outcome::WhiteWins),
            b"0-1" => Some(Outcome::BlackWins),
            b"1/2-1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ => None,
        }
    }

    /// Reads a result in any form that occurs in archives, with whitespace around it.
    pub fn from_any(text: &[u8]) -> Option<Outcome> {
        let half = "½-½".as_bytes();
        let text = text.trim_ascii();
        match text {
            b"1/2" | b"1/2-1/2." | b"0.5-0.5" | b"draw" | b"Draw" | b"=-=" => Some(Outcome::Draw),
            b"1:0" | b"1-0." => Some(Outcome::WhiteWins),
            b"0:1" | b"0-1." => Some(Outcome::BlackWins),
            _ if text == half || text == "½".as_bytes() || text == "½–½".as_bytes() => {
                Some(Outcome::Draw)
            }
            _ if text == "1–0".as_bytes() => Some(Outcome::WhiteWins),
            _ if text == "0–1".as_bytes() => Some(Outcome::BlackWins),
            _ => Outcome::from_canonical(text),
        }
    }
}
