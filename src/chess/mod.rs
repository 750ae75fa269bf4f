//! The rules of chess and of Chess960; of text it knows only FEN.
//!
//! What enters: a FEN record or the initial array, then moves. What leaves: positions, the moves that are
//! legal in them, and who gives check. Everything is plain data on the stack: a [`Position`] is 96 bytes,
//! copied rather than undone, and nothing here allocates.
//!
//! ```
//! use pgnmill::chess::{Position, perft};
//! assert_eq!(perft(&Position::initial(), 3), 8_902);
//! ```

mod attackers;
mod attacks;
mod bitboard;
mod castling;
mod clocks;
mod fen;
mod movegen;
mod moves;
mod perft;
mod piece;
mod plain;
mod position;
pub mod rules;
mod square;

pub(crate) use attackers::{advancing_from, unblocked};
pub use attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rays, rook_attacks,
};
pub use bitboard::Bitboard;
pub use fen::{FenError, FenNotes};
pub use movegen::MoveList;
pub use moves::{CastlingSide, Move, MoveKind};
pub use perft::perft;
pub use piece::{Color, Role};
pub(crate) use plain::Plain;
pub use position::Position;
pub use square::Square;
