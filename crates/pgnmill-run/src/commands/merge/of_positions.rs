//! The sum of tables of positions.
//!
//! In: tables that `positions --sums` or this command has written, of whole archives or of splits. Out: the table or
//! the book that one run over all archives writes. Invariants: tables that have no exact sum are refused by name,
//! before any row is read; a damaged table ends the run, and nothing is written. Memory, cost: those of [`TablePairs`].
//!
//! The archives are in the order in which the tables first name them, as if they were the inputs of one run.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_columns::{ArchivePlace, PairsInOrder, SumsTable};
use pgnmill_core::engine::{Pool, THREADS_MAX};
use pgnmill_core::tasks::positions::{Limits, TablePairs};
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::{Reservation, input_keys, publish_all};

use crate::args::output_path::is_directory;
use crate::args::values::level_of;
use crate::commands::position_args::PositionFormat;
use crate::commands::positions::sums::SumsFact;
use crate::commands::positions::table_file::{About, Found, Wanted, write};
use crate::commands::positions::{no_moves, refuse_terminal, spill, stop_of};
use crate::host::{self, Completion, Host};
use crate::ledger::{Entry, Tiling};
use crate::plan::distinct::{distinct_files, refuse_stdout, warn_of_left_overs};
use crate::report::{remarks, written};
use crate::text::numbers::count;

use super::args::Merge;
use super::check;

/// The memory of what is sorted: the entries of a book, many tables.
const MEMORY_BYTES: usize = 1 << 30;

/// Are tables of positions to be added: is one of the inputs such a file, or does the output have the name of one?
pub(super) fn are_tables(args: &Merge) -> bool {
    let is_file = !is_directory(&args.output);
    // A ledger alone is CSV, too.
    let is_named = PositionFormat::of_path(&args.output).is_some_and(PositionFormat::is_binary);
    is_file && is_named || args.inputs.iter().any(|path| is_table(path))
}

/// Is it a file in a format of tables of positions? Of CSV, which ledgers are too, the columns decide.
fn is_table(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    match PositionFormat::of_path(path) {
        Some(PositionFormat::Csv) => {
            let mut start = Vec::new();
            let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut start));
            read.is_ok() && (start.starts_with(b"fen,hash,") || start.starts_with(b"rules,fen,"))
        }
        Some(_) => true,
        None => SumsTable::is_of_format(path),
    }
}

/// A table, and what it states of its sums.
#[derive(Debug)]
struct Table {
    name: String,
    rows: SumsTable,
    fact: SumsFact,
}

/// Adds the tables.
pub(super) fn merge(args: &Merge, host: &Arc<dyn Host>) -> Result<Completion> {
    if is_directory(&args.output) {
        return Err(Error::usage(format!(
            "{} is a directory; the sum of tables of positions is one file, such as {}",
            args.output.shown(),
            args.output.join("positions.parquet").shown()
        )));
    }
    let format = args.positions.format_of("merge", &args.output)?;
    args.positions.check(format)?;
    refuse_terminal(&args.output, format, &**host)?;
    remarks::refuse_twins(&args.inputs)?;
    let paths = args.inputs.iter().map(PathBuf::as_path);
    let tables = paths.map(open).collect::<Result<Vec<Table>>>()?;
    check_same(&tables)?;
    let sum = Sum::of(&tables, args.partial)?;
    if sum.fact.splits.is_empty() && !args.quiet {
        warn_of_names(&tables, &**host);
    }
    if !sum.fact.splits.is_empty() && !args.positions.sums {
        return Err(Error::usage(
            "--partial: what is not all splits is to be merged with others: give --sums too",
        ));
    }
    let read = args.inputs.iter().flat_map(|path| input_keys(path)).collect::<HashSet<_>>();
    let outputs = [args.output.clone()];
    distinct_files(&[&args.output], &read)?;
    refuse_stdout(&read)?;
    if !args.quiet {
        warn_of_left_overs(&[&args.output], &read, &**host);
    }
    let mut reserved = Reservation::all(&outputs, args.overwrite)?;
    let reserved = host::output(&**host, reserved.remove(0));
    let found = write_sum(tables, sum, (args, format), reserved, host)?;
    if !args.quiet {
        host.print(&format!(
            "{} in {} written\n",
            count(found.moves, "move", "moves"),
            count(found.positions, "position", "positions"),
        ));
        written::print(&outputs, &**host);
        if found.moves == 0 {
            host.warn(format_args!("{}", no_moves(format, args.positions.min_games)));
        }
    }
    Ok(Completion::of(true))
}

