//! Castling, in chess and in Chess960 (FIDE law 3.8.2 and guideline II).
//!
//! The king goes to the g- or c-file and the rook to the f- or d-file of their rank. All squares that either passes or
//! reaches must be free of other pieces, and no square from the king's origin to its arrival attacked.

use super::{Bitboard, CastlingSide, Color, Move, Position, Role, Square, between};

impl Position {
    /// The castling rights as four bits if all their rooks are in corners, as in chess: bit 0 is h1, bit 1 a1, bit 2
    /// h8, bit 3 a8, the order of `KQkq`. A rook in a corner is the outermost one on its side of the king.
    #[inline(always)]
    pub(super) fn castling_corners(&self) -> Option<usize> {
        let rooks = self.castling.0;
        let corner = |square: u32| (rooks >> square & 1) as usize;
        let corners = corner(7) | corner(0) << 1 | corner(63) << 2 | corner(56) << 3;
        (rooks & !0x8100_0000_0000_0081 == 0).then_some(corners)
    }

    /// The castling rights as four bits, in Chess960, too: 1 White's short side, 2 White's long side, 4 and 8 those of
    /// Black.
    ///
    /// ```
    /// use pgnmill_core::chess::Position;
    /// let (position, _) = Position::from_fen(b"r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1")?;
    /// assert_eq!((position.castling_bits(), Position::initial().castling_bits()), (2 | 4, 15));
    /// # Ok::<(), pgnmill_core::chess::FenError>(())
    /// ```
    #[inline]
    pub fn castling_bits(&self) -> usize {
        if let Some(corners) = self.castling_corners() {
            return corners;
        }
        let sides = [CastlingSide::Short, CastlingSide::Long];
        let rights = [Color::White, Color::Black]
            .into_iter()
            .flat_map(|color| sides.map(|side| (color, side)));
        let has = |(color, side)| usize::from(self.castling_rook(color, side).is_some());
        rights.enumerate().fold(0, |bits, (right, of)| bits | has(of) << right)
    }

    /// The king to which the castling rights of `color` belong: the only one on its back rank; of several, where pawns
    /// may become kings, the one on the e-file.
    #[inline]
    pub(super) fn castling_king(&self, color: Color) -> Option<Square> {
        let home = Bitboard::rank(color.rank(0));
        let kings = self.role(Role::King) & self.color(color) & home;
        kings.single().or_else(|| (kings & Bitboard::of(Square::at(4, color.rank(0)))).single())
    }

    /// The rook with which `color` may still castle on `side`.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.castling_king(color)?;
        let rooks = self.castling & self.color(color);
        rooks.into_iter().find(|rook| (rook.file() > king.file()) == (side == CastlingSide::Short))
    }

    /// Castling on a side, if it is legal now.
    pub fn castle(&self, side: CastlingSide) -> Option<Move> {
        let king = self.king(self.turn);
        let corner = Square::at(if side == CastlingSide::Short { 7 } else { 0 }, king.rank());
        if king.file() == 4 && (self.castling & self.us()).has(corner) {
            return self.castle_from_initial_squares(side, king, corner);
        }
        let rook = self.castling_rook(self.turn, side)?;
        if self.in_check() {
            return None;
        }
        let (king_to, rook_to) = (side.king_target(king.rank()), side.rook_target(king.rank()));
        let ends = Bitboard::of(king_to) | Bitboard::of(rook_to);
        let pair = Bitboard::of(king) | Bitboard::of(rook);
        let others = self.occupied() ^ pair;
        let path = between(king, king_to) | between(rook, rook_to) | ends;
        if (path & others).has_any() {
            return None;
        }
        let them = self.turn.other();
        let passed = between(king, king_to) | Bitboard::of(king_to);
        // While the king moves, the rook still covers it along the rank; afterwards the rook is elsewhere, and the line
        // that it left may be open.
        let walking = self.occupied() ^ Bitboard::of(king);
        let by = self.color(them);
        if passed.into_iter().any(|square| self.is_attacked(square, them, by, walking)) {
            return None;
        }
        // Nothing is beyond a rook in the corner.
        if matches!(rook.file(), 0 | 7) {
            return Some(Move::castle(side, king, rook));
        }
        let arrived = others | ends;
        let covered = !self.is_attacked(king_to, them, by, arrived);
        covered.then(|| Move::castle(side, king, rook))
    }

    /// Castling with a king on the e-file and a rook in the corner that may still castle.
    fn castle_from_initial_squares(
        &self,
        side: CastlingSide,
        king: Square,
        rook: Square,
    ) -> Option<Move> {
        // The squares between the two, and those that the king passes and reaches.
        let (free, passed) = match side {
            CastlingSide::Short => (0x60, [5, 6]),
            CastlingSide::Long => (0x0e, [3, 2]),
        };
        let occupied = self.occupied();
        if self.in_check() || (Bitboard(free << (king.rank() * 8)) & occupied).has_any() {
            return None;
        }
        let (them, by, walking) = (self.turn.other(), self.them(), occupied ^ Bitboard::of(king));
        let attacked = |file| self.is_attacked(Square::at(file, king.rank()), them, by, walking);
        // Nothing is beyond a rook in the corner that its departure could uncover.
        (!attacked(passed[0]) && !attacked(passed[1])).then(|| Move::castle(side, king, rook))
    }

    /// Does any castling right belong to a king off the e-file or a rook off the a- or h-file?
    pub(super) fn castles_from_unusual_squares(&self) -> bool {
        let usual = Bitboard(0x8100_0000_0000_0081);
        [Color::White, Color::Black].into_iter().any(|color| {
            let rooks = self.castling & self.color(color);
            rooks.has_any() && ((rooks & !usual).has_any() || self.king(color).file() != 4)
        })
    }

    /// Gives `color` the right to castle with the rook on `rook`; returns whether king and rook are on squares that
    /// allow it.
    pub(super) fn grant_castling(&mut self, color: Color, rook: Square) -> bool {
        let Some(king) = self.castling_king(color) else { return false };
        let has_rook = (self.role(Role::Rook) & self.color(color)).has(rook);
        let possible = has_rook && rook.rank() == color.rank(0);
        // One right per side: of two rooks on one side of the king only one can have it.
        let side = if rook.file() > king.file() { CastlingSide::Short } else { CastlingSide::Long };
        if !possible || self.castling_rook(color, side).is_some_and(|other| other != rook) {
            return false;
        }
        self.castling |= Bitboard::of(rook);
        true
    }
}
