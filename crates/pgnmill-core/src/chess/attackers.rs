//! Which pieces attack a square: for legality, for check and for disambiguation.
//!
//! Input: a position, a square and, if it differs from the position's, the set of occupied squares. Output: the
//! attackers, or whether there is one. For a slider there are two methods: from the square's attack set, where all
//! attackers are required, or by the emptiness of the squares between, which is cheaper because few sliders are on the
//! lines of a square.

use super::attacks::{diagonals, files_and_ranks};
use super::{
    Bitboard, Color, Position, Role, Square, between, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, rook_attacks,
};

impl Position {
    /// The pieces of `color` that attack `square` if exactly `occupied` is occupied.
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

    /// The rooks, bishops and queens that would attack `square` on an empty board.
    #[inline(always)]
    fn sliders_aligned(&self, square: Square) -> Bitboard {
        let queens = self.role(Role::Queen);
        files_and_ranks(square) & (self.role(Role::Rook) | queens)
            | diagonals(square) & (self.role(Role::Bishop) | queens)
    }

    /// The opponent's sliders on a line with `square`, whatever is between: only these can pin.
    #[inline(always)]
    pub(crate) fn pinning(&self, square: Square) -> Bitboard {
        self.sliders_aligned(square) & self.them()
    }

    /// Is `square` attacked by one of the pieces `by`, all of one colour, if exactly `occupied` is occupied? Cheaper
    /// than [`Position::attackers`]: most squares have no slider on their lines, the others one or two.
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

    /// The pieces of `among`, pawns excluded, that attack `square`. Cheap, because few are on its lines.
    #[inline(always)]
    pub(crate) fn pieces_attacking(&self, square: Square, among: Bitboard) -> Bitboard {
        let occupied = self.occupied();
        let leapers = knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King);
        leapers & among | unblocked(square, self.sliders_aligned(square) & among, occupied)
    }

    /// The pieces of `role` of the side to move that attack `square`; for pawns, those that could capture there.
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

    /// The pieces that attack the king of the side to move; kings never give check.
    #[inline(always)]
    pub(super) fn find_checkers(&self) -> Bitboard {
        let (king, them) = (self.king(self.turn), self.them());
        let leapers = knight_attacks(king) & self.role(Role::Knight)
            | pawn_attacks(self.turn, king) & self.role(Role::Pawn);
        leapers & them | unblocked(king, self.sliders_aligned(king) & them, self.occupied())
    }
}

/// The pieces with only empty squares between them and `square`.
#[inline(always)]
pub(crate) fn unblocked(square: Square, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    // Whether there is one piece or none is badly predicted: the first is tested in any case.
    let ((first, others), path) = (pieces.split_lowest(), Position::path(pieces.0, square.index()));
    let first = if (path & occupied).is_empty() { first } else { Bitboard::EMPTY };
    let is_free = |piece: &Square| (between(square, *piece) & occupied).is_empty();
    others.into_iter().filter(is_free).fold(first, |pieces, piece| pieces | Bitboard::of(piece))
}

/// The origins from which a pawn advances, by one step or two, to the empty square of this bit; 0 if `bit` is 0. A pawn
/// on the nearer origin blocks the farther one, so that at most one pawn can advance.
#[inline(always)]
pub(crate) fn advancing_from(color: Color, bit: u64, occupied: Bitboard) -> Bitboard {
    let occupied = occupied.0;
    Bitboard(match color {
        Color::White => bit >> 8 | (bit & Bitboard::rank(3).0 & !(occupied << 8)) >> 16,
        Color::Black => bit << 8 | (bit & Bitboard::rank(4).0 & !(occupied >> 8)) << 16,
    })
}
