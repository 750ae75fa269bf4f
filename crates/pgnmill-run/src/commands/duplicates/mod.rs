//! `duplicates`: a run that finds duplicate games in archives, and writes a table of them and the archive without them.
//!
//! In: archives that can be read several times. Out: `groups.csv`, `summary.csv`, with `--keep` `kept.pgn`, with
//! `--removed` `duplicates.pgn`. Invariants: each game that is read is kept, a duplicate, or rejected; nothing has its
//! name before the run has succeeded; the files do not depend on the number of threads. Cost: that of
//! [`pgnmill_core::tasks::duplicates`].

pub(crate) mod args;
mod readings;
pub(crate) mod values;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::engine::{self, Rejects, Task};
use pgnmill_core::replay::Counts;
use pgnmill_core::tables;
use pgnmill_core::tasks::convert::Output;
use pgnmill_core::tasks::duplicates::{
    ClassMember, Classes, Criteria, ExactCounts, GameKey, GroupRow, Keep, Keys, Links, Members,
    Same, Scan, candidates,
};
use pgnmill_core::tasks::select::CopyGames;
use pgnmill_core::tasks::sorter::{Sorted, Sorter, Spill};
use pgnmill_io::archive::BLOCK_BYTES;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, NewDirectories, Reservation, Sink};

use crate::args::defaults::defaults;
use crate::args::output_path;
use crate::args::values::{exclusive, level_of, needs};
use crate::commands::duplicates::args::Duplicates;
use crate::commands::duplicates::readings::{
    CandidateMoves, FirstReading, InputVersions, Inventory, LastReading, LaterReading, LaterSink,
    MemberCounts,
};
use crate::commands::duplicates::values::{KeepName, PLIES_MIN, SameName};
use crate::host::{Completion, Host};
use crate::journal::Continued;
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::report::progress::Progress;
use crate::report::summary;
use crate::run::task::{Work, extent_of};
use crate::text::numbers::{count, grouped};
use crate::text::shell::option;

/// Frames that decode to more than this are read in order: the keys of very short games are longer than the games.
const FRAME_TEXT_BYTES_MAX: u64 = 4 << 20;

/// Every file that a run can write into its directory.
const FILES: [&str; 6] = [
    "kept.pgn",
    "kept.pgn.zst",
    "duplicates.pgn",
    "duplicates.pgn.zst",
    tables::duplicates::SCHEMA.file,
    tables::summary::SCHEMA.file,
];

/// What was found.
#[derive(Debug)]
struct Findings {
    rows: Sorted<GroupRow>,
    groups_count: u64,
    counts: MemberCounts,
    archives: Vec<Sink>,
}

/// A run: what all readings have in common.
#[derive(Debug)]
struct Readings<'a> {
    args: &'a Duplicates,
    host: &'a Arc<dyn Host>,
    keys: Keys,
    spill: Spill,
    versions: InputVersions,
}

impl Duplicates {
    /// Archives, and the directory of the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Duplicates {
        let mut request: Duplicates = defaults();
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
        duplicates(&self, host)
    }
}

