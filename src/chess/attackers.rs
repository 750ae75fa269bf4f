//! Who attacks a square: asked for legality, for check and for what a notation must tell apart.
//!
//! In: a position, a square, and sometimes other men on the board than it has. Out: the men, or whether there is one. A
//! slider is asked in one of two ways: by what it attacks, where all attackers are wanted, or by whether somebody stands
//! between it and the square, which is cheaper where few sliders stand on the square's lines, as mostly.

use super::attacks::{diagonals, files_and_ranks};
use super::{
    Bitboard, Color, Position, Role, Square, between, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, rook_attacks,
};

impl Position {
    /// The men of `color` that attack `square`, were `occupied` all men on the board.
    #[inline(always)]
    pub fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let attackers = rook_attacks(square, occupied) & (self.role(Role::Rook) | queens)
            | bishop_attacks(square, occupied) & (self.role(Role::Bishop) | queens)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | pawn_attacks(color.other(), square) & self.role(Role::Pawn);
        attackers & self.color(color)
    }

    /// The rooks, bishops and queens that would attack `square` were the board empty.
    #[inline(always)]
    fn sliders_aligned(&self, square: Square) -> Bitboard {
        let queens = self.role(Role::Queen);
        files_and_ranks(square) & (self.role(Role::Rook) | queens)
            | diagonals(square) & (self.role(Role::Bishop) | queens)
    }

    /// The sliders of the other side that stand on a line with `square`, whoever is between: who pins can only be one of them.
    #[inline(always)]
    pub(crate) fn pinning(&self, square: Square) -> Bitboard {
        self.sliders_aligned(square) & self.them()
    }

    /// Is `square` attacked by one of the men `by`, all of one colour, were `occupied` all men on the board? Cheaper than
    /// [`Position::attackers`]: most squares have no slider on their lines, and the few that have, one or two.
    #[inline(always)]
    pub(super) fn is_attacked(
        &self,
        square: Square,
        color: Color,
        by: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        let leapers = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | pawn_attacks(color.other(), square) & self.role(Role::Pawn);
        (leapers & by).has_any()
            || (self.sliders_aligned(square) & by)
                .into_iter()
                .any(|piece| (between(square, piece) & occupied).is_empty())
    }

    /// The men among those given, pawns apart, that attack `square`. Cheap where few stand on its lines, as mostly.
    #[inline(always)]
    pub(crate) fn pieces_attacking(&self, square: Square, among: Bitboard) -> Bitboard {
        let occupied = self.occupied();
        let leapers = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King);
        leapers & among | unblocked(square, self.sliders_aligned(square) & among, occupied)
    }

    /// The men of `role` of the side to move that attack `square`: for pawns, those that could take there.
    #[inline(always)]
    pub fn own_attackers(&self, role: Role, square: Square) -> Bitboard {
        let occupied = self.occupied();
        let origins = match role {
            Role::Pawn => pawn_attacks(self.turn.other(), square),
            Role::Knight => knight_attacks(square),
            Role::Bishop => bishop_attacks(square, occupied),
            Role::Rook => rook_attacks(square, occupied),
            Role::Queen => rook_attacks(square, occupied) | bishop_attacks(square, occupied),
            Role::King => king_attacks(square),
        };
        origins & self.ours(role)
    }

    /// The men that attack the king of the side to move; kings never give check.
    #[inline(always)]
    pub(super) fn find_checkers(&self) -> Bitboard {
        let (king, them) = (self.king(self.turn), self.them());
        let leapers = knight_attacks(king) & self.role(Role::Knight)
            | pawn_attacks(self.turn, king) & self.role(Role::Pawn);
        leapers & them | unblocked(king, self.sliders_aligned(king) & them, self.occupied())
    }
}

/// Those of the men between whom and the square nobody stands.
#[inline(always)]
pub(crate) fn unblocked(square: Square, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    // One man or none is guessed badly: the first is looked at in any case.
    let ((first, others), path) = (pieces.split_lowest(), Position::path(pieces.0, square.index()));
    let first = if (path & occupied).is_empty() { first } else { Bitboard::EMPTY };
    let is_free = |piece: &Square| (between(square, *piece) & occupied).is_empty();
    others.into_iter().filter(is_free).fold(first, |pieces, piece| pieces | Bitboard::of(piece))
}

/// From where pawns of a colour advance, by one step or two, to the square of this bit, which is free; 0 if no bit is given.
/// Where a pawn stands on the nearer the farther is none: one pawn at most can advance.
#[inline(always)]
pub(crate) fn advancing_from(color: Color, bit: u64, occupied: Bitboard) -> Bitboard {
    let occupied = occupied.0;
    Bitboard(match color {
        Color::White => bit >> 8 | (bit & Bitboard::rank(3).0 & !(occupied << 8)) >> 16,
        Color::Black => bit << 8 | (bit & Bitboard::rank(4).0 & !(occupied >> 8)) << 16,
    })
}
