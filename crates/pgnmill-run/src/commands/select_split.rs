//! `select --split-by` and `--games-per-file`: a file per value of a field or of several fields, or per so many games.
//!
//! In: selected games, with their keys. Out: files in a directory. Invariants: games keep their order; different values
//! have different names, and files of so many games are in the order of their names; the bytes of a file do not depend
//! on which files are open, or how often each was closed and opened again. Cost: that of copying the games; 64 MiB of
//! text that waits, 1.5 KB per file, 600 descriptors at most. A game, the end of an archive and damage cost the same
//! however many files there are.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult, Joiner, Part as _};
use pgnmill_core::tasks::convert::Rewritten;
use pgnmill_core::tasks::select::{Copied, CopyGames};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::file_name::name_of_values;
use pgnmill_io::sink::{Bounds, FileKey, ManyFiles, Sink, input_keys};

use crate::args::files::RunFiles;
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::Plan;
use crate::plan::distinct::distinct_files;
use crate::report::copied::print_ledger;
use crate::run::{Executed, PartSink, execute};
use crate::text::numbers::count;

/// The maximum number of files of `--split-by`.
pub const SPLIT_FILES_MAX: usize = 100_000;
/// The files of them that are open, at most.
const OPEN_FILES_MAX: usize = 600;
/// They are this many at least, however few files the process may have open.
const OPEN_FILES_MIN: usize = 4;
/// The descriptors that are left for inputs, other outputs, and what publishes the files.
const OTHER_DESCRIPTORS: usize = 50;
/// The text that waits for all files together, at most.
const WAITING_BYTES_MAX: usize = 64 << 20;
/// The text that waits for one file, at most.
const FILE_WAITING_BYTES_MAX: usize = 256 << 10;
/// The name of the file for games without a value.
const MISSING: &str = "missing";
/// Digits of the number of a file of so many games, so that names are in order: those of [`SPLIT_FILES_MAX`].
const NUMBER_DIGITS: usize = 6;

/// What keeps the games of one file apart.
#[derive(Debug)]
struct FileJoiner {
    joiner: Joiner,
    /// The archive of its last game, and how often archives were damaged before that game.
    archive: u64,
    damages: u64,
}

/// What decides the file of a game.
#[derive(Clone, Debug)]
enum DividedBy {
    /// Its values of these fields.
    Values(Vec<String>),
    /// How many games come before it: so many are in a file.
    Count(u64),
}

/// The files of a division, in a directory.
#[derive(Debug)]
struct SplitFiles {
    directory: PathBuf,
    divided_by: DividedBy,
    /// The inputs, which no file may replace.
    read: HashSet<FileKey>,
    /// The indexes of files, by their names without the ending.
    by_name: HashMap<String, usize>,
    files: ManyFiles,
    joiners: Vec<FileJoiner>,
    /// The text of one game.
    text: Rewritten,
    /// Archives that have ended, and jobs in which text was damaged. A file needs to know of them when its next game
    /// comes, and not before: there may be many of both.
    archives: u64,
    damages: u64,
    complete: Vec<Sink>,
    /// The games in all files together: one of two players is in two.
    copies: u64,
}

impl SplitFiles {
    /// None yet.
    fn begin(plan: &Plan, divided_by: DividedBy) -> SplitFiles {
        SplitFiles {
            directory: plan.open_directory().map(Path::to_path_buf).unwrap_or_default(),
            divided_by,
            read: plan.inputs.read.clone(),
            by_name: HashMap::new(),
            files: ManyFiles::new(plan.files.overwrite, bounds()),
            joiners: Vec::new(),
            text: Rewritten::default(),
            archives: 0,
            damages: 0,
            complete: Vec::new(),
            copies: 0,
        }
    }

    /// The index of the file with this name, which is created if it is not there.
    fn file(&mut self, name: String) -> Result<usize> {
        if let Some(&index) = self.by_name.get(&name) {
            return Ok(index);
        }
        let index = self.files.count();
        if index == SPLIT_FILES_MAX {
            return Err(self.too_many(&name));
        }
        let path = self.directory.join(format!("{name}.pgn"));
        distinct_files(&[&path], &self.read)?;
        self.files.create(&path)?;
        let (archive, damages) = (self.archives, self.damages);
        self.joiners.push(FileJoiner { joiner: Joiner::default(), archive, damages });
        self.by_name.insert(name, index);
        Ok(index)
    }

    /// Adds a game of a job to a file.
    fn add(&mut self, index: usize, games: &Copied, game: usize, base: Base) -> Result<()> {
        let SplitFiles { files, joiners, text: own, archives, damages, .. } = self;
        let FileJoiner { joiner, archive, damages: damages_before } = &mut joiners[index];
        if *archive != *archives {
            joiner.archive_begins();
        } else if *damages_before != *damages {
            joiner.breaks();
        }
        (*archive, *damages_before) = (*archives, *damages);
        own.clear();
        games.append_to(game, base.offset, own);
        let Rewritten { text, seams, game_ends } = own;
        joiner.join(0, text, seams, game_ends);
        files.add(index, text)
    }

    /// The error of a division into more files than there may be.
    fn too_many(&self, name: &str) -> Error {
        let (such, instead) = match self.divided_by {
            DividedBy::Values(_) => {
                (format!(", such as one for {name:?}"), "divide by what has fewer values")
            }
            DividedBy::Count(_) => (String::new(), "write more games to each"),
        };
        Error::usage(format!("there would be more than {SPLIT_FILES_MAX} files{such}; {instead}"))
    }

