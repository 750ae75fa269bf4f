//! `measure`: a run that writes tables.
//!
//! In: archives. Out: a directory of tables; headline figures on standard error. Invariant: all tables of a directory
//! are of one measurement. Cost: that of [`pgnmill_core::tasks::measure`].

pub(crate) mod args;
pub(crate) mod study;

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tables::{
    self, Dimension, Dimensions, Grid, Product, Products, Written as WrittenBy, added, product,
};
use pgnmill_core::tasks;
use pgnmill_core::tasks::measure::study::{
    BpeTokens, Characters, Errors, Information, Orders, Vocabularies,
};
use pgnmill_core::tasks::measure::tally::{Archives, Clusters, GameRow, Selection, Tally};
use pgnmill_core::tasks::measure::{BatchCompressor, BatchWork, Measured, ONE_IN, Repeats};
use pgnmill_io::archive::{BLOCK_BYTES, Input, RANGE_BYTES};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, FileSet, NewDirectories, Sink, Snapshot};
use pgnmill_state::Loader;
use rayon::ThreadPool;

use crate::args::defaults::defaults;
use crate::args::names::{check_notations, find_dimension, find_product};
use crate::args::options::options_of_outputs;
use crate::args::output_path;
use crate::args::vocabularies;
use crate::commands::measure::args::Measure;
use crate::host::{Completion, Host};
use crate::journal::{self, Begun, Plan};
use crate::ledger;
use crate::ledger::seals::{self, Seal};
use crate::outputs::destination::Resumed;
use crate::plan::distinct::{distinct, warn_of_left_overs};
use crate::plan::dry_run;
use crate::report::headline;
use crate::report::summary;
use crate::run::outlets::PartSink;
use crate::run::task::{Done, Work};
use crate::text::numbers::count;
use crate::text::shell::{flag, option};

/// The table of a measurement of a split.
const LEDGER_SCHEMA: &tables::Schema = &tables::ledger::SCHEMA;
const LEDGER: &str = LEDGER_SCHEMA.file;
const SEALS: &str = tables::seals::SCHEMA.file;

/// The sums of all jobs, and the table of games.
#[derive(Debug)]
struct Parts {
    tally: Tally,
    archives: Archives,
    repeats: Repeats,
    information: Information,
    compressor: Option<BatchCompressor>,
    errors: Option<Errors>,
    characters: Option<Characters>,
    tokens: Option<BpeTokens>,
    games: Option<CsvSink>,
}

impl Parts {
    /// Without counts, or those of a saved state. `games`: the table of games of a run that begins; `overwrite`: of one
    /// that has such a table, whether it replaces one.
    fn begin(
        task: &tasks::Measure,
        batches: BatchWork,
        games: Option<CsvSink>,
        overwrite: bool,
        resumed: Option<Resumed<'_, '_>>,
    ) -> Result<Parts> {
        let mut parts = Parts {
            tally: task.new_tally(),
            archives: Archives::default(),
            repeats: Repeats::of(task.repeats_of_one_in),
            information: Information::of(task.studied()),
            compressor: (!batches.is_empty()).then(|| BatchCompressor::new(batches)),
            errors: task.errors.map(Errors::of),
            characters: task.writing.then(|| Characters::of(task.selection)),
            tokens: (!task.vocabularies.is_empty())
                .then(|| BpeTokens::of(task.selection, &task.vocabularies)),
            games,
        };
        if let Some(Resumed { from, .. }) = resumed {
            let loaded = parts.load(from);
            loaded.ok_or_else(|| Error::usage("the saved counts cannot be read"))?;
            parts.games = task.per_game.then(|| CsvSink::load(from, overwrite)).transpose()?;
        }
        Ok(parts)
    }

    /// Replaces the counts of no game with saved ones. `None` if these are damaged, or not of such a task.
    fn load(&mut self, from: &mut Loader<'_>) -> Option<()> {
        self.tally = self.tally.load(from)?;
        self.archives = from.value()?;
        self.repeats = from.value()?;
        self.information = from.value()?;
        if let Some(compressor) = &mut self.compressor {
            compressor.load(from)?;
        }
        if let Some(errors) = &mut self.errors {
            *errors = from.value().filter(|saved: &Errors| saved.is_like(errors))?;
        }
        if let Some(characters) = &mut self.characters {
            *characters = from.value().filter(|saved: &Characters| saved.is_like(characters))?;
        }
        if let Some(tokens) = &mut self.tokens {
            *tokens = from.value().filter(|saved: &BpeTokens| saved.is_like(tokens))?;
        }
        Some(())
    }

