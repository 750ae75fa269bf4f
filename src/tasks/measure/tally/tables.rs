//! The tables of a measurement: their layouts, and how a tally fills them.
//!
//! What enters is a [`Tally`]; what leaves are [`Grid`]s, one a table. The layouts are in one list, which measuring and
//! merging share; `docs/tables.md` describes their columns. A table that is new here merges without further ado.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::notation::{self, ECONOMICAL_LETTERS, NOTATIONS, Notation, SAN, is_same};

use super::labels::{RESULTS, SOURCES_MAX, SPEEDS, TITLES};
use super::layout::{Layout, PRIORITY, SQUARES};
use super::order::Order;
use super::table::Row;
use super::traits::{
    CHECKS, KINDS, MOVERS, PHASES, ROLES, SAID, SAID_COUNT, SIDES, flag, flags_of, said_of,
};
use super::{Column, Cost, Dimension, Frame, Grid, LENGTHS, Schema, Tally};

/// The layout of all tables: grows when a column changes its meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// The parts of movetext.
const PARTS: [&str; 5] = ["moves", "separators", "numbers", "results", "total"];
/// The facts, in their order.
const FACTS: [&str; 10] = [
    "piece-and-square-enough",
    "piece-and-square-enough-for-pieces",
    "square-enough",
    "square-enough-by-steps",
    "pawn-capture-square-enough",
    "pawn-capture-files-enough",
    "legality-shortens-squares",
    "legality-saves-squares",
    "legality-shortens-priority",
    "legality-saves-priority",
];
/// How long the line is for which plies are given.
const LINE_CHARACTERS: u64 = 80;

static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    use Column::{Derived, Key as K, Sum};
    let notation = K("notation", Order::Registry);
    let mut schemas = vec![
        Schema {
            file: "notations.csv",
            columns: vec![
                notation,
                Sum("games"),
                Sum("plies"),
                Sum("characters"),
                Sum("bytes"),
                Derived("characters_per_ply"),
                Derived("change_percent_vs_san"),
                Derived("change_percent_vs_economical_letters"),
            ],
            groups_max: usize::MAX,
            derive: derive_notation,
        },
        Schema {
            file: "lengths.csv",
            columns: vec![notation, K("characters", Order::Below(LENGTHS)), Sum("plies")],
            groups_max: usize::MAX,
            derive: derive_nothing,
        },
        Schema {
            file: "movetext.csv",
            columns: vec![
                notation,
                K("part", Order::Listed(&PARTS)),
                Sum("plies"),
                Sum("characters"),
                Sum("bytes"),
                Derived("characters_per_ply"),
                Derived("plies_per_line"),
            ],
            groups_max: usize::MAX,
            derive: derive_movetext,
        },
        Schema {
            file: "disambiguation.csv",
            columns: vec![
                K("role", Order::Listed(&MOVERS)),
                K("said", Order::Listed(&SAID)),
                Sum("plies"),
            ],
            groups_max: usize::MAX,
            derive: derive_nothing,
        },
        Schema {
            file: "facts.csv",
            columns: vec![
                K("fact", Order::Listed(&FACTS)),
                Sum("count"),
                Sum("of"),
                Derived("percent"),
            ],
            groups_max: usize::MAX,
            derive: |_, row| vec![percent(row.sums[0], row.sums[1])],
        },
    ];
    schemas.extend(Dimension::ALL.into_iter().map(|key| Schema {
        file: file_by(key),
        columns: vec![
            K("key", order_of(key)),
            notation,
            Sum("games"),
            Sum("plies"),
            Sum("characters"),
            Sum("bytes"),
        ],
        groups_max: if key == Dimension::Source { SOURCES_MAX } else { usize::MAX },
        derive: derive_nothing,
    }));
    schemas
});

/// The layouts of all tables that add up.
pub fn schemas() -> &'static [Schema] {
    &SCHEMAS
}

/// The layout of the table in a file of this name.
pub fn find_schema(file: &str) -> Option<&'static Schema> {
    SCHEMAS.iter().find(|schema| schema.file == file)
}