    /// The names of the files of a game without their endings.
    fn names(&self, keys: &[Vec<Option<String>>]) -> Vec<String> {
        match &self.divided_by {
            DividedBy::Values(fields) => keys.iter().map(|it| file_name(fields, it)).collect(),
            DividedBy::Count(games) => vec![format!("{:0NUMBER_DIGITS$}", self.copies / games + 1)],
        }
    }

    /// Has this run written a file of this name?
    fn has(&self, path: &Path) -> bool {
        let name = path.file_stem().and_then(OsStr::to_str);
        name.is_some_and(|name| self.by_name.contains_key(name))
    }
}

impl PartSink for SplitFiles {
    type Part = Copied;

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        _: &Pool,
    ) -> Result<()> {
        for (index, piece) in result.part.pieces.iter().enumerate() {
            let Some(game) = &piece.game else { continue };
            for name in self.names(&game.keys) {
                let file = self.file(name)?;
                self.add(file, &result.part, index, base)?;
                self.copies += 1;
            }
        }
        self.damages += u64::from(result.facts.counted.damaged_bytes > 0);
        Ok(())
    }

    fn end(&mut self, _: &Pool) -> Result<()> {
        self.archives += 1;
        Ok(())
    }

    fn close(&mut self, _: &Pool) -> Result<()> {
        self.complete = self.files.finish()?;
        Ok(())
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(std::mem::take(&mut self.complete))
    }
}

/// Why such a run has no state.
pub(super) const REFUSAL: &str = "--split-by is not continued: begin again";
/// The same of files of so many games.
pub(super) const REFUSAL_OF_COUNT: &str = "--games-per-file is not continued: begin again";

/// Writes each selected game to the files of its values, or games to files of so many.
pub(super) fn split(
    plan: Plan,
    task: &CopyGames,
    games_per_file: Option<u64>,
    host: &Arc<dyn Host>,
) -> Result<Completion> {
    let of_players = plan.selection().has_keys_of_players();
    let sink = |plan: &Plan, _: Option<Resumed<'_, '_>>| {
        let fields = || plan.selection().key_texts().map(Into::into).collect();
        let divided_by =
            games_per_file.map_or_else(|| DividedBy::Values(fields()), DividedBy::Count);
        Ok(SplitFiles::begin(plan, divided_by))
    };
    let mut done = match execute(plan, task, sink, host)? {
        Executed::Now(done) => done,
        Executed::Before(completion) => return Ok(completion),
    };
    if done.plan.files.overwrite {
        refuse_other_files(&done.plan.files, done.sink())?;
    }
    done.publish()?;
    print_ledger(done.plan.prints_summary(), &done.counted().counts, &**host);
    if of_players && !done.plan.messages.quiet {
        let copies = count(done.sink().copies, "game", "games");
        host.print(&format!("a game is in the files of both its players: {copies} in all files\n"));
    }
    Ok(done.completion())
}

/// What the files need together: most have few games, and rest after them.
fn bounds() -> Bounds {
    #[cfg(unix)]
    let most = {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok())
    };
    #[cfg(not(unix))]
    let most = None;
    let open_files = most.map_or(OPEN_FILES_MAX, |most: usize| {
        most.saturating_sub(OTHER_DESCRIPTORS).clamp(OPEN_FILES_MIN, OPEN_FILES_MAX)
    });
    Bounds {
        open_files,
        waiting_bytes: WAITING_BYTES_MAX,
        file_waiting_bytes: FILE_WAITING_BYTES_MAX,
    }
}

/// Refuses to replace some files of a directory, and to leave games of another run beside them.
fn refuse_other_files(tables: &RunFiles, files: &SplitFiles) -> Result<()> {
    let SplitFiles { directory, read, .. } = files;
    let entries =
        std::fs::read_dir(directory).map_err(|error| Error::io("read", directory, error))?;
    let is_read = |path: &Path| input_keys(path).iter().any(|key| read.contains(key));
    let is_own =
        |path: &Path| files.has(path) || tables.rejects.as_deref() == Some(path) || is_read(path);
    let other = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "pgn") && !is_own(path))
        .min();
    other.map_or(Ok(()), |path| {
        let path = path.shown();
        Err(Error::usage(format!(
            "{path} is of another run, and would stay beside the files of this one; remove it or name another directory"
        )))
    })
}

/// The name of the file for a game with these values, without its ending. A month after a year has two digits, so that
/// names are in order.
fn file_name(fields: &[String], values: &[Option<String>]) -> String {
    let months: Vec<Option<String>> = fields
        .iter()
        .zip(values)
        .map(|(field, value)| match value {
            Some(month) if field == "month" && fields.len() > 1 => Some(format!("{month:0>2}")),
            value => value.clone().filter(|value| !value.is_empty()),
        })
        .collect();
    name_of_values(MISSING, &months.iter().map(Option::as_deref).collect::<Vec<_>>())
}

/// Refuses tables whose names a file of a division could have: that would be discovered in the middle of the run.
pub(super) fn refuse_names_of_files(
    option: &str,
    files: &RunFiles,
    directory: &Path,
) -> Result<()> {
    let directory_key = input_keys(directory);
    for (_, path, _) in files.tables() {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let is_there =
            parent == directory || input_keys(parent).iter().any(|key| directory_key.contains(key));
        let is_pgn = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
        if is_there && is_pgn {
            let path = path.shown();
            return Err(Error::usage(format!(
                "{path} could be the name of a file of {option}; write it to another directory"
            )));
        }
    }
    Ok(())
}
