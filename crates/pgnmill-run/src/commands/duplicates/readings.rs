//! The readings of `duplicates`: the same archives two or three times, each time with the same games.
//!
//! In: the results of each reading, in order. Out: the keys of games; the moves of candidates; the rows of the table
//! and the archives. Invariant: an archive that differs from reading to reading ends the run, by name. Cost: that of
//! [`pgnmill_core::tasks::duplicates`].

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, Counted, Facts, JobResult};
use pgnmill_core::pgn::Tag;
use pgnmill_core::tasks::convert::Output;
use pgnmill_core::tasks::duplicates::{
    Candidate, CandidateLine, GameKey, GroupRow, Member, MemberKind, Members, Scanned,
};
use pgnmill_core::tasks::select::Copied;
use pgnmill_core::tasks::sorter::{Sorted, Sorter, Spill};
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Reservation;

use crate::plan::Plan;
use crate::run::PartSink;

/// A file that is read several times.
#[derive(PartialEq, Eq, Debug)]
struct InputVersion {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// The files that are read several times, as they were before the first reading.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct InputVersions(Vec<InputVersion>);

impl InputVersions {
    /// The files of these inputs.
    ///
    /// # Errors
    /// An input that can be read once only.
    pub(super) fn of(inputs: &[Input]) -> Result<InputVersions> {
        let once = |name: &str| {
            Error::usage(format!("{name} is no file; duplicates are found by reading it again"))
        };
        let version = |input: &Input| {
            let path = match input {
                Input::Path(path) => Some(path.as_path()),
                Input::Named(source) => source.file(),
                Input::Stdin => None,
            };
            let path = path.ok_or_else(|| once(&input.name()))?;
            let metadata = fs::metadata(path).map_err(|error| Error::io("open", path, error))?;
            if !metadata.is_file() {
                return Err(once(&path.shown().to_string()));
            }
            let (length, modified) = (metadata.len(), metadata.modified().ok());
            Ok(InputVersion { path: path.to_path_buf(), length, modified })
        };
        Ok(InputVersions(inputs.iter().map(version).collect::<Result<_>>()?))
    }

    /// Returns an error if one of them has changed.
    pub(super) fn check(&self, inputs: &[Input]) -> Result<()> {
        let now = InputVersions::of(inputs)?;
        let mut pairs = self.0.iter().zip(&now.0);
        pairs
            .find(|(before, now)| before != now)
            .map_or(Ok(()), |(file, _)| Err(changed(&file.path)))
    }
}

fn changed(path: &Path) -> Error {
    Error::io("read again", path, io::Error::other("it was changed during this run"))
}

/// What a reading found in an archive: the same each time.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ArchiveRead {
    name: String,
    /// The games of the archives before it.
    first: u64,
    counted: Counted,
}

/// What the first reading found.
#[derive(Clone, Debug, Default)]
pub(super) struct Inventory {
    archives: Vec<ArchiveRead>,
    /// The number after that of the last game.
    end: u64,
    /// At a later reading: what the first one found.
    expected: Option<Arc<[ArchiveRead]>>,
}

impl Inventory {
    /// What a later reading must find again.
    pub(super) fn again(&self) -> Inventory {
        let expected = Some(self.archives.clone().into());
        Inventory { archives: Vec::new(), end: 0, expected }
    }

    fn begin(&mut self, archive: &Archive) {
        // An archive begins where it did at the first reading: games that are not selected are between.
        let expected = self.expected.as_ref();
        let first = match expected.map(|expected| expected.get(self.archives.len())) {
            Some(archive) => archive.map_or(0, |archive| archive.first),
            None => self.end,
        };
        let name = archive.name().to_string();
        self.archives.push(ArchiveRead { name, first, counted: Counted::default() });
    }

    /// The current archive is at its end.
    ///
    /// # Errors
    /// If it is not what the first reading found.
    fn check(&self) -> Result<()> {
        let (Some(expected), Some(read)) = (&self.expected, self.archives.last()) else {
            return Ok(());
        };
        match expected.get(self.archives.len() - 1) == Some(read) {
            true => Ok(()),
            false => Err(changed(Path::new(&read.name))),
        }
    }

    fn add(&mut self, counted: &Counted) {
        if let Some(archive) = self.archives.last_mut() {
            archive.counted.merge(counted);
        }
    }

