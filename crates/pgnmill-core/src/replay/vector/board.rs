//! The board in one register, and the questions that are answered there.
//!
//! In: a position. Out: which squares a piece can come from, which pieces attack a square, and a position again. A
//! board is 64 codes of pieces (`tables.rs`) and a few words; a permutation brings what surrounds a square into lanes,
//! and the first piece of each ray is found by a borrow:
//!
//! ```text
//! a group of lanes, distance 1 → 7:   0  0  R  0  q  0  0 | n        pieces on a ray; lane 7: a knight's square
//! minus 1, as one number:            ff ff R-1 0  q  0  0 | n        the borrow stops at the first piece
//! exclusive or of the two:           ff ff  x  0  0  0  0 | 0        lowest bit set: up to the first piece
//! where a rook of ours may be:        0  0  1  0  0  0  0 | 0        the origin, if a rook of ours comes from here
//! ```
//!
//! Cost: a question is two permutations and some six operations.
//!
//! Boards of bytes that vector instructions permute are older than this one: the author of the shogi engine takotto
//! (2016) gave them the name byteboard, and 87flowers, the author of Rose, computes attacks in chess from one:
//! <https://87flowers.com/byteboard-attack-tables-1>.

use pgnmill_simd::Wide;

use crate::chess::{Bitboard, Color, Position, PositionParts, Role, Square};

use super::tables::{BLACK, KING, KindTables, Lanes, PAWN, Tables};

/// The codes of the roles in the order of [`crate::chess::Role`].
const ROLE_CODES: [u8; 6] = [PAWN, 1, 2, 3, 4, KING];

/// The byte of each group that has the knight.
const KNIGHT_LANES: Lanes = {
    let mut lanes = [0; 64];
    let mut group = 0;
    while group < 8 {
        lanes[8 * group + 7] = 0xff;
        group += 1;
    }
    Lanes(lanes)
};

/// A position. The side to move is known to the code that plays.
pub(super) struct Board<W: Wide> {
    /// The code of the piece on each square.
    pub(super) pieces: W::Bytes,
    /// The squares of White's and of Black's pieces.
    pub(super) sides: [u64; 2],
    /// The squares of the kings.
    pub(super) kings: [usize; 2],
    /// Squares that a piece has left or reached.
    pub(super) touched: u64,
    /// Origin and target of the last move; 0 after castling and at the beginning.
    pub(super) last: u64,
    /// The rooks that could castle at the beginning.
    pub(super) rooks: u64,
}

// Derived, it would require the same of the machine.
impl<W: Wide> Clone for Board<W> {
    #[inline(always)]
    fn clone(&self) -> Board<W> {
        *self
    }
}

impl<W: Wide> Copy for Board<W> {}

/// A bit per square of a piece on it, 0 if the square is none.
#[inline(always)]
pub(super) const fn bit(square: usize) -> u64 {
    1 << (square & 63)
}

impl<W: Wide> Board<W> {
    /// The board of a position.
    #[inline(always)]
    pub(super) fn of(position: &Position) -> Board<W> {
        let sides = [position.color(Color::White).0, position.color(Color::Black).0];
        let mut pieces = W::replace(W::fill(0), sides[1], W::fill(BLACK));
        for (role, code) in Role::ALL.into_iter().zip(ROLE_CODES) {
            let with_role = W::or(pieces, W::fill(code));
            pieces = W::replace(pieces, position.role(role).0, with_role);
        }
        let king = |color| position.king(color).index();
        // A pawn's double step: from the square before the one that it passed over to the square behind it.
        let passed = position.en_passant_square().map_or(0, |square| Bitboard::of(square).0);
        Board {
            pieces,
            sides,
            kings: [king(Color::White), king(Color::Black)],
            touched: 0,
            last: passed << 8 | passed >> 8,
            rooks: position.castling_rooks().0,
        }
    }

    /// The position after `plies` plies, the last capture or pawn move of which is `quiet` plies ago, in a game that
    /// began at `first`.
    #[inline(always)]
    pub(super) fn position(&self, first: &Position, plies: u32, quiet: u32) -> Position {
        let roles = W::and(self.pieces, W::fill(7));
        let mut boards = [0; 8];
        for (board, code) in boards.iter_mut().zip(ROLE_CODES) {
            *board = W::equal(roles, W::fill(code));
        }
        [boards[6], boards[7]] = self.sides;
        let mut rooks = self.rooks & !self.touched;
        for (color, rank) in [(Color::White, 0), (Color::Black, 7)] {
            if self.touched & Bitboard::of(first.king(color)).0 != 0 {
                rooks &= !Bitboard::rank(rank).0;
            }
        }
        // The last move was that of the side that does not move now.
        let black_moved = plies.is_multiple_of(2) == (first.turn() == Color::White);
        let passed = self.passed(usize::from(black_moved)).map(|(square, _)| square);
        first.after_plies(&PositionParts {
            boards,
            castling: Bitboard(rooks),
            en_passant: passed,
            plies,
            quiet,
        })
    }