fn duplicates(args: &Duplicates, host: &Arc<dyn Host>) -> Result<Completion> {
    check_options(args)?;
    let common = &args.common;
    output_path::check("duplicates", &args.output, output_path::Written::Directory)?;
    let keys = Keys::new(options(args));
    let work = first_work(args, Scan { keys: keys.clone(), moves: false })?;
    let versions = InputVersions::of(&work.inputs)?;
    // Removed if the run fails, after its contents.
    let directory = NewDirectories::create(&args.output)?;
    let outputs = outputs(args)?;
    distinct(common, &outputs, &work.inputs, host)?;
    if dry_run::is_shown(common, &work.inputs, &outputs, "", &**host)? {
        return Ok(Completion::of(true));
    }
    let mut reserved = VecDeque::from(Reservation::all(&outputs, common.overwrite)?);
    let name = tables::duplicates::SCHEMA.file.to_string();
    let spill = Spill { directory: args.output.clone(), name, bytes_max: args.sort_bytes };
    let first = FirstReading { keys: Sorter::new(&spill), inventory: Inventory::default() };
    let mut done = work.run("duplicates", |_| Ok(first), Continued::default(), host)?;
    let run = Readings { args, host, keys, spill, versions };
    let inventory = std::mem::take(&mut done.outlets.parts.inventory);
    let keys = std::mem::replace(&mut done.outlets.parts.keys, Sorter::new(&run.spill));
    let (members, by_rule) = run.members(keys, &inventory)?;
    if common.prints_summary() {
        by_rule.print(args, &**host);
    }
    let mut archives = Vec::new();
    for _ in 2..outputs.len() {
        let reservation = reserved.pop_front().ok_or_else(missing)?;
        archives.push(Output::open(reservation, level_of(args.level)?)?);
    }
    let found = run.read_last(members, inventory, archives)?;
    let mut sinks = found.archives;
    let mut groups = table(&mut reserved, &tables::duplicates::SCHEMA)?;
    for row in found.rows {
        groups.row(&row?.fields)?;
    }
    sinks.push(groups.into_sink()?);
    let counts = &done.outlets.totals.counted.counts;
    let ledger = GameLedger::new(counts, found.counts, found.groups_count, by_rule);
    done.facts.push(("options".to_string(), command(args)));
    done.facts.extend(ledger.rows());
    let mut facts = table(&mut reserved, &tables::summary::SCHEMA)?;
    summary::fill(&mut facts, done.rows())?;
    sinks.push(facts.into_sink()?);
    done.publish(sinks)?;
    directory.keep();
    if common.prints_summary() {
        ledger.print(&**host);
    }
    if !common.quiet {
        warn_of_others(args, &ledger, &**host);
    }
    Ok(done.completion())
}

/// Refuses what does not go together.
fn check_options(args: &Duplicates) -> Result<()> {
    level_of(args.level)?;
    exclusive(&[
        ("--keep-rejects", args.keep_rejects),
        ("--rejects", args.common.rejects.is_some()),
    ])?;
    let given =
        [("--removed", args.removed), ("--zst", args.zst), ("--keep-rejects", args.keep_rejects)];
    needs(("--keep", args.keep.is_some()), &given)?;
    needs(("--zst", args.zst), &[("--level", args.level.is_some())])?;
    let common = &args.common;
    common.refuse_splits("duplicates")?;
    for (option, is_given) in [("--keep-going", common.keep_going), ("--resume", common.resume)] {
        if is_given {
            return Err(Error::usage(format!(
                "duplicates reads the inputs several times: it has no {option}"
            )));
        }
    }
    Ok(())
}

/// The next reserved output, as a table.
fn table(reserved: &mut VecDeque<Reservation>, schema: &tables::Schema) -> Result<CsvSink> {
    let reservation = reserved.pop_front().ok_or_else(missing)?;
    CsvSink::begin(reservation.open()?, &schema.header())
}

fn missing() -> Error {
    Error::usage("an output was not reserved")
}

/// Warns of games that are not in the archive and perhaps should be.
fn warn_of_others(args: &Duplicates, ledger: &GameLedger, host: &dyn Host) {
    let GameLedger { rejected, by_rule, .. } = *ledger;
    if by_rule.exact.other_players > 0 {
        host.warn(format_args!(
            "{} other players than the first game with their moves; without --same moves such games are kept",
            count(by_rule.exact.other_players, "exact duplicate has", "exact duplicates have")
        ));
    }
    let is_kept = args.keep_rejects || args.common.rejects.is_some();
    if rejected > 0 && args.keep.is_some() && !is_kept {
        host.warn(format_args!(
            "{} not in the archive; --rejects FILE or --keep-rejects keeps their text",
            count(rejected, "rejected game is", "rejected games are")
        ));
    }
}

/// Which games are duplicates.
fn options(args: &Duplicates) -> Criteria {
    let same = match args.same {
        SameName::Moves => Same::Moves,
        SameName::MovesAndPlayers => Same::MovesAndPlayers,
    };
    Criteria { same, plies_min: args.min_plies, near_plies: args.near.0 }
}

