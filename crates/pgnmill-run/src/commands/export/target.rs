//! The files of an export: one, one per input, or one per partition.
//!
//! In: the rows of jobs, in order. Out: files, with the ledger in their metadata. Invariant: a file gets its name when
//! it is complete, and all at the end of the run unless there is one per input.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pgnmill_columns::{
    Fact, Format, JobRows, METADATA_PREFIX, Operand, Output, PlacedRows, SCHEMA_VERSION, Table,
};
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, Counted, JobResult};
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{NewDirectories, Reservation, Sink, Snapshot};
use pgnmill_state::{Loader, state};
use serde_json::json;

use crate::host::Host;
use crate::outputs::by_value::ByValue;
use crate::outputs::destination::{Destination, Finished, Resumed};
use crate::plan::Plan;
use crate::report::selected;
use crate::run::PartSink;
use crate::text::numbers::{count, grouped};

use super::partition::{Partition, WAITING_BYTES_MAX};

/// Where rows go.
#[derive(Debug)]
enum Place {
    /// One file, or one per input.
    Files(Destination<Output>),
    /// One file per partition, in a directory.
    Partitioned { partitions: ByValue<Partition>, created: NewDirectories, directory: PathBuf },
}

impl Place {
    /// Adds rows of a job.
    fn add(&mut self, rows: PlacedRows, kind: &FileKind, pool: &Pool) -> Result<()> {
        match self {
            Place::Files(files) => match &mut files.current {
                Some(file) => file.add(rows, pool),
                None => Ok(()),
            },
            Place::Partitioned { partitions, created, directory } => {
                let columns = &kind.export.columns;
                if rows.rows.is_part() {
                    let folder = rows.rows.folder(0).into_owned();
                    let open = || {
                        let folder = directory.join(&folder);
                        created.add(&folder)?;
                        kind.partition(&folder)
                    };
                    let add = |file: &mut Partition| file.add_part(rows, pool);
                    return partitions.add(&folder, open, add, pool);
                }
                (0..rows.rows.games_count()).try_for_each(|game| {
                    let folder = rows.rows.folder(game);
                    let open = || {
                        let folder = directory.join(&*folder);
                        created.add(&folder)?;
                        kind.partition(&folder)
                    };
                    let add = |file: &mut Partition| file.add_game(&rows, columns, game, pool);
                    partitions.add(&folder, open, add, pool)
                })
            }
        }
    }
}

/// What is written, and how.
#[derive(Debug)]
pub(super) struct FileKind {
    pub(super) export: Arc<pgnmill_columns::Export>,
    pub(super) format: Format,
    pub(super) level: i32,
    pub(super) overwrite: bool,
    /// The columns of tag pairs that were named, by their indexes.
    pub(super) named_tags: Vec<usize>,
    /// The name of standard input in the table.
    pub(super) stdin_name: Option<String>,
    pub(super) command: String,
    /// Whose run it is, which can be stopped between the parts of a game.
    pub(super) host: Arc<dyn Host>,
}

impl FileKind {
    fn open(&self, reservation: Reservation) -> Result<Output> {
        Output::open(reservation, self.format, &self.export, self.level)
    }

    fn load(&self, from: &mut Loader<'_>) -> Result<Output> {
        Output::load(from, self.overwrite, self.format, &self.export, self.level)
    }

    /// The file of a partition, in its folder.
    fn partition(&self, folder: &Path) -> Result<Partition> {
        let file = format!("{}.{}", self.export.table.name(), self.format.name());
        let reserved = Reservation::all(&[folder.join(file)], self.overwrite)?.remove(0);
        Ok(Partition::new(self.open(reserved)?))
    }

    /// The metadata of a file with rows of these archives.
    fn metadata(&self, read: &[(String, Counted)]) -> Vec<Fact> {
        metadata(&self.export, &self.command, read)
    }
}

/// The files of an export.
#[derive(Debug)]
pub(super) struct Target {
    place: Place,
    kind: FileKind,
    ledger: Ledger,
    /// The columns that were named and of which no row has had a value, by their indexes.
    empty: Vec<usize>,
}

