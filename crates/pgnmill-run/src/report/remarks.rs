//! Warnings about inputs: one is empty, contains no game, is prose, has positions, or is named twice.
//!
//! In: paths, or the counts of one archive. Out: the text of a warning, and its effect on the exit code. Invariant:
//! no input is skipped because of a warning. Cost: one system call per input.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use pgnmill_core::engine::Counted;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::{Input, RecordKind, Skipped, is_pgn_name};
use pgnmill_state::state;

use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::Digest;
use pgnmill_report::grouped;

use crate::host::Host;

/// Files named twice that are listed, at most; for the others only their number is printed.
const TWINS_MAX: usize = 5;

/// The kind of an archive that is not one of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// No text, or whitespace only.
    Empty,
    /// The same of a file of positions, or comments only.
    NoPosition,
    /// Text without a game.
    NoGame { bytes: u64 },
    /// Text in which the rules find games, not all of them rejected, but none has a tag pair, and they have no moves,
    /// or most of the text is between them. It is the same whether or not the run reads moves or selects games.
    Prose { games: u64, between_bytes: u64, bytes: u64 },
    /// Text of a run that reads no moves, in which no game has a tag pair, but some have moves; some of it belongs to
    /// none.
    Untagged { games: u64, between_bytes: u64, bytes: u64 },
}

impl Remark {
    /// The remark on an archive, if any.
    pub(crate) fn of(records: RecordKind, counted: &Counted) -> Option<Remark> {
        if records == RecordKind::Lines {
            let is_damaged = counted.counts.deviations[Deviation::FrameDamaged as usize] > 0;
            let is_empty = counted.counts.games() == 0 && !is_damaged;
            return is_empty.then_some(Remark::NoPosition);
        }
        let (counts, bytes) = (&counted.counts, counted.text_bytes);
        let met = |odd: Deviation| counts.deviations[odd as usize];
        let games = counts.games();
        let words_between = met(Deviation::BytesBetweenGames) > 0;
        if games == 0 {
            let is_damaged = met(Deviation::FrameDamaged) > 0;
            let empty = (!is_damaged).then_some(Remark::Empty);
            return if words_between { Some(Remark::NoGame { bytes }) } else { empty };
        }
        let between_bytes = counts.between_bytes;
        let untagged = met(Deviation::GameWithoutTags) + counts.untagged_not_selected;
        if untagged != games || !words_between {
            return None;
        }
        let plies = counts.plies + counts.variation_plies + counts.untagged_with_plies;
        // Of an archive with rejected games alone these are named.
        let rejected = counts.rejected + counts.untagged_with_fault;
        if rejected < games && (plies == 0 || 2 * between_bytes > bytes) {
            return Some(Remark::Prose { games, between_bytes, bytes });
        }
        (counts.unread == games).then_some(Remark::Untagged { games, between_bytes, bytes })
    }

    /// The remark on an archive that was not read to its end: how far it was read depends on the jobs, and the exit
    /// code must not.
    pub(crate) fn of_beginning(self) -> Remark {
        match self {
            Remark::Prose { games, between_bytes, bytes } => {
                Remark::Untagged { games, between_bytes, bytes }
            }
            other => other,
        }
    }

    /// Does the run end with the exit code for invalid games?
    pub(crate) fn is_fault(self) -> bool {
        !matches!(self, Remark::Empty | Remark::NoPosition | Remark::Untagged { .. })
    }
}

state!(enum Remark {
    0 => Empty,
    1 => NoGame { bytes },
    2 => Prose { games, between_bytes, bytes },
    3 => Untagged { games, between_bytes, bytes },
    4 => NoPosition,
});

/// The rest of a sentence that begins with the name of the archive.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Remark::Empty => f.write_str("is empty: it holds no game"),
            Remark::NoPosition => f.write_str("holds no position"),
            Remark::NoGame { bytes } => {
                write!(f, "holds no game: none of its {bytes} bytes belong to one")
            }
            Remark::Prose { games, between_bytes, bytes } => write!(
                f,
                "seems to be prose and no archive: no game found in it has a tag pair ({games} found), and {} of its \
                 {} bytes belong to none",
                grouped(between_bytes),
                grouped(bytes),
            ),
            Remark::Untagged { games, between_bytes, bytes } => write!(
                f,
                "is perhaps no archive: no game found in it has a tag pair ({games} found; their moves are not read), \
                 and {} of its {} bytes belong to none",
                grouped(between_bytes),
                grouped(bytes),
            ),
        }
    }
}

/// Warns of files, and of members of files, that several inputs name: their games are read as often.
#[allow(clippy::clone_on_copy, reason = "an identity is a path where the system is no Unix")]
pub(crate) fn warn_of_twins(inputs: &[Input], host: &dyn Host) {
    let stdin = Path::new("/dev/stdin");
    let mut files: HashMap<&Path, Option<Identity>> = HashMap::new();
    let keys = inputs.iter().filter_map(|input| {
        let (path, member) = match input {
            Input::Path(path) => (path.as_path(), ""),
            Input::Stdin => (stdin, ""),
            Input::Named(source) => (source.file()?, source.member()?),
        };
        let identity = files.entry(path).or_insert_with(|| identity(path)).clone()?;
        Some(((identity, member), input.name()))
    });
    warn_of(keys, "file: its games are read more than once", host);
}

