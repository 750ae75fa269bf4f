//! The tables of the second design: what a square is surrounded by, and how each piece moves, in 64 lanes.
//!
//! The 64 *lanes* of a square are eight groups of eight: a group per direction, clockwise from north (the
//! eighth rank). Lanes 0 to 6 of a group are the squares at distance 1 to 7; lane 7 is the square of a knight's move.
//!
//! ```text
//! group:      0 N    1 NE   2 E    3 SE   4 S    5 SW   6 W    7 NW
//! lanes:      0-6    8-14   16-22  24-30  32-38  40-46  48-54  56-62    distance 1 … 7
//! knight:     7      15     23     31     39     47     55     63       north-north-east, then clockwise
//! ```
//!
//! [`SquareTables::rays`] is the permutation from the board to the lanes of a square, [`SquareTables::lanes`] its
//! inverse. From `e4`, with `·` for lanes that are no square (they contain the square itself):
//!
//! ```text
//! rays   N: e5 e6 e7 e8 ·  ·  ·  f6    NE: f5 g6 h7 ·  ·  ·  ·  g5    E: f4 g4 h4 ·  ·  ·  ·  g3   …
//! lanes  e5 → 0   e6 → 1   f6 → 7   f5 → 8   g5 → 15   …; a square that no queen or knight reaches → a lane "·"
//! ```
//!
//! Invariant: everything is computed at compile time. Cost: 8 kB for squares, 8 kB for kinds of moves.

/// A table of 64 bytes at an address that one load reads from one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub(super) [u8; 64]);

/// The codes of pieces on the board: a role, and [`BLACK`] if it is one of Black's. 0 is an empty square.
pub(super) const KNIGHT: u8 = 1;
pub(super) const BISHOP: u8 = 2;
pub(super) const ROOK: u8 = 3;
pub(super) const QUEEN: u8 = 4;
pub(super) const KING: u8 = 5;
pub(super) const PAWN: u8 = 6;
/// See [`KNIGHT`].
pub(super) const BLACK: u8 = 8;

/// The kinds of moves. The first five are roles; a pawn has four.
pub(super) const STEP: usize = 6;
/// A pawn's move to the fourth rank: one step, or two.
pub(super) const STEP_OR_TWO: usize = 7;
/// A pawn's capture from the file to the left of the target (nearer to `a`).
pub(super) const FROM_LEFT: usize = 8;
/// A pawn's capture from the file to the right.
pub(super) const FROM_RIGHT: usize = 9;
/// No kind: what no piece has.
pub(super) const NO_KIND: u8 = 15;
const KINDS: usize = 16;

/// One bit per role, for pieces that attack or can reach a square.
const KNIGHT_BIT: u8 = 1;
const BISHOP_BIT: u8 = 2;
const ROOK_BIT: u8 = 4;
const QUEEN_BIT: u8 = 8;
const KING_BIT: u8 = 16;
pub(super) const PAWN_BIT: u8 = 32;
/// A piece of the other side, which only obstructs.
pub(super) const OTHER_BIT: u8 = 64;

/// The squares of the a-file.
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The lane in which each group has its knight.
const KNIGHT_LANE: usize = 7;

/// Files and ranks per step, clockwise from north.
const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// What surrounds a square.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct SquareTables {
    /// The square of each lane; the square itself where there is none.
    pub(super) rays: Lanes,
    /// The lane of each square.
    pub(super) lanes: Lanes,
}

/// How a kind of move of one side is recognised in the lanes of its target.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct KindTables {
    /// The code of the piece, in all lanes.
    pub(super) code: Lanes,
    /// 1 in the lanes from which the piece can come on an empty board.
    pub(super) reach: Lanes,
    /// Added to each group as one number, it changes the bytes up to the first piece: −1, whose borrow stops there;
    /// for knights, whose path is never obstructed, 1 in their lane.
    pub(super) borrow: Lanes,
}