/// The file of a dimension.
const fn file_by(key: Dimension) -> &'static str {
    match key {
        Dimension::Ply => "by_ply.csv",
        Dimension::Move => "by_move.csv",
        Dimension::Phase => "by_phase.csv",
        Dimension::Side => "by_side.csv",
        Dimension::Role => "by_role.csv",
        Dimension::Kind => "by_kind.csv",
        Dimension::Check => "by_check.csv",
        Dimension::Rating => "by_rating.csv",
        Dimension::RatingDifference => "by_rating_difference.csv",
        Dimension::Speed => "by_speed.csv",
        Dimension::Year => "by_year.csv",
        Dimension::Month => "by_month.csv",
        Dimension::EcoLetter => "by_eco_letter.csv",
        Dimension::Eco => "by_eco.csv",
        Dimension::Result => "by_result.csv",
        Dimension::Title => "by_title.csv",
        Dimension::Source => "by_source.csv",
    }
}

const fn order_of(key: Dimension) -> Order {
    match key {
        Dimension::Phase => Order::Listed(&PHASES),
        Dimension::Side => Order::Listed(&SIDES),
        Dimension::Role => Order::Listed(&ROLES),
        Dimension::Kind => Order::Listed(&KINDS),
        Dimension::Check => Order::Listed(&CHECKS),
        Dimension::Speed => Order::Listed(&SPEEDS),
        Dimension::Result => Order::Listed(&RESULTS),
        Dimension::Title => Order::Listed(&TITLES),
        _ => Order::Groups(key),
    }
}

impl Dimension {
    /// The name of the table by this dimension.
    pub const fn file(self) -> &'static str {
        file_by(self)
    }
}

/// A ratio with so many digits; empty where there is nothing to divide by.
fn ratio(numerator: u64, denominator: u64, digits: usize) -> String {
    match denominator {
        0 => String::new(),
        _ => format!("{:.digits$}", numerator as f64 / denominator as f64),
    }
}

/// A share in per cent with two digits.
fn percent(count: u64, of: u64) -> String {
    match of {
        0 => String::new(),
        _ => format!("{:.2}", 100.0 * count as f64 / of as f64),
    }
}

/// The change against another notation, in per cent with two digits; negative where it is shorter.
fn change_percent(characters: u64, base: u64) -> String {
    match base {
        0 => String::new(),
        _ => format!("{:.2}", 100.0 * (characters as f64 - base as f64) / base as f64),
    }
}

fn derive_nothing(_: &Grid, _: &Row) -> Vec<String> {
    Vec::new()
}

fn derive_notation(grid: &Grid, row: &Row) -> Vec<String> {
    let (plies, characters) = (row.sums[1], row.sums[2]);
    let change = |base: &dyn Notation| match grid.get(&[base.info().name]) {
        // A notation that cannot write every game has no total to compare with.
        Some(base) if base[1] == plies => change_percent(characters, base[2]),
        _ => String::new(),
    };
    vec![ratio(characters, plies, 3), change(SAN), change(ECONOMICAL_LETTERS)]
}

fn derive_movetext(grid: &Grid, row: &Row) -> Vec<String> {
    let (plies, characters) = (row.sums[0], row.sums[1]);
    let line = match grid.key(row, 1) == PARTS[4] {
        true => ratio(plies.saturating_mul(LINE_CHARACTERS), characters, 2),
        false => String::new(),
    };
    vec![ratio(characters, plies, 3), line]
}

impl Cost {
    fn sums(&self) -> [u64; 4] {
        [self.games, self.plies, self.characters, self.bytes]
    }
}

/// A table that is being filled. Counts come from memory that held them, so that no sum is too large.
struct Filling(Grid);

/// How a table is filled.
type Fill = fn(&Tally, &mut Filling);

impl Filling {
    fn new(file: &str) -> Option<Filling> {
        find_schema(file).map(|schema| Filling(Grid::new(schema)))
    }

