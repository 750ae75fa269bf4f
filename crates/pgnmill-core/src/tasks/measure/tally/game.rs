//! The plies of one game, kept until it is known whether the game is valid.
//!
//! Input: plies; output: their records. Cost: nothing is allocated once a long game was kept.

use pgnmill_simd::Level;

use crate::chess::Color;
use crate::notation::{CandidateLine, Chosen, Ply};
use crate::select::share::{mixed, with};
use crate::tables::Dimensions;
use crate::tables::groups::PLIES_MAX;

use super::later::{Folded, RECORDS_MAX};
use super::ply_record::{InLine, PlyRecord};
use super::selection::Selection;
use super::traits::{CELLS_BY_INDEX, MATE_BIT, place_in_line};

/// The plies of one game's main line. Reused for every game, so that nothing is allocated once a long one was
/// kept; of a game of more than `RECORDS_MAX` plies the later ones are counted together.
#[derive(Clone, Debug)]
pub struct GameLengths {
    chosen: Chosen,
    keys: Dimensions,
    selection: Selection,
    records: Vec<PlyRecord>,
    /// The lengths of a line's plies; see `Chosen::line_lengths`.
    line_lengths: Vec<[u64; 1]>,
    /// Plies after the first [`PLIES_MAX`] ones that are not kept one by one.
    folded: Option<Box<Folded>>,
    has_history: bool,
    /// The side that makes the first move, and the number of the move.
    first: Option<(Color, u32)>,
}

impl Default for GameLengths {
    /// Of all notations.
    fn default() -> GameLengths {
        GameLengths {
            chosen: *Chosen::all(),
            keys: Dimensions::ALL,
            selection: Selection::default(),
            records: Vec::new(),
            line_lengths: Vec::new(),
            folded: None,
            has_history: false,
            first: None,
        }
    }
}

impl GameLengths {
    /// Sets the notations and the dimensions that are measured.
    pub fn configure(&mut self, selection: Selection, keys: Dimensions) {
        if (self.selection, self.keys) != (selection, keys) {
            self.folded = None;
        }
        self.chosen = selection.chosen();
        (self.selection, self.keys) = (selection, keys);
    }

    /// Removes the last game.
    pub fn clear(&mut self) {
        self.records.clear();
        if let Some(folded) = &mut self.folded
            && folded.plies() > 0
        {
            folded.clear();
        }
        self.has_history = false;
        self.first = None;
    }

    /// Adds a ply.
    #[inline(always)]
    pub fn observe(&mut self, ply: &Ply<'_>) {
        if self.first.is_none() {
            self.has_history = ply.lineage().is_some();
            self.first = Some((ply.color(), ply.before().fullmove_number()));
        }
        if self.records.len() == RECORDS_MAX {
            self.fold();
        }
        let with_places = self.keys.needs_cells();
        // For plain moves, which most are, the compiler omits the code of special ones here.
        let record = if ply.mv().is_plain() {
            PlyRecord::of(ply, &self.chosen, with_places)
        } else {
            PlyRecord::of_rare(*ply, &self.chosen, with_places)
        };
        self.records.push(record);
    }

    /// Can it add the plies of a line without a position each?
    pub fn takes_lines(&self) -> bool {
        self.chosen.follow_from_lines()
    }

    /// Adds the plies of a line, in games without a history.
    pub fn observe_line(&mut self, level: Level, line: &CandidateLine<'_>) {
        self.first.get_or_insert(line.first);
        if self.records.len() + line.plies() > RECORDS_MAX {
            self.fold();
        }
        self.chosen.line_lengths(level, line, &mut self.line_lengths);
        let (begin, with_place) = (self.records.len(), self.keys.needs_cells());
        let GameLengths { records, line_lengths, chosen, .. } = self;
        records.resize(begin + line.plies(), PlyRecord::EMPTY);
        let records = &mut records[begin..];
        level.run(InLine { line, lengths: line_lengths, records });
        if with_place {
            let places = records.iter_mut().enumerate();
            places.for_each(|(index, record)| record.set_place(place_in_line(line, index)));
        }
        for odd in line.odd {
            records[odd.index] = odd.with(|ply| PlyRecord::of_rare(*ply, chosen, with_place));
        }
    }

    /// Counts together what comes after the plies that have groups of their own.
    #[cold]
    #[inline(never)]
    fn fold(&mut self) {
        let none = || Box::new(Folded::new(self.keys, self.selection));
        let folded = self.folded.get_or_insert_with(none);
        folded.add(&self.records[PLIES_MAX..], self.has_history);
        self.records.truncate(PLIES_MAX);
    }

    /// The first move, and what is kept of each ply, in words: for comparisons.
    pub fn in_words(&self) -> String {
        format!("{:?} {:?} {:?}", self.first, self.records, self.folded())
    }

    /// Has the game a history from the starting position? A game without a move has one.
    pub fn has_history(&self) -> bool {
        self.has_history || self.records.is_empty()
    }

    /// Is the game of a sample of one of `one_in` games, a power of two? Games with the same moves are in it together.
    #[inline(always)]
    pub fn is_sampled(&self, one_in: u64) -> bool {
        let number = |ply: usize| self.records.get(ply).map_or(0, PlyRecord::without_place);
        let some = number(11) ^ number(16).rotate_left(8) ^ number(19).rotate_left(16);
        let key =
            with(with(some, number(self.records.len().wrapping_sub(2))), self.records.len() as u64);
        key >> 40 & (one_in - 1) == 0
    }

    /// A number that games with the same moves have in common, and that other games hardly have.
    #[inline(never)]
    pub fn fingerprint(&self) -> u64 {
        let words = self.records.iter().map(PlyRecord::without_place);
        mixed(words.fold(self.plies_count() as u64, with))
    }

    /// Does it end with mate?
    pub fn ends_with_mate(&self) -> bool {
        self.records.last().is_some_and(|last| CELLS_BY_INDEX[last.index()].1 & MATE_BIT != 0)
    }

    /// How many plies.
    pub fn plies_count(&self) -> usize {
        self.records.len() + self.folded().map_or(0, Folded::plies)
    }

    /// The side that makes the first move, and its number; as in the starting position if there is none.
    pub(super) fn first(&self) -> (Color, u32) {
        self.first.unwrap_or((Color::White, 1))
    }

    /// The plies that are kept: all, if none are folded.
    pub(super) fn records(&self) -> &[PlyRecord] {
        &self.records
    }

    /// The plies that have groups of their own in the dimension `ply`.
    #[inline(always)]
    pub(super) fn numbered(&self) -> &[PlyRecord] {
        &self.records[..self.records.len().min(PLIES_MAX)]
    }

    /// The plies that are folded, if there are any.
    pub(super) fn folded(&self) -> Option<&Folded> {
        self.folded.as_deref().filter(|folded| folded.plies() > 0)
    }

    /// The bits of the names of their cells.
    pub(super) fn folded_name_bits(&self) -> u32 {
        self.folded().map_or(0, Folded::name_bits)
    }
}
