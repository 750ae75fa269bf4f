//! The check that splits are those of whole archives, each exactly once.
//!
//! In: the entries of several ledgers. Out: the archives in the order in which they are first named, their splits in
//! order, and what is before each split. Invariants: refused by name are splits that are missing (unless the caller
//! allows gaps), doubled, of another version of the archive, or divided, read or counted otherwise than the others.
//! Cost: a sort of the entries.

use std::collections::HashMap;

use pgnmill_io::archive::{Container, SplitBase};
use pgnmill_io::error::{Error, Result, Shown as _};

use super::entry::Entry;

/// An entry, and the index of the ledger it was found in.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) entry: Entry,
    pub(crate) ledger: usize,
    /// What is before the split in its archive, where all splits before it are there.
    pub(crate) base: Option<SplitBase>,
}

/// Splits in order.
#[derive(Debug)]
pub(crate) struct Tiling {
    /// Archive by archive, split by split.
    pub(crate) splits: Vec<Found>,
}

impl Tiling {
    /// Checks the entries of all ledgers, whose names are for messages. `partial`: splits may be missing.
    ///
    /// # Errors
    /// The first split that does not fit, and why.
    pub(crate) fn of(ledgers: Vec<Vec<Entry>>, names: &[String], partial: bool) -> Result<Tiling> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut splits = Vec::new();
        for (ledger, entries) in ledgers.into_iter().enumerate() {
            for entry in entries {
                let next = numbers.len();
                let number = *numbers.entry(entry.split.archive.clone()).or_insert(next);
                splits.push((number, Found { entry, ledger, base: None }));
            }
        }
        splits.sort_by_key(|(number, found)| (*number, found.entry.split.split.ordinal));
        let mut splits: Vec<(usize, Found)> = splits;
        if let Some((_, first)) = splits.first() {
            let first = first.clone();
            splits.iter().try_for_each(|(_, found)| same_run(&first, found, names))?;
        }
        for archive in splits.chunk_by_mut(|(one, _), (other, _)| one == other) {
            check_archive(archive, names, partial)?;
        }
        Ok(Tiling { splits: splits.into_iter().map(|(_, found)| found).collect() })
    }

    /// The command that read all splits.
    pub(crate) fn command(&self) -> Option<&str> {
        self.splits.first().map(|found| found.entry.command.as_str())
    }

    /// The splits, archive by archive.
    pub(crate) fn archives(&self) -> impl Iterator<Item = &[Found]> {
        self.splits.chunk_by(|one, other| one.entry.split.archive == other.entry.split.archive)
    }

    /// The entries, for tables whose rows have the numbers of the whole archives where `is_complete`.
    pub(crate) fn entries(&self, is_complete: bool) -> Vec<Entry> {
        let entry = |found: &Found| {
            let before = found.base.filter(|_| is_complete).unwrap_or(found.entry.before);
            Entry { before, ..found.entry.clone() }
        };
        self.splits.iter().map(entry).collect()
    }
}

/// Two entries must be of the same program, command and options.
fn same_run(first: &Found, other: &Found, names: &[String]) -> Result<()> {
    let fields = |found: &Found| {
        let Entry { program_version, command, options, .. } = &found.entry;
        let shown = if options.is_empty() { "no options" } else { options };
        [program_version.clone(), command.clone(), shown.shown().to_string()]
    };
    let what = ["version", "command", "options"];
    for ((what, before), now) in what.into_iter().zip(fields(first)).zip(fields(other)) {
        if before != now {
            return Err(Error::usage(format!(
                "{} was read with the {what} {now} ({}), but {} with {before} ({})",
                other.entry.split, names[other.ledger], first.entry.split, names[first.ledger],
            )));
        }
    }
    Ok(())
}