/// The options that affect the groups, as words of a shell.
fn command(args: &Duplicates) -> String {
    let mut options = Vec::new();
    let is_longest = args.keep == Some(KeepName::Longest);
    options.extend(is_longest.then(|| option("--keep", "longest")));
    let by_moves = args.same == SameName::Moves;
    options.extend(by_moves.then(|| option("--same", "moves")));
    let plies = args.min_plies;
    options.extend((plies != PLIES_MIN).then(|| option("--min-plies", plies)));
    match args.near.0 {
        None => options.push(option("--near", "no")),
        Some(PLIES_MIN) => {}
        Some(plies) => options.push(option("--near", plies)),
    }
    options.extend(args.common.options_of_games());
    options.join(" ")
}

/// The files that the run writes: the archives, then the two tables.
fn outputs(args: &Duplicates) -> Result<Vec<PathBuf>> {
    let ending = if args.zst { ".pgn.zst" } else { ".pgn" };
    let mut names = Vec::new();
    names.extend(args.keep.map(|_| format!("kept{ending}")));
    names.extend(args.removed.then(|| format!("duplicates{ending}")));
    names.extend(FILES[4..].iter().map(ToString::to_string));
    // An archive of another run would be taken for one of this run.
    for other in FILES.iter().filter(|file| !names.iter().any(|name| name == *file)) {
        let path = args.output.join(other);
        if path.exists() {
            return Err(Error::usage(format!(
                "{} is of another run; remove it or name another directory",
                path.shown()
            )));
        }
    }
    Ok(names.into_iter().map(|name| args.output.join(name)).collect())
}

/// The first reading: with the tables and files of all commands.
fn first_work(args: &Duplicates, scan: Scan) -> Result<Work<'_, Scan>> {
    let mut work = Work::new(&args.common, scan, BLOCK_BYTES, false)?;
    let options = &mut work.settings.options;
    options.frame_text_bytes_max = options.frame_text_bytes_max.min(FRAME_TEXT_BYTES_MAX);
    Ok(work)
}

impl Readings<'_> {
    /// The members of all groups. Reads the archives again if there can be near duplicates.
    ///
    /// Also returns how many games each rule would remove.
    fn members(&self, keys: Sorter<GameKey>, inventory: &Inventory) -> Result<(Members, ByRule)> {
        let Classes { mut members, near, joined, counts, .. } =
            Classes::of(keys.finish()?, &self.spill)?;
        let candidates = candidates(near.finish()?, &joined, &self.spill)?;
        let mut candidates = candidates.finish()?.peekable();
        let mut links = Links::default();
        if candidates.peek().is_some() {
            let lines = Sorter::new(&self.spill);
            let parts = CandidateMoves { candidates, lines };
            let scan = Scan { keys: self.keys.clone(), moves: true };
            let CandidateMoves { lines, .. } = self.read_again(scan, parts, inventory)?;
            let keep = match self.args.keep {
                Some(KeepName::Longest) => Keep::Longest,
                Some(KeepName::First) | None => Keep::First,
            };
            links = Links::of(lines.finish()?, self.args.near.0.unwrap_or(1), keep)?;
        }
        for &id in links.nodes() {
            members.push(ClassMember { id, leader: id })?;
        }
        let by_rule = ByRule { exact: counts, near: links.removed_count() };
        Ok((Members::new(members.finish()?, joined, links), by_rule))
    }

    /// The last reading: of the members, and of all games if archives are written.
    fn read_last(
        &self,
        members: Members,
        inventory: Inventory,
        archives: Vec<Output>,
    ) -> Result<Findings> {
        let text = self.args.keep.is_some();
        let copy = CopyGames { moves: true, text, ..CopyGames::default() };
        let mut archives = archives.into_iter();
        let (kept, removed) = (archives.next(), archives.next());
        let rows = Sorter::new(&self.spill);
        let (expected, counts) = (inventory.clone(), MemberCounts::default());
        let parts = LastReading { members, rows, kept, removed, inventory, counts };
        let LastReading { members, rows, kept, removed, counts, .. } =
            self.read_again(copy, parts, &expected)?;
        let archives = [kept, removed].into_iter().flatten().map(Output::into_sink).collect();
        let groups_count = members.groups_count();
        Ok(Findings { rows: rows.finish()?, groups_count, counts, archives })
    }

    /// Reads the archives again.
    fn read_again<T, S>(&self, task: T, parts: S, expected: &Inventory) -> Result<S>
    where
        T: Task,
        S: LaterSink<Part = T::Part>,
    {
        let common = &self.args.common;
        let mut work = Work::new(common, task, BLOCK_BYTES, self.args.keep_rejects)?;
        let settings = &mut work.settings;
        // The tables and the rejected games were written by the first reading.
        (settings.faults, settings.notes) = (false, false);
        if settings.rejects == Rejects::Apart {
            settings.rejects = Rejects::Dropped;
        }
        settings.options.frame_text_bytes_max = FRAME_TEXT_BYTES_MAX;
        settings.options.map = self.host.maps_files();
        self.versions.check(&work.inputs)?;
        let progress =
            Progress::new(common.progress(), common.verbose, extent_of(&work.inputs), self.host);
        let mut reading = LaterReading::new(parts, progress, expected);
        let stop = self.host.stop();
        let ran = engine::run(&work.task, &work.settings, &work.inputs, &mut reading, stop);
        reading.progress.finish();
        ran?;
        self.versions.check(&work.inputs)?;
        Ok(reading.parts)
    }
}

