//! What the general movetext loop requires of a ruleset besides its rules: how its moves are written.
//!
//! The loop (`moves.rs`, `move_token.rs`, `suffixes.rs`, `line.rs`) is generic over a [`Ruleset`] and compiled once per
//! ruleset; it delivers plies to a visitor (`visitor.rs`) through a table of methods. What a ruleset does not have is a
//! method with a default. `tests` in `moves.rs` has an example with a position type of its own.

use std::fmt;

use crate::chess::rules::{AnyPosition, GameEnd, Rules};
use crate::notation::{Check, MoveText, Notation, Reading};
use crate::pgn::deviation::Deviation;

/// A ruleset whose games the general loop can replay.
pub(super) trait Ruleset: Rules {
    /// The history that some notations require; see [`Lineage`](crate::notation::Lineage).
    type Lineage: Copy + fmt::Debug;
    /// A ply as the visitor of this ruleset receives it.
    type Ply<'a>: Copy;

    /// A history without meaning, for games that have none.
    const NO_LINEAGE: Self::Lineage;

    /// The history of a game from this position, if it has one.
    fn lineage_of(position: &Self::Position) -> Option<Self::Lineage> {
        let _ = position;
        None
    }

    /// The position, for people and tables.
    fn any_position(position: &Self::Position) -> Option<AnyPosition> {
        let _ = position;
        None
    }

    /// The history after a legal move.
    fn lineage_after(lineage: &Self::Lineage, mv: Self::Move) -> Self::Lineage;

    /// The ply from one position to another.
    fn ply<'a>(
        before: &'a Self::Position,
        mv: Self::Move,
        after: &'a Self::Position,
        check: Check,
        lineage: Option<&'a Self::Lineage>,
    ) -> Self::Ply<'a>;

    /// Reads the text of a move generously, as [`Notation::read_in`] does.
    ///
    /// # Errors
    /// The fault, where the text has no reading or several.
    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &Self::Position,
        lineage: Option<&Self::Lineage>,
    ) -> Result<Reading<Self::Move>, Deviation>;

    /// Adds the canonical text of a ply that was read in the same notation.
    fn encode(notation: &dyn Notation, ply: &Self::Ply<'_>, text: &mut MoveText);

    /// Why a token is no move here: the text of a fault. `token` may be shortened.
    fn refusal(
        kind: Deviation,
        token: &str,
        notation: &dyn Notation,
        position: &Self::Position,
    ) -> String;

    /// The check suffix of the move into this position: mate where one side has won, check where the side
    /// to move is in check.
    #[inline(always)]
    fn check(after: &Self::Position) -> Check {
        match Self::end(after) {
            Some(GameEnd::Win(_)) => Check::Mate,
            _ if Self::in_check(after) => Check::Check,
            _ => Check::None,
        }
    }

    /// Where the token of a move ends that begins at `start` and, by the tokens of chess, ends at `end`.
    #[inline(always)]
    fn token_end(text: &[u8], start: usize, end: usize) -> usize {
        let _ = (text, start);
        end
    }

    /// May a result be stuck to a move, as in `h6*`?
    const RESULTS_MAY_STICK: bool = true;

    /// The position in which the side to move has resigned, if this token says so.
    #[inline(always)]
    fn resigned(token: &[u8], position: &Self::Position) -> Option<Self::Position> {
        let _ = (token, position);
        None
    }

    /// Are there texts of SAN with the letters of other languages?
    const HAS_LANGUAGES: bool = true;

    /// May either side begin a game, which the first number shows?
    const EITHER_SIDE_BEGINS: bool = false;

    /// The starting position with Black to move.
    fn with_black_first(position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// Was the move between these positions a capture en passant?
    fn is_en_passant(before: &Self::Position, after: &Self::Position) -> bool {
        let _ = (before, after);
        false
    }

    /// Reads a promotion whose piece is not written, where the rules have a usual piece.
    fn read_usual_promotion(
        notation: &dyn Notation,
        token: &[u8],
        position: &Self::Position,
    ) -> Option<Reading<Self::Move>> {
        let _ = (notation, token, position);
        None
    }
}
