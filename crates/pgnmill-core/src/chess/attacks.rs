//! The squares that a piece attacks: small tables made at compile time, which stay in the L1 cache.
//!
//! Leapers are one load. A slider attacks along lines up to the first piece on each side. On one line the pieces below
//! the square and those above it are separated; subtracting the highest of the lower from the upper carries through all
//! squares up to the lowest of the upper ("obstruction difference", chessprogramming.org).
//!
//! One large table of all occupancies (840 kB, by multiplication or bit extraction) took fewer instructions and more
//! than half of the time per ply: nearly every load missed the nearest caches.
//!
//! ```text
//! bishop on d4        . . . . . . . x
//! (8 = a piece)       x . . . . . x .
//!                     . x . . . x . .
//!                     . . x . x . . .
//!                     . . . B . . . .
//!                     . . x . x . . .
//!                     . 8 . . . x . .
//!                     . . . . . . x .
//! ```

use super::{Bitboard, Color, Role, Square};

/// Index of White's pieces in the eight boards of a [`super::Position`]; Black's follow.
pub(super) const COLORS: usize = 6;

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The lines through a square: rank, file, rising diagonal, falling diagonal.
const LINE_STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// One line through a square.
#[derive(Clone, Copy)]
struct Line {
    /// The squares of the line with lower numbers, and with higher.
    lower: u64,
    upper: u64,
}

impl Line {
    const NONE: Line = Line { lower: 0, upper: 0 };

    #[inline(always)]
    fn attacks(&self, occupied: u64) -> u64 {
        let below = self.lower & occupied;
        let above = self.upper & occupied;
        let nearest_below = 1u64 << (63 - (below | 1).leading_zeros());
        (above ^ above.wrapping_sub(nearest_below)) & (self.lower | self.upper)
    }
}

/// All tables of move generation in one static, so that one address serves for all of them.
pub(super) struct Tables {
    lines: [[Line; 4]; 64],
    /// What a piece attacks on an empty board, by role, then by square: White's pawn first, Black's pawn last, before
    /// it an unused row. By role first, because a text gives the role before the square.
    pub(super) reach: [[u64; 64]; 8],
    /// The squares strictly between two squares of one line. Every table with 65 rows has one for "no square": the
    /// trailing zeros of an empty set (64) are an index without a branch.
    pub(super) between: [[u64; 64]; 65],
    /// The line through two squares, edge to edge.
    pub(super) line: [[u64; 64]; 65],
    /// For each colour and role, all ones in the boards of a position that contain such a piece.
    pub(super) board_masks: [[[u64; 8]; 8]; 2],
}

/// The index of Black's pawn in [`Tables::reach`]; White's has the index of its role.
pub(super) const BLACK_PAWN: usize = 7;

pub(super) static TABLES: Tables = Tables {
    lines: lines_table(),
    reach: reach_table(),
    between: between_table(),
    line: line_table(),
    board_masks: board_masks_table(),
};

const fn reach_table() -> [[u64; 64]; 8] {
    let (rook, bishop) = (slider(&ROOK_STEPS), slider(&BISHOP_STEPS));
    let (knight, king) = (leaper(&KNIGHT_STEPS), leaper(&KING_STEPS));
    let (white, black) = (leaper(&[(1, 1), (-1, 1)]), leaper(&[(1, -1), (-1, -1)]));
    let queen = slider(&KING_STEPS);
    [white, knight, bishop, rook, queen, king, [0; 64], black]
}

const fn board_masks_table() -> [[[u64; 8]; 8]; 2] {
    let mut board_masks = [[[0; 8]; 8]; 2];
    let mut role = 0;
    while role < 6 {
        let mut color = 0;
        while color < 2 {
            board_masks[color][role][role] = u64::MAX;
            board_masks[color][role][COLORS + color] = u64::MAX;
            color += 1;
        }
        role += 1;
    }
    board_masks
}

/// The squares from `square` along each step up to the edge or the first occupied square.
const fn walk(square: usize, occupied: u64, steps: &[(i8, i8)]) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < steps.len() {
        let (df, dr) = steps[i];
        let mut file = (square & 7) as i8 + df;
        let mut rank = (square >> 3) as i8 + dr;
        while on_board(file, rank) {
            let bit = 1u64 << (rank * 8 + file);
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += df;
            rank += dr;
        }
        i += 1;
    }
    reached
}

