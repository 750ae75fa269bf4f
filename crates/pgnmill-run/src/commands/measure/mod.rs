//! `measure`: a run that writes tables.
//!
//! In: archives. Out: a directory of tables; headline figures on standard error. Invariant: all tables of a directory
//! are of one measurement. Cost: that of [`pgnmill_core::tasks::measure`].

pub(crate) mod args;
pub(crate) mod study;
pub(crate) mod vocabularies;

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use pgnmill_core::engine::Pool;
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
use pgnmill_io::sink::{CsvSink, FileSet, Sink, Snapshot};
use pgnmill_state::Loader;

use crate::args::capabilities::Capabilities;
use crate::args::names::{check_notations, find_dimension, find_product};
use crate::args::options::defaults;
use crate::args::output_path::{self, Written};
use crate::host::{Completion, Host};
use crate::ledger;
use crate::ledger::seals::{self, Seal};
use crate::outputs::destination::Resumed;
use crate::plan::distinct::warn_of_left_overs;
use crate::plan::{Place, Plan, Purpose, Request, is_split};
use crate::report::{headline, summary};
use crate::run::{Done, Executed, PartSink, execute};
use crate::text::numbers::count;
use crate::text::shell::{flag, option};

use args::Measure;

/// The table of a measurement of a split.
const LEDGER_SCHEMA: &tables::Schema = &tables::ledger::SCHEMA;
const LEDGER: &str = LEDGER_SCHEMA.file;
const SEALS: &str = tables::seals::SCHEMA.file;
const SUMMARY: &str = tables::summary::SCHEMA.file;
const GAMES: &str = tables::games::SCHEMA.file;