/// All tables, at one address: the compiler then needs one register for all of them.
#[repr(C)]
pub(super) struct Tables {
    pub(super) squares: [SquareTables; 64],
    /// By side and kind.
    pub(super) kinds: [[KindTables; KINDS]; 2],
    /// By side: the bit of each of its pieces by the lowest four bits of the code, in each group of sixteen lanes;
    /// [`OTHER_BIT`] for those of the other side.
    pub(super) roles: [Lanes; 2],
    /// By side and class of the target: which pieces could arrive from each lane. The classes: an empty square, one
    /// that a pawn's double step reaches, a capture.
    pub(super) rivals: [[Lanes; 3]; 2],
    /// By side: which of its pieces attack from each lane if nothing is between.
    pub(super) attacks: [Lanes; 2],
    /// By side: which of its pieces attack along each lane from behind another piece.
    pub(super) pins: [Lanes; 2],
    /// By square: the squares of a queen's lines on an empty board, and the square itself.
    pub(super) lines: [u64; 64],
}

const fn step(square: usize, (files, ranks): (i32, i32), count: i32) -> Option<usize> {
    let file = (square & 7) as i32 + files * count;
    let rank = (square >> 3) as i32 + ranks * count;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return None;
    }
    Some((rank * 8 + file) as usize)
}

const fn square_tables(square: usize) -> SquareTables {
    // Which squares no lane has; they get a lane that is no square.
    let mut tables = SquareTables { rays: Lanes([square as u8; 64]), lanes: Lanes([64; 64]) };
    let mut unused = 0;
    let mut lane = 0;
    while lane < 64 {
        let (group, distance) = (lane / 8, (lane % 8) as i32 + 1);
        let other = if lane % 8 == KNIGHT_LANE {
            step(square, KNIGHT_STEPS[group], 1)
        } else {
            step(square, DIRECTIONS[group], distance)
        };
        match other {
            Some(other) => {
                tables.rays.0[lane] = other as u8;
                tables.lanes.0[other] = lane as u8;
            }
            None => unused = lane as u8,
        }
        lane += 1;
    }
    let mut other = 0;
    while other < 64 {
        if tables.lanes.0[other] == 64 {
            tables.lanes.0[other] = unused;
        }
        other += 1;
    }
    tables
}

/// See [`Tables::lines`].
const fn lines(square: usize) -> u64 {
    let rays = square_tables(square).rays.0;
    let mut squares = 1 << square;
    let mut lane = 0;
    while lane < 64 {
        if lane % 8 != KNIGHT_LANE {
            squares |= 1 << rays[lane];
        }
        lane += 1;
    }
    squares
}

/// The lane of a pawn's origin: its step backwards, or backwards to the left or right.
const fn pawn_lane(side: usize, kind: usize) -> usize {
    let white = side == 0;
    8 * match kind {
        FROM_LEFT if white => 5,
        FROM_LEFT => 7,
        FROM_RIGHT if white => 3,
        FROM_RIGHT => 1,
        _ if white => 4,
        _ => 0,
    }
}

const fn kind_tables(side: usize, kind: usize) -> KindTables {
    let none = Lanes([0; 64]);
    let mut tables = KindTables { code: none, reach: none, borrow: Lanes([0xff; 64]) };
    if kind == 0 || kind > FROM_RIGHT {
        return tables;
    }
    let role = if kind < PAWN as usize { kind as u8 } else { PAWN };
    tables.code = Lanes([role + BLACK * side as u8; 64]);
    let mut lane = 0;
    while lane < 64 {
        let (straight, knight) = (lane / 8 % 2 == 0, lane % 8 == KNIGHT_LANE);
        let can = match kind as u8 {
            KNIGHT => knight,
            _ if knight => false,
            BISHOP => !straight,
            ROOK => straight,
            QUEEN => true,
            KING => lane % 8 == 0,
            _ => {
                let origin = pawn_lane(side, kind);
                lane == origin || kind == STEP_OR_TWO && lane == origin + 1
            }
        };
        tables.reach.0[lane] = can as u8;
        if kind as u8 == KNIGHT {
            tables.borrow.0[lane] = knight as u8;
        }
        lane += 1;
    }
    tables
}