    /// The number of a game of the last archive.
    fn id(&self, base: Base, number: u64) -> u64 {
        self.archives.last().map_or(0, |archive| archive.first) + base.games + number
    }

    /// The archive of a game, and its number in the archive, from 1.
    fn place(&self, id: u64) -> (&str, u64) {
        let archives = self.expected.as_deref().unwrap_or(&self.archives);
        let after = archives.partition_point(|archive| archive.first <= id);
        let archive = after.checked_sub(1).and_then(|at| archives.get(at));
        archive.map_or(("", 0), |archive| (archive.name.as_str(), id - archive.first + 1))
    }
}

/// The first reading.
#[derive(Debug)]
pub(super) struct FirstReading {
    pub(super) keys: Sorter<GameKey>,
    pub(super) inventory: Inventory,
    /// The outputs, which later readings fill.
    pub(super) reserved: VecDeque<Reservation>,
}

impl FirstReading {
    /// Reserves the outputs.
    pub(super) fn begin(plan: &Plan, spill: &Spill) -> Result<FirstReading> {
        let reserved = Reservation::all(&plan.outputs.paths, plan.files.overwrite)?.into();
        let (keys, inventory) = (Sorter::new(spill), Inventory::default());
        Ok(FirstReading { keys, inventory, reserved })
    }

    /// What it has found; nothing is left.
    pub(super) fn take(&mut self, spill: &Spill) -> FirstReading {
        let (keys, inventory) = (Sorter::new(spill), Inventory::default());
        std::mem::replace(self, FirstReading { keys, inventory, reserved: VecDeque::new() })
    }
}

impl PartSink for FirstReading {
    type Part = Scanned;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.inventory.begin(archive);
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Scanned>,
        _: &Pool,
    ) -> Result<()> {
        self.inventory.add(&result.facts.counted);
        for game in &result.part.games {
            let id = self.inventory.id(base, game.number);
            self.keys.push(GameKey { id, ..game.keys })?;
        }
        let end = self.inventory.id(base, result.part.end);
        self.inventory.end = self.inventory.end.max(end);
        Ok(())
    }
}

/// The second reading: the moves of candidates.
#[derive(Debug)]
pub(super) struct CandidateMoves {
    pub(super) candidates: Peekable<Sorted<Candidate>>,
    pub(super) lines: Sorter<CandidateLine>,
    pub(super) inventory: Inventory,
}

impl PartSink for CandidateMoves {
    type Part = Scanned;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.inventory.begin(archive);
        Ok(())
    }

    fn end(&mut self, _: &Pool) -> Result<()> {
        self.inventory.check()
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Scanned>,
        _: &Pool,
    ) -> Result<()> {
        self.inventory.add(&result.facts.counted);
        let first = self.inventory.id(base, 0);
        let mut start = 0;
        for game in &result.part.games {
            let id = first + game.number;
            let is_it = |next: &Result<Candidate>| !matches!(next, Ok(next) if next.node != id);
            while let Some(candidate) = self.candidates.next_if(is_it) {
                let Candidate { node, group } = candidate?;
                let moves = result.part.lines[start..game.line_end].to_vec();
                self.lines.push(CandidateLine { group, moves, node })?;
            }
            start = game.line_end;
        }
        Ok(())
    }
}

/// Counts of the members of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MemberCounts {
    pub(super) exact: u64,
    pub(super) near: u64,
}

/// The values of a game in the table of groups.
const TAGS_OF_ROW: [Tag; 4] = [Tag::White, Tag::Black, Tag::Date, Tag::Result];

/// The last reading: the rows of the table, and the archives.
#[derive(Debug)]
pub(super) struct LastReading {
    pub(super) members: Members,
    pub(super) rows: Sorter<GroupRow>,
    pub(super) kept: Option<Output>,
    pub(super) removed: Option<Output>,
    pub(super) inventory: Inventory,
    pub(super) counts: MemberCounts,
}

impl LastReading {
    fn add_row(
        &mut self,
        member: Member,
        offset: u64,
        plies: u32,
        tags: [String; 4],
    ) -> Result<()> {
        let Member { id, group, kind, of } = member;
        match kind {
            MemberKind::Kept => {}
            MemberKind::Exact => self.counts.exact += 1,
            MemberKind::Near => self.counts.near += 1,
        }
        let (archive, game) = self.inventory.place(id);
        let mut fields = vec![
            group.to_string(),
            kind.name().to_string(),
            archive.to_string(),
            game.to_string(),
            offset.to_string(),
            plies.to_string(),
        ];
        fields.extend(tags);
        fields.extend(match kind {
            MemberKind::Kept => [String::new(), String::new()],
            MemberKind::Exact | MemberKind::Near => {
                let (archive, game) = self.inventory.place(of);
                [archive.to_string(), game.to_string()]
            }
        });
        self.rows.push(GroupRow { group, id, fields })
    }
}