/// The commands that read files of positions.
const POSITION_COMMANDS: &str = "validate, stats, convert and explain";

/// Warns of files with the names of positions, which are read as games.
pub(crate) fn warn_of_positions(inputs: &[Input], host: &dyn Host) {
    let paths = inputs.iter().filter_map(|input| match input {
        Input::Path(path) if input.records() == RecordKind::Lines => Some(path.shown()),
        _ => None,
    });
    for path in paths.take(TWINS_MAX) {
        host.warn(format_args!(
            "{path} is read as games: {POSITION_COMMANDS} read positions; the games that reach them are those of \
             --where 'position in @{path}'"
        ));
    }
}

/// Warns of files with the names of PGN, of which each line is read as a game.
pub(crate) fn warn_of_archives(inputs: &[Input], host: &dyn Host) {
    let paths = inputs.iter().filter_map(|input| match input {
        Input::Path(path) if is_pgn_name(path) => Some(path.shown()),
        _ => None,
    });
    for path in paths.take(TWINS_MAX) {
        host.warn(format_args!(
            "{path} has the name of PGN, and each of its lines is read as a game"
        ));
    }
}

/// Warns of what has the name of an archive and is not read.
pub(crate) fn warn_of_skipped(skipped: &[Skipped], host: &dyn Host) {
    for Skipped { path, why } in skipped.iter().take(TWINS_MAX) {
        host.warn(format_args!("{} is not read: {why}", path.shown()));
    }
    if skipped.len() > TWINS_MAX {
        let others = grouped((skipped.len() - TWINS_MAX) as u64);
        host.warn(format_args!("{others} more like these are not read"));
    }
}

/// Warns of archives that are hidden.
pub(crate) fn warn_of_hidden(hidden_count: u64, host: &dyn Host) {
    let archives = if hidden_count == 1 { "archive is" } else { "archives are" };
    if hidden_count > 0 {
        let count = grouped(hidden_count);
        host.warn(format_args!("{count} hidden {archives} not read: name what is to be read"));
    }
}

/// Refuses directories of tables, or ledgers, that are named several times: their counts would be added as often.
///
/// # Errors
/// The first two paths that name the same one.
pub(crate) fn refuse_twins(inputs: &[PathBuf]) -> Result<()> {
    let mut known: HashMap<Identity, &Path> = HashMap::new();
    for path in inputs {
        let Some(identity) = identity(path) else { continue };
        if let Some(other) = known.insert(identity, path) {
            let what = if path.is_dir() { "directory" } else { "file" };
            let (other, path) = (other.shown(), path.shown());
            return Err(Error::usage(format!(
                "{other} and {path} are the same {what}: its counts would be added twice; name it once"
            )));
        }
    }
    Ok(())
}

/// Warns of directories with the same tables, byte for byte. They can be of different archives: a ledger decides that,
/// and these have none. `table`: a file of each directory of which that follows.
pub(crate) fn warn_of_copies(directories: &[PathBuf], table: &str, host: &dyn Host) {
    let digest = |directory: &PathBuf| {
        let digest = File::open(directory.join(table)).and_then(Digest::read).ok()?;
        Some(((digest.bytes_count(), digest.text()), directory.display().to_string()))
    };
    let what = "in all tables: if they are of the same archives, these are counted more than once";
    warn_of(directories.iter().filter_map(digest), what, host);
}

/// Warns of names with the same key.
fn warn_of<K: Eq + Hash>(keys: impl Iterator<Item = (K, String)>, what: &str, host: &dyn Host) {
    let mut first: HashMap<K, String> = HashMap::new();
    let mut twins = Vec::new();
    for (key, name) in keys {
        match first.get(&key) {
            Some(known) => twins.push((known.clone(), name)),
            None => {
                first.insert(key, name);
            }
        }
    }
    for (known, name) in twins.iter().take(TWINS_MAX) {
        let (known, name) = (known.shown(), name.shown());
        host.warn(format_args!("{known} and {name} are the same {what}"));
    }
    if twins.len() > TWINS_MAX {
        host.warn(format_args!(
            "{} more inputs are named more than once",
            grouped((twins.len() - TWINS_MAX) as u64)
        ));
    }
}

/// What identifies a file or directory, independent of its name.
#[cfg(unix)]
type Identity = (u64, u64);

/// Device and inode. `None` for pipes and terminals: bytes read from them cannot be read twice.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    (metadata.is_file() || metadata.is_dir()).then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
type Identity = std::path::PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    std::fs::canonicalize(path).ok()
}