    /// The tables that add up.
    fn grids(&self) -> Vec<Grid> {
        let mut grids = self.tally.grids();
        grids.extend(self.tally.keys().has(Dimension::Source).then(|| self.archives.grid()));
        grids.extend(self.errors.as_ref().map(Errors::grid));
        grids.extend(self.characters.as_ref().map(Characters::grid));
        grids.extend(self.tokens.as_ref().map(BpeTokens::grid));
        let orders = self.compressor.as_ref().and_then(BatchCompressor::orders);
        grids.extend(orders.map(Orders::grid));
        grids
    }
}

impl PartSink for Parts {
    type Part = Measured;

    fn part(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<Measured>,
        pool: &ThreadPool,
    ) -> Result<()> {
        let part = &mut result.part;
        if let Some(tally) = &part.tally {
            self.tally.merge_of_source(archive, tally);
        }
        if self.tally.keys().has(Dimension::Source) {
            self.archives.add(archive, &result.facts.counted, &part.archive);
        }
        self.repeats.add(&part.fingerprints);
        if let Some(information) = &part.information {
            self.information.merge(information);
        }
        if let Some(compressor) = &mut self.compressor {
            compressor.add(part.moves.drain(..), pool).map_err(compressing)?;
        }
        if let (Some(errors), Some(more)) = (&mut self.errors, &part.errors) {
            errors.merge(more);
        }
        if let (Some(characters), Some(more)) = (&mut self.characters, &part.characters) {
            characters.merge(more);
        }
        if let (Some(tokens), Some(more)) = (&mut self.tokens, &part.tokens) {
            tokens.merge(more);
        }
        let Some(games) = &mut self.games else { return Ok(()) };
        part.rows.visit(|row| {
            let mut row = row.clone();
            row.offset += base.offset;
            row.game += base.games + 1;
            games.row(&row.record(archive))
        })
    }

    fn end(&mut self, pool: &ThreadPool) -> Result<()> {
        let Some(compressor) = &mut self.compressor else { return Ok(()) };
        compressor.end(pool).map_err(compressing)
    }

    fn save(&mut self, out: &mut Snapshot, _: &ThreadPool) -> Result<()> {
        self.tally.save(&mut out.bytes);
        out.add(&self.archives);
        out.add(&self.repeats);
        out.add(&self.information);
        self.compressor.iter().for_each(|compressor| compressor.save(&mut out.bytes));
        self.errors.iter().for_each(|errors| out.add(errors));
        self.characters.iter().for_each(|characters| out.add(characters));
        self.tokens.iter().for_each(|tokens| out.add(tokens));
        self.games.iter_mut().try_for_each(|games| games.save(out))
    }

    fn close(&mut self, pool: &ThreadPool) -> Result<()> {
        let Some(compressor) = &mut self.compressor else { return Ok(()) };
        compressor.start_again(pool).map_err(compressing)?;
        compressor.finish().map_err(compressing)
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        self.games.take().map(CsvSink::into_sink).into_iter().collect()
    }
}

fn compressing(error: io::Error) -> Error {
    Error::io("compress", Path::new("the texts of a batch of games"), error)
}

impl Measure {
    /// Archives, and the directory of the tables; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Measure {
        let mut request: Measure = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(mut self, host: &Arc<dyn Host>) -> Result<Completion> {
        self.common.summary_format = self.summary.format;
        measure(self, host)
    }
}