/// The sums of all jobs, and the table of games.
#[derive(Debug)]
struct Parts {
    /// The tables, before they are written.
    files: Option<FileSet>,
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
    /// Without counts, or those of a saved state. Reserves the tables, except a table of games that is continued.
    fn begin(
        plan: &Plan,
        task: &tasks::Measure,
        batches: BatchWork,
        resumed: Option<Resumed<'_, '_>>,
    ) -> Result<Parts> {
        let (overwrite, is_continued) = (plan.files.overwrite, resumed.is_some());
        let directory = plan.outputs.place.path().unwrap_or(Path::new(""));
        // Before the run: it may take hours.
        refuse_existing(directory, overwrite)?;
        let is_new = |table: &&PathBuf| !(is_continued && table.ends_with(GAMES));
        let new: Vec<PathBuf> = plan.outputs.paths.iter().filter(is_new).cloned().collect();
        let mut files = FileSet::reserve(directory, &new, overwrite)?;
        let games = (task.per_game && !is_continued).then(|| files.open(GAMES)).transpose()?;
        let games = games.map(|file| CsvSink::begin(file, &GameRow::header(task.selection)));
        let mut parts = Parts {
            files: Some(files),
            tally: task.new_tally(),
            archives: Archives::default(),
            repeats: Repeats::of(task.repeats_of_one_in),
            information: Information::of(task.studied()),
            compressor: (!batches.is_empty()).then(|| BatchCompressor::new(batches)),
            errors: task.errors.map(Errors::of),
            characters: task.writing.then(|| Characters::of(task.selection)),
            tokens: (!task.vocabularies.is_empty())
                .then(|| BpeTokens::of(task.selection, &task.vocabularies)),
            games: games.transpose()?,
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

    /// Writes the tables of `--entropy`, `--compress` and `--codes`, and `writing.csv`.
    fn write_rest(&self, files: &mut FileSet, has_entropy: bool, grids: &[Grid]) -> Result<()> {
        let counts = study::Counts {
            information: has_entropy.then_some(&self.information),
            sizes: self.compressor.as_ref().and_then(BatchCompressor::sizes),
            coded: self.compressor.as_ref().and_then(BatchCompressor::coded),
            grids,
        };
        study::write(files, &counts)
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
        pool: &Pool,
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

    fn end(&mut self, pool: &Pool) -> Result<()> {
        let Some(compressor) = &mut self.compressor else { return Ok(()) };
        compressor.end(pool).map_err(compressing)
    }

    fn save(&mut self, out: &mut Snapshot, _: &Pool) -> Result<()> {
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

    fn close(&mut self, pool: &Pool) -> Result<()> {
        let Some(compressor) = &mut self.compressor else { return Ok(()) };
        compressor.start_again(pool).map_err(compressing)?;
        compressor.finish().map_err(compressing)
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        self.games.take().map(CsvSink::into_sink).into_iter().collect()
    }
}

/// The error of tables that were written before.
fn missing() -> Error {
    Error::usage("the tables were not reserved")
}

fn compressing(error: io::Error) -> Error {
    Error::io("compress", Path::new("the texts of a batch of games"), error)
}

impl Measure {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("The length of every notation", "pgnmill measure -o tables/ games.pgn.zst"),
        (
            "The main notations, by year and opening",
            "pgnmill measure --notations main --by year,eco -o by-year/ games.pgn.zst",
        ),
        (
            "Compressed sizes of two levels",
            "pgnmill measure --compress zstd:3,zstd:19:main -o sizes/ games.pgn.zst",
        ),
    ];

    /// Archives, and the directory of the tables; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Measure {
        let mut request: Measure = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }
}

impl Request for Measure {
    const NAME: &'static str = "measure";
    type Task = Requested;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            sample: self.sample,
            splitting: Some(&self.splitting),
            resuming: Some(&self.resuming),
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn purpose(&self, inputs: &[Input], _: &dyn Host) -> Result<(Purpose, Requested)> {
        let vocabularies = Arc::new(vocabularies::read(&self.tokens)?);
        let requested = requested(self, &vocabularies, inputs)?;
        let Requested { task, batches } = &requested;
        let names = names(self, inputs, &requested)?;
        output_path::check("measure", &self.output, Written::Directory)?;
        let tokens = vocabularies::text(&vocabularies);
        let tokens = (!self.tokens.is_empty()).then_some(("--tokens", tokens));
        let purpose = Purpose {
            place: Place::Tables { directory: self.output.clone(), names },
            // A row of a very short game is longer than the game.
            range_bytes: if self.per_game { BLOCK_BYTES } else { RANGE_BYTES },
            words: words(self, task, batches),
            resolved: tokens.into_iter().collect(),
            read: self.tokens.iter().map(|file| file.path.clone()).collect(),
            ..Purpose::default()
        };
        Ok((purpose, requested))
    }

    fn execute(self, plan: Plan, requested: Requested, host: &Arc<dyn Host>) -> Result<Completion> {
        let Requested { task, batches } = requested;
        warn_of_others(&self.output, &plan.outputs.paths, self.messages.quiet, &**host);
        let parts = |plan: &Plan, resumed: Option<Resumed<'_, '_>>| {
            Parts::begin(plan, &task, batches, resumed)
        };
        let mut done = match execute(plan, &task, parts, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        let grids = done.sink().grids();
        let mut files = done.sink_mut().files.take().ok_or_else(missing)?;
        write(&mut files, &grids)?;
        done.sink().write_rest(&mut files, self.entropy, &grids)?;
        publish(&mut done, &self.output, files)?;
        remove_others(&self.output, &done.plan.outputs.paths)?;
        if done.plan.prints_summary() {
            headline::print(&grids, &**host);
        }
        if !self.messages.quiet {
            warn_of_repeats(&done.sink().repeats, &**host);
        }
        Ok(done.completion())
    }
}

/// What is counted, and what is done with batches of games.
#[derive(Debug)]
pub(crate) struct Requested {
    task: tasks::Measure,
    batches: BatchWork,
}

/// What is requested of these inputs.
fn requested(
    args: &Measure,
    vocabularies: &Arc<Vocabularies>,
    inputs: &[Input],
) -> Result<Requested> {
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
        repeats_of_one_in: repeats_of_one_in(inputs),
    };
    let studied = task.studied();
    let batches = BatchWork { compressions, studied, codes: args.codes, order };
    Ok(Requested { task, batches })
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
fn publish(done: &mut Done<Parts>, directory: &Path, mut files: FileSet) -> Result<()> {
    let parts = done.sink();
    let own = [
        ("options", done.plan.identity.words.clone()),
        ("measured_on", today()),
        ("measured_games", parts.tally.games().to_string()),
        ("measured_plies", parts.tally.plies().to_string()),
    ];
    let own = own.map(|(key, value)| (key.to_string(), value));
    let (entry, written, rows) = (done.entry(), files.take_written(), done.rows(&own));
    done.publish_with(&own, written, |others| {
        if let Some(entry) = entry {
            let mut table = CsvSink::begin(files.open(LEDGER)?, &LEDGER_SCHEMA.header())?;
            ledger::write(&mut table, &[entry])?;
            files.add(table.into_sink()?)?;
        }
        summary::write(&mut files, rows)?;
        let seals = Seal::all(others.iter().chain(files.written()), directory);
        seals::write(&mut files, &seals)?;
        Ok(files.into_written(tables::summary::SCHEMA.file))
    })
}

/// Is a split measured? It can be neither compressed nor coded: batches of games would depend on the splits.
fn reads_split(inputs: &[Input], batches: &BatchWork) -> Result<bool> {
    let is_split = is_split(inputs);
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

/// The names of the tables that a measurement writes. The summary and the seals are last, since they get their names
/// last.
fn names(args: &Measure, inputs: &[Input], requested: &Requested) -> Result<Vec<String>> {
    let Requested { task, batches } = requested;
    let ledger = reads_split(inputs, batches)?.then_some(LEDGER);
    let studied = study::tables(study::Requested::of(args, task.products));
    let names = studied.chain(ledger).chain(tables(task, batches));
    Ok(names.map(str::to_string).collect())
}

/// Those without the tables of `--entropy`, `--compress` and `--codes`, and without those that are computed from
/// others.
fn tables<'t>(
    task: &'t tasks::Measure,
    batches: &'t BatchWork,
) -> impl Iterator<Item = &'static str> + 't {
    let spread = !task.clusters.is_empty();
    let has_few_groups = task.keys.iter().any(Dimension::has_clusters);
    let is_written = move |schema: &&tables::Schema| match schema.written {
        WrittenBy::BySource => task.keys.has(Dimension::Source),
        WrittenBy::Cluster => spread,
        WrittenBy::ClusterBy => {
            spread && task.keys.iter().any(|key| key.se_schema().file == schema.file)
        }
        WrittenBy::ClusterEvents => task.clusters.has_events() && has_few_groups,
        WrittenBy::By => task.keys.iter().any(|key| key.file() == schema.file),
        WrittenBy::Errors => task.errors.is_some(),
        WrittenBy::Writing => task.writing,
        WrittenBy::Tokens => !task.vocabularies.is_empty(),
        WrittenBy::Orders => batches.order.is_some(),
        _ => true,
    };
    let files = added().filter(is_written).map(|schema| schema.file);
    let files = files.chain(task.products.iter().map(Product::file));
    let games = task.per_game.then_some(GAMES);
    files.chain(games).chain([SUMMARY, SEALS])
}

/// Every file that a measurement can write into a directory.
fn all_tables(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let others = [GAMES, LEDGER, SUMMARY, SEALS];
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
fn words(args: &Measure, task: &tasks::Measure, batches: &BatchWork) -> Vec<String> {
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
    options
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
