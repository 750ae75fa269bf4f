//! The files of an export: one, one per input, or one per partition.
//!
//! In: the rows of jobs, in order. Out: files, with the ledger in their metadata. Invariant: a file gets its name when
//! it is complete, and all at the end of the run unless there is one per input.

use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_columns::{
    Fact, Format, METADATA_PREFIX, Output, Partitions, PlacedRows, Rows, SCHEMA_VERSION, Table,
};
use pgnmill_core::engine::{Base, Counted, JobResult};
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{NewDirectories, Reservation, Sink, Snapshot};
use pgnmill_state::Loader;
use rayon::ThreadPool;
use serde_json::json;

use super::convert::OPEN_MAX;
use super::host::Host;
use super::journal::Finished;
use super::outlets::PartSink;
use super::summary::{count, grouped};

/// The folders of partitions; those that are not kept are removed, the last one first.
#[derive(Debug, Default)]
pub(super) struct Folders(Vec<NewDirectories>);

impl Folders {
    fn keep(&mut self) {
        self.0.drain(..).for_each(NewDirectories::keep);
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        // A folder is removed only if it is empty: `Year=2024` after `Year=2024/Month=5`.
        while self.0.pop().is_some() {}
    }
}

/// Where rows go.
#[derive(Debug)]
pub(super) enum Place {
    /// One file for all inputs; `None` when it is complete, and before its state is loaded.
    One(Option<Output>),
    /// One file per input, by the index of the input; `None` after it is opened.
    PerInput { reserved: Vec<Option<Reservation>>, current: Option<Output> },
    /// One file per partition.
    Partitioned { partitions: Partitions, created: Folders },
}

/// The files of an export.
#[derive(Debug)]
pub(super) struct Target {
    /// Complete files, which get their names at the end of the run. Dropped before the folders that they are in.
    pub(super) finished: Vec<Sink>,
    /// Complete files of one input each, which wait for their names.
    pub(super) finished_inputs: Vec<Finished>,
    pub(super) place: Place,
    /// The index of the current input.
    pub(super) input: usize,
    pub(super) export: Arc<pgnmill_columns::Export>,
    pub(super) format: Format,
    pub(super) level: i32,
    pub(super) overwrite: bool,
    /// The directory of partitions.
    pub(super) directory: PathBuf,
    /// The name of standard input in the table.
    pub(super) stdin_name: Option<String>,
    pub(super) command: String,
    /// The archives, and what was read of each.
    pub(super) read: Vec<(String, Counted)>,
    pub(super) rows_count: u64,
    pub(super) games_count: u64,
    /// Both before the current archive.
    pub(super) counts_before: [u64; 2],
}

impl Target {
    /// The metadata of a file with rows of these archives.
    fn metadata(&self, read: &[(String, Counted)]) -> Vec<Fact> {
        metadata(&self.export, &self.command, read)
    }

    /// Keeps the folders of partitions: their files are published.
    pub(super) fn keep_folders(&mut self) {
        if let Place::Partitioned { created, .. } = &mut self.place {
            created.keep();
        }
    }

    /// The name of the archive in the table.
    fn name_of(&self, archive: &str) -> String {
        let is_stdin = archive == Input::STDIN_NAME;
        let name = self.stdin_name.as_ref().filter(|_| is_stdin);
        name.cloned().unwrap_or_else(|| archive.to_string())
    }
}

/// What was read of all archives.
fn sum_of(read: &[(String, Counted)]) -> Counted {
    let mut sum = Counted::default();
    read.iter().for_each(|(_, counted)| sum.merge(counted));
    sum
}

/// The metadata of a file, except its number of rows, which the output adds.
fn metadata(
    export: &pgnmill_columns::Export,
    command: &str,
    read: &[(String, Counted)],
) -> Vec<Fact> {
    let Counted { counts, unreadable, .. } = sum_of(read);
    let archives: Vec<serde_json::Value> = read
        .iter()
        .map(|(archive, Counted { counts, .. })| {
            let mut ledger = json!({
                "name": archive,
                "games": counts.games(),
                "accepted": counts.accepted,
                "repaired": counts.repaired,
                "rejected": counts.rejected,
            });
            if counts.not_selected > 0 {
                ledger["not_selected"] = counts.not_selected.into();
            }
            ledger
        })
        .collect();
    let unreadable: serde_json::Map<String, serde_json::Value> =
        unreadable.iter().map(|(fault, count)| (fault.name().to_string(), count.into())).collect();
    let facts = [
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("program_version", env!("CARGO_PKG_VERSION").to_string()),
        ("table", export.table.name().to_string()),
        ("command", command.to_string()),
        ("games_read", counts.games().to_string()),
        ("accepted", counts.accepted.to_string()),
        ("repaired", counts.repaired.to_string()),
        ("rejected", counts.rejected.to_string()),
        ("unreadable", serde_json::Value::from(unreadable).to_string()),
        ("archives", serde_json::Value::from(archives).to_string()),
    ];
    let not_selected =
        (counts.not_selected > 0).then(|| ("not_selected", counts.not_selected.to_string()));
    let facts = facts.into_iter().chain(not_selected);
    facts.map(|(key, value)| (format!("{METADATA_PREFIX}{key}"), value)).collect()
}