/// Writes and publishes the file.
fn write_sum(
    tables: Vec<Table>,
    sum: Sum,
    (args, format): (&Merge, PositionFormat),
    reserved: Reservation,
    host: &Arc<dyn Host>,
) -> Result<Found> {
    let wanted = Wanted::of(&args.positions, format, level_of(args.positions.level)?);
    let fact = SumsFact { min_games: wanted.min_games, ..sum.fact };
    let words = args.positions.words(format).into_iter();
    let counted = (!fact.counted.is_empty()).then(|| fact.counted.clone());
    let command = words.chain(counted).collect::<Vec<_>>().join(" ");
    let rows = tables.into_iter().zip(sum.places);
    let rows = rows.map(|(table, places)| table.rows.into_rows(table.fact.rows, places));
    let spill = spill(&args.output, MEMORY_BYTES);
    let (games_min, stop) = (wanted.min_games, stop_of(host));
    let limits = Limits { spill: spill.clone(), games_min, stop };
    let pairs = TablePairs::new(rows.collect(), limits);
    let all = || std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let pool = Pool::new(if args.threads == 0 { all() } else { args.threads })?;
    let about = About { command, sums: fact };
    let pairs = PairsInOrder::Tables(pairs);
    let (mut sink, found) = write(pairs, wanted, about, reserved, &spill, &pool)?;
    check(host)?;
    sink.complete(true)?;
    publish_all(vec![sink])?;
    Ok(found)
}

/// Opens a table of sums.
fn open(path: &Path) -> Result<Table> {
    let shown = path.shown();
    let metadata = std::fs::metadata(path).map_err(|error| Error::io("open", path, error))?;
    if metadata.is_dir() {
        return Err(Error::usage(format!(
            "{shown} is a directory, and tables of positions are added: name the tables in it"
        )));
    }
    let format = PositionFormat::of_path(path);
    if let Some(format) = format.filter(|it| {
        matches!(it, PositionFormat::Csv | PositionFormat::Jsonl | PositionFormat::Bin)
    }) {
        let what = if format == PositionFormat::Bin { "a book" } else { format.name() };
        return Err(Error::usage(format!(
            "{shown}: {what} does not state what was counted: merge adds tables of `positions --sums` in Parquet or \
             Arrow"
        )));
    }
    let rows = SumsTable::open(path)?;
    let fact = SumsFact::of(&rows)?;
    if rows.has_rules() != fact.has_rules {
        return Err(rows.flaw("its columns are not those that were written"));
    }
    Ok(Table { name: shown.to_string(), rows, fact })
}

/// Refuses tables that have no exact sum.
fn check_same(tables: &[Table]) -> Result<()> {
    if let Some(table) = tables.iter().find(|table| table.fact.min_games > 1) {
        return Err(Error::usage(format!(
            "{} has no moves of fewer than {} games, which may be more in all tables: count with --sums and without \
             --min-games, and give --min-games to merge",
            table.name, table.fact.min_games
        )));
    }
    let Some(first) = tables.first() else { return Ok(()) };
    for other in tables {
        let (one, two) = (&first.fact, &other.fact);
        let shown = |counted: &str| match counted {
            "" => "the default options".to_string(),
            counted => counted.shown().to_string(),
        };
        if one.counted != two.counted {
            return Err(Error::usage(format!(
                "{} was counted with {}, {} with {}: they have no sum",
                other.name,
                shown(&two.counted),
                first.name,
                shown(&one.counted)
            )));
        }
        if one.files != two.files {
            return Err(Error::usage(format!(
                "{} and {} were counted with other positions in the file of --where: they have no sum",
                first.name, other.name
            )));
        }
        if one.splits.is_empty() != two.splits.is_empty() {
            let (split, whole) =
                if one.splits.is_empty() { (other, first) } else { (first, other) };
            return Err(Error::usage(format!(
                "{} is of a split, {} of whole archives: merge all splits first",
                split.name, whole.name
            )));
        }
    }
    Ok(())
}