fn measure(args: Measure, host: &Arc<dyn Host>) -> Result<Completion> {
    let common = &args.common;
    let vocabularies = Arc::new(vocabularies::read(&args.tokens)?);
    let (task, batches) = requested(&args, &vocabularies)?;
    // A row of a very short game is longer than the game.
    let range_bytes = if args.per_game { BLOCK_BYTES } else { RANGE_BYTES };
    let options = options(&args, &task, &batches);
    let mut job = Work::new(common, task, range_bytes, false)?.with_options(options.clone());
    job.task.repeats_of_one_in = repeats_of_one_in(&job.inputs);
    let task = job.task.clone();
    let is_split = is_split(&job.inputs, &batches)?;
    output_path::check("measure", &args.output, output_path::Written::Directory)?;
    // Removed if the run fails, after its contents.
    let directory = NewDirectories::create(&args.output)?;
    let job = job.writing(&args.output, 0);
    let studied = study::tables(study::Requested::of(&args, task.products));
    let studied = studied.map(|name| args.output.join(name));
    let ledger = is_split.then(|| args.output.join(LEDGER));
    let tables = studied.chain(ledger).chain(tables(&args.output, &task, &batches));
    let tables: Vec<PathBuf> = tables.collect();
    distinct(common, &tables, &job.inputs, host)?;
    vocabularies::distinct(&args.tokens, &tables)?;
    if dry_run::is_shown(common, &job.inputs, &tables, "", &**host)? {
        return Ok(Completion::of(true));
    }
    warn_of_others(&args.output, &tables, common.quiet, &**host);
    let plan = Plan {
        command: "measure",
        options: vocabularies::with_digests(options_of_outputs(&args), &vocabularies),
        inputs: &job.inputs,
        output: &args.output,
        is_directory: true,
        outputs: common.outputs(&tables),
        refusal: None,
    };
    let continued = match journal::begin(common, &plan, host)? {
        Begun::Run(continued) => *continued,
        Begun::Done(clean) => return Ok(Completion::of(clean)),
    };
    let job = job.sampled(&args.sample, host)?;
    // Before the run: it may take hours.
    refuse_existing(&args.output, common.overwrite)?;
    let is_continued = continued.saved.is_some();
    let mut files = reserve(&args, &tables, is_continued)?;
    let games = (args.per_game && !is_continued).then(|| files.open("games.csv")).transpose()?;
    let games = games.map(|file| CsvSink::begin(file, &GameRow::header(task.selection)));
    let games = games.transpose()?;
    let parts = |resumed: Option<Resumed<'_, '_>>| {
        Parts::begin(&task, batches, games, common.overwrite, resumed)
    };
    let mut done = job.run("measure", parts, continued, host)?;
    let grids = done.outlets.parts.grids();
    write(&mut files, &grids)?;
    write_rest(&mut files, &args, options, &grids, &mut done)?;
    publish(&mut done, &args, files)?;
    directory.keep();
    remove_others(&args.output, &tables)?;
    if common.prints_summary() {
        headline::print(&grids, &**host);
    }
    if !common.quiet {
        warn_of_repeats(&done.outlets.parts.repeats, &**host);
    }
    Ok(done.completion())
}

/// What is counted, and what is done with batches of games.
fn requested(
    args: &Measure,
    vocabularies: &Arc<Vocabularies>,
) -> Result<(tasks::Measure, BatchWork)> {
    let compressions = study::compressors(args);
    let order = args.order.map(usize::from);
    let selection = selection(&args.notations)?;
    let (keys, products) = broken_down(&args.by)?;
    let task = tasks::Measure {
        per_game: args.per_game,
        selection,
        clusters: clusters(&args.cluster)?,
        keys,
        products,
        information: args.entropy,
        moves: !compressions.is_empty() || args.codes || order.is_some(),
        errors: study::error_draws(args, selection)?,
        writing: args.writing,
        vocabularies: Arc::clone(vocabularies),
        ..tasks::Measure::default()
    };
    let studied = task.studied();
    Ok((task, BatchWork { compressions, studied, codes: args.codes, order }))
}

/// Archives of so many stored bytes in all have all their games compared with each other.
const COMPARED_BYTES_MAX: u64 = 4 << 20;

/// Of one in how many games the moves are compared with those of others.
fn repeats_of_one_in(inputs: &[Input]) -> u64 {
    let stored_bytes = inputs.iter().map(Input::stored_bytes).sum::<Option<u64>>();
    match stored_bytes.is_some_and(|bytes| bytes <= COMPARED_BYTES_MAX) {
        true => 1,
        false => ONE_IN,
    }
}

/// Games that repeat others, in per cent of those that are compared, of which a run warns.
const REPEATED_PERCENT: u64 = 1;
/// Fewer of a sample may be chance.
const REPEATED_MIN: u64 = 3;

/// Warns of games that have the moves of another: they are measured as often as they occur.
fn warn_of_repeats(repeats: &Repeats, host: &dyn Host) {
    let (games, repeated) = (repeats.games(), repeats.repeated());
    let least = if repeats.is_sample() { REPEATED_MIN } else { 1 };
    if repeated < least || 100 * repeated <= REPEATED_PERCENT * games {
        return;
    }
    let percent = 100.0 * repeated as f64 / games as f64;
    let how_many = match repeats.is_sample() {
        true => format!("about {percent:.1} % of the games"),
        false => format!("{} ({percent:.1} %)", count(repeated, "game", "games")),
    };
    host.warn(format_args!(
        "{how_many} repeat the moves of another, and are measured as often as they occur; pgnmill duplicates --same \
         moves --keep first writes an archive without them"
    ));
}

