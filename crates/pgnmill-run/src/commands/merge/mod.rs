//! `merge`: the tables of several measurements become those of all of them.
//!
//! In: directories that `measure`, `stats` or this command wrote, of whole archives or of splits; or ledgers alone.
//! Out: one of the same kind. Only integers are read; derived values are computed by the code of `measure`. Invariant:
//! the tables are those of one measurement of all archives, byte for byte; `games.csv` too, if the directories are in
//! the order of the archives. Rejects tables that cannot be added: of another version, of other dimensions, of other
//! compressors. Cost: one read of all tables.

pub(crate) mod args;
#[cfg(feature = "columns")]
mod of_positions;
mod of_splits;
mod of_stats;
mod rows;

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use pgnmill_core::engine::Survey;
use pgnmill_core::tables::{
    self, Grid, Product, Products, SCHEMA_VERSION, Schema, added, games, notations, product,
};
use pgnmill_core::tasks::measure::study::{Coded, Information, Sizes, Studied};
use pgnmill_core::tasks::stats::Found;
use pgnmill_io::archive::RecordKind;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, FileSet, NewDirectories, publish_all};

use crate::args::options::defaults;
use crate::args::output_path;
use crate::commands::measure::study;
use crate::commands::measure::study::Requested;
use crate::commands::measure::{refuse_existing, remove_others, warn_of_others, write};
use crate::commands::stats;
use crate::host::{Completion, Host};
use crate::ledger::seals::{self, Seal};
use crate::ledger::{self, Tiling};
use crate::plan::distinct::{distinct_files, warn_of_left_overs};
use crate::report::headline;
use crate::report::remarks::{self, Remark};
use crate::report::summary;
use crate::report::written;
use crate::text::shell::quoted;
use args::Merge;
use of_splits::{notes_on_archives, rows_of_notes, same_counts, tiling};

impl Merge {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("The tables of two months", "pgnmill merge -o year/ january/ february/"),
        (
            "An explorer of two tables of positions",
            "pgnmill merge -o explorer.parquet january.parquet february.parquet",
        ),
    ];

    /// Directories of tables, and that of the sums; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Merge {
        let mut request: Merge = defaults();
        request.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        merge(&self, host)
    }
}

fn merge(args: &Merge, host: &Arc<dyn Host>) -> Result<Completion> {
    if args.inputs.is_empty() {
        return Err(Error::usage("there is nothing to add: no directory of tables is named"));
    }
    #[cfg(feature = "columns")]
    if of_positions::are_tables(args) {
        return of_positions::merge(args, host);
    }
    if let Some(option) = args.positions.given() {
        return Err(Error::usage(format!(
            "{option} is for tables of positions; merge is given directories or ledgers"
        )));
    }
    if args.threads != 0 {
        return Err(Error::usage("--threads is for tables of positions"));
    }
    // The path that was given is named, not a table that would be in it.
    let exists = |path: &PathBuf| std::fs::metadata(path).map_err(|it| Error::io("open", path, it));
    args.inputs.iter().try_for_each(|path| exists(path).map(drop))?;
    remarks::refuse_twins(&args.inputs)?;
    refuse_archives(&args.inputs)?;
    output_path::check("merge", &args.output, output_path::Written::Directory)?;
    let parts = Parts::read(args)?;
    if let (false, None) = (args.quiet, &parts.tiling) {
        let table = if parts.is_measured { tables::seals::SCHEMA.file } else { stats::TABLE };
        remarks::warn_of_copies(&args.inputs, table, &**host);
    }
    let (grids, study) = parts.tables()?;
    // Removed if the run fails, after its contents.
    let directory = NewDirectories::create(&args.output)?;
    let files = grids.iter().map(|grid| grid.schema().file);
    let files = files.chain(parts.listed.iter().copied());
    let files = files.chain(study::tables(study.requested(&grids)));
    let files = files.chain(parts.tiling.is_some().then_some(tables::ledger::SCHEMA.file));
    let files = files.chain(parts.summary.is_some().then_some(tables::summary::SCHEMA.file));
    let files = files.chain(parts.is_measured.then_some(tables::seals::SCHEMA.file));
    let files = files.chain(parts.found.is_some().then_some(stats::TABLE));
    let tables: Vec<PathBuf> = files.map(|file| args.output.join(file)).collect();
    refuse_existing(&args.output, args.overwrite)?;
    let outputs: Vec<&Path> = tables.iter().map(PathBuf::as_path).collect();
    distinct_files(&outputs, &HashSet::new())?;
    if !args.quiet {
        warn_of_left_overs(&outputs, &HashSet::new(), &**host);
    }
    warn_of_others(&args.output, &tables, args.quiet, &**host);
    let mut files = FileSet::reserve(&args.output, &tables, args.overwrite)?;
    parts.write_listed(&mut files, host)?;
    write(&mut files, &grids)?;
    study::write(&mut files, &study.counts(&grids))?;
    if let Some(found) = &parts.found {
        let sink = stats::write(&mut files, found)?;
        files.add(sink)?;
    }
    parts.write_rest(&mut files, &args.output)?;
    check(host)?;
    let sinks = files.into_written(tables::summary::SCHEMA.file);
    let paths: Vec<PathBuf> = sinks.iter().map(|sink| sink.path().to_path_buf()).collect();
    publish_all(sinks)?;
    host.add_facts(parts.summary.as_deref().unwrap_or_default());
    directory.keep();
    remove_others(&args.output, &tables)?;
    if !args.quiet {
        parts.warn_of_archives(&**host);
        headline::print(&grids, &**host);
        written::print(&paths, &**host);
    }
    Ok(Completion::of(true))
}

