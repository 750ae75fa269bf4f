//! The properties of a ply apart from its texts: its group in the dimensions of plies, what its SAN contains of the
//! origin, and which shorter texts would be enough.
//!
//! Input: a [`Ply`]; output: two small numbers. The *index* is that of its [`Shape`], with two flags of a pawn's
//! capture in the bits that a pawn's shape leaves free; the *place* is its side and phase. A *cell* is a combination of
//! side, role, kind, check and phase: the tables contain its margins. Cost: some tens of instructions; captures by
//! other pawns are only computed where a pawn captures.

use std::sync::LazyLock;

use crate::chess::{Bitboard, Color, Move, Position, Role, Square, pawn_attacks, phase_of};
use crate::notation::{CandidateLine, Disambiguation, Ply, Shape};

use crate::tables::Dimension;
use crate::tables::disambiguation::{MOVERS, ORIGINS};
use crate::tables::groups::{CHECKS, KINDS, PHASES, ROLES, SIDES};

/// One dimension of cells.
#[derive(Debug)]
pub(super) struct CellDimension {
    pub(super) key: Dimension,
    pub(super) names: &'static [&'static str],
    /// The distance of cells that differ by one in this dimension.
    stride: usize,
    /// The index of the first name among the names of all dimensions.
    first_name: usize,
}

/// The dimensions of cells: those that the shape gives, then those of the place.
pub(super) const CELL_DIMENSIONS: [CellDimension; 5] = [
    CellDimension { key: Dimension::Role, names: &ROLES, stride: 90, first_name: 0 },
    CellDimension { key: Dimension::Kind, names: &KINDS, stride: 18, first_name: 6 },
    CellDimension { key: Dimension::Check, names: &CHECKS, stride: 6, first_name: 11 },
    CellDimension { key: Dimension::Side, names: &SIDES, stride: 3, first_name: 14 },
    CellDimension { key: Dimension::Phase, names: &PHASES, stride: 1, first_name: 16 },
];
/// How many cells there are.
pub(super) const CELLS: usize = 540;
/// How many places.
pub(super) const PLACES: usize = 6;
/// How many names all dimensions of cells have together.
pub(super) const NAMES: usize = 19;

/// The bit of the name of a move that gives mate.
pub(super) const MATE_BIT: u32 = 1 << CELL_DIMENSIONS[2].name_index(2);
const _: () = assert!(matches!(CHECKS[2].as_bytes(), b"mate"));

impl CellDimension {
    /// The index of a cell's name among the names.
    pub(super) const fn name_of(&self, cell: usize) -> usize {
        cell / self.stride % self.names.len()
    }

    /// The index of a name among the names of all dimensions.
    pub(super) const fn name_index(&self, name: usize) -> usize {
        self.first_name + name
    }
}

/// The cell of plies of this shape at this place.
pub(super) fn cell_of(shape: Shape, place: usize) -> usize {
    ((shape.role().index() * KINDS.len() + kind_of(shape)) * CHECKS.len() + shape.check() as usize)
        * PLACES
        + place
}

/// The names of a cell, one bit each.
pub(super) fn name_bits_of(cell: usize) -> u32 {
    CELL_DIMENSIONS.iter().fold(0, |name_bits, dimension| {
        name_bits | 1 << dimension.name_index(dimension.name_of(cell))
    })
}

/// Counters: what moves, and what its SAN contains of the origin.
pub(super) const SAID_COUNT: usize = MOVERS.len() * ORIGINS.len();

/// Flags of a ply.
pub(super) mod flag {
    /// The piece type and the target square fit no other legal move.
    pub(in super::super) const ENOUGH: u8 = 1;
    /// A piece other than a pawn moves, and does not castle.
    pub(in super::super) const PIECE: u8 = 2;
    /// A pawn captures.
    pub(in super::super) const PAWN_TAKES: u8 = 4;
    /// A pawn captures, and its files fit no other legal capture by a pawn.
    pub(in super::super) const FILES: u8 = 8;
}

/// The bits of an index in which a pawn's capture has [`flag::ENOUGH`] and [`flag::FILES`].
const PAWN_ENOUGH: u16 = 1 << Shape::DISAMBIGUATION_SHIFT;
const PAWN_FILES: u16 = 2 << Shape::DISAMBIGUATION_SHIFT;

/// The number of a ply among [`Shape::COUNT`].
#[inline(always)]
pub(super) fn index_of(ply: &Ply<'_>, shape: Shape) -> u16 {
    match shape.is_pawn_capture() {
        true => shape.index() | pawn_bits(ply.before(), ply.mv()),
        false => shape.index(),
    }
}

