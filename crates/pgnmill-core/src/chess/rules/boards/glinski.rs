//! Gliński's hexagonal chess (1936): 91 cells.
//!
//! In: nothing. Out: the table of the ruleset, by `boards.md`. Files a to l without j have 6 to 11 to 6 cells; ranks
//! are counted from White's end of each file. The second coordinate is the rank on files a to f and grows by one with
//! each file after f, so that north is (0, 1), north-east (1, 1) and south-east (1, 0) everywhere. Stalemate ends the
//! game; in Gliński's scoring it is three quarters of a point, for which PGN has no result, so that none is judged.
//!
//! The rank of Black's pawns is the seventh of every file from b to k: the cells from which they make a double step.
//!
//! Source: W. Gliński, Rules of Hexagonal Chess, 1973; the record is the "Hex-FEN" of the pages that draw this board.
//!
//! ```
//! use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
//! let glinski = "Hexagonal".parse::<RulesKind>().unwrap();
//! let record = AnyPosition::initial(glinski).to_fen();
//! assert_eq!(record, "6/p5P/rp4PR/n1p3P1N/q2p2P2Q/bbb1p1P1BBB/k2p2P2K/n1p3P1N/rp4PR/p5P/6 w - 0 1");
//! ```

use super::super::GameEnd;
use super::super::kind::BoardKind;
use super::cell::Vector;
use super::table::{BoardTable, Lines, PawnRow, PieceRow};

const NORTH: Vector = [0, 1, 0];
const NORTH_EAST: Vector = [1, 1, 0];
const SOUTH_EAST: Vector = [1, 0, 0];
const SOUTH: Vector = [0, -1, 0];
const SOUTH_WEST: Vector = [-1, -1, 0];
const NORTH_WEST: Vector = [-1, 0, 0];

/// Over edges, clockwise from the north.
const EDGES: &[Vector] = &[NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST];
/// Over vertices, each between two neighbouring edges.
const VERTICES: &[Vector] =
    &[[1, 2, 0], [2, 1, 0], [1, -1, 0], [-1, -2, 0], [-2, -1, 0], [-1, 1, 0]];
/// Two steps over an edge, then one over a neighbouring edge.
const KNIGHT: &[Vector] = &[
    [1, 3, 0],
    [2, 3, 0],
    [3, 2, 0],
    [3, 1, 0],
    [2, -1, 0],
    [1, -2, 0],
    [-1, -3, 0],
    [-2, -3, 0],
    [-3, -2, 0],
    [-3, -1, 0],
    [-2, 1, 0],
    [-1, 2, 0],
];

/// The rules and the board.
pub(super) static TABLE: BoardTable = BoardTable {
    kind: BoardKind::Glinski,
    levels: b"",
    files: b"abcdefghikl",
    firsts: &[0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
    heights: &[6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6],
    rows: 11,
    directions: &[
        (b'a', NORTH),
        (b'b', NORTH_EAST),
        (b'c', SOUTH_EAST),
        (b'd', SOUTH),
        (b'e', SOUTH_WEST),
        (b'f', NORTH_WEST),
    ],
    is_hexagonal: true,
    pieces: &[
        PieceRow::new(b'P', "P"),
        PieceRow { leaps: &[EDGES, VERTICES], ..PieceRow::new(b'K', "K") },
        PieceRow { rides: &[EDGES, VERTICES], ..PieceRow::new(b'Q', "Q") },
        PieceRow { rides: &[EDGES], ..PieceRow::new(b'R', "R") },
        PieceRow { rides: &[VERTICES], ..PieceRow::new(b'B', "B") },
        PieceRow { leaps: &[KNIGHT], ..PieceRow::new(b'N', "N") },
    ],
    pawn: PawnRow {
        steps: &[NORTH],
        captures: &[NORTH_EAST, NORTH_WEST],
        doubles: [&[0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0], &[0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0]],
        becomes: b"QRBN",
    },
    start: "6/p5P/rp4PR/n1p3P1N/q2p2P2Q/bbb1p1P1BBB/k2p2P2K/n1p3P1N/rp4PR/p5P/6 w - 0 1",
    lines: Lines::Files,
    stalemate: GameEnd::Unscored,
};