/// What is merged: directories of tables, or ledgers alone.
struct Parts<'a> {
    directories: &'a [PathBuf],
    /// With ledgers: the splits, in order.
    tiling: Option<Tiling>,
    /// Are all splits of all archives there?
    is_complete: bool,
    /// The rows of the summary; ledgers alone have none.
    summary: Option<Vec<summary::Fact>>,
    /// Are there tables of a measurement?
    is_measured: bool,
    /// The tables with a row per game, fault or note.
    listed: Vec<&'static str>,
    /// The sum of the tables of `stats`.
    found: Option<Found>,
}

/// The file names of the tables whose rows are listed.
const FAULTS: &str = "faults.csv";
const NOTES: &str = "notes.csv";

/// The tables of `--entropy`, `--compress` and `--codes` together.
#[derive(Default)]
struct Study {
    information: Option<Information>,
    sizes: Option<Sizes>,
    coded: Option<Coded>,
}

impl Study {
    /// The options that write what is there, and in the tables that add up.
    fn requested(&self, grids: &[Grid]) -> Requested {
        let Study { information, sizes, coded } = self;
        let (entropy, compress) = (information.is_some(), sizes.is_some());
        let writing = grids.iter().any(|it| it.schema().file == tables::characters::SCHEMA.file);
        let cluster = grids.iter().any(|it| it.schema().file == tables::se::SCHEMA.file);
        let products = grids.iter().filter_map(|it| Product::from_file(it.schema().file));
        let products = Products::of(products).unwrap_or_default();
        Requested { entropy, compress, codes: coded.is_some(), writing, cluster, products }
    }

    fn counts<'c>(&'c self, grids: &'c [Grid]) -> study::Counts<'c> {
        let Study { information, sizes, coded } = self;
        let (information, sizes) = (information.as_ref(), sizes.as_ref());
        study::Counts { information, sizes, coded: coded.as_ref(), grids }
    }
}

/// The sum of the tables of `stats`; with the notes on whole archives, if the splits are these.
fn found(directories: &[PathBuf], whole: Option<&Tiling>) -> Result<Found> {
    let mut found = of_stats::sum(directories)?;
    whole.into_iter().flat_map(notes_on_archives).for_each(|note| found.add_note(note));
    Ok(found)
}

