//! Adding a game to a tally.
//!
//! Cost: two additions of rows per ply, one per game and dimension of games, and one per ply if a dimension of plies is
//! requested.

use crate::tables::groups::PLIES_MAX;

use super::counts::Tally;
use super::frame::Frame;
use super::game::GameLengths;
use super::labels::Labels;
use super::layout::{self, EMPTY_ROW, LANES, LANES_AT, Layout, Row as Sums, add};

/// Games that are counted in half words before they are added up: no column of so many is too large for a half word.
const GAMES_PENDING_MAX: u32 = 1 << 24;

impl Tally {
    /// Adds a game that was proved.
    #[inline(always)]
    pub fn add(&mut self, game: &GameLengths, labels: &Labels) {
        let history = u64::from(game.has_history());
        add(&mut self.games, &[1, history]);
        let frame = Frame::of(game.first(), game.plies_count(), labels.result_characters);
        self.frames[0].merge(&frame);
        if history > 0 {
            self.frames[1].merge(&frame);
        }
        if self.pending_games == GAMES_PENDING_MAX {
            self.settle();
        }
        self.pending_games += 1;
        let numbered = game.numbered().len();
        if self.pending.len() < numbered {
            self.pending.resize(numbered, [0; LANES]);
        }
        match self.groups.any() {
            false => drop(self.add_plies::<false>(game)),
            true => {
                let mut row = self.add_plies::<true>(game);
                layout::set_games(&mut row, [1, history]);
                self.groups.add(labels, &row);
            }
        }
        if !self.cells.is_empty() {
            self.add_to_cells(game);
        }
    }

    /// Counts the plies of a game; gives their sum if it is wanted.
    #[inline(always)]
    fn add_plies<const WITH_SUM: bool>(&mut self, game: &GameLengths) -> Sums {
        let layout = Layout::get();
        let shapes = layout.shapes(game.has_history());
        let places = self.indices.len() / 2;
        let (without, with) = self.indices.split_at_mut(places);
        let indices = if game.has_history() { with } else { without };
        let mut sum = [0u32; LANES];
        for (stroke, row) in game.numbered().iter().zip(&mut self.pending) {
            let index = stroke.index();
            let lanes = layout::lanes_of(&shapes[index], stroke.free);
            layout::add_lanes(row, lanes);
            if WITH_SUM {
                layout::add_lanes(&mut sum, lanes);
            }
            indices[stroke.place() % places][index] += 1;
            self.lengths.count(stroke.free);
        }
        let mut row = EMPTY_ROW;
        for (lane, sum) in row[LANES_AT..].iter_mut().zip(sum) {
            *lane = u64::from(sum);
        }
        if game.plies_count() > PLIES_MAX {
            let later = &game.strokes()[PLIES_MAX..];
            self.add_later(later, game.folded(), game.has_history(), &mut row);
        }
        row
    }

    /// Adds what plies do not say by their index to the cells that they belong to.
    #[inline(always)]
    fn add_to_cells(&mut self, game: &GameLengths) {
        let history = u64::from(game.has_history());
        let mut marks = self.add_strokes_to_cells(game.strokes()) | game.folded_marks();
        while marks != 0 {
            add(&mut self.marks[marks.trailing_zeros() as usize], &[1, history]);
            marks &= marks - 1;
        }
    }
}