/// Warns of archives that several tables name.
fn warn_of_names(tables: &[Table], host: &dyn Host) {
    let mut known: HashMap<&str, &str> = HashMap::new();
    for Table { name, fact, .. } in tables {
        let others = fact
            .archives
            .iter()
            .find_map(|archive| known.get(archive.as_str()).map(|other| (archive, *other)));
        if let Some((archive, other)) = others {
            host.warn(format_args!(
                "{} is in {other} and in {name}: if it is the same archive, its games are counted twice",
                archive.shown()
            ));
        }
        for archive in &fact.archives {
            known.entry(archive).or_insert(name);
        }
    }
}

/// What all tables are together.
#[derive(Debug)]
struct Sum {
    /// That of the sum, without its rows.
    fact: SumsFact,
    /// For each table where its archives are.
    places: Vec<HashMap<Vec<u8>, ArchivePlace>>,
}

impl Sum {
    fn of(tables: &[Table], partial: bool) -> Result<Sum> {
        let facts: Vec<&SumsFact> = tables.iter().map(|table| &table.fact).collect();
        let Some(first) = facts.first() else {
            return Err(Error::usage("there is nothing to add: no table is named"));
        };
        let has_rules = facts.iter().any(|fact| fact.has_rules);
        let fact = SumsFact { has_rules, rows: Default::default(), ..(*first).clone() };
        if !first.splits.is_empty() {
            return Sum::of_splits(tables, fact, partial);
        }
        if partial {
            return Err(Error::usage("--partial is for splits: the tables are of whole archives"));
        }
        let (mut archives, mut places) = (Vec::new(), Vec::new());
        for fact in facts {
            let mut own = HashMap::new();
            for name in &fact.archives {
                // Of an archive that is named twice the first one has the sample.
                let archive = archives.len() as u32;
                let place = ArchivePlace { archive, ..ArchivePlace::default() };
                own.entry(name.as_bytes().to_vec()).or_insert(place);
                archives.push(name.clone());
            }
            places.push(own);
        }
        Ok(Sum { fact: SumsFact { archives, ..fact }, places })
    }

    /// Of splits: where the text of each is in its archive.
    fn of_splits(tables: &[Table], fact: SumsFact, partial: bool) -> Result<Sum> {
        let names: Vec<String> = tables.iter().map(|table| table.name.clone()).collect();
        let ledgers = tables.iter().map(|table| table.fact.splits.clone()).collect();
        let tiling = Tiling::of(ledgers, &names, partial)?;
        let mut places = vec![HashMap::new(); tables.len()];
        let mut archives = Vec::new();
        for splits in tiling.archives() {
            let archive = archives.len() as u32;
            for found in splits {
                let entry = &found.entry;
                if partial && !has_own_offsets(entry) {
                    return Err(Error::usage(format!(
                        "--partial: the offsets of {} are not known before all splits are there: merge all at once, or \
                         divide with `pgnmill splits --ledger`",
                        entry.split
                    )));
                }
                let skipped = entry.before.text_bytes;
                let base = found.base.map_or(skipped, |base| base.text_bytes);
                // The offsets of several splits in one table are those of the archive.
                let place = ArchivePlace { archive, skipped, base };
                let name = entry.split.archive.as_bytes().to_vec();
                let own = &mut places[found.ledger];
                let whole = ArchivePlace { archive, ..ArchivePlace::default() };
                own.entry(name).and_modify(|place| *place = whole).or_insert(place);
            }
            archives.extend(splits.first().map(|found| found.entry.split.archive.clone()));
        }
        let splits = if partial { tiling.entries(false) } else { Vec::new() };
        Ok(Sum { fact: SumsFact { archives, splits, ..fact }, places })
    }
}

/// Are the offsets of a split's games those of its archive?
fn has_own_offsets(entry: &Entry) -> bool {
    let is_first = entry.split.split.ordinal == 0;
    is_first || entry.before.text_bytes > 0 || entry.counted.text_bytes == 0
}
