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

mod byte_class;
mod command;
mod copied;
mod cursor;
pub mod deviation;
mod divided_pair;
mod encoding;
pub mod engine_comments;
pub(crate) mod line_end;
mod odd_pair;
mod pair_at;
mod result;
mod tag;
mod tag_index;
pub(crate) mod tag_names;
pub mod tag_numbers;
mod tag_pairs;
mod time_control;
mod token;
mod value_fault;

pub(crate) use byte_class::ends_word;
pub use command::{Command, CommandKind, CommandValue, Commands, Eval, commands, without_commands};
pub use copied::lossy;
pub(crate) use copied::utf8;
pub use encoding::{decode, tag_value, tag_value_bytes, to_utf8};
pub(crate) use encoding::{decode_onto, decode_to, tag_value_onto};
pub(crate) use odd_pair::{unreadable_end, unreadable_reason};
pub(crate) use pair_at::opens_unbracketed;
pub(crate) use pgnmill_io::archive::blanks::widthless_blanks_end;
pub use result::Outcome;
pub(crate) use result::Score;
pub use tag::{TagPair, opens_tag_pair};
pub(crate) use tag_index::known_text;
pub use tag_index::{TagIndex, TagValues};
pub use tag_names::{Tag, TagKind};
pub(crate) use tag_pairs::read_tag_section;
pub use tag_pairs::{TagPairs, tag_section_end};
pub use time_control::{TimeControl, TimeKind};
pub(crate) use token::is_digits_of_move;
pub use token::{Digits, Token, TokenKind, Tokens};
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