/// Publishes all tables: with the ledger of a split, the summary and the seals.
fn publish(done: &mut Done<'_, Parts>, args: &Measure, mut files: FileSet) -> Result<()> {
    let (entry, written, rows) = (done.entry(), files.take_written(), done.rows());
    done.publish_with(written, |others| {
        if let Some(entry) = entry {
            let mut table = CsvSink::begin(files.open(LEDGER)?, &LEDGER_SCHEMA.header())?;
            ledger::write(&mut table, &[entry])?;
            files.add(table.into_sink()?)?;
        }
        summary::write(&mut files, rows)?;
        let seals = Seal::all(others.iter().chain(files.written()), &args.output);
        seals::write(&mut files, &seals)?;
        Ok(files.into_written(tables::summary::SCHEMA.file))
    })
}

/// Is a split measured? It can be neither compressed nor coded: batches of games would depend on the splits.
fn is_split(inputs: &[Input], batches: &BatchWork) -> Result<bool> {
    let is_split = inputs.iter().any(|input| input.split().is_some());
    let refuse = |why| Err(Error::usage(why));
    match is_split {
        true if !batches.compressions.is_empty() => refuse(
            "a split does not go with --compress: what is compressed together would depend on the \
             splits",
        ),
        true if batches.order.is_some() => refuse(
            "a split does not go with --order: what is coded together would depend on the splits",
        ),
        true if batches.codes => refuse(
            "a split does not go with --codes: what is coded together would depend on the splits",
        ),
        _ => Ok(is_split),
    }
}

/// Writes the tables of `--entropy`, `--compress` and `--codes`, and `writing.csv`; adds the rows of the summary that a
/// measurement alone has.
fn write_rest(
    files: &mut FileSet,
    args: &Measure,
    options: String,
    grids: &[Grid],
    done: &mut Done<'_, Parts>,
) -> Result<()> {
    let parts = &done.outlets.parts;
    let counts = study::Counts {
        information: args.entropy.then_some(&parts.information),
        sizes: parts.compressor.as_ref().and_then(BatchCompressor::sizes),
        coded: parts.compressor.as_ref().and_then(BatchCompressor::coded),
        grids,
    };
    study::write(files, &counts)?;
    let facts = [
        ("options", options),
        ("measured_on", today()),
        ("measured_games", parts.tally.games().to_string()),
        ("measured_plies", parts.tally.plies().to_string()),
    ];
    done.facts.extend(facts.map(|(key, value)| (key.to_string(), value)));
    Ok(())
}

/// Reserves the tables, except the table of games that is continued.
fn reserve(args: &Measure, tables: &[PathBuf], is_continued: bool) -> Result<FileSet> {
    let is_new = |table: &&PathBuf| !(is_continued && table.ends_with("games.csv"));
    let new: Vec<PathBuf> = tables.iter().filter(is_new).cloned().collect();
    FileSet::reserve(&args.output, &new, args.common.overwrite)
}

/// The dimensions and the products of `--by`. The dimensions of a product are broken down by each alone, too.
fn broken_down(names: &[String]) -> Result<(Dimensions, Products)> {
    let is_product = |name: &&String| name.contains(product::TIMES);
    let products: Vec<Product> =
        names.iter().filter(is_product).map(|name| find_product(name)).collect::<Result<_>>()?;
    let products = Products::of(products).ok_or_else(|| {
        Error::usage(format!("--by: a measurement has {} products at most", product::PRODUCTS_MAX))
    })?;
    if names.iter().any(|name| name == "all") {
        return Ok((Dimensions::ALL, products));
    }
    let alone = names.iter().filter(|name| !is_product(name)).map(|name| find_dimension(name));
    Ok((alone.collect::<Result<Dimensions>>()?.and(products.dimensions()), products))
}

/// The notations of `--notations`.
fn selection(names: &[String]) -> Result<Selection> {
    check_notations("--notations", names)?;
    Selection::parse(names).map_err(|why| Error::usage(format!("--notations: {why}")))
}

/// The clusters of `--cluster`.
fn clusters(names: &[String]) -> Result<Clusters> {
    Clusters::parse(names)
        .map_err(|name| Error::usage(format!("--cluster: {name:?} is none of game, event, player")))
}

