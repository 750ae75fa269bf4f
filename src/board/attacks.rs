//! Which squares a man attacks: tables made at compile time, one load for leapers, one multiplication and
//! one load for sliders.
//!
//! A slider's attacks depend on the men standing on its lines (the board's edge apart). Those are hashed
//! without collisions by a multiplier a square (`magics.rs`) into a table of 107,648 words.
//!
//! ```text
//! bishop on d4        . . . . . . . x
//! (8 = a man)         x . . . . . x .
//!                     . x . . . x . .
//!                     . . x . x . . .
//!                     . . . B . . . .
//!                     . . x . x . . .
//!                     . 8 . . . x . .
//!                     . . . . . . x .
//! ```

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::{Bitboard, Color, Square};

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// How one square's occupancies are hashed: keep `mask`, multiply, keep the top bits, add `base`.
#[derive(Clone, Copy)]
struct Hash {
    mask: u64,
    magic: u64,
    base: u32,
    shift: u32,
}

impl Hash {
    const NONE: Hash = Hash { mask: 0, magic: 0, base: 0, shift: 0 };

    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
            + self.base as usize
    }
}

static ROOK_HASHES: [Hash; 64] = hashes(&ROOK_MAGICS, &ROOK_STEPS);
static BISHOP_HASHES: [Hash; 64] = hashes(&BISHOP_MAGICS, &BISHOP_STEPS);
#[allow(long_running_const_eval, reason = "the whole table is made once, by the compiler")]
static ROOK_TABLE: [u64; ROOK_ENTRIES] = table(&hashes(&ROOK_MAGICS, &ROOK_STEPS), &ROOK_STEPS);
static BISHOP_TABLE: [u64; BISHOP_ENTRIES] =
    table(&hashes(&BISHOP_MAGICS, &BISHOP_STEPS), &BISHOP_STEPS);
static KNIGHT: [u64; 64] = leaper(&KNIGHT_STEPS);
static KING: [u64; 64] = leaper(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [leaper(&[(1, 1), (-1, 1)]), leaper(&[(1, -1), (-1, -1)])];
static RAYS: [u64; 64] = rays_table();
static BETWEEN: [[u64; 64]; 64] = between_table();
static LINE: [[u64; 64]; 64] = line_table();

/// Walks from a square along each step until the edge or a man; `inner` leaves out the last square before
/// the edge, which cannot matter to what lies behind it.
const fn walk(square: usize, occupied: u64, steps: &[(i8, i8)], inner: bool) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < steps.len() {
        let (df, dr) = steps[i];
        let mut file = (square & 7) as i8 + df;
        let mut rank = (square >> 3) as i8 + dr;
        while on_board(file, rank) && (!inner || on_board(file + df, rank + dr)) {
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

const fn hashes(magics: &[u64; 64], steps: &[(i8, i8)]) -> [Hash; 64] {
    let mut hashes = [Hash::NONE; 64];
    let mut base = 0;
    let mut square = 0;
    while square < 64 {
        let mask = walk(square, 0, steps, true);
        let bits = mask.count_ones();
        hashes[square] = Hash { mask, magic: magics[square], base, shift: 64 - bits };
        base += 1 << bits;
        square += 1;
    }
    hashes
}

const fn table<const N: usize>(hashes: &[Hash; 64], steps: &[(i8, i8)]) -> [u64; N] {
    let mut table = [0; N];
    let mut square = 0;
    while square < 64 {
        let hash = hashes[square];
        // Every subset of the mask, by counting within it.
        let mut occupied = 0u64;
        loop {
            table[hash.index(occupied)] = walk(square, occupied, steps, false);
            occupied = occupied.wrapping_sub(hash.mask) & hash.mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

const fn leaper(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        // With every square occupied a walk ends after one step.
        table[square] = walk(square, u64::MAX, steps, false);
        square += 1;
    }
    table
}

const fn rays_table() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = walk(square, 0, &KING_STEPS, false);
        square += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
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

const fn line_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < KING_STEPS.len() {
            let (df, dr) = KING_STEPS[i];
            let whole = walk(square, 0, &[(df, dr), (-df, -dr)], false) | 1 << square;
            let mut others = walk(square, 0, &[(df, dr)], false);
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

/// What a rook on `square` attacks, given all men on the board.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(ROOK_TABLE[ROOK_HASHES[square.index()].index(occupied.0)])
}

/// What a bishop on `square` attacks, given all men on the board.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(BISHOP_TABLE[BISHOP_HASHES[square.index()].index(occupied.0)])
}

/// What a knight on `square` attacks.
#[inline(always)]
pub fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// What a king on `square` attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// What a pawn of this colour on `square` attacks.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// All squares on the eight lines through `square`, as if the board were empty.
#[inline(always)]
pub fn rays(square: Square) -> Bitboard {
    Bitboard(RAYS[square.index()])
}

/// The whole line through two squares, edge to edge; nothing if they share none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

/// The squares strictly between two squares of one line; nothing if they share none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All subsets of a mask, and the walk that defines the answer.
    fn prove(
        hash: &Hash,
        square: usize,
        steps: &[(i8, i8)],
        attacks: fn(Square, Bitboard) -> Bitboard,
    ) {
        let mut occupied = 0u64;
        loop {
            let found = attacks(Square::new(square as u8), Bitboard(occupied));
            assert_eq!(found.0, walk(square, occupied, steps, false), "square {square}");
            occupied = occupied.wrapping_sub(hash.mask) & hash.mask;
            if occupied == 0 {
                break;
            }
        }
    }

    #[test]
    fn every_occupancy_of_every_square_is_hashed_right() {
        for square in 0..64 {
            prove(&ROOK_HASHES[square], square, &ROOK_STEPS, rook_attacks);
            prove(&BISHOP_HASHES[square], square, &BISHOP_STEPS, bishop_attacks);
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