/// The number of a ply of a line by the bytes of its shape. A pawn that captures has no other of its side on its file
/// there; `rivals` are the other pawns that could legally capture on its target.
#[inline(always)]
pub(super) fn index_in_line(low: u8, high: u8, rivals: u64) -> u64 {
    let enough = if rivals == 0 { PAWN_ENOUGH } else { 0 };
    let bits = if Shape::is_usual_pawn_capture(low, high) { enough | PAWN_FILES } else { 0 };
    u64::from(u16::from_le_bytes([low, high]) | bits)
}

/// The flags of plies with this index.
pub(super) fn flags_of(index: usize, shape: Shape) -> u8 {
    let has = |bit: u16, flag: u8| if index as u16 & bit != 0 { flag } else { 0 };
    if shape.role() == Role::Pawn {
        return match shape.is_capture() {
            true => {
                flag::PAWN_TAKES | has(PAWN_ENOUGH, flag::ENOUGH) | has(PAWN_FILES, flag::FILES)
            }
            false => flag::ENOUGH,
        };
    }
    let enough = if shape.disambiguation() == Disambiguation::None { flag::ENOUGH } else { 0 };
    if shape.castling().is_some() { flag::ENOUGH } else { flag::PIECE | enough }
}

/// The index among [`SAID_COUNT`] counters of plies with this shape.
pub(super) fn said_of(shape: Shape) -> usize {
    let mover = if shape.castling().is_some() { 6 } else { shape.role().index() };
    let said = match shape.role() {
        Role::Pawn => usize::from(shape.is_capture()),
        _ => shape.disambiguation() as usize,
    };
    mover * ORIGINS.len() + said
}

/// The side to move and the phase of the position before: a number below [`PLACES`].
#[inline(always)]
pub(super) fn place_of(before: &Position) -> u8 {
    let sides = [before.color(Color::White), before.color(Color::Black)];
    place_of_parts(before.turn(), sides, before.role(Role::Pawn))
}

/// The place of a ply of a line, as [`place_of`] numbers it.
#[inline(always)]
pub(super) fn place_in_line(line: &CandidateLine<'_>, index: usize) -> u8 {
    let first = line.first.0;
    let turn = if index.is_multiple_of(2) { first } else { first.other() };
    let sides = line.sides.map(|side| Bitboard(side[index]));
    place_of_parts(turn, sides, Bitboard(line.pawns[index]))
}

/// From the side to move, the pieces of White and of Black, and the pawns of both.
#[inline(always)]
fn place_of_parts(turn: Color, sides: [Bitboard; 2], pawns: Bitboard) -> u8 {
    // Each side has a king.
    let pieces_count = ((sides[0] | sides[1]) & !pawns).count() - 2;
    (turn.index() * PHASES.len() + phase_of(pieces_count, sides)) as u8
}

/// The index in [`KINDS`].
fn kind_of(shape: Shape) -> usize {
    if shape.castling().is_some() {
        4
    } else if shape.promoted().is_some() {
        3
    } else if shape.is_en_passant() {
        2
    } else {
        usize::from(shape.is_capture())
    }
}

/// Flags of a capture by a pawn: is the target square enough, are the files?
#[inline(never)]
fn pawn_bits(before: &Position, mv: Move) -> u16 {
    let (origin, target, turn) = (mv.origin(), mv.target(), before.turn());
    let pawns = before.ours(Role::Pawn) ^ Bitboard::of(origin);
    let takes = |from: Square, target: Square| {
        let there = before.them().has(target) || before.en_passant_square() == Some(target);
        there && before.is_safe(pawn_capture(before, from, target))
    };
    let mut bits = 0;
    let mut rivals = (pawn_attacks(turn.other(), target) & pawns).into_iter();
    if !rivals.any(|from| takes(from, target)) {
        bits |= PAWN_ENOUGH;
    }
    let ahead = |from: Square| match turn {
        Color::White => from.rank() + 1,
        Color::Black => from.rank() - 1,
    };
    let mut behind = (pawns & Bitboard::file(origin.file())).into_iter();
    if !behind.any(|from| takes(from, Square::at(target.file(), ahead(from)))) {
        bits |= PAWN_FILES;
    }
    bits
}

fn pawn_capture(before: &Position, from: Square, target: Square) -> Move {
    if Bitboard::BACK_RANKS.has(target) {
        Move::promotion(from, target, Role::Queen)
    } else if before.them().has(target) {
        Move::normal(Role::Pawn, from, target)
    } else {
        Move::en_passant(from, target)
    }
}