/// How many games each rule would remove.
#[derive(Clone, Copy, Debug)]
struct ByRule {
    exact: ExactCounts,
    near: u64,
}

impl ByRule {
    /// Before anything is written.
    fn print(&self, args: &Duplicates, host: &dyn Host) {
        let ExactCounts { removed, by_moves, other_players } = self.exact;
        let plies = count(args.min_plies as u64, "ply", "plies");
        let mut text = match args.same {
            SameName::MovesAndPlayers => format!(
                "moves and players: {}; by moves alone, from {plies}: {} (--same moves)\n",
                count(removed, "duplicate", "duplicates"),
                grouped(by_moves)
            ),
            SameName::Moves => format!(
                "moves alone, from {plies}: {}, {} of them of other players\n",
                count(removed, "duplicate", "duplicates"),
                grouped(other_players)
            ),
        };
        if let Some(plies) = args.near.0 {
            let plies = count(plies as u64, "ply", "plies");
            text +=
                &format!("near, from {plies}: {}\n", count(self.near, "duplicate", "duplicates"));
        }
        host.print(&text);
    }
}

/// Where every game is.
#[derive(Clone, Copy, Debug)]
struct GameLedger {
    kept: u64,
    rejected: u64,
    not_selected: u64,
    groups: u64,
    by_rule: ByRule,
    counts: MemberCounts,
}

impl GameLedger {
    fn new(read: &Counts, counts: MemberCounts, groups: u64, by_rule: ByRule) -> GameLedger {
        let kept = read.accepted + read.repaired - counts.exact - counts.near;
        let (rejected, not_selected) = (read.rejected, read.not_selected);
        GameLedger { kept, rejected, not_selected, groups, by_rule, counts }
    }

    fn duplicates(&self) -> u64 {
        self.counts.exact + self.counts.near
    }

    /// The rows of the summary.
    fn rows(&self) -> impl Iterator<Item = (String, String)> {
        let rows = [
            ("kept", self.kept),
            ("duplicates", self.duplicates()),
            ("exact_duplicates", self.counts.exact),
            ("exact_of_other_players", self.by_rule.exact.other_players),
            ("by_moves_alone", self.by_rule.exact.by_moves),
            ("near_duplicates", self.counts.near),
            ("duplicate_groups", self.groups),
        ];
        rows.into_iter().map(|(key, number)| (key.to_string(), number.to_string()))
    }

    fn print(&self, host: &dyn Host) {
        let not_selected = match self.not_selected {
            0 => String::new(),
            number => format!(" + {} not selected", grouped(number)),
        };
        let games = self.kept + self.duplicates() + self.rejected + self.not_selected;
        let text = format!(
            "{} kept + {} + {} rejected{not_selected} = {} read\n{}: {} exact + {} near duplicates\n",
            count(self.kept, "game", "games"),
            count(self.duplicates(), "duplicate", "duplicates"),
            grouped(self.rejected),
            count(games, "game", "games"),
            count(self.groups, "group", "groups"),
            grouped(self.counts.exact),
            grouped(self.counts.near),
        );
        host.print(&text);
    }
}
