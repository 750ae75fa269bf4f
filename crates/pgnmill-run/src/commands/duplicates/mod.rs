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

use pgnmill_core::engine::{Rejects, Task};
use pgnmill_core::replay::Counts;
use pgnmill_core::tables;
use pgnmill_core::tasks::convert::Output;
use pgnmill_core::tasks::duplicates::{
    ClassMember, Classes, Criteria, ExactCounts, GameKey, GroupRow, Keep, Keys, Links, Members,
    Same, Scan, candidates,
};
use pgnmill_core::tasks::select::CopyGames;
use pgnmill_core::tasks::sorter::{Sorted, Sorter, Spill};
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, Reservation, Sink};

use crate::args::capabilities::Capabilities;
use crate::args::options::defaults;
use crate::args::output_path::{self, Written};
use crate::args::values::{exclusive, level_of, needs};
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request};
use crate::report::summary;
use crate::run::{Executed, PartSink, execute, read_again};
use crate::text::numbers::{count, grouped};
use crate::text::shell::option;

use args::Duplicates;
use readings::{CandidateMoves, FirstReading, InputVersions, Inventory, LastReading, MemberCounts};
use values::{KeepName, PLIES_MIN, SameName};

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
    plan: &'a Plan,
    host: &'a Arc<dyn Host>,
    keys: Keys,
    spill: Spill,
    versions: InputVersions,
}

impl Duplicates {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("A table of the duplicates", "pgnmill duplicates -o found/ january.pgn february.pgn"),
        (
            "Also an archive without them",
            "pgnmill duplicates --keep longest --removed -o unique/ january.pgn february.pgn",
        ),
    ];

    /// Archives, and the directory of the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Duplicates {
        let mut request: Duplicates = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }
}

impl Request for Duplicates {
    const NAME: &'static str = "duplicates";
    type Task = Keys;

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            format: self.summary.format,
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn check(&self) -> Result<()> {
        level_of(self.level)?;
        let keep_rejects = ("--keep-rejects", self.keep_rejects);
        exclusive(&[keep_rejects, ("--rejects", self.files.rejects.is_some())])?;
        let given = [("--removed", self.removed), ("--zst", self.zst), keep_rejects];
        needs(("--keep", self.keep.is_some()), &given)?;
        needs(("--zst", self.zst), &[("--level", self.level.is_some())])
    }

    fn purpose(&self, inputs: &[Input], _: &dyn Host) -> Result<(Purpose, Keys)> {
        output_path::check("duplicates", &self.output, Written::Directory)?;
        InputVersions::of(inputs)?;
        let purpose = Purpose {
            place: Place::Tables { directory: self.output.clone(), names: self.names()? },
            level: self.level,
            frame_text_bytes_max: FRAME_TEXT_BYTES_MAX,
            words: self.words(),
            ..Purpose::default()
        };
        Ok((purpose, Keys::new(self.criteria())))
    }

    fn execute(self, plan: Plan, keys: Keys, host: &Arc<dyn Host>) -> Result<Completion> {
        let name = tables::duplicates::SCHEMA.file.to_string();
        let spill = Spill { directory: self.output.clone(), name, bytes_max: self.sort_bytes };
        let versions = InputVersions::of(&plan.inputs.all)?;
        let first = |plan: &Plan, _: Option<Resumed<'_, '_>>| FirstReading::begin(plan, &spill);
        let scan = Scan { keys: keys.clone(), moves: false };
        let mut done = match execute(plan, &scan, first, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        let FirstReading { keys: found, inventory, mut reserved } = done.sink_mut().take(&spill);
        let run = Readings { args: &self, plan: &done.plan, host, keys, spill, versions };
        let (members, by_rule) = run.members(found, &inventory)?;
        if done.plan.prints_summary() {
            by_rule.print(&self, &**host);
        }
        let mut archives = Vec::new();
        for _ in 2..done.plan.outputs.paths.len() {
            let reservation = reserved.pop_front().ok_or_else(missing)?;
            archives.push(Output::open(reservation, done.plan.outputs.level)?);
        }
        let found = run.read_last(members, &inventory, archives)?;
        let mut sinks = found.archives;
        let mut groups = table(&mut reserved, &tables::duplicates::SCHEMA)?;
        for row in found.rows {
            groups.row(&row?.fields)?;
        }
        sinks.push(groups.into_sink()?);
        let counts = &done.counted().counts;
        let ledger = GameLedger::new(counts, found.counts, found.groups_count, by_rule);
        let words = ("options".to_string(), done.plan.identity.words.clone());
        let own: Vec<_> = [words].into_iter().chain(ledger.rows()).collect();
        let mut facts = table(&mut reserved, &tables::summary::SCHEMA)?;
        summary::fill(&mut facts, done.rows(&own))?;
        sinks.push(facts.into_sink()?);
        done.publish_with(&own, sinks, |_| Ok(Vec::new()))?;
        if done.plan.prints_summary() {
            ledger.print(&**host);
        }
        if !self.messages.quiet {
            warn_of_others(&self, &ledger, &**host);
        }
        Ok(done.completion())
    }
}

impl Duplicates {
    /// Which games are duplicates.
    fn criteria(&self) -> Criteria {
        let same = match self.same {
            SameName::Moves => Same::Moves,
            SameName::MovesAndPlayers => Same::MovesAndPlayers,
        };
        Criteria { same, plies_min: self.min_plies, near_plies: self.near.0 }
    }