    /// Moves a piece, which becomes one with the code in `code`; `gone` is emptied. Kings are not noted.
    #[inline(always)]
    pub(super) fn play(&mut self, side: usize, from: u64, to: u64, gone: u64, code: W::Bytes) {
        let left = W::replace(self.pieces, from | gone, W::fill(0));
        self.pieces = W::replace(left, to, code);
        self.sides[side] ^= from | to;
        self.sides[1 - side] &= !(to | gone);
        self.touched |= from | to;
        self.last = from | to;
    }

    /// The square that a pawn of this side passed over with the last move, and the square of the pawn.
    #[inline(always)]
    pub(super) fn passed(&self, side: usize) -> Option<(Square, u64)> {
        let low = self.last.trailing_zeros();
        if self.last == 0 || self.last >> low != 0x1_0001 {
            return None;
        }
        let pawn = if side == 0 { self.last & !bit(low as usize) } else { bit(low as usize) };
        let fourth = 0xff << (24 + 8 * side);
        let code = PAWN + BLACK * side as u8;
        let is_pawn = pawn & fourth & W::equal(self.pieces, W::fill(code)) != 0;
        is_pawn.then(|| (Square::new(low as u8 + 8), pawn))
    }

    /// The contents of the lanes of a square.
    #[inline(always)]
    pub(super) fn around(&self, square: usize, tables: &Tables) -> W::Bytes {
        W::permute(self.pieces, W::load(&tables.squares[square & 63].rays.0))
    }

    /// The squares from which a piece of a kind can come to a square, pins apart.
    #[inline(always)]
    pub(super) fn origins(&self, square: usize, kind: &KindTables, tables: &Tables) -> u64 {
        squares::<W>(arriving::<W>(self.around(square, tables), kind), square, tables)
    }

    /// The lanes from which pieces of a side attack a square, on which that side has no piece.
    #[inline(always)]
    pub(super) fn attackers(&self, square: usize, side: usize, tables: &Tables) -> u64 {
        let roles = W::load(&tables.roles[side & 1].0);
        let attacks = W::load(&tables.attacks[side & 1].0);
        attacked::<W>(self.around(square, tables), roles, attacks)
    }

    /// Does the king of a side remain safe if a piece that is not the king moves? `gone` is emptied too.
    #[inline(always)]
    pub(super) fn is_safe_after(
        &self,
        side: usize,
        from: u64,
        to: u64,
        gone: u64,
        tables: &Tables,
    ) -> bool {
        is_safe_after::<W>(self.pieces, side, self.kings[side & 1], [from | gone, to], tables)
    }
}

/// Is the king of a side, on the square `king`, safe after a move? Squares in `gone` are emptied, `to` is reached; the
/// king may be the piece that reaches it.
#[inline(always)]
pub(super) fn is_safe_after<W: Wide>(
    pieces: W::Bytes,
    side: usize,
    king: usize,
    [gone, to]: [u64; 2],
    tables: &Tables,
) -> bool {
    // Any piece obstructs.
    let code = W::fill(PAWN + BLACK * side as u8);
    let after = W::replace(W::replace(pieces, gone, W::fill(0)), to, code);
    let around = W::permute(after, W::load(&tables.squares[king & 63].rays.0));
    let them = 1 - (side & 1);
    let (roles, attacks) = (W::load(&tables.roles[them].0), W::load(&tables.attacks[them].0));
    attacked::<W>(around, roles, attacks) == 0
}

/// The squares of the lanes around a square that are not 0.
#[inline(always)]
pub(super) fn squares<W: Wide>(lanes: W::Bytes, square: usize, tables: &Tables) -> u64 {
    let squares = W::permute(lanes, W::load(&tables.squares[square & 63].lanes.0));
    W::intersect(squares, squares) & !bit(square)
}

/// 1 in the lanes from which a piece of the kind comes; 0 elsewhere. `around`: the contents of the lanes.
#[inline(always)]
pub(super) fn arriving<W: Wide>(around: W::Bytes, kind: &KindTables) -> W::Bytes {
    let other = W::xor(around, W::load(&kind.code.0));
    let same = W::sub_to_zero(W::load(&kind.reach.0), other);
    let borrowed = W::add_words(around, W::load(&kind.borrow.0));
    W::and(same, W::xor(around, borrowed))
}

/// Of pieces, one bit each, the first of each ray, and all knights' squares.
#[inline(always)]
pub(super) fn first_of_rays<W: Wide>(pieces: W::Bytes) -> W::Bytes {
    let negative = W::sub_words(W::fill(0), pieces);
    W::and_or(pieces, negative, W::load(&KNIGHT_LANES.0))
}

/// The lanes that contain an attacker. `roles` and `attacks` are the tables of the attackers' side.
#[inline(always)]
pub(super) fn attacked<W: Wide>(around: W::Bytes, roles: W::Bytes, attacks: W::Bytes) -> u64 {
    W::intersect(first_of_rays::<W>(W::look_up(roles, around)), attacks)
}