/// The archives, and what was read and written of them.
#[derive(Debug, Default)]
struct Ledger {
    read: Vec<(String, Counted)>,
    rows_count: u64,
    games_count: u64,
    /// Both before the current archive.
    counts_before: [u64; 2],
    /// Of positions: the rulesets of the current file, by their indexes.
    rules: BTreeSet<u8>,
    /// Those of a file that has several.
    mixed: BTreeSet<u8>,
}
state!(Ledger { read, rows_count, games_count, counts_before, rules, mixed });

impl Target {
    /// The files of a plan, anew or from a saved state.
    pub(super) fn begin(
        kind: FileKind,
        plan: &Plan,
        mut resumed: Option<Resumed<'_, '_>>,
        host: &dyn Host,
    ) -> Result<Target> {
        let damaged = || Error::usage("the saved ledger cannot be read");
        let ledger = match &mut resumed {
            Some(resumed) => resumed.from.value().ok_or_else(damaged)?,
            None => Ledger::default(),
        };
        let place = match plan.open_directory() {
            Some(directory) => Place::Partitioned {
                partitions: ByValue::new(WAITING_BYTES_MAX),
                created: NewDirectories::default(),
                directory: directory.to_path_buf(),
            },
            None => {
                let open = |file| kind.open(file);
                let load = |from: &mut Loader<'_>| kind.load(from);
                Place::Files(Destination::begin(plan, resumed, host, open, load)?)
            }
        };
        let empty = if plan.resumes() { Vec::new() } else { kind.named_tags.clone() };
        Ok(Target { place, kind, ledger, empty })
    }

    /// Keeps the folders of partitions: their files are published.
    pub(super) fn keep_folders(&mut self) {
        if let Place::Partitioned { created, .. } = &mut self.place {
            std::mem::take(created).keep();
        }
    }

    /// The name of the archive in the table.
    fn name_of(&self, archive: &str) -> String {
        let is_stdin = archive == Input::STDIN_NAME;
        let name = self.kind.stdin_name.as_ref().filter(|_| is_stdin);
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
    type Part = JobRows;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        let name = self.name_of(archive.name());
        let Target { place, kind, ledger, .. } = self;
        ledger.read.push((name, Counted::default()));
        ledger.counts_before = [ledger.rows_count, ledger.games_count];
        if matches!(place, Place::Files(files) if !files.is_one()) {
            ledger.rules.clear();
        }
        match place {
            Place::Files(files) => files.archive_begins(archive, |file| kind.open(file)),
            Place::Partitioned { .. } => Ok(()),
        }
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<JobRows>,
        pool: &Pool,
    ) -> Result<()> {
        let Target { place, kind, ledger, empty } = self;
        let Some((archive, counted)) = ledger.read.last_mut() else { return Ok(()) };
        counted.merge(&result.facts.counted);
        std::mem::take(&mut result.part).pieces(|rows| {
            if rows.is_part() && kind.host.stop().load(Ordering::Relaxed) {
                return Err(Error::interrupted());
            }
            ledger.rows_count += rows.rows_count() as u64;
            ledger.games_count += rows.games_ended() as u64;
            empty.retain(|&column| !rows.has_value(column));
            if kind.format.has_positions() {
                ledger.rules.append(&mut rows.names_met(kind.export.lines.rules));
            }
            place.add(PlacedRows::new(archive.clone(), base, rows), kind, pool)
        })
    }

    fn end(&mut self, pool: &Pool) -> Result<()> {
        if are_mixed(&self.ledger.rules) {
            self.ledger.mixed.clone_from(&self.ledger.rules);
        }
        let Target { place: Place::Files(files), kind, ledger, .. } = self else { return Ok(()) };
        let read = ledger.read.last().map(std::slice::from_ref).unwrap_or_default();
        let mut left_out = 0;
        files.archive_ends(|mut file| {
            left_out = file.rows_count() - file.end_rows(pool)?;
            file.finish(kind.metadata(read), pool)
        })?;
        ledger.rows_count -= left_out;
        Ok(())
    }

