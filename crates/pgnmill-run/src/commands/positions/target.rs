//! The file of a count of positions.
//!
//! In: the parts of jobs, in order. Out: a table, or a book, written when all archives are read. Invariant: a row group
//! has [`ROWS_MAX`] rows, the last one fewer, however the rows were counted. Cost: that of the counts; rows are made on
//! the workers and written in order.

use std::sync::Arc;

use pgnmill_columns::{Buffer, Export, Group, Output, PlacedRows, PlyFilter, Rows, Table};
use pgnmill_columns::{METADATA_PREFIX, SCHEMA_VERSION};
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::{Base, JobResult, Pool};
use pgnmill_core::tasks::positions::book::{BookOptions, Entry};
use pgnmill_core::tasks::positions::{
    ChessKey, Counted, Limits, OtherKey, Pair, Pairs, Rows as PositionRows, Shape,
};
use pgnmill_core::tasks::sorter::{Sorter, Spill};
use pgnmill_io::archive::Archive;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink};

use crate::host::{Host, output};
use crate::plan::Plan;
use crate::run::PartSink;

use super::args::PositionFormat;

/// Rows in a row group.
const ROWS_MAX: usize = 1 << 17;

/// What is written, and how.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) format: PositionFormat,
    pub(super) shape: Shape,
    pub(super) book: BookOptions,
    pub(super) limits: Limits,
    pub(super) level: i32,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub(super) positions: u64,
    pub(super) moves: u64,
}

/// The counts, and the file that is written of them.
#[derive(Debug)]
pub(super) struct Target {
    wanted: Wanted,
    pairs: Option<Pairs>,
    archives: Vec<String>,
    reserved: Option<Reservation>,
    sink: Option<Sink>,
    command: String,
    found: Found,
}

impl Target {
    /// Reserves the file.
    pub(super) fn begin(wanted: Wanted, plan: &Plan, host: Arc<dyn Host>) -> Result<Target> {
        let reserved = Reservation::all(&plan.outputs.paths, plan.files.overwrite)?.pop();
        let reserved = reserved.map(|one| output(&*host, one));
        let pairs = Some(Pairs::new(wanted.limits.clone()));
        let command = plan.identity.words.clone();
        let (archives, sink, found) = (Vec::new(), None, Found::default());
        Ok(Target { wanted, pairs, archives, reserved, sink, command, found })
    }

    /// What was written.
    pub(super) fn found(&self) -> Found {
        self.found
    }

    /// Writes the table.
    fn write_table(
        &mut self,
        pairs: Pairs,
        format: pgnmill_columns::Format,
        reserved: Reservation,
        pool: &Pool,
    ) -> Result<Sink> {
        let shape = Shape { rules: pairs.has_other_rules(), ..self.wanted.shape };
        let mut file = TableFile::open(reserved, format, shape, self.wanted.level)?;
        let archives = Arc::new(std::mem::take(&mut self.archives));
        let of_others = Arc::clone(&archives);
        let mut found = Found::default();
        pairs.finish(
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
                file.add(made, pool)
            },
        )?;
        self.found = found;
        let rules = if shape.rules { "column" } else { RulesKind::NAMES[0] };
        let facts = [
            ("schema_version", SCHEMA_VERSION.to_string()),
            ("program_version", env!("CARGO_PKG_VERSION").to_string()),
            ("table", "positions".to_string()),
            ("command", self.command.clone()),
            ("rules", rules.to_string()),
        ];
        let facts = facts.map(|(key, value)| (format!("{METADATA_PREFIX}{key}"), value));
        file.finish(facts.into(), pool)
    }

    /// Writes the book: once the greatest weight is known.
    fn write_book(&mut self, pairs: Pairs, reserved: Reservation, pool: &Pool) -> Result<Sink> {
        if let Some(rules) = pairs.first_other_rules() {
            return Err(Error::usage(format!(
                "a Polyglot book has positions of chess and Chess960 alone, and there are games of {rules}: \
                 --where 'rules = \"chess\"' leaves them out"
            )));
        }
        let spill = &self.wanted.limits.spill;
        let bytes_max = spill.bytes_max / 8;
        let mut entries = Sorter::new(&Spill { bytes_max, ..spill.clone() });
        let (options, mut found, mut weight_max) = (self.wanted.book, Found::default(), 0);
        pairs.finish(
            pool,
            move |pairs| options.entries(&pairs),
            |_| Vec::new(),
            |made: Vec<Entry>| {
                for entry in made {
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
        self.found = found;
        Ok(sink)
    }
}

impl PartSink for Target {
    type Part = Counted;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.archives.push(archive.name().to_string());
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Counted>,
        pool: &Pool,
    ) -> Result<()> {
        let Some(pairs) = &mut self.pairs else { return Ok(()) };
        let archive = self.archives.len().saturating_sub(1) as u32;
        pairs.add(&mut result.part, archive, base, pool)
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        let (Some(pairs), Some(reserved)) = (self.pairs.take(), self.reserved.take()) else {
            return Ok(());
        };
        self.sink = Some(match self.wanted.format.columns() {
            Some(format) => self.write_table(pairs, format, reserved, pool)?,
            None => self.write_book(pairs, reserved, pool)?,
        });
        Ok(())
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.sink.take().into_iter().collect())
    }
}

impl Found {
    fn add(&mut self, other: Found) {
        self.positions += other.positions;
        self.moves += other.moves;
    }
}

/// Rows of whole positions.
struct Made {
    found: Found,
    rows_count: usize,
    buffers: Vec<Buffer>,
}

impl Made {
    fn of(rows: PositionRows<'_>) -> Made {
        let found = Found { positions: rows.positions, moves: rows.rows as u64 };
        Made { found, rows_count: rows.rows, buffers: rows.into_buffers() }
    }
}

/// A table that is being written.
struct TableFile {
    output: Output,
    /// Rows that wait for their row group to be complete.
    waiting: Group,
}

impl TableFile {
    fn open(
        reserved: Reservation,
        format: pgnmill_columns::Format,
        shape: Shape,
        level: i32,
    ) -> Result<TableFile> {
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

    fn finish(mut self, facts: Vec<pgnmill_columns::Fact>, pool: &Pool) -> Result<Sink> {
        if self.waiting.rows_count() > 0 {
            self.output.add_group(self.waiting, pool)?;
        }
        self.output.finish(facts, pool)
    }
}