impl<'a> Parts<'a> {
    /// Reads the ledgers and the summaries, and finds the tables.
    fn read(args: &'a Merge) -> Result<Parts<'a>> {
        let directories = args.inputs.as_slice();
        if directories.iter().any(|input| input.is_file()) {
            return Parts::of_ledgers(directories, args.partial);
        }
        let tiling = match in_all(directories, tables::ledger::SCHEMA.file)? {
            true => {
                let path = |directory: &PathBuf| directory.join(tables::ledger::SCHEMA.file);
                Some(tiling(&directories.iter().map(path).collect::<Vec<_>>(), args.partial)?)
            }
            false if args.partial => {
                return Err(Error::usage(
                    "--partial is for splits: the directories have no ledger",
                ));
            }
            false => None,
        };
        for found in tiling.iter().flat_map(|tiling| &tiling.splits) {
            let ledger = directories[found.ledger].join(tables::ledger::SCHEMA.file);
            seals::check_field(&found.entry.tables, &ledger)?;
        }
        let has_stats = in_all(directories, stats::TABLE)?;
        // Only a measurement has a summary always.
        let has_summary =
            tiling.is_none() && !has_stats || in_all(directories, tables::summary::SCHEMA.file)?;
        let summaries = directories.iter().filter(|_| has_summary);
        let rows = summaries.map(|directory| read_summary(directory));
        let mut rows: Vec<_> = rows.collect::<Result<_>>()?;
        let of_ledger = tiling.as_ref().and_then(Tiling::command);
        let is_measured = of_ledger.or_else(|| command(&rows)) == Some("measure");
        if let (true, false, Some(directory)) = (is_measured, has_summary, directories.first()) {
            let path = directory.join(tables::summary::SCHEMA.file);
            let path = path.shown();
            return Err(Error::usage(format!("{path} is missing: every measurement has it")));
        }
        if let Some(tiling) = tiling.as_ref().filter(|_| has_summary) {
            rows.iter().enumerate().try_for_each(|(index, rows)| {
                let ledger = directories[index].join(tables::ledger::SCHEMA.file);
                same_counts(tiling, index, rows, &ledger)
            })?;
        }
        if is_measured {
            directories.iter().try_for_each(|directory| check_seals(directory))?;
        }
        if tiling.is_none() && !has_stats {
            of_measurements(directories, &rows)?;
        }
        let candidates = [games::SCHEMA.file, FAULTS, NOTES];
        let candidates = if tiling.is_some() { &candidates[..] } else { &candidates[..1] };
        let mut listed = Vec::new();
        for &file in candidates {
            if in_all(directories, file)? {
                listed.push(file);
            }
        }
        if let (true, Some(file)) = (args.partial, listed.first()) {
            return Err(Error::usage(format!(
                "--partial: the rows of {file} have their numbers when all splits are there; merge them at once"
            )));
        }
        let is_complete = !args.partial;
        if let (Some(tiling), true) = (&tiling, is_complete) {
            rows.push(rows_of_notes(tiling));
        }
        let summary = has_summary.then(|| summary::merged(&rows));
        let whole = tiling.as_ref().filter(|_| is_complete);
        let found = has_stats.then(|| found(directories, whole)).transpose()?;
        Ok(Parts { directories, tiling, is_complete, summary, is_measured, listed, found })
    }

    /// Ledgers alone: files.
    fn of_ledgers(files: &'a [PathBuf], partial: bool) -> Result<Parts<'a>> {
        if let Some(directory) = files.iter().find(|input| input.is_dir()) {
            return Err(Error::usage(format!(
                "{} is a directory, but {} is a file: name directories only, or ledgers only",
                directory.shown(),
                files
                    .iter()
                    .find(|input| input.is_file())
                    .map_or("", |file| file.to_str().unwrap_or_default()),
            )));
        }
        let tiling = Some(tiling(files, partial)?);
        let (summary, listed, found, is_complete) = (None, Vec::new(), None, !partial);
        let is_measured = false;
        Ok(Parts { directories: files, tiling, is_complete, summary, is_measured, listed, found })
    }

    /// The sums of the tables of measurements.
    fn tables(&self) -> Result<(Vec<Grid>, Study)> {
        let (mut grids, directories) = (Vec::new(), self.directories);
        if !self.is_measured {
            return Ok((grids, Study::default()));
        }
        let names = same_notations(directories)?;
        let crossed: BTreeSet<Product> =
            directories.iter().flat_map(|it| study::products_in(it)).collect();
        if crossed.len() > product::PRODUCTS_MAX {
            return Err(Error::usage(format!(
                "the directories have tables of more than {} products of dimensions",
                product::PRODUCTS_MAX
            )));
        }
        for schema in added().chain(crossed.into_iter().map(Product::schema)) {
            if in_all(directories, schema.file)? {
                grids.push(sum_of(directories, schema)?);
            }
        }
        let found = studied(directories)?;
        let names = || Studied::of(names.iter().map(String::as_str));
        let information =
            found.entropy.then(|| study::added_information(directories, names())).transpose()?;
        let sizes = found.compress.then(|| study::added_sizes(directories)).transpose()?;
        let coded = found.codes.then(|| study::added_codes(directories)).transpose()?;
        Ok((grids, Study { information, sizes, coded }))
    }

    /// Writes the tables with a row per game, fault or note.
    fn write_listed(&self, files: &mut FileSet, host: &Arc<dyn Host>) -> Result<()> {
        for &file in &self.listed {
            let Some(tiling) = &self.tiling else {
                let mut sink = files.open(file)?;
                rows::join(self.directories, file, &mut sink, host)?;
                files.add(sink)?;
                continue;
            };
            let begin = |header: &[&str]| CsvSink::begin(files.open(file)?, header);
            let table = rows::join_splits(self.directories, tiling, file, begin, host)?;
            if let Some(table) = table {
                files.add(table.into_sink()?)?;
            }
        }
        Ok(())
    }

    /// Writes the summary, the ledger, and the seals of all tables: those of other commands than `measure` in the
    /// ledger.
    fn write_rest(&self, files: &mut FileSet, directory: &Path) -> Result<()> {
        if let Some(rows) = &self.summary {
            summary::write(files, rows.clone())?;
        }
        if self.is_measured {
            self.write_ledger(files, String::new())?;
            let seals = Seal::all(files.written(), directory);
            return seals::write(files, &seals);
        }
        let tables = seals::field(&Seal::all(files.written(), directory));
        self.write_ledger(files, tables)
    }

    /// `tables`: the seals of the others.
    fn write_ledger(&self, files: &mut FileSet, tables: String) -> Result<()> {
        let Some(tiling) = &self.tiling else { return Ok(()) };
        let schema = &tables::ledger::SCHEMA;
        let mut table = CsvSink::begin(files.open(schema.file)?, &schema.header())?;
        let mut entries = tiling.entries(self.is_complete);
        entries.iter_mut().for_each(|entry| entry.tables = String::new());
        if let Some(first) = entries.first_mut() {
            first.tables = tables;
        }
        if self.is_complete && self.summary.is_some() {
            // The summary counts the notes on the archives now.
            entries.iter_mut().for_each(|entry| entry.counted.survey = Survey::default());
        }
        ledger::write(&mut table, &entries)?;
        files.add(table.into_sink()?)
    }

    /// Warns of archives that are not of games, as a run over the whole archives does.
    fn warn_of_archives(&self, host: &dyn Host) {
        let Some(tiling) = self.tiling.as_ref().filter(|_| self.is_complete) else { return };
        for splits in tiling.archives() {
            let counted = of_splits::counted(splits);
            if let (Some(remark), Some(found)) =
                (Remark::of(RecordKind::Games, &counted), splits.first())
            {
                host.warn(format_args!("{} {remark}", found.entry.split.archive));
            }
        }
    }
}

/// Refuses files that are archives: their tables are added, or the archives themselves are written into one.
fn refuse_archives(files: &[PathBuf]) -> Result<()> {
    let is_table =
        |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let is_archive = |path: &&PathBuf| path.is_file() && !is_table(path);
    let Some(path) = files.iter().find(is_archive) else { return Ok(()) };
    let names = files.iter().take(NAMED_MAX).map(|path| quoted(&path.shown().to_string()));
    let dots = if files.len() > NAMED_MAX { " …" } else { "" };
    Err(Error::usage(format!(
        "{} is no ledger: merge adds the tables of measurements; `pgnmill select -o all.pgn {}{dots}` writes the games \
         of several archives into one",
        path.shown(),
        names.collect::<Vec<_>>().join(" ")
    )))
}

/// Archives that the advice names, at most.
const NAMED_MAX: usize = 3;

/// Refuses a directory without a ledger that is not one of a measurement.
fn of_measurements(directories: &[PathBuf], rows: &[Vec<summary::Fact>]) -> Result<()> {
    let other = |rows: &Vec<summary::Fact>| command(std::slice::from_ref(rows)) != Some("measure");
    let Some(index) = rows.iter().position(other) else { return same_options(directories, rows) };
    let path = directories[index].join(tables::summary::SCHEMA.file);
    let command = command(&rows[index..]).unwrap_or("none");
    Err(Error::usage(format!("{} is of the command {command}, not of measure", path.shown())))
}

/// The options whose tables have the same rows whatever they are, but not the same meaning.
const MEANING: [&str; 4] = ["--cluster", "--errors", "--order", "--tokens"];
/// The key of the options in a summary.
const OPTIONS: &str = "options";

/// Measurements with other clusters, orders or vocabularies, or other numbers of errors, have no sum.
fn same_options(directories: &[PathBuf], rows: &[Vec<summary::Fact>]) -> Result<()> {
    // A sum of sums has the options of each.
    let of = |rows: &[summary::Fact], option: &str| -> BTreeSet<String> {
        let options = rows.iter().filter(|row| row.0 == OPTIONS);
        let words: Vec<&str> = options.flat_map(|row| row.1.split_whitespace()).collect();
        let is_it =
            |pair: &&[&str]| pair[0] == option || pair[0].starts_with(&format!("{option}="));
        let pairs = words.windows(2).chain(words.last().map(std::slice::from_ref));
        let found = pairs.filter(is_it).map(|pair| match pair {
            [word, value] if *word == option => value,
            pair => pair[0],
        });
        found.map(|value| value.trim_end_matches([',', ';']).to_string()).collect()
    };
    let Some(first) = rows.first() else { return Ok(()) };
    for option in MEANING {
        let wanted = of(first, option);
        if let Some(other) = rows.iter().position(|rows| of(rows, option) != wanted) {
            return Err(Error::usage(format!(
                "{} and {} are measured with other {option}: measure both with the same",
                directories[0].shown(),
                directories[other].shown()
            )));
        }
    }
    Ok(())
}

/// The command of the first summary.
fn command(rows: &[Vec<summary::Fact>]) -> Option<&str> {
    let of = |rows: &'_ [summary::Fact]| {
        rows.iter().position(|row| row.0 == tables::summary::COMMAND.name)
    };
    let first = rows.first()?;
    Some(&first[of(first)?].1)
}

/// The rows of a summary; an error if it is not one of a measurement that this program can add.
fn read_summary(directory: &Path) -> Result<Vec<summary::Fact>> {
    let path = directory.join(tables::summary::SCHEMA.file);
    if !path.exists() {
        return Err(Error::usage(format!(
            "cannot open {}: merge reads directories that `pgnmill measure`, `stats` or `merge` wrote",
            path.shown()
        )));
    }
    let rows = summary::read(&path)?;
    let value = |key: &str| rows.iter().find(|row| row.0 == key).map_or("none", |row| &row.1);
    let version = value(tables::summary::SCHEMA_VERSION.name);
    if version != SCHEMA_VERSION.to_string() {
        return Err(Error::usage(format!(
            "{} is of schema version {version}, this program adds tables of version \
             {SCHEMA_VERSION}; measure anew",
            path.shown()
        )));
    }
    Ok(rows)
}

/// Checks the seals of a directory of tables of a measurement.
fn check_seals(directory: &Path) -> Result<()> {
    let crossed = study::products_in(directory).map(Product::file);
    let others = study::all_tables().chain([games::SCHEMA.file]).chain(crossed);
    seals::check(directory, &others.collect::<Vec<&str>>())
}

/// The notations that all directories have; directories with different notations have no sum.
fn same_notations(directories: &[PathBuf]) -> Result<Vec<String>> {
    let mut first: Option<(PathBuf, Vec<String>)> = None;
    for directory in directories {
        let schema = &notations::SCHEMA;
        let path = directory.join(schema.file);
        if !path.exists() {
            continue;
        }
        let grid = sum_of(std::slice::from_ref(directory), schema)?;
        let names: Vec<String> =
            grid.sorted().iter().map(|row| grid.key(row, 0).to_string()).collect();
        let Some((other_path, others)) = &first else {
            first = Some((path, names));
            continue;
        };
        let lacks = |names: &[String], others: &[String]| {
            others.iter().find(|name| !names.contains(name)).cloned()
        };
        let pairs = [(&path, &names, other_path, others), (other_path, others, &path, &names)];
        for (without, few, with, many) in pairs {
            if let Some(name) = lacks(few, many) {
                return Err(Error::usage(format!(
                    "{} has {name}, but {} has not: measure both with the same --notations",
                    with.shown(),
                    without.shown()
                )));
            }
        }
    }
    Ok(first.map_or_else(Vec::new, |(_, names)| names))
}

/// Is a table in all directories, or in none of them? A table in some of them has no sum.
fn in_all(directories: &[PathBuf], file: &str) -> Result<bool> {
    let has = |directory: &&PathBuf| directory.join(file).exists();
    let (with, without) = (directories.iter().find(has), directories.iter().find(|d| !has(d)));
    match (with, without) {
        (Some(with), Some(without)) => Err(Error::usage(format!(
            "{} is there, but {} is not: measure both with the same options",
            with.join(file).shown(),
            without.join(file).shown()
        ))),
        (with, _) => Ok(with.is_some()),
    }
}

/// Which of the tables of `--entropy`, `--compress` and `--codes` are there? Of an option either all are or none. Those
/// of `--writing` add up, or follow from such.
fn studied(directories: &[PathBuf]) -> Result<Requested> {
    Ok(Requested {
        entropy: all_or_none(
            directories,
            Requested { entropy: true, ..Requested::none() },
            "--entropy",
        )?,
        compress: all_or_none(
            directories,
            Requested { compress: true, ..Requested::none() },
            "--compress",
        )?,
        codes: all_or_none(directories, Requested { codes: true, ..Requested::none() }, "--codes")?,
        ..Requested::none()
    })
}

/// Are the tables of an option there?
fn all_or_none(directories: &[PathBuf], of: Requested, option: &str) -> Result<bool> {
    let mut found: Option<(&str, bool)> = None;
    for file in study::tables(of) {
        let there = in_all(directories, file)?;
        let (other, others) = *found.get_or_insert((file, there));
        if there != others {
            let (with, without) = if there { (file, other) } else { (other, file) };
            let directory = directories[0].shown();
            return Err(Error::usage(format!(
                "{directory} holds {with}, but no {without}: measure anew with {option}"
            )));
        }
    }
    Ok(found.is_some_and(|(_, there)| there))
}

/// The sum of a table over all directories.
fn sum_of(directories: &[PathBuf], schema: &'static Schema) -> Result<Grid> {
    let mut sum = Grid::new(schema);
    for directory in directories {
        let path = directory.join(schema.file);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let added = sum.add(BufReader::new(file));
        added.map_err(|error| Error::usage(format!("{}: {error}", path.shown())))?;
    }
    Ok(sum)
}

/// The error of a run that was interrupted.
fn check(host: &Arc<dyn Host>) -> Result<()> {
    if host.stop().load(Ordering::Relaxed) { Err(Error::interrupted()) } else { Ok(()) }
}
