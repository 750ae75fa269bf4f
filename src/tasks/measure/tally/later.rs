//! Plies after the [`PLIES_MAX`]th: one row for all of them, and of a long game only as many as a stretch.
//!
//! What enters are plies of games that are longer than any game has to be; what leaves is a row, and the names of the
//! groups that hold it. Invariants: what is counted here is in every sum; nothing of it grows with the length of a game.
//! Cost: none for games that are shorter.

use crate::tables::Dimensions;

use super::counts::Tally;
use super::layout::{self, EMPTY_ROW, GAMES, LANES, LANES_AT, Layout, Row, add};
use super::ply_record::PlyRecord;
use super::selection::Selection;
use super::traits::{CELLS_BY_INDEX, MARKS_BY_PLACE};

/// Plies of one game that are held at a time: when there are so many, those after the [`PLIES_MAX`]th are folded.
pub(super) const STROKES_MAX: usize = 1 << 13;

/// Plies of one game that are no longer held one by one.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    plies: usize,
    /// Their indices, lengths, cells and row; it has no games.
    tally: Tally,
    /// The marks of their cells.
    marks: u32,
}

impl Folded {
    /// Nothing folded yet.
    pub(super) fn new(keys: Dimensions, selection: Selection) -> Folded {
        Folded { plies: 0, tally: Tally::new(keys, selection), marks: 0 }
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        self.tally.clear();
        (self.plies, self.marks) = (0, 0);
    }

    /// Counts plies that come after the [`PLIES_MAX`]th.
    pub(super) fn add(&mut self, strokes: &[PlyRecord], has_history: bool) {
        self.plies += strokes.len();
        self.tally.count_later(strokes, has_history);
        if !self.tally.cells.is_empty() {
            self.marks |= self.tally.add_strokes_to_cells(strokes);
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.plies
    }

    pub(super) fn marks(&self) -> u32 {
        self.marks
    }

    /// What they cost.
    pub(super) fn row(&self) -> &Row {
        &self.tally.later
    }
}

impl Tally {
    /// Adds the plies of a game that come after the [`PLIES_MAX`]th, those that are held and those that are folded, and to
    /// `row` what they cost.
    #[cold]
    #[inline(never)]
    pub(super) fn add_later(
        &mut self,
        strokes: &[PlyRecord],
        folded: Option<&Folded>,
        has_history: bool,
        row: &mut Row,
    ) {
        add(row, &self.count_later(strokes, has_history));
        if let Some(folded) = folded {
            add(row, folded.row());
            self.merge(&folded.tally);
        }
        add(&mut self.later[GAMES..LANES_AT], &[1, u64::from(has_history)]);
    }

    /// Adds plies to the cells that they belong to; gives the marks of these.
    #[inline(always)]
    pub(super) fn add_strokes_to_cells(&mut self, strokes: &[PlyRecord]) -> u32 {
        strokes.iter().fold(0, |marks, stroke| {
            let ((cell, mark), place) = (CELLS_BY_INDEX[stroke.index()], stroke.place());
            add(&mut self.cells[usize::from(cell) + place], &stroke.free.map(u64::from));
            marks | mark | MARKS_BY_PLACE[place]
        })
    }

    /// Counts plies that come after the [`PLIES_MAX`]th, cells apart; gives what they cost.
    fn count_later(&mut self, strokes: &[PlyRecord], has_history: bool) -> Row {
        let shapes = Layout::get().shapes(has_history);
        let places = self.indices.len() / 2;
        let mut sum = [0u32; LANES];
        for stroke in strokes {
            let index = stroke.index();
            layout::add_lanes(&mut sum, layout::lanes_of(&shapes[index], stroke.free));
            let place = stroke.place() % places + if has_history { places } else { 0 };
            self.indices[place][index] += 1;
            self.lengths.count(stroke.free);
        }
        let mut row = EMPTY_ROW;
        for (lane, sum) in row[LANES_AT..].iter_mut().zip(sum) {
            *lane = u64::from(sum);
        }
        add(&mut self.later[..], &row);
        row
    }
}
