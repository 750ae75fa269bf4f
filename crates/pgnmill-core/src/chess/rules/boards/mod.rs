//! Rulesets of other boards, each given by a table: Gliński's hexagonal chess, Raumschach (`docs/reference/boards.md`).
//!
//! In: a record, then moves. Out: positions, moves, ends. A ruleset is one file with a [`BoardTable`] and one line of
//! [`TABLES`]; positions, moves and records are generic over it and compiled once, because a position refers to its
//! table. Nothing is shared with the board of chess. Cost: some 160 bytes per position; legality is tested by making
//! each move.
//!
//! ```
//! use pgnmill_core::chess::rules::{BoardKind, Rules, TablePosition, TableRules};
//! let position = TablePosition::initial(BoardKind::Glinski);
//! let mut count = 0;
//! TableRules::visit_legal(&position, &mut |_| { count += 1; false });
//! assert_eq!(count, 51);
//! ```

mod cell;
mod glinski;
mod moves;
mod path;
mod position;
mod raumschach;
mod record;
mod table;
mod table_move;
#[cfg(test)]
pub(crate) mod ten;

use super::kind::BoardKind;
use super::{GameEnd, Rules};
use crate::chess::{Color, FenError, FenNotes};

pub use cell::{CELLS_MAX, Cell, Vector};
pub(crate) use path::{Path, Turn, path};
pub use position::TablePosition;
pub(crate) use record::placement_fault;
pub use table::BoardTable;
pub(crate) use table::PieceRow;
pub use table_move::TableMove;

/// All, in the order of [`BoardKind::ALL`].
static TABLES: [&BoardTable; BoardKind::ALL.len()] = [&glinski::TABLE, &raumschach::TABLE];

impl BoardKind {
    /// The board and the rules.
    pub fn table(self) -> &'static BoardTable {
        TABLES[self as usize]
    }
}

/// The rules of all tables; which of them are those of a game its position decides.
#[derive(Clone, Copy, Debug)]
pub struct TableRules;

impl Rules for TableRules {
    type Position = TablePosition;
    type Move = TableMove;

    fn turn(position: &TablePosition) -> Color {
        position.turn
    }

    fn fullmove_number(position: &TablePosition) -> u32 {
        position.number
    }

    fn visit_legal(position: &TablePosition, visit: &mut impl FnMut(TableMove) -> bool) -> bool {
        position.visit_legal(visit)
    }

    fn play_into(position: &TablePosition, mv: TableMove, next: &mut TablePosition) {
        *next = *position;
        next.make(mv);
    }

    fn pass(position: &TablePosition) -> Option<TablePosition> {
        let mut next = *position;
        next.turn = position.turn.other();
        next.passed = None;
        next.clock = position.clock.saturating_add(1);
        next.number = position.number.saturating_add(u32::from(next.turn == Color::White));
        (!position.is_in_check(position.turn)).then_some(next)
    }

    fn in_check(position: &TablePosition) -> bool {
        position.is_in_check(position.turn)
    }

    fn end(position: &TablePosition) -> Option<GameEnd> {
        if position.has_legal_move() {
            return None;
        }
        Some(match position.is_in_check(position.turn) {
            true => GameEnd::Win(position.turn.other()),
            false => position.table().stalemate,
        })
    }
}

impl TablePosition {
    /// The starting position of a ruleset.
    pub fn initial(kind: BoardKind) -> TablePosition {
        TablePosition::start_of(kind.table())
    }

    /// The starting position of a table.
    pub(crate) fn start_of(table: &'static BoardTable) -> TablePosition {
        let read = TablePosition::of_record(table, table.start.as_bytes());
        debug_assert!(read.is_ok(), "{:?}", table.kind);
        read.map_or_else(|_| TablePosition::empty(table), |(position, _)| position)
    }

    /// The position of a record, and how the record departs from the canonical one.
    ///
    /// # Errors
    /// The record cannot be read, or no game of these rules can continue from it.
    pub fn from_fen(record: &[u8], kind: BoardKind) -> Result<(TablePosition, FenNotes), FenError> {
        TablePosition::of_record(kind.table(), record)
    }

    /// [`TablePosition::from_fen`] on any board.
    pub(crate) fn of_record(
        table: &'static BoardTable,
        record: &[u8],
    ) -> Result<(TablePosition, FenNotes), FenError> {
        record::read(table, record)
    }

    /// The position after a legal move.
    pub fn play(&self, mv: TableMove) -> TablePosition {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// The legal moves, in an order that depends on the position alone.
    pub fn legal_moves(&self) -> Vec<TableMove> {
        let mut moves = Vec::new();
        self.visit_legal(&mut |mv| {
            moves.push(mv);
            false
        });
        moves
    }

    /// Is the side to move in check, and no move legal?
    pub fn is_checkmate(&self) -> bool {
        self.is_in_check(self.turn) && !self.has_legal_move()
    }

    /// Is the side to move not in check, and no move legal?
    pub fn is_stalemate(&self) -> bool {
        !self.is_in_check(self.turn) && !self.has_legal_move()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What `table.rs` requires of a table; every name is read as its cell.
    #[test]
    fn tables_are_well_formed() {
        let tables = BoardKind::ALL.iter().map(|kind| kind.table()).chain([&ten::TABLE]);
        for (table, count) in tables.zip([91, 125, 100]) {
            let letters: Vec<u8> = table.letters().collect();
            assert_eq!(&letters[..2], b"PK");
            assert_eq!(letters.iter().collect::<BTreeSet<_>>().len(), letters.len());
            assert_eq!(table.cells().count(), count);
            let ends = table.firsts.iter().zip(table.heights).map(|(first, height)| first + height);
            assert_eq!(ends.max(), Some(table.rows as i8));
            let names: BTreeSet<String> = table.cells().map(|cell| table.name_of(cell)).collect();
            assert_eq!(names.len(), count);
            for cell in table.cells() {
                let name = table.name_of(cell);
                assert_eq!(table.cell_named(name.as_bytes()), Some(cell), "{name}");
                assert_eq!(table.cell(table.coordinates(cell)), Some(cell), "{name}");
            }
            for odd in ["", "a", "a0", "a01", "z1", "Fa1", "a12", "f100", "aa", "\u{144}1", "j99"] {
                assert_eq!(table.cell_named(odd.as_bytes()), None, "{odd}");
            }
            let start = TablePosition::start_of(table);
            assert_eq!(start.to_string(), table.start);
        }
        for (index, &kind) in BoardKind::ALL.iter().enumerate() {
            assert_eq!((kind.table().kind(), kind as usize), (kind, index));
        }
    }

    /// Two moves of a position have different numbers, and none is that of a null move.
    #[test]
    fn packed_moves_are_distinct() {
        let raumschach = "k4/2PPP/5/5/5|5/5/1P3/5/5|5/5/5/5/5|5/5/5/5/5|5/5/5/5/K4 w 0 1";
        let glinski = "1P4/1P5/8/9/10/k10/10/9/8/7/K5 w - 0 1";
        for (kind, record) in [(BoardKind::Raumschach, raumschach), (BoardKind::Glinski, glinski)] {
            let (position, _) = TablePosition::from_fen(record.as_bytes(), kind).expect(record);
            let moves = position.legal_moves();
            assert!(moves.iter().any(|&mv| position.promotion(mv).is_some()), "{record}");
            let packed: BTreeSet<u16> = moves.iter().map(|&mv| position.packed(mv)).collect();
            assert_eq!(packed.len(), moves.len(), "{record}");
            assert!(!packed.contains(&u16::MAX));
        }
    }
}