    /// Adds a row; no two have the same key.
    fn row<const N: usize>(&mut self, keys: [Cow<'_, str>; N], sums: &[u64]) {
        self.0.push(&keys.each_ref().map(|key| &**key), sums);
    }
}

impl Tally {
    /// All tables, those of the dimensions that were asked for among them; the one by ply is always.
    pub fn grids(&self) -> Vec<Grid> {
        let fixed: [(&str, Fill); 5] = [
            ("notations.csv", Tally::fill_notations),
            ("lengths.csv", Tally::fill_lengths),
            ("movetext.csv", Tally::fill_movetext),
            ("disambiguation.csv", Tally::fill_disambiguation),
            ("facts.csv", Tally::fill_facts),
        ];
        let fixed = fixed.into_iter().filter_map(|(file, fill)| {
            let mut filling = Filling::new(file)?;
            fill(self, &mut filling);
            Some(filling.0)
        });
        let wanted =
            Dimension::ALL.into_iter().filter(|&key| key == Dimension::Ply || self.keys.has(key));
        fixed.chain(wanted.filter_map(|key| self.grid_by(key))).collect()
    }

    /// The notations that are measured, with their places in the registry.
    fn notations(&self) -> impl Iterator<Item = (usize, &'static dyn Notation)> {
        self.selection.iter().map(|place| (place, NOTATIONS[place]))
    }

    fn grid_by(&self, key: Dimension) -> Option<Grid> {
        let mut filling = Filling::new(file_by(key))?;
        for (name, row) in self.groups(key) {
            for (index, notation) in self.notations() {
                let cost = Layout::get().cost(&row, index);
                if cost.games > 0 {
                    filling.row([name.as_str().into(), notation.info().name.into()], &cost.sums());
                }
            }
        }
        Some(filling.0)
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
        for (index, notation) in self.notations() {
            let Cost { games, plies, characters, bytes } = Layout::get().cost(&total, index);
            let Frame { numbers, number_characters, result_characters } =
                self.frames[usize::from(notation.needs_lineage())];
            let separators = plies + numbers + games;
            let rest = separators + number_characters + result_characters;
            let parts = [
                [characters, bytes],
                [separators; 2],
                [number_characters; 2],
                [result_characters; 2],
                [characters + rest, bytes + rest],
            ];
            for (part, [characters, bytes]) in PARTS.into_iter().zip(parts) {
                table.row([notation.info().name.into(), part.into()], &[plies, characters, bytes]);
            }
        }
    }

    fn fill_disambiguation(&self, table: &mut Filling) {
        let mut counts = [0; SAID_COUNT];
        for (_, shape, plies) in self.shapes() {
            counts[said_of(shape)] += plies;
        }
        for (place, &plies) in counts.iter().enumerate().filter(|(_, plies)| **plies > 0) {
            table.row(
                [MOVERS[place / SAID.len()].into(), SAID[place % SAID.len()].into()],
                &[plies],
            );
        }
    }

    /// The facts, but for those about notations that are not measured.
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
            places.find(|(_, notation)| is_same(*notation, wanted)).map(|(place, _)| place)
        };
        let cost = |place: usize| Layout::get().cost(&total, place).characters;
        for (fact, name) in [(FACTS[2], SQUARES[1]), (FACTS[3], SQUARES[0])] {
            if let Some(place) = place(name) {
                table.row([fact.into()], &[self.lengths(place)[2], all]);
            }
        }
        let free =
            |wanted: &dyn Notation| notation::free().position(|other| is_same(other, wanted));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_in_the_order_that_grids_expect() {
        for schema in schemas() {
            let ranks: Vec<u8> = schema
                .columns
                .iter()
                .map(|column| match column {
                    Column::Key(..) => 0,
                    Column::Sum(_) => 1,
                    Column::Derived(_) => 2,
                })
                .collect();
            assert!(ranks.is_sorted(), "{}", schema.file);
            let of_rank = |rank: u8| ranks.iter().filter(|other| **other == rank).count();
            let mut grid = Grid::new(schema);
            grid.push(&vec!["san"; of_rank(0)], &vec![1; of_rank(1)]);
            let derived = (schema.derive)(&grid, grid.sorted()[0]).len();
            assert_eq!(derived, ranks.iter().filter(|rank| **rank == 2).count());
        }
    }
}