    fn fail(&mut self, _: &Pool) -> Result<()> {
        if let Place::Files(files) = &mut self.place
            && files.archive_fails()
        {
            let ledger = &mut self.ledger;
            ledger.read.pop();
            [ledger.rows_count, ledger.games_count] = ledger.counts_before;
        }
        Ok(())
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        let Target { place, kind, ledger, .. } = self;
        let facts = kind.metadata(&ledger.read);
        match place {
            Place::Files(files) => files.close(|mut file| {
                ledger.rows_count -= file.rows_count() - file.end_rows(pool)?;
                file.finish(facts, pool)
            }),
            Place::Partitioned { partitions, .. } => partitions.close(|mut file| {
                file.pass_on(pool)?;
                file.output.finish(facts.clone(), pool)
            }),
        }
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(match &mut self.place {
            Place::Files(files) => files.take_sinks(),
            Place::Partitioned { partitions, .. } => partitions.take_sinks(),
        })
    }

    fn input(&mut self, index: usize) {
        if let Place::Files(files) = &mut self.place {
            files.input(index);
        }
    }

    fn has_finished(&self) -> bool {
        matches!(&self.place, Place::Files(files) if files.has_finished())
    }

    fn take_finished(&mut self) -> Vec<Finished> {
        match &mut self.place {
            Place::Files(files) => files.take_finished(),
            Place::Partitioned { .. } => Vec::new(),
        }
    }

    fn save(&mut self, out: &mut Snapshot, _: &Pool) -> Result<()> {
        out.add(&self.ledger);
        match &mut self.place {
            Place::Files(files) => files.save(out, Output::save),
            Place::Partitioned { .. } => Ok(()),
        }
    }
}

/// Prints rows and games.
pub(super) fn print_ledger(target: &Target, host: &dyn Host) {
    let Counted { counts, .. } = sum_of(&target.ledger.read);
    let games = target.ledger.games_count;
    let not_selected = match counts.not_selected {
        0 => String::new(),
        number => format!(" + {} not selected", grouped(number)),
    };
    let rows_count = target.ledger.rows_count;
    let rows = match target.kind.export.table {
        _ if target.kind.format.has_positions() => {
            format!("{} of ", count(rows_count, "position", "positions"))
        }
        Table::Games => String::new(),
        Table::Plies => format!("{} of ", count(rows_count, "row", "rows")),
    };
    let text = format!(
        "{rows}{} written + {} rejected{not_selected} = {} read\n",
        count(games, "game", "games"),
        grouped(counts.rejected),
        count(counts.games(), "game", "games"),
    );
    host.print(&text);
    if games > 0 && target.ledger.rows_count == 0 && !target.kind.export.plies.is_all() {
        host.warn(format_args!(
            "no ply of these games is among those of --plies and --sample-plies"
        ));
    }
    if !target.ledger.mixed.is_empty() && !states_rules(&target.kind.export) {
        let names: Vec<&str> = named(&target.ledger.mixed).map(RulesKind::name).collect();
        host.warn(format_args!(
            "the positions are of several rulesets, which no line states: {}; --where 'rules == \"{}\"' writes those of \
             one",
            names.join(", "),
            names[0]
        ));
    }
    for &index in target.empty.iter().filter(|_| games > 0) {
        let name = &target.kind.export.columns[index].name;
        let computed = selected::computed(name);
        let help = computed.map(|column| format!("; {column} is that which the moves reach"));
        let help = help.unwrap_or_default();
        host.warn(format_args!("no game has a value of the column {name}{help}"));
    }
}

/// The rulesets of these indexes.
fn named(rules: &BTreeSet<u8>) -> impl Iterator<Item = RulesKind> {
    RulesKind::all().filter(|kind| rules.contains(&(kind.index() as u8)))
}

/// Would a reader take positions of some rulesets for positions of others? Those of Chess960 are legal in chess.
fn are_mixed(rules: &BTreeSet<u8>) -> bool {
    let of_chess = [RulesKind::Chess, RulesKind::Chess960];
    rules.len() > 1 && named(rules).any(|kind| !of_chess.contains(&kind))
}

/// Does each line of positions state its ruleset, or its folder?
fn states_rules(export: &pgnmill_columns::Export) -> bool {
    let lines = &export.lines;
    lines.opcodes.iter().any(|it| it.operand == Operand::Text(lines.rules))
        || export.partition_by.iter().any(|key| key.name() == "rules")
}
