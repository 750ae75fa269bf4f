//! Drops in descriptive notation: the piece, `@`, the square.
//!
//! In: a drop, or a text with `@`. Out: `N@KB3`, `P@K4`; the short name of the square (`N@B3`) where no other legal
//! drop
//! of that piece fits it. Source: `variants.md`, section 6. A dropped piece has no wing.

use crate::chess::{Bitboard, Board, Move, Role};
use crate::notation::MoveText;
use crate::notation::drops::AT;
use crate::pgn::deviation::Deviation;

use super::parts::{push_square, take_location, twins};

/// Writes a drop without its check suffix.
pub(super) fn write(position: &impl Board, mv: Move, text: &mut MoveText) {
    let (role, square) = (mv.role(), mv.target());
    let mut others = (twins(square) & !Bitboard::of(square)).into_iter();
    let is_rivalled = others.any(|other| position.drop_of(role, other).is_some());
    text.push(role.letter());
    text.push(AT);
    push_square(square, position.turn(), is_rivalled, text);
}

/// Reads a drop without its check suffix.
pub(super) fn read(body: &[u8], position: &impl Board) -> Result<Move, Deviation> {
    let [letter, AT, place @ ..] = body else { return Err(Deviation::MoveUnreadable) };
    let role = Role::from_letter(*letter).ok_or(Deviation::MoveUnreadable)?;
    let Some((squares, [])) = take_location(place, position.turn()) else {
        return Err(Deviation::MoveUnreadable);
    };
    let mut found = squares.into_iter().filter_map(|square| position.drop_of(role, square));
    match (found.next(), found.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(Deviation::MoveAmbiguous),
        (None, _) => Err(Deviation::MoveIllegal),
    }
}
