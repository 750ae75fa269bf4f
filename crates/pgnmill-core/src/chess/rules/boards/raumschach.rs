//! Raumschach (F. Maack, 1907): five levels of five by five cells, and a unicorn.
//!
//! In: nothing. Out: the table of the ruleset, by `boards.md`. Level A is White's. A rook changes one coordinate, a
//! bishop two by as much, a unicorn three; the queen and the king move as all of them. Pawns step forward or towards
//! the other side's levels, without double step and en passant; there is no castling. Stalemate is a draw.
//!
//! Source: A. S. M. Dickins, A Guide to Fairy Chess, 1969, whose array it is: on White's second level the bishops come
//! before the unicorns, on Black's the unicorns before the bishops. Some programs have both sides alike.
//!
//! ```
//! use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
//! let raumschach = "Raumschach".parse::<RulesKind>().unwrap();
//! let record = AnyPosition::initial(raumschach).to_fen();
//! assert!(record.starts_with("rnknr/ppppp/5/5/5|ubqub/ppppp/5/5/5|5/5/5/5/5|"));
//! ```

use super::super::GameEnd;
use super::super::kind::BoardKind;
use super::cell::Vector;
use super::table::{BoardTable, Lines, PawnRow, PieceRow};

/// One coordinate changes.
const STRAIGHT: &[Vector] = &[[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]];
/// Two coordinates change.
const DIAGONAL: &[Vector] = &[
    [1, 1, 0],
    [1, -1, 0],
    [-1, 1, 0],
    [-1, -1, 0],
    [0, 1, 1],
    [0, 1, -1],
    [0, -1, 1],
    [0, -1, -1],
    [1, 0, 1],
    [1, 0, -1],
    [-1, 0, 1],
    [-1, 0, -1],
];
/// Three coordinates change.
const TRIAGONAL: &[Vector] = &[
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
    [-1, 1, 1],
    [-1, 1, -1],
    [-1, -1, 1],
    [-1, -1, -1],
];
/// Two along one coordinate and one along another.
const KNIGHT: &[Vector] = &[
    [1, 2, 0],
    [2, 1, 0],
    [2, -1, 0],
    [1, -2, 0],
    [-1, -2, 0],
    [-2, -1, 0],
    [-2, 1, 0],
    [-1, 2, 0],
    [0, 1, 2],
    [0, 2, 1],
    [0, 2, -1],
    [0, 1, -2],
    [0, -1, -2],
    [0, -2, -1],
    [0, -2, 1],
    [0, -1, 2],
    [1, 0, 2],
    [2, 0, 1],
    [2, 0, -1],
    [1, 0, -2],
    [-1, 0, -2],
    [-2, 0, -1],
    [-2, 0, 1],
    [-1, 0, 2],
];

/// The rules and the board.
pub(super) static TABLE: BoardTable = BoardTable {
    kind: BoardKind::Raumschach,
    levels: b"ABCDE",
    files: b"abcde",
    firsts: &[0; 5],
    heights: &[5; 5],
    rows: 5,
    directions: &[
        (b'n', [0, 1, 0]),
        (b's', [0, -1, 0]),
        (b'e', [1, 0, 0]),
        (b'w', [-1, 0, 0]),
        (b'u', [0, 0, 1]),
        (b'd', [0, 0, -1]),
    ],
    is_hexagonal: false,
    pieces: &[
        PieceRow::new(b'P', "P"),
        PieceRow { leaps: &[STRAIGHT, DIAGONAL, TRIAGONAL], ..PieceRow::new(b'K', "K") },
        PieceRow { rides: &[STRAIGHT, DIAGONAL, TRIAGONAL], ..PieceRow::new(b'Q', "Q") },
        PieceRow { rides: &[STRAIGHT], ..PieceRow::new(b'R', "R") },
        PieceRow { rides: &[DIAGONAL], ..PieceRow::new(b'B', "B") },
        PieceRow { leaps: &[KNIGHT], ..PieceRow::new(b'N', "N") },
        PieceRow { rides: &[TRIAGONAL], ..PieceRow::new(b'U', "U") },
    ],
    pawn: PawnRow {
        steps: &[[0, 1, 0], [0, 0, 1]],
        captures: &[[-1, 1, 0], [1, 1, 0], [-1, 0, 1], [1, 0, 1], [0, 1, 1]],
        doubles: [&[], &[]],
        becomes: b"QRBNU",
    },
    start: "rnknr/ppppp/5/5/5|ubqub/ppppp/5/5/5|5/5/5/5/5|5/5/5/PPPPP/BUQBU|5/5/5/PPPPP/RNKNR w 0 1",
    lines: Lines::Ranks,
    stalemate: GameEnd::Draw,
};