const fn roles(side: usize) -> Lanes {
    let bits = [0, KNIGHT_BIT, BISHOP_BIT, ROOK_BIT, QUEEN_BIT, KING_BIT, PAWN_BIT, 0];
    let mut lanes = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (role, black) = (at % 8, at / 8 % 2);
        lanes[at] = match role {
            0 => 0,
            _ if black == side => bits[role],
            _ => OTHER_BIT,
        };
        at += 1;
    }
    Lanes(lanes)
}

const fn attacks(side: usize) -> Lanes {
    let mut lanes = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        let slider = if lane / 8 % 2 == 0 { ROOK_BIT } else { BISHOP_BIT };
        lanes[lane] = match lane % 8 {
            KNIGHT_LANE => KNIGHT_BIT,
            0 => slider | QUEEN_BIT | KING_BIT,
            _ => slider | QUEEN_BIT,
        };
        lane += 1;
    }
    lanes[pawn_lane(side, FROM_LEFT)] |= PAWN_BIT;
    lanes[pawn_lane(side, FROM_RIGHT)] |= PAWN_BIT;
    Lanes(lanes)
}

/// See [`Tables::rivals`].
const fn rivals(side: usize, class: usize) -> Lanes {
    let mut lanes = attacks(side).0;
    let mut lane = 0;
    while lane < 64 {
        lanes[lane] &= !PAWN_BIT;
        lane += 1;
    }
    let step = pawn_lane(side, STEP);
    match class {
        0 => lanes[step] |= PAWN_BIT,
        1 => {
            lanes[step] |= PAWN_BIT;
            lanes[step + 1] |= PAWN_BIT;
        }
        _ => {
            lanes[pawn_lane(side, FROM_LEFT)] |= PAWN_BIT;
            lanes[pawn_lane(side, FROM_RIGHT)] |= PAWN_BIT;
        }
    }
    Lanes(lanes)
}

/// See [`Tables::pins`].
const fn pins(side: usize) -> Lanes {
    let mut lanes = attacks(side).0;
    let mut group = 0;
    while group < 8 {
        (lanes[8 * group], lanes[8 * group + KNIGHT_LANE]) = (0, 0);
        group += 1;
    }
    Lanes(lanes)
}

pub(super) static TABLES: Tables = {
    let mut squares = [square_tables(0); 64];
    let mut kinds = [[kind_tables(0, 0); KINDS]; 2];
    let mut lines_of = [0; 64];
    let mut square = 0;
    while square < 64 {
        squares[square] = square_tables(square);
        lines_of[square] = lines(square);
        square += 1;
    }
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < KINDS {
            kinds[side][kind] = kind_tables(side, kind);
            kind += 1;
        }
        side += 1;
    }
    let mut rivals_of = [[Lanes([0; 64]); 3]; 2];
    let mut index = 0;
    while index < 6 {
        rivals_of[index / 3][index % 3] = rivals(index / 3, index % 3);
        index += 1;
    }
    Tables {
        squares,
        kinds,
        rivals: rivals_of,
        roles: [roles(0), roles(1)],
        attacks: [attacks(0), attacks(1)],
        pins: [pins(0), pins(1)],
        lines: lines_of,
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Bitboard, Square};

    /// The lanes of a square contain what a queen and a knight reach from there, each once.
    #[test]
    fn lanes_are_the_squares_of_a_queen_and_a_knight() {
        for square in 0..64u8 {
            let SquareTables { rays, lanes } = TABLES.squares[usize::from(square)];
            let from = Square::new(square);
            let reach = crate::chess::rook_attacks(from, Bitboard::EMPTY)
                | crate::chess::bishop_attacks(from, Bitboard::EMPTY)
                | crate::chess::knight_attacks(from);
            let mut found = Bitboard::EMPTY;
            for (lane, &other) in (0u8..).zip(&rays.0) {
                if other != square {
                    assert!(!found.has(Square::new(other)));
                    found |= Bitboard::of(Square::new(other));
                    assert_eq!(lanes.0[usize::from(other)], lane);
                }
            }
            assert_eq!(found, reach);
            for other in (0..64).filter(|&other| !reach.has(Square::new(other))) {
                assert_eq!(rays.0[usize::from(lanes.0[usize::from(other)])], square);
            }
        }
    }
}