    /// The options that affect the groups, as words of a shell.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let is_longest = self.keep == Some(KeepName::Longest);
        words.extend(is_longest.then(|| option("--keep", "longest")));
        let by_moves = self.same == SameName::Moves;
        words.extend(by_moves.then(|| option("--same", "moves")));
        let plies = self.min_plies;
        words.extend((plies != PLIES_MIN).then(|| option("--min-plies", plies)));
        match self.near.0 {
            None => words.push(option("--near", "no")),
            Some(PLIES_MIN) => {}
            Some(plies) => words.push(option("--near", plies)),
        }
        words
    }

    /// The names of the files that the run writes: the archives, then the two tables.
    fn names(&self) -> Result<Vec<String>> {
        let ending = if self.zst { ".pgn.zst" } else { ".pgn" };
        let mut names = Vec::new();
        names.extend(self.keep.map(|_| format!("kept{ending}")));
        names.extend(self.removed.then(|| format!("duplicates{ending}")));
        names.extend(FILES[4..].iter().map(ToString::to_string));
        // An archive of another run would be taken for one of this run.
        for other in FILES.iter().filter(|file| !names.iter().any(|name| name == *file)) {
            let path = self.output.join(other);
            if path.exists() {
                return Err(Error::usage(format!(
                    "{} is of another run; remove it or name another directory",
                    path.shown()
                )));
            }
        }
        Ok(names)
    }
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
    let is_kept = args.keep_rejects || args.files.rejects.is_some();
    if rejected > 0 && args.keep.is_some() && !is_kept {
        host.warn(format_args!(
            "{} not in the archive; --rejects FILE or --keep-rejects keeps their text",
            count(rejected, "rejected game is", "rejected games are")
        ));
    }
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
            let parts = CandidateMoves { candidates, lines, inventory: inventory.again() };
            let scan = Scan { keys: self.keys.clone(), moves: true };
            let CandidateMoves { lines, .. } = self.read_again(&scan, parts)?;
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
        inventory: &Inventory,
        archives: Vec<Output>,
    ) -> Result<Findings> {
        let text = self.args.keep.is_some();
        let copy = CopyGames { moves: true, text, ..CopyGames::default() };
        let mut archives = archives.into_iter();
        let (kept, removed) = (archives.next(), archives.next());
        let rows = Sorter::new(&self.spill);
        let (inventory, counts) = (inventory.again(), MemberCounts::default());
        let parts = LastReading { members, rows, kept, removed, inventory, counts };
        let LastReading { members, rows, kept, removed, counts, .. } =
            self.read_again(&copy, parts)?;
        let archives = [kept, removed].into_iter().flatten().map(Output::into_sink).collect();
        let groups_count = members.groups_count();
        Ok(Findings { rows: rows.finish()?, groups_count, counts, archives })
    }

    /// Reads the archives again. The tables and the rejected games were written by the first reading.
    fn read_again<T: Task, S: PartSink<Part = T::Part>>(&self, task: &T, parts: S) -> Result<S> {
        let rejects = if self.args.keep_rejects { Rejects::Kept } else { Rejects::Dropped };
        self.versions.check(&self.plan.inputs.all)?;
        let parts = read_again(self.plan, task, parts, rejects, self.host)?;
        self.versions.check(&self.plan.inputs.all)?;
        Ok(parts)
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
