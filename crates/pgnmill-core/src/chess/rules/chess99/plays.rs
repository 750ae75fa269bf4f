//! All plays of a position of Chess 99, and checks.
//!
//! In: a position. Out: each play once, in an order that depends on the position alone. Cost: one pass over the
//! squares.

use super::board::{Position99, ahead, first_rank, last_rank};
use super::play::{Play99, Special};
use super::square::{Role99, Square99};
use crate::chess::Color;

type Step = (i8, i8);

const STRAIGHT: [Step; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The steps of a piece that moves: those it repeats, and those it makes once.
fn steps(role: Role99) -> (&'static [Step], &'static [Step], &'static [Step]) {
    match role {
        Role99::Pawn => (&[], &[], &[]),
        Role99::Knight => (&[], &[], &KNIGHT),
        Role99::Bishop => (&[], &DIAGONAL, &[]),
        Role99::Rook => (&STRAIGHT, &[], &[]),
        Role99::Paladin => (&[], &DIAGONAL, &KNIGHT),
        Role99::Queen => (&STRAIGHT, &DIAGONAL, &[]),
        Role99::King => (&[], &[], &[]),
    }
}

/// Calls `visit` with each square that a piece other than a pawn attacks, until it returns `true`.
fn visit_targets(
    position: &Position99,
    role: Role99,
    origin: Square99,
    visit: &mut impl FnMut(Square99) -> bool,
) -> bool {
    let (straight, diagonal, once) = steps(role);
    for &step in straight.iter().chain(diagonal) {
        let mut square = origin;
        while let Some(next) = square.step(step) {
            if visit(next) {
                return true;
            }
            if position.piece(next).is_some() {
                break;
            }
            square = next;
        }
    }
    let king: &[&[Step]] = if role == Role99::King { &[&STRAIGHT, &DIAGONAL] } else { &[] };
    let mut single = once.iter().chain(king.iter().copied().flatten());
    single.any(|&step| origin.step(step).is_some_and(&mut *visit))
}

/// Visits all plays, whether or not a king was captured.
pub(super) fn visit(position: &Position99, visit: &mut impl FnMut(Play99) -> bool) -> bool {
    let color = position.turn;
    for (origin, owner, role) in position.pieces() {
        if owner != color {
            continue;
        }
        let is_done = match role {
            Role99::Pawn if origin.rank() == last_rank(color) => {
                visit_late(position, origin, visit)
            }
            Role99::Pawn => visit_pawn(position, origin, visit),
            _ => visit_piece(position, role, Play99::new(origin, origin), visit),
        };
        if is_done || role == Role99::King && visit_castling(position, origin, visit) {
            return true;
        }
    }
    false
}

/// The plays of a piece, and of a pawn that moves as one; `play` has the origin and the promotion.
fn visit_piece(
    position: &Position99,
    role: Role99,
    play: Play99,
    visit: &mut impl FnMut(Play99) -> bool,
) -> bool {
    let color = position.turn;
    visit_targets(position, role, play.origin, &mut |target| {
        if position.piece(target).is_some_and(|(owner, _)| owner == color) {
            return false;
        }
        let play = Play99 { target, ..play };
        visit(play)
            || position.passed == Some(target)
                && visit(Play99 { special: Special::EnPassant, ..play })
    })
}

/// The plays of a pawn on its last rank: promotions in place, or as the piece that it becomes.
fn visit_late(
    position: &Position99,
    origin: Square99,
    visit: &mut impl FnMut(Play99) -> bool,
) -> bool {
    Role99::PROMOTIONS.into_iter().any(|role| {
        let promotion = Some(role);
        let play = Play99 { promotion, is_late: true, ..Play99::new(origin, origin) };
        visit(play) || visit_piece(position, role, play, visit)
    })
}

/// The plays of a pawn that is not on its last rank.
fn visit_pawn(
    position: &Position99,
    origin: Square99,
    visit: &mut impl FnMut(Play99) -> bool,
) -> bool {
    let color = position.turn;
    let ahead = ahead(color);
    let arrivals = &mut |target: Square99, special| {
        let play = Play99 { special, ..Play99::new(origin, target) };
        let is_last = target.rank() == last_rank(color);
        visit(play)
            || is_last
                && Role99::PROMOTIONS
                    .into_iter()
                    .any(|role| visit(Play99 { promotion: Some(role), ..play }))
    };
    let is_vacant = |square: &Square99| position.piece(*square).is_none();
    if let Some(one) = origin.step((0, ahead)).filter(is_vacant) {
        if arrivals(one, Special::None) {
            return true;
        }
        if let Some(two) = one.step((0, ahead)).filter(is_vacant)
            && arrivals(two, Special::None)
        {
            return true;
        }
    }
    for file in [-1, 1] {
        let Some(target) = origin.step((file, ahead)) else { continue };
        let is_enemy = position.piece(target).is_some_and(|(owner, _)| owner != color);
        let is_passed = position.passed == Some(target);
        if is_enemy && arrivals(target, Special::None)
            || is_passed && arrivals(target, Special::EnPassant)
        {
            return true;
        }
    }
    false
}

/// Castling with each partner.
fn visit_castling(
    position: &Position99,
    king: Square99,
    visit: &mut impl FnMut(Play99) -> bool,
) -> bool {
    let color = position.turn;
    if king.rank() != first_rank(color) {
        return false;
    }
    // Of the pieces on the rank only the nearest on each side has nothing between it and the king.
    [-1, 1].into_iter().any(|step| {
        let mut square = king;
        while let Some(next) = square.step((step, 0)) {
            match position.piece(next) {
                None => square = next,
                Some((owner, role)) => {
                    let is_partner = owner == color && role != Role99::Pawn;
                    return is_partner && visit(Play99::castling(king, next));
                }
            }
        }
        false
    })
}

impl Position99 {
    /// Could the other side, were it to move, capture the king of this side? Not if it was captured.
    pub fn is_in_check(&self, color: Color) -> bool {
        let Some(king) = self.king(color) else { return false };
        self.pieces()
            .any(|(origin, owner, role)| owner != color && self.attacks(origin, owner, role, king))
    }

    /// Does a piece attack a square? A pawn on its last rank does so as a bishop and as a knight.
    fn attacks(&self, origin: Square99, owner: Color, role: Role99, square: Square99) -> bool {
        let as_piece = |role| visit_targets(self, role, origin, &mut |target| target == square);
        match role {
            Role99::Pawn if origin.rank() == last_rank(owner) => {
                Role99::PROMOTIONS.into_iter().any(as_piece)
            }
            Role99::Pawn => {
                [-1, 1].into_iter().any(|file| origin.step((file, ahead(owner))) == Some(square))
            }
            role => as_piece(role),
        }
    }
}
