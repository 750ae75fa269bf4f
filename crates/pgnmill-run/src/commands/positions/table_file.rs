//! The file of counted positions.
//!
//! In: pairs with their sums, in order; of games, or of tables that are added. Out: a table, or a book. Invariant: a
//! row group has [`ROWS_MAX`] rows, the last one fewer, however the rows were counted. Cost: that of the pairs; rows
//! are made on the workers and written in order.

use std::sync::Arc;

use pgnmill_columns::{Buffer, Expected, Export, Group, Output, PlacedRows, PlyFilter, Rows};
use pgnmill_columns::{Fact, Format, METADATA_PREFIX, SCHEMA_VERSION, Table};
use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::{Base, Pool};
use pgnmill_core::tasks::positions::book::{BookOptions, Entry};
use pgnmill_core::tasks::positions::{
    ChessKey, OtherKey, Pair, Pairs, Rows as PositionRows, Shape, TablePairs,
};
use pgnmill_core::tasks::sorter::{Sorter, Spill};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink};

use crate::commands::position_args::{PositionArgs, PositionFormat, Side};

use super::sums::SumsFact;

/// Rows in a row group.
const ROWS_MAX: usize = 1 << 17;

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

/// Pairs in order.
#[derive(Debug)]
pub(crate) enum Counts {
    /// Those of games.
    Games(Box<Pairs>),
    /// Those of tables.
    Tables(TablePairs),
}

impl Counts {
    fn finish<T: Send + 'static>(
        self,
        pool: &Pool,
        of_chess: impl Fn(Vec<Pair<ChessKey>>) -> T + Send + Sync + 'static,
        of_others: impl Fn(Vec<Pair<OtherKey>>) -> T,
        write: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        match self {
            Counts::Games(pairs) => pairs.finish(pool, of_chess, of_others, write),
            Counts::Tables(pairs) => pairs.finish(pool, of_chess, of_others, write),
        }
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
    counts: Counts,
    wanted: Wanted,
    about: About,
    reserved: Reservation,
    spill: &Spill,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    match wanted.columns() {
        Some(format) => write_table(counts, wanted, format, about, reserved, pool),
        None => write_book(counts, wanted, reserved, spill, pool),
    }
}

fn write_table(
    counts: Counts,
    wanted: Wanted,
    format: Format,
    about: About,
    reserved: Reservation,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    let About { command, sums } = about;
    let shape = Shape { rules: sums.has_rules, sums: wanted.sums };
    let mut file = TableFile::open(reserved, format, shape, wanted.level)?;
    let archives = Arc::new(sums.archives.clone());
    let of_others = Arc::clone(&archives);
    let (mut found, mut digest) = (Found::default(), 0_u64);
    counts.finish(
        pool,
        move |pairs: Vec<Pair<ChessKey>>| {
            let mut rows = PositionRows::new(shape, &archives);
            rows.add_chess(&pairs);
            Made::of(rows)
        },
        |pairs: Vec<Pair<OtherKey>>| {
            let mut rows = PositionRows::new(shape, &of_others);
            rows.add_others(pairs);
            Made::of(rows)
        },
        |made| {
            found.add(made.found);
            digest = digest.wrapping_add(made.digest);
            file.add(made, pool)
        },
    )?;
    let rules = if shape.rules { "column" } else { RulesKind::NAMES[0] };
    let facts = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_string()),
        ("table", "positions".to_string()),
        ("command", command),
        ("rules", rules.to_string()),
    ];
    let facts = facts.map(|(key, value)| (format!("{METADATA_PREFIX}{key}"), value));
    let rows = Expected { rows: found.moves, digest };
    let sums = shape.sums.then(|| SumsFact { rows, ..sums }.metadata());
    let sink = file.finish(facts.into_iter().chain(sums).collect(), pool)?;
    Ok((sink, found))
}

/// The error of a book of other rules than those of chess.
fn no_book(rules: &str) -> Error {
    Error::usage(format!(
        "a Polyglot book has positions of chess and Chess960 alone, and there are games of {rules}: \
         --where 'variant = \"standard\"' leaves them out"
    ))
}

/// Writes the book: once the greatest weight is known.
fn write_book(
    counts: Counts,
    wanted: Wanted,
    reserved: Reservation,
    spill: &Spill,
    pool: &Pool,
) -> Result<(Sink, Found)> {
    if let Counts::Games(pairs) = &counts
        && let Some(rules) = pairs.first_other_rules()
    {
        return Err(no_book(rules));
    }
    let bytes_max = spill.bytes_max / 8;
    let mut entries = Sorter::new(&Spill { bytes_max, ..spill.clone() });
    let (options, mut found, mut weight_max) = (wanted.book, Found::default(), 0);
    counts.finish(
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

/// Rows of whole positions.
struct Made {
    found: Found,
    digest: u64,
    rows_count: usize,
    buffers: Vec<Buffer>,
}

impl Made {
    fn of(rows: PositionRows<'_>) -> Made {
        let found = Found { positions: rows.positions, moves: rows.rows as u64 };
        let (digest, rows_count) = (rows.digest, rows.rows);
        Made { found, digest, rows_count, buffers: rows.into_buffers() }
    }
}

/// A table that is being written.
struct TableFile {
    output: Output,
    /// Rows that wait for their row group to be complete.
    waiting: Group,
}

impl TableFile {
    fn open(reserved: Reservation, format: Format, shape: Shape, level: i32) -> Result<TableFile> {
        let export = Arc::new(Export {
            table: Table::Plies,
            columns: shape.columns(),
            partition_by: Vec::new(),
            plies: PlyFilter { numbers: None, share: None },
            one_line: false,
            csv_safe: false,
            lines: Default::default(),
        });
        let output = Output::open(reserved, format, &export, level)?;
        Ok(TableFile { output, waiting: Group::default() })
    }

    fn add(&mut self, made: Made, pool: &Pool) -> Result<()> {
        let rows = Rows::of_table(made.buffers, made.rows_count);
        self.waiting.extend(PlacedRows::new(String::new(), Base::default(), rows));
        if self.waiting.rows_count() < ROWS_MAX {
            return Ok(());
        }
        let mut groups = std::mem::take(&mut self.waiting).divided(ROWS_MAX);
        self.waiting = groups.pop().unwrap_or_default();
        groups.into_iter().try_for_each(|group| self.output.add_group(group, pool))
    }

    fn finish(mut self, facts: Vec<Fact>, pool: &Pool) -> Result<Sink> {
        if self.waiting.rows_count() > 0 {
            self.output.add_group(self.waiting, pool)?;
        }
        self.output.finish(facts, pool)
    }
}
