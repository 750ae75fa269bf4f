//! The plies of a game in each group of a product of dimensions.
//!
//! Input: the plies of a game and its groups; output: rows in [`Crossed`]. Invariant: a game counts once in each group
//! of which it has a ply, or to which it belongs. Cost: one addition of a row per ply and product, and a look-up
//! wherever the group changes from one ply to the next.

use std::collections::BTreeSet;

use crate::tables::groups::PLIES_MAX;

use super::crossed::{CodeOf, Codes, Crossed, OfProduct};
use super::game::GameLengths;
use super::labels::Labels;
use super::later::Folded;
use super::layout::{self, COLUMNS, COLUMNS_AT, GAMES, Layout, add};
use super::traits::{CELLS_BY_INDEX, PLACES};

impl Crossed {
    /// Adds a valid game.
    #[inline(never)]
    pub(super) fn add(&mut self, game: &GameLengths, labels: &Labels) {
        self.0.iter_mut().for_each(|of_product| of_product.add(game, labels));
    }
}

impl OfProduct {
    /// Adds a valid game.
    fn add(&mut self, game: &GameLengths, labels: &Labels) {
        let history = game.has_history();
        let shapes = Layout::get().shapes(history);
        let mut of_game = Codes::default();
        for (code, of) in of_game.iter_mut().zip(&self.codes) {
            *code = if let CodeOf::Game(place) = *of { labels.code(place) } else { 0 };
        }
        let mut met = BTreeSet::new();
        if !self.has(|code| matches!(code, CodeOf::Cell(_) | CodeOf::Ply | CodeOf::Move)) {
            // It belongs to its group, whether it has a ply or not.
            met.insert(of_game);
        }
        // Plies in a row are mostly of one group.
        let mut run: Option<(Codes, [u32; COLUMNS])> = None;
        for (number, record) in game.records().iter().enumerate() {
            let cell = usize::from(CELLS_BY_INDEX[record.index()].0) + record.place();
            let codes = self.codes_of(of_game, number, cell);
            let columns = layout::columns_of(&shapes[record.index()], record.free());
            match &mut run {
                Some((of_run, sums)) if *of_run == codes => layout::add_columns(sums, columns),
                _ => {
                    self.add_run(run, &mut met);
                    let mut sums = [0; COLUMNS];
                    layout::add_columns(&mut sums, columns);
                    run = Some((codes, sums));
                }
            }
        }
        self.add_run(run, &mut met);
        if let Some(folded) = game.folded() {
            self.add_folded(of_game, folded, history, &mut met);
        }
        for codes in met {
            layout::add(&mut self.rows.row(codes)[GAMES..COLUMNS_AT], &[1, u64::from(history)]);
        }
    }

    fn add_run(&mut self, run: Option<(Codes, [u32; COLUMNS])>, met: &mut BTreeSet<Codes>) {
        if let Some((codes, sums)) = run {
            add(&mut self.rows.row(codes)[COLUMNS_AT..], &sums.map(u64::from));
            met.insert(codes);
        }
    }

    /// Adds the plies of a very long game that are kept as sums.
    #[cold]
    fn add_folded(
        &mut self,
        game: Codes,
        folded: &Folded,
        history: bool,
        met: &mut BTreeSet<Codes>,
    ) {
        if !self.has(|code| matches!(code, CodeOf::Cell(_))) {
            let codes = self.codes_of(game, PLIES_MAX, 0);
            add(&mut self.rows.row(codes)[COLUMNS_AT..], &folded.row()[COLUMNS_AT..]);
            met.insert(codes);
            return;
        }
        let (tally, columns) = (folded.tally(), Layout::get().shapes(history));
        for (number, indices) in tally.indices.iter().enumerate() {
            for (index, &plies) in indices.iter().enumerate().filter(|(_, plies)| **plies > 0) {
                let cell = usize::from(CELLS_BY_INDEX[index].0) + number % PLACES;
                let codes = self.codes_of(game, PLIES_MAX, cell);
                layout::add_shaped(self.rows.row(codes), &columns[index], plies);
                met.insert(codes);
            }
        }
        let has_plies = |(_, free): &(usize, &[u64; _])| free.iter().any(|&sum| sum > 0);
        for (cell, free) in tally.cells.iter().enumerate().filter(has_plies) {
            let codes = self.codes_of(game, PLIES_MAX, cell);
            layout::add_free(self.rows.row(codes), free);
        }
    }
}
