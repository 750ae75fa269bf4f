//! A ruleset of tests: ten by ten cells with long leapers and circular riders.
//!
//! In: nothing. Out: a table with the camel `C` (3 and 1), the zebra `Z` (3 and 2), the falcon `F`, which repeats both
//! leaps and whose directions are written by numbers, the rose `O` (texts: `Ro`), which makes knight's steps on a
//! circle, and rooks.

use super::super::GameEnd;
use super::super::kind::BoardKind;
use super::cell::Vector;
use super::table::{BoardTable, Lines, PawnRow, PieceRow};

const EDGES: &[Vector] = &[[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]];
const CORNERS: &[Vector] = &[[1, 1, 0], [1, -1, 0], [-1, 1, 0], [-1, -1, 0]];
/// Clockwise.
const KNIGHT: &[Vector] = &[
    [1, 2, 0],
    [2, 1, 0],
    [2, -1, 0],
    [1, -2, 0],
    [-1, -2, 0],
    [-2, -1, 0],
    [-2, 1, 0],
    [-1, 2, 0],
];
const CAMEL: &[Vector] = &[
    [1, 3, 0],
    [3, 1, 0],
    [3, -1, 0],
    [1, -3, 0],
    [-1, -3, 0],
    [-3, -1, 0],
    [-3, 1, 0],
    [-1, 3, 0],
];
const ZEBRA: &[Vector] = &[
    [2, 3, 0],
    [3, 2, 0],
    [3, -2, 0],
    [2, -3, 0],
    [-2, -3, 0],
    [-3, -2, 0],
    [-3, 2, 0],
    [-2, 3, 0],
];

/// The rules and the board. It is in no registry: its kind is that of another board.
pub(crate) static TABLE: BoardTable = BoardTable {
    kind: BoardKind::Glinski,
    levels: b"",
    files: b"abcdefghij",
    firsts: &[0; 10],
    heights: &[10; 10],
    rows: 10,
    directions: &[(b'n', [0, 1, 0]), (b's', [0, -1, 0]), (b'e', [1, 0, 0]), (b'w', [-1, 0, 0])],
    is_hexagonal: false,
    pieces: &[
        PieceRow::new(b'P', "P"),
        PieceRow { leaps: &[EDGES, CORNERS], ..PieceRow::new(b'K', "K") },
        PieceRow { rides: &[EDGES], ..PieceRow::new(b'R', "R") },
        PieceRow { leaps: &[CAMEL], ..PieceRow::new(b'C', "C") },
        PieceRow { leaps: &[ZEBRA], ..PieceRow::new(b'Z', "Z") },
        PieceRow { rides: &[CAMEL, ZEBRA], in_numbers: true, ..PieceRow::new(b'F', "F") },
        PieceRow { circles: KNIGHT, ..PieceRow::new(b'O', "Ro") },
    ],
    pawn: PawnRow {
        steps: &[[0, 1, 0]],
        captures: &[[-1, 1, 0], [1, 1, 0]],
        doubles: [&[2; 10], &[9; 10]],
        becomes: b"RCZFO",
    },
    start: "rczfkofczr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RCZFKOFCZR w - 0 1",
    lines: Lines::Ranks,
    stalemate: GameEnd::Draw,
};
