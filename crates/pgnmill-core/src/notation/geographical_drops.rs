//! Drops in Geographical notation: the piece, and the offset of the square from the own king.
//!
//! In: a drop, or a text with `@`. Out: `N@s.ne3`, one north and three east of the king; a count of 1 and a leg of 0
//! are
//! left out. Source: sources/003, note 1, `B @ s.n2e3`; details in `variants.md`, 6.2. A piece in a pocket has no
//! place,
//! so that it has no number. Also read: without `s.`, with counts of 1. If the side has several kings, the offset is
//! from the first.

use crate::chess::{Board, Move, Role, Square};
use crate::pgn::deviation::Deviation;

use super::MoveText;
use super::drops::AT;

/// The king from which offsets are counted: the first from west to east, then from north to south.
fn own_king(position: &impl Board) -> Option<Square> {
    let kings = position.ours(Role::King).into_iter();
    kings.min_by_key(|king| (king.file(), 7 - king.rank()))
}

/// Writes a drop without a check suffix.
pub(super) fn write(position: &impl Board, mv: Move, text: &mut MoveText) -> Result<(), Deviation> {
    let king = own_king(position).ok_or(Deviation::MoveNotExpressible)?;
    let square = mv.target();
    text.push(mv.role().letter());
    text.push_bytes(&[AT, b's', b'.']);
    let mut leg = |from: u8, to: u8, [ahead, back]: [u8; 2]| {
        let steps = from.abs_diff(to);
        if steps > 0 {
            text.push(if to > from { ahead } else { back });
        }
        if steps > 1 {
            text.push(b'0' + steps);
        }
    };
    leg(king.rank(), square.rank(), *b"ns");
    leg(king.file(), square.file(), *b"ew");
    Ok(())
}

/// Reads a drop without a check suffix.
pub(super) fn read(body: &[u8], position: &impl Board) -> Result<Move, Deviation> {
    let fail = Deviation::MoveUnreadable;
    let [letter, AT, offset @ ..] = body else { return Err(fail) };
    let role = Role::from_letter(*letter).ok_or(fail)?;
    let offset = offset.strip_prefix(b"s.").unwrap_or(offset);
    let king = own_king(position).ok_or(Deviation::MoveIllegal)?;
    let (north, rest) = read_leg(offset, *b"ns");
    let (east, rest) = read_leg(rest, *b"ew");
    if !rest.is_empty() || (north, east) == (0, 0) {
        return Err(fail);
    }
    let on_board = |from: u8, steps: i8| {
        u8::try_from(from as i8 + steps).ok().filter(|&to| to < 8).ok_or(Deviation::MoveIllegal)
    };
    let square = Square::at(on_board(king.file(), east)?, on_board(king.rank(), north)?);
    position.drop_of(role, square).ok_or(Deviation::MoveIllegal)
}

/// One leg: how far ahead, negative for the other letter; 0 if there is none.
fn read_leg(text: &[u8], [ahead, back]: [u8; 2]) -> (i8, &[u8]) {
    let [letter, rest @ ..] = text else { return (0, text) };
    if *letter != ahead && *letter != back {
        return (0, text);
    }
    let (steps, rest) = match rest {
        [digit @ b'1'..=b'7', rest @ ..] => ((digit - b'0') as i8, rest),
        _ => (1, rest),
    };
    (if *letter == ahead { steps } else { -steps }, rest)
}
