//! Adding a game to a tally.
//!
//! Cost: two additions of rows per ply, one per game and dimension of games, and one per ply if a dimension of plies is
//! requested.

use pgnmill_simd::{Kernel, Level, Machine};

use crate::tables::groups::PLIES_MAX;

use super::counts::Tally;
use super::game::GameLengths;
use super::labels::Labels;
use super::layout::{self, COLUMNS, COLUMNS_AT, CostRow, EMPTY_ROW, Layout, add};
use super::non_moves::NonMoves;

/// Games that are counted in half words before they are added up: no column of so many is too large for a half word.
const GAMES_PENDING_MAX: u32 = 1 << 24;

/// Adds a game with the instructions of a machine.
struct Add<'a> {
    tally: &'a mut Tally,
    game: &'a GameLengths,
    labels: &'a Labels,
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        self.tally.add(self.game, self.labels);
    }
}

impl Tally {
    /// Adds a valid game, on a level.
    pub fn add_on(&mut self, level: Level, game: &GameLengths, labels: &Labels) {
        level.run(Add { tally: self, game, labels });
    }

    /// Adds a valid game.
    #[inline(always)]
    pub fn add(&mut self, game: &GameLengths, labels: &Labels) {
        let history = u64::from(game.has_history());
        add(&mut self.games, &[1, history]);
        let counted = NonMoves::of(game.first(), game.plies_count(), labels.result_characters);
        self.non_moves[0].merge(&counted);
        if history > 0 {
            self.non_moves[1].merge(&counted);
        }
        if self.pending_games == GAMES_PENDING_MAX {
            self.settle();
        }
        self.pending_games += 1;
        let numbered = game.numbered().len();
        if self.pending.len() < numbered {
            self.pending.resize(numbered, [0; COLUMNS]);
        }
        match self.needs_rows {
            false => drop(self.add_plies::<false>(game)),
            true => {
                let mut row = self.add_plies::<true>(game);
                layout::set_games(&mut row, [1, history]);
                self.groups.add(labels, &row);
                if let Some(crossed) = &mut self.crossed {
                    crossed.add(game, labels);
                }
            }
        }
        if !self.cells.is_empty() {
            self.add_to_cells(game);
        }
        if let Some(spread) = &mut self.spread {
            spread.add(game, labels);
        }
    }

    /// Counts the plies of a game; returns their sum if `WITH_SUM`.
    #[inline(always)]
    fn add_plies<const WITH_SUM: bool>(&mut self, game: &GameLengths) -> CostRow {
        let layout = Layout::get();
        let shapes = layout.shapes(game.has_history());
        let places = self.indices.len() / 2;
        let (without, with) = self.indices.split_at_mut(places);
        let indices = if game.has_history() { with } else { without };
        let mut sum = [0u32; COLUMNS];
        for (record, row) in game.numbered().iter().zip(&mut self.pending) {
            let index = record.index();
            let columns = layout::columns_of(&shapes[index], record.free());
            layout::add_columns(row, columns);
            if WITH_SUM {
                layout::add_columns(&mut sum, columns);
            }
            indices[record.place() % places][index] += 1;
            self.lengths.count(record.free(), layout::shorter(&shapes[index]));
        }
        let mut row = EMPTY_ROW;
        for (column, sum) in row[COLUMNS_AT..].iter_mut().zip(sum) {
            *column = u64::from(sum);
        }
        if game.plies_count() > PLIES_MAX {
            let later = &game.records()[PLIES_MAX..];
            self.add_later(later, game.folded(), game.has_history(), &mut row);
        }
        row
    }

    /// Adds the free columns of the plies, which do not follow from their index, to their cells.
    #[inline(always)]
    fn add_to_cells(&mut self, game: &GameLengths) {
        let history = u64::from(game.has_history());
        let mut name_bits = self.add_records_to_cells(game.records()) | game.folded_name_bits();
        while name_bits != 0 {
            add(&mut self.by_name[name_bits.trailing_zeros() as usize], &[1, history]);
            name_bits &= name_bits - 1;
        }
    }
}