impl PartSink for Target {
    type Part = Rows;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.read.push((self.name_of(archive.name()), Counted::default()));
        self.counts_before = [self.rows_count, self.games_count];
        if let Place::PerInput { reserved, current } = &mut self.place {
            let missing = || Error::usage(format!("{} has no output", archive.name()));
            let reserved = reserved.get_mut(self.input);
            let reservation = reserved.and_then(Option::take).ok_or_else(missing)?;
            *current = Some(Output::open(reservation, self.format, &self.export, self.level)?);
        }
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rows>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let Some((archive, counted)) = self.read.last_mut() else { return Ok(()) };
        counted.merge(&result.facts.counted);
        let rows = std::mem::take(&mut result.part);
        if rows.games_count() == 0 {
            return Ok(());
        }
        self.rows_count += rows.rows_count() as u64;
        self.games_count += rows.games_count() as u64;
        let rows = PlacedRows::new(archive.clone(), base, rows);
        match &mut self.place {
            Place::One(Some(output)) | Place::PerInput { current: Some(output), .. } => {
                output.add(rows, pool)
            }
            Place::One(None) | Place::PerInput { current: None, .. } => Ok(()),
            Place::Partitioned { partitions, created } => {
                let (export, format, level) = (&self.export, self.format, self.level);
                let file = format!("{}.{}", export.table.name(), format.name());
                let (directory, overwrite) = (&self.directory, self.overwrite);
                let mut open = |folder: &str| {
                    let folder = directory.join(folder);
                    created.0.push(NewDirectories::create(&folder)?);
                    let mut reserved = Reservation::all(&[folder.join(&file)], overwrite)?;
                    Output::open(reserved.remove(0), format, export, level)
                };
                partitions.add(&rows, &export.columns, pool, &mut open)
            }
        }
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        let Place::PerInput { current, .. } = &mut self.place else { return Ok(()) };
        let (Some(output), Some(read)) = (current.take(), self.read.last()) else {
            return Ok(());
        };
        let facts = self.metadata(std::slice::from_ref(read));
        let mut sink = output.finish(facts, pool)?;
        sink.complete(self.finished_inputs.len() < OPEN_MAX)?;
        self.finished_inputs.push(Finished { input: self.input, sink });
        Ok(())
    }

    fn fail(&mut self, _: &ThreadPool) -> Result<()> {
        let Place::PerInput { reserved, current } = &mut self.place else { return Ok(()) };
        // Dropped, their files are removed.
        reserved.get_mut(self.input).map(Option::take);
        if current.take().is_some() {
            self.read.pop();
            [self.rows_count, self.games_count] = self.counts_before;
        }
        Ok(())
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let facts = self.metadata(&self.read);
        match &mut self.place {
            Place::One(output) => {
                let Some(output) = output.take() else { return Ok(()) };
                self.finished.push(output.finish(facts, pool)?);
                Ok(())
            }
            Place::PerInput { .. } => Ok(()),
            Place::Partitioned { partitions, .. } => {
                let finished = &mut self.finished;
                std::mem::take(partitions).finish(pool, &facts, &mut |sink| done(finished, sink))
            }
        }
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(std::mem::take(&mut self.finished))
    }

    fn input(&mut self, index: usize) {
        self.input = index;
    }

    fn has_finished(&self) -> bool {
        !self.finished_inputs.is_empty()
    }

    fn take_finished(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.finished_inputs)
    }

    fn save(&mut self, out: &mut Snapshot, _: &ThreadPool) -> Result<()> {
        out.add(&self.read);
        out.add(&[self.rows_count, self.games_count]);
        out.add(&self.counts_before);
        match &mut self.place {
            Place::One(output) | Place::PerInput { current: output, .. } => {
                output.iter_mut().try_for_each(|output| output.save(out))
            }
            Place::Partitioned { .. } => Ok(()),
        }
    }

    fn load(&mut self, from: &mut Loader<'_>, within: bool) -> Result<()> {
        let damaged = || Error::usage("the saved ledger cannot be read");
        self.read = from.value().ok_or_else(damaged)?;
        [self.rows_count, self.games_count] = from.value().ok_or_else(damaged)?;
        self.counts_before = from.value().ok_or_else(damaged)?;
        let output = match &mut self.place {
            Place::One(output) => output,
            Place::PerInput { current, .. } if within => current,
            Place::PerInput { .. } | Place::Partitioned { .. } => return Ok(()),
        };
        let (format, level) = (self.format, self.level);
        *output = Some(Output::load(from, self.overwrite, format, &self.export, level)?);
        Ok(())
    }
}

/// Adds a complete file to the others.
fn done(finished: &mut Vec<Sink>, mut sink: Sink) -> Result<()> {
    sink.complete(finished.len() < OPEN_MAX)?;
    finished.push(sink);
    Ok(())
}

/// Prints rows and games.
pub(super) fn print_ledger(target: &Target, host: &dyn Host) {
    let Counted { counts, .. } = sum_of(&target.read);
    let games = target.games_count;
    let not_selected = match counts.not_selected {
        0 => String::new(),
        number => format!(" + {} not selected", grouped(number)),
    };
    let rows = match target.export.table {
        Table::Games => String::new(),
        Table::Plies => format!("{} of ", count(target.rows_count, "row", "rows")),
    };
    let text = format!(
        "{rows}{} written + {} rejected{not_selected} = {} read\n",
        count(games, "game", "games"),
        grouped(counts.rejected),
        count(counts.games(), "game", "games"),
    );
    host.print(&text);
}