impl PartSink for LastReading {
    type Part = Copied;

    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.inventory.begin(archive);
        self.kept.iter_mut().chain(&mut self.removed).for_each(Output::archive_begins);
        Ok(())
    }

    fn end(&mut self, _: &Pool) -> Result<()> {
        self.inventory.check()
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        pool: &Pool,
    ) -> Result<()> {
        self.inventory.add(&result.facts.counted);
        let first = self.inventory.id(base, 0);
        let copied = std::mem::take(&mut result.part);
        let mut is_duplicate = vec![false; copied.pieces.len()];
        for (piece, is_duplicate) in copied.pieces.iter().zip(&mut is_duplicate) {
            let Some(game) = &piece.game else { continue };
            let Some(member) = self.members.take(first + game.place.number)? else { continue };
            *is_duplicate = member.kind != MemberKind::Kept;
            let offset = base.offset + game.place.offset;
            self.add_row(member, offset, game.plies, copied.tags(piece, TAGS_OF_ROW))?;
        }
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let (one, other) = copied.divide(&is_duplicate);
        let damaged_bytes = result.facts.counted.damaged_bytes;
        let counted = Counted { damaged_bytes, ..Counted::default() };
        let facts = || Facts { counted: counted.clone(), ..Facts::default() };
        let result = |part| JobResult { facts: facts(), part };
        kept.add(base, &mut result(one), pool)?;
        match &mut self.removed {
            Some(removed) => removed.add(base, &mut result(other), pool),
            None => Ok(()),
        }
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        self.kept.iter_mut().chain(&mut self.removed).try_for_each(|output| output.finish(pool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_core::replay::Counts;

    #[test]
    fn a_file_that_changes_between_readings_is_named() {
        let path = std::env::temp_dir().join(format!("pgnmill-versions-{}", std::process::id()));
        fs::write(&path, "1. e4 *").unwrap();
        let inputs = [Input::Path(path.clone())];
        let versions = InputVersions::of(&inputs).unwrap();
        versions.check(&inputs).unwrap();
        fs::write(&path, "1. e4 e5 *").unwrap();
        let error = versions.check(&inputs).unwrap_err().to_string();
        assert!(error.contains("pgnmill-versions") && error.contains("was changed"), "{error}");
        fs::remove_file(&path).unwrap();
        let error = versions.check(&inputs).unwrap_err().to_string();
        assert!(error.contains("pgnmill-versions"), "{error}");
    }

    /// The games of an archive at two readings, of which the second one differs.
    #[test]
    fn an_archive_with_other_games_is_named() {
        let archive =
            || Archive::from_reader("a.pgn", &b"*"[..], &pgnmill_io::archive::Options::default());
        let counted = |games| {
            let counts = Counts { accepted: games, ..Counts::default() };
            Counted { counts, text_bytes: 1, ..Counted::default() }
        };
        let mut first = Inventory::default();
        first.begin(&archive().unwrap());
        first.add(&counted(2));
        first.check().unwrap();
        for games in [2, 3] {
            let mut again = first.again();
            again.begin(&archive().unwrap());
            again.add(&counted(games));
            let ended = again.check().map_err(|error| error.to_string());
            let words = "cannot read again a.pgn: it was changed during this run".to_string();
            assert_eq!(ended, if games == 2 { Ok(()) } else { Err(words) });
        }
    }

    #[test]
    fn games_are_numbered_across_archives() {
        let read = |name: &str, first| ArchiveRead {
            name: name.to_string(),
            first,
            counted: Counted::default(),
        };
        // The second archive has no game.
        let archives = vec![read("a", 0), read("b", 5), read("c", 5)];
        let inventory = Inventory { archives, end: 9, expected: None };
        assert_eq!(
            [0, 4, 5, 8].map(|id| inventory.place(id)),
            [("a", 1), ("a", 5), ("c", 1), ("c", 4)]
        );
    }
}
