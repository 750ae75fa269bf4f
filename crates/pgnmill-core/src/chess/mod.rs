//! The rules of chess and of Chess960; the only text formats are FEN and UCI.
//!
//! Input: a FEN record or the starting position, then moves. Output: positions, their legal moves, and checks. All
//! values are plain data on the stack: a [`Position`] is 96 bytes, copied instead of undone, and nothing allocates.
//!
//! ```
//! use pgnmill_core::chess::{Position, perft};
//! assert_eq!(perft(&Position::initial(), 3), 8_902);
//! ```

mod attackers;
mod attacks;
mod bitboard;
mod board;
mod castling;
mod clocks;
mod epd;
mod fen;
mod fen_text;
mod movegen;
mod moves;
mod packed_position;
mod parse;
mod parts;
mod perft;
mod phase;
mod piece;
mod plain;
pub(crate) mod polyglot;
mod polyglot_random;
mod position;
pub mod rules;
mod square;
pub(crate) mod uci;

pub(crate) use attackers::{advancing_from, unblocked};
pub(crate) use attacks::{between, line, rays};
pub use attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
pub use bitboard::Bitboard;
pub use board::{Board, Effect};
pub use epd::{
    EpdError, EpdFields, EpdLine, EpdOperation, EpdOperationError, EpdOperations, LINE_BYTES_MAX,
    epd_operands,
};
pub use fen::{FenError, FenNotes};
pub use movegen::MoveList;
pub use moves::{CastlingSide, Move, MoveKind};
pub use packed_position::PackedPosition;
pub use parse::ParseError;
pub(crate) use parts::PositionParts;
pub use perft::perft;
pub(crate) use phase::phase_of;
pub use piece::{Color, Role};
pub(crate) use plain::Plain;
pub use position::Position;
pub use square::Square;
pub use uci::{UciError, UciMove};
