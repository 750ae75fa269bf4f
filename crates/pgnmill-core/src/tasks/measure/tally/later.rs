//! Plies after the [`PLIES_MAX`](crate::tables::groups::PLIES_MAX)th: one row for all of them, and a limited number of
//! kept plies of a long game.
//!
//! Input: plies of games that are longer than games usually are; output: a row. Invariants: these plies are in every
//! sum; memory does not grow with the length of a game. Cost: none for shorter games.

use crate::tables::Dimensions;

use super::counts::Tally;
use super::layout::{self, COLUMNS, COLUMNS_AT, CostRow, EMPTY_ROW, GAMES, Layout, add};
use super::ply_record::PlyRecord;
use super::selection::Selection;
use super::traits::{CELLS_BY_INDEX, NAME_BITS_BY_PLACE};

/// Plies of one game that are kept at a time: when there are more, those after the 600th are folded into sums.
pub(super) const RECORDS_MAX: usize = 1 << 13;

/// The sums of plies of one game that are no longer kept one by one.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    plies: usize,
    /// Their indices, lengths, cells and row; it has no games.
    tally: Tally,
    /// The bits of the names of their cells.
    name_bits: u32,
}

impl Folded {
    /// No plies yet.
    pub(super) fn new(keys: Dimensions, selection: Selection) -> Folded {
        Folded { plies: 0, tally: Tally::new(keys, selection), name_bits: 0 }
    }

    /// Resets the counts; keeps the memory.
    pub(super) fn clear(&mut self) {
        self.tally.clear();
        (self.plies, self.name_bits) = (0, 0);
    }

    /// Counts plies after the 600th.
    pub(super) fn add(&mut self, records: &[PlyRecord], has_history: bool) {
        self.plies += records.len();
        self.tally.count_later(records, has_history);
        if !self.tally.cells.is_empty() {
            self.name_bits |= self.tally.add_records_to_cells(records);
        }
    }

    /// Their counts.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(super) fn plies(&self) -> usize {
        self.plies
    }

    pub(super) fn name_bits(&self) -> u32 {
        self.name_bits
    }

    /// What they cost.
    pub(super) fn row(&self) -> &CostRow {
        &self.tally.later
    }
}

impl Tally {
    /// Adds the plies of a game after the 600th, kept or folded, and adds to `row` what they cost.
    #[cold]
    #[inline(never)]
    pub(super) fn add_later(
        &mut self,
        records: &[PlyRecord],
        folded: Option<&Folded>,
        has_history: bool,
        row: &mut CostRow,
    ) {
        add(row, &self.count_later(records, has_history));
        if let Some(folded) = folded {
            add(row, folded.row());
            self.merge(&folded.tally);
        }
        add(&mut self.later[GAMES..COLUMNS_AT], &[1, u64::from(has_history)]);
    }

    /// Adds plies to their cells; returns the bits of the names of these.
    #[inline(always)]
    pub(super) fn add_records_to_cells(&mut self, records: &[PlyRecord]) -> u32 {
        records.iter().fold(0, |name_bits, record| {
            let ((cell, mark), place) = (CELLS_BY_INDEX[record.index()], record.place());
            add(&mut self.cells[usize::from(cell) + place], &record.free().map(u64::from));
            name_bits | mark | NAME_BITS_BY_PLACE[place]
        })
    }

    /// Counts plies after the 600th, without cells; returns what they cost.
    fn count_later(&mut self, records: &[PlyRecord], has_history: bool) -> CostRow {
        let shapes = Layout::get().shapes(has_history);
        let places = self.indices.len() / 2;
        let mut sum = [0u32; COLUMNS];
        for record in records {
            let index = record.index();
            layout::add_columns(&mut sum, layout::columns_of(&shapes[index], record.free()));
            let place = record.place() % places + if has_history { places } else { 0 };
            self.indices[place][index] += 1;
            self.lengths.count(record.free(), layout::shorter(&shapes[index]));
        }
        let mut row = EMPTY_ROW;
        for (column, sum) in row[COLUMNS_AT..].iter_mut().zip(sum) {
            *column = u64::from(sum);
        }
        add(&mut self.later[..], &row);
        row
    }
}
