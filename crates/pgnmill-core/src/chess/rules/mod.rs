//! The rules of a game: what a position, a move, a legal move and an end are, as a trait.
//!
//! In: a FEN record or the starting position, then moves. Out: positions, legal moves, and the end that the rules
//! declare. A ruleset is a type without values that implements [`Rules`]; code that is generic over it is compiled once
//! per ruleset, so that [`Standard`] costs no indirect call. Rulesets may share a position type, as chess and King of
//! the Hill can, or have one of their own: a board of another size is another type, not a parameter of
//! [`Position`](super::Position). How moves are written is not part of the rules.
//!
//! ```
//! use pgnmill_core::chess::rules::{GameEnd, Rules, Standard, Start};
//! use pgnmill_core::chess::Color;
//! let (mated, _) = Standard::from_fen(b"4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", false).unwrap();
//! assert_eq!(Standard::end(&mated), Some(GameEnd::Win(Color::White)));
//! ```

mod antichess;
mod any_position;
mod any_variant;
mod atomic;
pub(crate) mod boards;
mod chess99;
mod crazyhouse;
mod horde;
mod kind;
mod king_of_the_hill;
mod racing_kings;
mod registry;
mod standard;
mod three_check;
mod variant;
mod variant_fen;
mod variant_fen_text;
mod variant_position;

use std::fmt;

use super::{Color, FenError, FenNotes};

pub use antichess::{Antichess, Giveaway, Suicide};
pub use any_position::AnyPosition;
pub use any_variant::AnyVariant;
pub use atomic::Atomic;
pub use boards::{BoardTable, CELLS_MAX, Cell, TableMove, TablePosition, TableRules, Vector};
pub use chess99::{Chess99, Play99, Position99, Role99, Square99};
pub use crazyhouse::Crazyhouse;
pub use horde::Horde;
pub use kind::{BoardKind, RulesKind, UnknownRules, VariantKind};
pub use king_of_the_hill::KingOfTheHill;
pub use racing_kings::RacingKings;
pub use standard::Standard;
pub use three_check::ThreeCheck;
pub(crate) use variant_position::Extras;
pub use variant_position::VariantPosition;

/// How the rules end a game. Draws that a player must claim are not judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// This side has won.
    Win(Color),
    /// Neither side has won.
    Draw,
    /// The side to move has no move, and the rules give the game a score that PGN has no result for, as Gliński's three
    /// quarters of a point: the result is the one that the game states.
    Unscored,
}

/// The rules of one game.
///
/// Positions are plain data: a move makes a new position, and nothing is undone. A move has a meaning only together
/// with the position in which it is legal. A drop, where the rules have drops, is a value of [`Rules::Move`] like any
/// other.
pub trait Rules: Copy + fmt::Debug + Send + Sync + 'static {
    /// The board, the side to move, and whatever else decides which moves are legal: rights, pockets, checks given.
    type Position: Copy + fmt::Debug;
    /// A move or a drop.
    type Move: Copy + PartialEq + fmt::Debug;

    /// The side to move.
    fn turn(position: &Self::Position) -> Color;

    /// The number of the move that is next; it grows after Black's move.
    fn fullmove_number(position: &Self::Position) -> u32;

    /// Calls `visit` for each legal move, drops included, until it returns `true`; returns whether it did. There is
    /// none once the game is over. The order depends on the position alone.
    fn visit_legal(position: &Self::Position, visit: &mut impl FnMut(Self::Move) -> bool) -> bool;

    /// Makes `next`, whatever it was before, the position after a legal move.
    fn play_into(position: &Self::Position, mv: Self::Move, next: &mut Self::Position);

    /// The position after a null move; `None` where the rules forbid one, as in check.
    fn pass(position: &Self::Position) -> Option<Self::Position>;

    /// Whether the side to move is in check, in the sense of the ruleset.
    fn in_check(position: &Self::Position) -> bool;

    /// The end of the game, if it is over in this position.
    fn end(position: &Self::Position) -> Option<GameEnd>;
}

/// Where the games of a ruleset begin.
pub trait Start: Rules {
    /// The position of a game without a FEN record. `chess960`: the game is one of Chess960 in this ruleset.
    fn initial(chess960: bool) -> Self::Position;

    /// The position of a FEN record, and how the record departs from the canonical one. `chess960` as in
    /// [`Start::initial`].
    ///
    /// # Errors
    /// The record cannot be read, or no game of these rules can continue from it.
    fn from_fen(record: &[u8], chess960: bool) -> Result<(Self::Position, FenNotes), FenError>;
}