/// The cell of each index at the first place, and the bits of its names but those of the place.
pub(super) static CELLS_BY_INDEX: LazyLock<Vec<(u16, u32)>> = LazyLock::new(|| {
    let of_place = NAME_BITS_BY_PLACE.iter().fold(0, |all, name_bits| all | name_bits);
    let shapes = (0..Shape::COUNT).map(Shape::from_index);
    let cells = shapes.map(|shape| shape.map_or(0, |shape| cell_of(shape, 0)));
    cells.map(|cell| (cell as u16, name_bits_of(cell) & !of_place)).collect()
});

/// The bits of the names of side and phase, by place.
pub(super) static NAME_BITS_BY_PLACE: LazyLock<[u32; PLACES]> = LazyLock::new(|| {
    let both = CELL_DIMENSIONS
        .iter()
        .filter(|dimension| matches!(dimension.key, Dimension::Side | Dimension::Phase));
    let names = both.flat_map(|dimension| {
        (0..dimension.names.len()).map(|name| 1 << dimension.name_index(name))
    });
    let all: u32 = names.fold(0, |all, mark| all | mark);
    std::array::from_fn(|place| name_bits_of(place) & all)
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Check, Facts, Notation, san::San};

    fn traits(fen: &str, san: &str) -> (Vec<&'static str>, &'static str, u8) {
        let (before, _) = Position::from_fen(fen.as_bytes()).unwrap();
        let mv = San.decode(&before, san.as_bytes()).unwrap();
        let after = before.play(mv);
        let ply = Ply::new(&before, mv, &after, Check::of(&after));
        let shape = Facts::of(&ply).shape();
        let index = usize::from(index_of(&ply, shape));
        let cell = cell_of(shape, usize::from(place_of(&before)));
        let names = CELL_DIMENSIONS
            .iter()
            .map(|dimension| dimension.names[dimension.name_of(cell)])
            .collect();
        for (dimension, name) in CELL_DIMENSIONS.iter().zip(&names) {
            let place = dimension.names.iter().position(|other| other == name).unwrap();
            assert!(name_bits_of(cell) >> dimension.name_index(place) & 1 == 1);
        }
        assert_eq!(name_bits_of(cell).count_ones(), 5);
        let shape = Shape::from_index(index).unwrap();
        assert_eq!(
            cell_of(shape, usize::from(place_of(&before))),
            cell,
            "flags change nothing else"
        );
        (names, ORIGINS[said_of(shape) % 4], flags_of(index, shape))
    }

    #[test]
    fn plies_fall_into_their_cells() {
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let e4 = traits(initial, "e4");
        assert_eq!(e4.0, ["pawn", "quiet", "none", "white", "opening"]);
        assert_eq!((e4.1, e4.2), ("none", flag::ENOUGH));
        let back = traits("6k1/5ppp/8/8/8/8/8/R3K2R b KQ - 0 1", "h6");
        assert_eq!(back.0, ["pawn", "quiet", "none", "black", "endgame"]);
        let mate = traits("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "Ra8#");
        assert_eq!(mate.0, ["rook", "quiet", "mate", "white", "endgame"]);
        let castles = traits("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O");
        assert_eq!(castles.0, ["king", "castling", "none", "white", "endgame"]);
        let rook = traits("6k1/8/8/8/8/8/5K2/R6R w - - 0 1", "Rae1");
        assert_eq!((rook.1, rook.2), ("file", flag::PIECE));
        let promotes = traits("n5k1/1P6/8/8/8/8/5K2/8 w - - 0 1", "bxa8=Q+");
        assert_eq!(promotes.0, ["pawn", "promotion", "check", "white", "endgame"]);
        assert_eq!(promotes.1, "file");
    }

    #[test]
    fn pawn_captures_depend_on_their_rivals() {
        let (enough, files) = (flag::ENOUGH | flag::PAWN_TAKES, flag::FILES | flag::PAWN_TAKES);
        let both = enough | files;
        // One pawn captures; two could; two on one file capture on the same file; en passant; a pinned rival is none.
        assert_eq!(traits("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5").2, both);
        assert_eq!(traits("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "exd5").2, files);
        assert_eq!(traits("4k3/3p4/4P3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5").2, enough);
        assert_eq!(traits("4k3/8/8/3pP3/4P3/8/8/4K3 w - d6 0 1", "exd6").2, enough);
        assert_eq!(traits("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6").2, both);
        assert_eq!(traits("4r1k1/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "cxd5").2, both);
    }
}