/// The files that a measurement writes, without those of `--entropy`, `--compress` and `--codes` and those that are
/// computed from others. The summary and the seals are last, since they get their names last.
fn tables(directory: &Path, task: &tasks::Measure, batches: &BatchWork) -> Vec<PathBuf> {
    let spread = !task.clusters.is_empty();
    let is_written = |schema: &&tables::Schema| match schema.written {
        WrittenBy::BySource => task.keys.has(Dimension::Source),
        WrittenBy::Cluster => spread,
        WrittenBy::ClusterBy => {
            spread && task.keys.iter().any(|key| key.se_schema().file == schema.file)
        }
        WrittenBy::By => task.keys.iter().any(|key| key.file() == schema.file),
        WrittenBy::Errors => task.errors.is_some(),
        WrittenBy::Writing => task.writing,
        WrittenBy::Tokens => !task.vocabularies.is_empty(),
        WrittenBy::Orders => batches.order.is_some(),
        _ => true,
    };
    let files = added().filter(is_written).map(|schema| schema.file);
    let files = files.chain(task.products.iter().map(Product::file));
    let games = task.per_game.then_some("games.csv");
    files.chain(games).chain(["summary.csv", SEALS]).map(|file| directory.join(file)).collect()
}

/// Every file that a measurement can write into a directory.
fn all_tables(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let others = ["games.csv", LEDGER, "summary.csv", SEALS];
    let files = added().map(|schema| schema.file).chain(others);
    let files = files.chain(study::products_in(directory).map(Product::file));
    files.chain(study::all_tables()).map(|file| directory.join(file))
}

/// Returns an error if a table exists that may not be replaced.
pub(crate) fn refuse_existing(directory: &Path, overwrite: bool) -> Result<()> {
    let existing = all_tables(directory).find(|table| !overwrite && table.exists());
    existing.map_or(Ok(()), |table| Err(Error::exists(&table)))
}

/// Removes the tables of an earlier measurement that this one has not written: all tables of a directory are of one
/// measurement.
pub(crate) fn remove_others(directory: &Path, written: &[PathBuf]) -> Result<()> {
    for table in all_tables(directory).filter(|table| !written.contains(table)) {
        match std::fs::remove_file(&table) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io("remove", &table, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Warns of temporary files that killed runs left of tables that this run does not write; [`distinct`] warns of the
/// others.
pub(crate) fn warn_of_others(directory: &Path, written: &[PathBuf], quiet: bool, host: &dyn Host) {
    let others: Vec<PathBuf> =
        all_tables(directory).filter(|table| !quiet && !written.contains(table)).collect();
    let others: Vec<&Path> = others.iter().map(PathBuf::as_path).collect();
    warn_of_left_overs(&others, &HashSet::new(), host);
}

/// Writes all tables.
pub(crate) fn write(files: &mut FileSet, grids: &[Grid]) -> Result<()> {
    grids
        .iter()
        .try_for_each(|grid| files.write_table(grid.schema().file, |table| grid.write(table)))
}

/// The options that affect the counts, in a canonical form.
fn options(args: &Measure, task: &tasks::Measure, batches: &BatchWork) -> String {
    let mut options = Vec::new();
    if task.selection != Selection::default() {
        options.push(option("--notations", task.selection));
    }
    let mut keys: Vec<String> = match task.keys {
        Dimensions::ALL => vec!["all".to_string()],
        keys => keys.iter().map(|key| key.name().to_string()).collect(),
    };
    keys.extend(task.products.iter().map(Product::name));
    if !keys.is_empty() {
        options.push(option("--by", keys.join(",")));
    }
    if !task.clusters.is_empty() {
        options.push(option("--cluster", task.clusters));
    }
    options.extend(args.sample.options());
    options.extend(flag("--entropy", task.information));
    if !batches.compressions.is_empty() {
        let names: Vec<String> = batches.compressions.iter().map(ToString::to_string).collect();
        options.push(option("--compress", names.join(",")));
    }
    options.extend(batches.order.map(|order| option("--order", order)));
    options.extend(flag("--codes", batches.codes));
    options.extend(task.errors.map(|draws| format!("--errors={}", draws.per_game)));
    options.extend(flag("--writing", task.writing));
    if !task.vocabularies.is_empty() {
        options.push(option("--tokens", vocabularies::text(&task.vocabularies)));
    }
    options.extend(args.common.options_of_games());
    options.join(" ")
}

/// The date, in UTC. `SOURCE_DATE_EPOCH` replaces the clock if it is set, so that a run can be repeated byte for byte
/// (reproducible-builds.org).
fn today() -> String {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(set.unwrap_or_else(clock) / 86_400)
}

/// The date of a day counted from 1970-01-01.
fn date(days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days % (400 * 365 + 97));
    year += days / (400 * 365 + 97) * 400;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(19_782), "2024-02-29");
        assert_eq!(date(20_088), "2024-12-31");
        assert_eq!(date(47_540), "2100-02-28");
        assert_eq!(date(47_541), "2100-03-01");
    }
}