/// The splits of one archive, ordered by their numbers; finds what is before each.
fn check_archive(archive: &mut [(usize, Found)], names: &[String], partial: bool) -> Result<()> {
    let Some((_, first)) = archive.first() else { return Ok(()) };
    let first = first.clone();
    let name = |found: &Found| names[found.ledger].clone();
    let count = first.entry.split.split.count;
    let mut base = Some(SplitBase::default());
    // The number of the next split and the byte where it begins.
    let (mut next, mut byte) = (0, Some(0));
    for (_, found) in &mut *archive {
        same_division(&first, found, names)?;
        let (entry, ledger) = (&found.entry, name(found));
        let split = &entry.split.split;
        if split.ordinal >= count {
            return Err(Error::usage(format!("{ledger}: {} is none of them", entry.split)));
        }
        if split.ordinal < next {
            return Err(Error::usage(format!("{} is there twice; again in {ledger}", entry.split)));
        }
        if split.ordinal > next {
            if !partial {
                return Err(missing(&first, next));
            }
            (base, byte) = (None, None);
        }
        if byte.is_some_and(|byte| byte != split.begin) {
            return Err(Error::usage(format!(
                "{} ({ledger}) begins at byte {}, but the split before it ends at byte {}",
                entry.split,
                split.begin,
                byte.unwrap_or_default(),
            )));
        }
        if let Some(base) = base {
            check_base(found, base, &ledger)?;
        }
        found.base = base;
        base = base.map(|base| SplitBase {
            text_bytes: base.text_bytes.saturating_add(found.entry.counted.text_bytes),
            lines: base.lines.saturating_add(found.entry.counted.lines),
            games: base.games.saturating_add(found.entry.counted.counts.games()),
        });
        (next, byte) = (split_ordinal(found) + 1, Some(found.entry.split.split.end));
    }
    if next < count {
        return if partial { Ok(()) } else { Err(missing(&first, next)) };
    }
    let split = &first.entry.split;
    let whole = byte == Some(split.split.stored_bytes);
    let is_text = split.split.container == Container::Text;
    let text_is_whole =
        base.is_none_or(|base| !is_text || base.text_bytes == split.split.stored_bytes);
    match whole && text_is_whole {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "the splits of {} are not the whole archive of {} bytes",
            split.archive, split.split.stored_bytes
        ))),
    }
}

fn split_ordinal(found: &Found) -> u64 {
    found.entry.split.split.ordinal
}

/// Two splits of one archive must be of one division of one version.
fn same_division(first: &Found, other: &Found, names: &[String]) -> Result<()> {
    let (one, two) = (&first.entry.split, &other.entry.split);
    let refuse = |why: String| {
        Err(Error::usage(format!(
            "{two} ({}) and {one} ({}) do not belong together: {why}",
            names[other.ledger], names[first.ledger],
        )))
    };
    let (before, now) = (&one.split, &two.split);
    if before.stored_bytes != now.stored_bytes {
        let (before, now) = (before.stored_bytes, now.stored_bytes);
        return refuse(format!("the archive has {now} bytes in the one, {before} in the other"));
    }
    if one.version != two.version {
        return refuse("they are of two versions of the archive".to_string());
    }
    let division =
        |split: &pgnmill_io::archive::Split| (split.container, split.target_bytes, split.count);
    match division(before) == division(now) {
        true => Ok(()),
        false => refuse("the archive was divided in two ways".to_string()),
    }
}

/// What the rows of a split begin with is nothing, or what is before it.
fn check_base(found: &Found, base: SplitBase, ledger: &str) -> Result<()> {
    // A split without a game may state where a game would begin that its range does not have.
    if found.entry.counted.text_bytes == 0 {
        return Ok(());
    }
    let before = found.entry.before;
    let pairs = [
        ("bytes of text", before.text_bytes, base.text_bytes),
        ("lines", before.lines, base.lines),
        ("games", before.games, base.games),
    ];
    for (what, stated, counted) in pairs {
        if stated != 0 && stated != counted {
            return Err(Error::usage(format!(
                "{} ({ledger}) was read as if {stated} {what} were before it; the splits before it have {counted}",
                found.entry.split,
            )));
        }
    }
    Ok(())
}

/// The error of a gap.
fn missing(first: &Found, ordinal: u64) -> Error {
    let mut split = first.entry.split.clone();
    split.split.ordinal = ordinal;
    Error::usage(format!("{split} is missing: no ledger has it"))
}
