//! All legal moves of a position: for the oracle decoder, for perft and to distinguish mate from check.
//!
//! Reading games does not list moves; see [`crate::notation::san`]. Here every pseudo-legal move is passed to a
//! visitor, which may stop; legality is tested move by move.

use arrayvec::ArrayVec;

use super::{
    Bitboard, CastlingSide, Color, Move, Position, Role, Square, between, bishop_attacks,
    king_attacks, knight_attacks, pawn_attacks, rays, rook_attacks,
};

/// The legal moves of one position. No position reached from the starting position has more than 218; one set up with
/// nine queens may have a few more.
pub type MoveList = ArrayVec<Move, 512>;

impl Position {
    /// All legal moves, in an order that depends on nothing but the position.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.visit_pseudo_legal(&mut |mv| {
            if self.is_safe(mv) {
                list.push(mv);
            }
            false
        });
        list
    }

    /// Is there a legal move? Cheap where there is one, the usual case.
    pub fn has_legal_move(&self) -> bool {
        let king = self.king(self.turn);
        // A pawn that can step and is off the king's lines uncovers nothing.
        let free = self.ours(Role::Pawn) & !rays(king);
        let steps = match self.turn {
            Color::White => Bitboard(free.0 << 8),
            Color::Black => Bitboard(free.0 >> 8),
        };
        if self.checkers.is_empty() && (steps & !self.occupied()).has_any() {
            return true;
        }
        let (them, occupied) = (self.turn.other(), self.occupied() ^ Bitboard::of(king));
        let by = self.color(them);
        (king_attacks(king) & !self.us())
            .into_iter()
            .any(|target| !self.is_attacked(target, them, by, occupied))
            || self.visit_other_steps(king, &mut |mv| self.is_safe(mv))
    }

    /// Visits every pseudo-legal move, king first, until `visit` returns `true`; castling only where it is legal.
    /// Returns whether the visitor stopped. In check, only targets that can end it are visited.
    pub(crate) fn visit_pseudo_legal(&self, visit: &mut impl FnMut(Move) -> bool) -> bool {
        let king = self.king(self.turn);
        for target in king_attacks(king) & !self.us() {
            if visit(Move::normal(Role::King, king, target)) {
                return true;
            }
        }
        self.visit_other_steps(king, visit)
    }

    /// [`Position::visit_pseudo_legal`] without the king's moves.
    fn visit_other_steps(&self, king: Square, visit: &mut impl FnMut(Move) -> bool) -> bool {
        if self.checkers.several() {
            return false;
        }
        let targets = match self.checkers.single() {
            Some(checker) => between(king, checker) | self.checkers,
            None => !self.us(),
        };
        self.visit_pieces(targets, visit)
            || self.visit_pawns(targets, visit)
            || [CastlingSide::Short, CastlingSide::Long]
                .into_iter()
                .any(|side| self.castle(side).is_some_and(&mut *visit))
    }

    /// The legal move from one square to another, if there is one. `promoted` is the piece that a pawn becomes on its
    /// last rank, and `None` otherwise. Castling is the king's move to the square of its own rook.
    pub fn legal_move(
        &self,
        origin: Square,
        target: Square,
        promoted: Option<Role>,
    ) -> Option<Move> {
        if !self.us().has(origin) {
            return None;
        }
        let role = self.role_at(origin)?;
        let mv = match role {
            Role::Pawn => self.pawn_step(origin, target, promoted)?,
            _ if promoted.is_some() => return None,
            Role::King if self.us().has(target) => {
                let short = target.file() > origin.file();
                let side = if short { CastlingSide::Short } else { CastlingSide::Long };
                return self.castle(side).filter(|mv| mv.target() == target);
            }
            _ if self.us().has(target) => return None,
            _ if self.own_attackers(role, target).has(origin) => Move::normal(role, origin, target),
            _ => return None,
        };
        self.is_safe(mv).then_some(mv)
    }

    fn pawn_step(&self, origin: Square, target: Square, promoted: Option<Role>) -> Option<Move> {
        if Bitboard::BACK_RANKS.has(target) != promoted.is_some() {
            return None;
        }
        let takes = self.own_attackers(Role::Pawn, target).has(origin);
        if takes && self.en_passant_square() == Some(target) {
            return Some(Move::en_passant(origin, target));
        }
        let steps = takes && self.them().has(target);
        if !steps && self.pawn_advancing_to(target) != Some(origin) {
            return None;
        }
        match promoted {
            None => Some(Move::normal(Role::Pawn, origin, target)),
            Some(to) if Role::PROMOTIONS.contains(&to) => Some(Move::promotion(origin, target, to)),
            Some(_) => None,
        }
    }

    pub(super) fn visit_pieces(
        &self,
        targets: Bitboard,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let occupied = self.occupied();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for origin in self.ours(role) {
                let reached = match role {
                    Role::Knight => knight_attacks(origin),
                    Role::Bishop => bishop_attacks(origin, occupied),
                    Role::Rook => rook_attacks(origin, occupied),
                    _ => rook_attacks(origin, occupied) | bishop_attacks(origin, occupied),
                };
                for target in reached & targets & !self.us() {
                    if visit(Move::normal(role, origin, target)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    pub(super) fn visit_pawns(
        &self,
        targets: Bitboard,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        let empty = !self.occupied();
        let pawns = self.ours(Role::Pawn);
        for origin in pawns {
            let captures = pawn_attacks(self.turn, origin) & self.them();
            let bit = Bitboard::of(origin).0;
            let (one, double_rank) = match self.turn {
                Color::White => (Bitboard(bit << 8) & empty, Bitboard::rank(3)),
                Color::Black => (Bitboard(bit >> 8) & empty, Bitboard::rank(4)),
            };
            let two = match self.turn {
                Color::White => Bitboard(one.0 << 8),
                Color::Black => Bitboard(one.0 >> 8),
            } & empty
                & double_rank;
            for target in (captures | one | two) & targets {
                if visit_arrivals(origin, target, visit) {
                    return true;
                }
            }
        }
        // An en passant capture may end a check by the captured pawn, which is on another square.
        let Some(square) = self.en_passant_square() else { return false };
        (pawn_attacks(self.turn.other(), square) & pawns)
            .into_iter()
            .any(|origin| visit(Move::en_passant(origin, square)))
    }
}

/// A pawn's arrival: one move, or four on the last rank.
fn visit_arrivals(origin: Square, target: Square, visit: &mut impl FnMut(Move) -> bool) -> bool {
    if !Bitboard::BACK_RANKS.has(target) {
        return visit(Move::normal(Role::Pawn, origin, target));
    }
    Role::PROMOTIONS.into_iter().any(|role| visit(Move::promotion(origin, target, role)))
}
