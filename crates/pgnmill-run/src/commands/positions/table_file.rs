//! The file of counted positions.
//!
//! In: pairs with their sums, in order; of games, or of tables that are added. Out: a table, or a book. Invariant: the
//! row groups are those of [`PairsInOrder::groups`], however the rows were counted. Cost: that of the pairs; rows are
//! made on the workers and written in order.

use std::sync::Arc;

use pgnmill_columns::{CountedRows, Expected, Export, Output, PairsInOrder, PlyFilter};
use pgnmill_columns::{Fact, Format, METADATA_PREFIX, SCHEMA_VERSION, Table};
use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::Pool;
use pgnmill_core::tasks::positions::book::{BookOptions, Entry};
use pgnmill_core::tasks::positions::{OtherKey, Pair, Shape};
use pgnmill_core::tasks::sorter::{Sorter, Spill};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink};

use crate::commands::position_args::{PositionArgs, PositionFormat, Side};

use super::sums::SumsFact;

/// What is written, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) format: PositionFormat,
    pub(crate) sums: bool,
    pub(crate) book: BookOptions,
    pub(crate) min_games: u64,
    pub(crate) level: i32,
}

impl Wanted {
    /// That of the arguments.
    pub(crate) fn of(args: &PositionArgs, format: PositionFormat, level: i32) -> Wanted {
        let only = args.only.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        });
        let min_score = f64::from(args.min_score.unwrap_or(0)) / 100.0;
        let book = BookOptions { only, min_score, is_uniform: args.uniform };
        Wanted { format, sums: args.sums, book, min_games: args.min_games, level }
    }

    /// The format of columns; `None` for a book.
    const fn columns(self) -> Option<Format> {
        Some(match self.format {
            PositionFormat::Parquet => Format::Parquet,
            PositionFormat::Arrow => Format::Arrow,
            PositionFormat::Csv => Format::Csv,
            PositionFormat::Jsonl => Format::JsonLines,
            PositionFormat::Bin => return None,
        })
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    pub(crate) positions: u64,
    pub(crate) moves: u64,
}
pgnmill_state::state!(Found { positions, moves });

impl Found {
    pub(crate) fn add(&mut self, other: Found) {
        self.positions += other.positions;
        self.moves += other.moves;
    }
}

/// What is written besides the rows.
#[derive(Debug)]
pub(crate) struct About {
    /// The options of the run, as words of a shell.
    pub(crate) command: String,
    /// What the rows are of; their number and digest follow from them.
    pub(crate) sums: SumsFact,
}

/// Writes a table or a book. `spill`: where what exceeds the memory is written.
///
/// # Errors
/// What the system refuses; games of other rulesets than chess for a book.
pub(crate) fn write(
    pairs: PairsInOrder,
    wanted: Wanted,
    about: About,
    reserved: Reservation,
    spill: &Spill,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    match wanted.columns() {
        Some(format) => write_table(pairs, wanted, format, about, reserved, pool),
        None => write_book(pairs, wanted, reserved, spill, pool),
    }
}

fn write_table(
    pairs: PairsInOrder,
    wanted: Wanted,
    format: Format,
    about: About,
    reserved: Reservation,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    let About { command, sums } = about;
    let shape = Shape { rules: sums.has_rules, sums: wanted.sums };
    let export = Arc::new(Export {
        table: Table::Plies,
        columns: shape.columns(),
        partition_by: Vec::new(),
        plies: PlyFilter { numbers: None, share: None },
        one_line: false,
        csv_safe: false,
        lines: Default::default(),
    });
    let mut output = Output::open(reserved, format, &export, wanted.level)?;
    let archives = sums.archives.clone();
    let counted = pairs.groups(shape, archives, pool, |group| output.add_group(group, pool))?;
    let CountedRows { positions, rows: moves, digest } = counted;
    let rules = if shape.rules { "column" } else { RulesKind::NAMES[0] };
    let facts = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_string()),
        ("table", "positions".to_string()),
        ("command", command),
        ("rules", rules.to_string()),
    ];
    let facts = facts.map(|(key, value)| (format!("{METADATA_PREFIX}{key}"), value));
    let rows = Expected { rows: moves, digest };
    let sums = shape.sums.then(|| SumsFact { rows, ..sums }.metadata());
    let facts: Vec<Fact> = facts.into_iter().chain(sums).collect();
    Ok((output.finish(facts, pool)?, Found { positions, moves }))
}

/// The error of a book of other rules than those of chess.
fn no_book(rules: &str) -> Error {
    Error::usage(format!(
        "a Polyglot book has positions of chess and Chess960 alone, and there are games of {rules}: \
         --where 'rules in (\"chess\", \"chess960\")' leaves them out"
    ))
}

/// Writes the book: once the greatest weight is known.
fn write_book(
    pairs: PairsInOrder,
    wanted: Wanted,
    reserved: Reservation,
    spill: &Spill,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    if let PairsInOrder::Games(pairs) = &pairs
        && let Some(rules) = pairs.first_other_rules()
    {
        return Err(no_book(rules));
    }
    let bytes_max = spill.bytes_max / 8;
    let mut entries = Sorter::new(&Spill { bytes_max, ..spill.clone() });
    let (options, mut found, mut weight_max) = (wanted.book, Found::default(), 0);
    pairs.finish(
        pool,
        move |pairs| Ok(options.entries(&pairs)),
        |pairs: Vec<Pair<OtherKey>>| match pairs.first() {
            None => Ok(Vec::new()),
            Some(pair) => {
                let rules = RulesKind::NAMES.get(usize::from(pair.key.rules));
                Err(no_book(rules.copied().unwrap_or_default()))
            }
        },
        |made: Result<Vec<Entry>>| {
            for entry in made? {
                weight_max = weight_max.max(entry.weight);
                entries.push(entry)?;
            }
            Ok(())
        },
    )?;
    let mut sink = reserved.open()?;
    let mut last = None;
    for entry in entries.finish()? {
        let entry = entry?;
        if let Some(bytes) = entry.bytes(weight_max) {
            sink.add(&bytes)?;
            found.moves += 1;
            found.positions += u64::from(last != Some(entry.key));
            last = Some(entry.key);
        }
    }
    Ok((sink, found))
}
