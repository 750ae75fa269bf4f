//! The tables of how games differ.
//!
//! Input: [`Spread`]; output: [`Grid`]s, one per table, of the notations that were measured.

use crate::notation::NOTATIONS;
use crate::tables::groups::{name_of_band, name_of_ply};
use crate::tables::notations::BASES;
use crate::tables::{Dimension, Grid, changes, clusters, clusters_by, ratios, se};

use super::super::selection::Selection;
use super::super::traits::CELL_DIMENSIONS;
use super::Spread;
use super::compared::Compared;
use super::moments::{COMPARED, Moments};

impl Spread {
    /// All tables, of the notations of a selection.
    pub(in super::super) fn grids(&self, selection: Selection) -> Vec<Grid> {
        let notations: Vec<(usize, &'static str)> = Compared::get()
            .places
            .into_iter()
            .enumerate()
            .filter(|(_, place)| selection.has(*place))
            .map(|(at, place)| (at, NOTATIONS[place].info().name))
            .collect();
        let mut whole = Grid::new(&se::SCHEMA);
        for &(at, name) in notations.iter().filter(|_| self.whole.games > 0) {
            whole.push(&[name], &sums(&self.whole, at));
        }
        let by = Dimension::ALL.into_iter().filter(|&dimension| self.keys().has(dimension));
        let by = by.map(|dimension| {
            let mut grid = Grid::new(dimension.se_schema());
            for (group, moments) in self.groups_of(dimension) {
                for &(at, name) in notations.iter().filter(|_| moments.games > 0) {
                    grid.push(&[&group, name], &sums(&moments, at));
                }
            }
            grid
        });
        let by: Vec<Grid> = by.collect();
        let mut of_ratios = Grid::new(&ratios::SCHEMA);
        for &(at, name) in notations.iter().filter(|_| self.whole.games > 0) {
            of_ratios.push(&[name], &self.ratios.sums(at));
        }
        let changes = self.grid_of_changes(&notations);
        let all = [whole, changes, of_ratios, self.grid_of_clusters(&notations)];
        all.into_iter().chain(self.grid_of_events()).chain(by).collect()
    }

    fn groups_of(&self, dimension: Dimension) -> Vec<(String, Moments)> {
        let numbered = |all: &[Moments], name: fn(usize) -> String| {
            all.iter().enumerate().map(|(place, moments)| (name(place), *moments)).collect()
        };
        if let Some(of_cells) = CELL_DIMENSIONS.iter().find(|cells| cells.key == dimension) {
            let names = of_cells.names.iter().enumerate();
            return names
                .map(|(name, label)| (label.to_string(), self.by_name[of_cells.name_index(name)]))
                .collect();
        }
        match dimension {
            Dimension::Ply => numbered(&self.by_ply, name_of_ply),
            Dimension::Move => numbered(&self.by_move, name_of_band),
            Dimension::Source => self.sources.of(),
            _ => self.groups.of(dimension),
        }
    }

    fn grid_of_changes(&self, notations: &[(usize, &'static str)]) -> Grid {
        let mut grid = Grid::new(&changes::SCHEMA);
        for (span, of_span) in changes::SPAN_NAMES.into_iter().enumerate() {
            for (against, base) in BASES.into_iter().enumerate() {
                for &(at, name) in notations.iter().filter(|(_, name)| *name != base) {
                    for (ratio, games) in self.changes.of(span, against, at) {
                        grid.push(&[of_span, base, name, &ratio.to_string()], &[games]);
                    }
                }
            }
        }
        grid
    }

    fn grid_of_clusters(&self, notations: &[(usize, &'static str)]) -> Grid {
        let mut grid = Grid::new(&clusters::SCHEMA);
        for (kind, number, group) in self.random.iter() {
            for &(at, name) in notations {
                let sums = [group.games, group.plies, group.characters[at]];
                grid.push(&[kind, &number.to_string(), name], &sums);
            }
        }
        grid
    }

    /// None if events are no clusters, or no dimension has few groups.
    fn grid_of_events(&self) -> Option<Grid> {
        let mut grid = Grid::new(&clusters_by::SCHEMA);
        for dimension in self.keys().iter().filter(|dimension| dimension.has_clusters()) {
            for (key, events) in self.events.of(dimension) {
                for (number, group) in events.iter() {
                    let mut sums = [group.plies; 1 + COMPARED];
                    sums[1..].copy_from_slice(&group.characters);
                    grid.push(&[dimension.name(), &key, &number.to_string()], &sums);
                }
            }
        }
        let has_groups = self.keys().iter().any(Dimension::has_clusters);
        (has_groups && self.random.clusters().has_events()).then_some(grid)
    }
}

/// The integers of a row, in the order of the columns.
fn sums(moments: &Moments, at: usize) -> [u64; 8] {
    let Moments { games, plies, plies_squared, characters, times_plies, squared, .. } = moments;
    [
        *games,
        *plies,
        characters[at],
        *plies_squared,
        times_plies[at],
        squared[at],
        moments.times_san[at],
        moments.times_letters[at],
    ]
}
