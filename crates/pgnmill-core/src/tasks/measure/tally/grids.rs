//! The tables of a measurement, from a tally.
//!
//! Input: a [`Tally`]; output: [`Grid`]s, one per table. `tables/` declares their columns. A table that is added
//! here and declared there is merged without more code.

use std::borrow::Cow;

use crate::notation::{self, NOTATIONS, Notation, SAN, TCN};

use crate::tables::disambiguation::{MOVERS, ORIGINS};
use crate::tables::facts::FACTS;
use crate::tables::movetext::PARTS;
use crate::tables::{Dimension, Grid, Schema, disambiguation, facts, lengths, movetext, notations};

use super::cost::Cost;
use super::counts::Tally;
use super::layout::{Layout, PRIORITY, SQUARES};
use super::non_moves::NonMoves;
use super::traits::{SAID_COUNT, flag, flags_of, said_of};

/// A table that is being filled. Its counts fit into memory, so that no sum is too large.
struct Filling(Grid);

/// How a table is filled.
type Fill = fn(&Tally, &mut Filling);

impl Filling {
    fn new(schema: &'static Schema) -> Filling {
        Filling(Grid::new(schema))
    }

    /// Adds a row; no two have the same key.
    fn row<const N: usize>(&mut self, keys: [Cow<'_, str>; N], sums: &[u64]) {
        self.0.push(&keys.each_ref().map(|key| &**key), sums);
    }

    /// The rows of a notation in `movetext.csv`: the characters and bytes of each part, and of all.
    fn parts_of_movetext(&mut self, notation: &dyn Notation, plies: u64, parts: [[u64; 2]; 4]) {
        let total = parts.iter().fold([0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        for (name, [characters, bytes]) in PARTS.into_iter().zip(parts.into_iter().chain([total])) {
            self.row([notation.info().name.into(), name.into()], &[plies, characters, bytes]);
        }
    }
}

impl Tally {
    /// All tables: those of every measurement, the one by ply, and those of the requested dimensions.
    pub fn grids(&self) -> Vec<Grid> {
        let fixed: [(&'static Schema, Fill); 5] = [
            (&notations::SCHEMA, Tally::fill_notations),
            (&lengths::SCHEMA, Tally::fill_lengths),
            (&movetext::SCHEMA, Tally::fill_movetext),
            (&disambiguation::SCHEMA, Tally::fill_disambiguation),
            (&facts::SCHEMA, Tally::fill_facts),
        ];
        let fixed = fixed.into_iter().map(|(schema, fill)| {
            let mut filling = Filling::new(schema);
            fill(self, &mut filling);
            filling.0
        });
        let is_filled =
            |&dimension: &Dimension| dimension == Dimension::Ply || self.keys.has(dimension);
        let requested = Dimension::ALL.into_iter().filter(is_filled);
        let by = requested.map(|dimension| self.grid_by(dimension));
        let spread = self.spread.iter().flat_map(|spread| spread.grids(self.selection));
        let crossed = self.crossed.iter().flat_map(|crossed| crossed.grids(self.selection));
        fixed.chain(by).chain(crossed).chain(spread).collect()
    }

    /// The notations that are measured, with their indexes in the registry.
    fn notations(&self) -> impl Iterator<Item = (usize, &'static dyn Notation)> {
        self.selection.iter().map(|place| (place, NOTATIONS[place]))
    }

    fn grid_by(&self, key: Dimension) -> Grid {
        let mut filling = Filling::new(key.schema());
        for (name, row) in self.groups(key) {
            for (index, notation) in self.notations() {
                let cost = Layout::get().cost(&row, index);
                if cost.games > 0 {
                    filling.row([name.as_str().into(), notation.info().name.into()], &cost.sums());
                }
            }
        }
        if key == Dimension::Rules {
            for (name, sums) in self.other_rules.groups() {
                for (index, notation) in self.notations().filter(|(index, _)| sums[*index][0] > 0) {
                    filling.row([name.into(), notation.info().name.into()], &sums[index]);
                }
            }
        }
        filling.0
    }

    fn fill_notations(&self, table: &mut Filling) {
        let total = self.total();
        for (index, notation) in self.notations() {
            table.row([notation.info().name.into()], &Layout::get().cost(&total, index).sums());
        }
    }

    fn fill_lengths(&self, table: &mut Filling) {
        for (index, notation) in self.notations() {
            let lengths = self.lengths(index).into_iter().enumerate();
            for (characters, plies) in lengths.filter(|(_, plies)| *plies > 0) {
                table.row([notation.info().name.into(), characters.to_string().into()], &[plies]);
            }
        }
    }

    fn fill_movetext(&self, table: &mut Filling) {
        let total = self.total();
        let mut of_game = (0, 0);
        for (index, notation) in self.notations() {
            let Cost { games, plies, characters, bytes } = Layout::get().cost(&total, index);
            let NonMoves { numbers, number_characters, result_characters } =
                self.non_moves[usize::from(notation.needs_lineage())];
            let separators = plies + numbers + games;
            let parts = [
                [characters, bytes],
                [separators; 2],
                [number_characters; 2],
                [result_characters; 2],
            ];
            table.parts_of_movetext(notation, plies, parts);
            if notation::is_same(notation, SAN) {
                of_game = (games, plies);
            }
        }
        // Two characters a move; a line has one game, and neither numbers nor a result.
        let (games, plies) = of_game;
        table.parts_of_movetext(TCN, plies, [[2 * plies; 2], [games; 2], [0; 2], [0; 2]]);
    }

    fn fill_disambiguation(&self, table: &mut Filling) {
        let mut counts = [0; SAID_COUNT];
        for (_, shape, plies) in self.shapes() {
            counts[said_of(shape)] += plies;
        }
        for (place, &plies) in counts.iter().enumerate().filter(|(_, plies)| **plies > 0) {
            table.row(
                [MOVERS[place / ORIGINS.len()].into(), ORIGINS[place % ORIGINS.len()].into()],
                &[plies],
            );
        }
    }

    /// The facts, except those about notations that are not measured.
    fn fill_facts(&self, table: &mut Filling) {
        let plies_with = |flags: u8| {
            let shapes =
                self.shapes().filter(|(index, shape, _)| flags_of(*index, *shape) & flags == flags);
            shapes.map(|(_, _, plies)| plies).sum::<u64>()
        };
        let all = plies_with(0);
        let takes = plies_with(flag::PAWN_TAKES);
        let of_all: [(&'static str, [u64; 2]); 4] = [
            (FACTS[0], [plies_with(flag::ENOUGH), all]),
            (FACTS[1], [plies_with(flag::ENOUGH | flag::PIECE), plies_with(flag::PIECE)]),
            (FACTS[4], [plies_with(flag::ENOUGH | flag::PAWN_TAKES), takes]),
            (FACTS[5], [plies_with(flag::FILES), takes]),
        ];
        of_all.into_iter().for_each(|(fact, counts)| table.row([fact.into()], &counts));
        let total = self.total();
        let place = |wanted: &dyn Notation| {
            let mut places = self.notations();
            places
                .find(|(_, notation)| notation::is_same(*notation, wanted))
                .map(|(place, _)| place)
        };
        let cost = |place: usize| Layout::get().cost(&total, place).characters;
        for (fact, name) in [(FACTS[2], SQUARES[1]), (FACTS[3], SQUARES[0])] {
            if let Some(place) = place(name) {
                table.row([fact.into()], &[self.lengths(place)[2], all]);
            }
        }
        let free = |wanted: &dyn Notation| {
            notation::free().position(|other| notation::is_same(other, wanted))
        };
        for (number, names) in [SQUARES, PRIORITY].into_iter().enumerate() {
            if let ([Some(steps), Some(legal)], [Some(first), Some(second)]) =
                (names.map(place), names.map(free))
            {
                let shorter = self.lengths.unlike(first, second).unwrap_or_default();
                table.row([FACTS[6 + 2 * number].into()], &[shorter, all]);
                table
                    .row([FACTS[7 + 2 * number].into()], &[cost(steps) - cost(legal), cost(steps)]);
            }
        }
    }
}