const fn on_board(file: i8, rank: i8) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn lines_table() -> [[Line; 4]; 64] {
    let mut lines = [[Line::NONE; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < LINE_STEPS.len() {
            let (df, dr) = LINE_STEPS[i];
            let upper = walk(square, 0, &[(df, dr)]);
            let lower = walk(square, 0, &[(-df, -dr)]);
            lines[square][i] = Line { lower, upper };
            i += 1;
        }
        square += 1;
    }
    lines
}

const fn leaper(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        // With every square occupied a walk ends after one step.
        table[square] = walk(square, u64::MAX, steps);
        square += 1;
    }
    table
}

const fn slider(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = walk(square, 0, steps);
        square += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 65] {
    let mut table = [[0; 64]; 65];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < KING_STEPS.len() {
            let (df, dr) = KING_STEPS[i];
            let mut file = (square & 7) as i8 + df;
            let mut rank = (square >> 3) as i8 + dr;
            let mut passed = 0;
            while on_board(file, rank) {
                let other = (rank * 8 + file) as usize;
                table[square][other] = passed;
                passed |= 1 << other;
                file += df;
                rank += dr;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn line_table() -> [[u64; 64]; 65] {
    let mut table = [[0; 64]; 65];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < KING_STEPS.len() {
            let (df, dr) = KING_STEPS[i];
            let whole = walk(square, 0, &[(df, dr), (-df, -dr)]) | 1 << square;
            let mut others = walk(square, 0, &[(df, dr)]);
            while others != 0 {
                table[square][others.trailing_zeros() as usize] = whole;
                others &= others - 1;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares that a rook on `square` attacks, given the occupied squares.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [rank, file, ..] = &TABLES.lines[square.index()];
    Bitboard(rank.attacks(occupied.0) | file.attacks(occupied.0))
}

/// The squares that a bishop on `square` attacks, given the occupied squares.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [.., rising, falling] = &TABLES.lines[square.index()];
    Bitboard(rising.attacks(occupied.0) | falling.attacks(occupied.0))
}

/// The squares that a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(TABLES.reach[Role::Knight.index()][square.index()])
}

/// The squares that a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(TABLES.reach[Role::King.index()][square.index()])
}

/// The squares that a pawn of this colour on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    let index = match color {
        Color::White => Role::Pawn.index(),
        Color::Black => BLACK_PAWN,
    };
    Bitboard(TABLES.reach[index][square.index()])
}

/// All squares of the file and the rank of `square`, without it.
#[inline(always)]
pub(super) fn files_and_ranks(square: Square) -> Bitboard {
    Bitboard(TABLES.reach[Role::Rook.index()][square.index()])
}

/// All squares of the diagonals of `square`, without it.
#[inline(always)]
pub(super) fn diagonals(square: Square) -> Bitboard {
    Bitboard(TABLES.reach[Role::Bishop.index()][square.index()])
}

/// All squares on the eight lines through `square`, as if the board were empty.
#[inline(always)]
pub(crate) fn rays(square: Square) -> Bitboard {
    Bitboard(TABLES.reach[Role::Queen.index()][square.index()])
}

/// The whole line through two squares, edge to edge; nothing if they share none.
#[inline(always)]
pub(crate) fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(TABLES.line[a.index()][b.index()])
}

/// The squares strictly between two squares of one line; nothing if they share none.
#[inline(always)]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(TABLES.between[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the walk that defines the answer, on all subsets of the squares that matter.
    fn check(square: usize, steps: &[(i8, i8)], attacks: fn(Square, Bitboard) -> Bitboard) {
        let mask = walk(square, 0, steps);
        let at = Square::new(square as u8);
        let mut occupied = 0u64;
        loop {
            let expected = walk(square, occupied, steps);
            // With the slider on its square and without.
            for pieces in [occupied, occupied | 1 << square].map(Bitboard) {
                assert_eq!(attacks(at, pieces).0, expected, "{at}");
            }
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
    }

    #[test]
    fn every_occupancy_of_every_square_agrees_with_the_walk() {
        for square in 0..64 {
            check(square, &ROOK_STEPS, rook_attacks);
            check(square, &BISHOP_STEPS, bishop_attacks);
        }
    }

    #[test]
    fn between_and_rays_agree() {
        for a in 0..64u8 {
            for b in 0..64u8 {
                let (a, b) = (Square::new(a), Square::new(b));
                let set = between(a, b);
                assert_eq!(set, between(b, a));
                assert!(set.is_empty() || rays(a).has(b));
                assert_eq!(line(a, b), line(b, a));
                assert_eq!(line(a, b).has_any(), rays(a).has(b));
                assert_eq!(line(a, b) & set, set);
            }
        }
    }
}
