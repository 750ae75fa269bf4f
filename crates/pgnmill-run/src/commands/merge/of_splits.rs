//! What `merge` requires of splits besides their tables: that they are whole archives, and that ledgers and summaries
//! belong together.
//!
//! In: ledgers, summaries. Out: a [`Tiling`]; the rows of the summary that follow from whole archives. Cost: a pass
//! over the rows of the ledgers.

use std::path::{Path, PathBuf};

use pgnmill_core::engine::Counted;
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::ledger::{self, Found, Tiling};
use crate::report::summary;

/// The counts of a summary must be those of the ledger beside it.
pub(super) fn same_counts(
    tiling: &Tiling,
    index: usize,
    rows: &[summary::Fact],
    ledger: &Path,
) -> Result<()> {
    let counted = counted(tiling.splits.iter().filter(|found| found.ledger == index));
    let keys = ["text_bytes", "games", "accepted", "rejected", "plies", "variation_plies"];
    let mut counts = counted.facts().into_iter().filter(|(key, _)| keys.contains(key));
    let value = |key: &str| rows.iter().find(|row| row.0 == key).map(|row| row.1.as_str());
    match counts.find(|(key, count)| value(key) != Some(&count.to_string())) {
        None => Ok(()),
        Some((key, count)) => Err(Error::usage(format!(
            "{} is of other tables: {key} is {count} in it, {} in summary.csv",
            ledger.shown(),
            value(key).unwrap_or("missing"),
        ))),
    }
}

/// The notes on whole archives, on their encodings and line ends, once per archive: no split has counted them.
pub(super) fn notes_on_archives(tiling: &Tiling) -> impl Iterator<Item = Deviation> {
    tiling.archives().flat_map(|splits| counted(splits).survey.notes())
}

/// The rows of a summary of these notes.
pub(super) fn rows_of_notes(tiling: &Tiling) -> Vec<summary::Fact> {
    let row = |note: Deviation| {
        let class = Profile::lenient().class(note).name();
        (format!("{class}:{}", note.name()), "1".to_string())
    };
    notes_on_archives(tiling).map(row).collect()
}

/// What was read of splits, together.
pub(super) fn counted<'f>(splits: impl IntoIterator<Item = &'f Found>) -> Counted {
    let mut counted = Counted::default();
    splits.into_iter().for_each(|found| counted.merge(&found.entry.counted));
    counted
}

/// The splits of ledgers.
pub(super) fn tiling(paths: &[PathBuf], partial: bool) -> Result<Tiling> {
    let ledgers = paths.iter().map(|path| ledger::read(path)).collect::<Result<_>>()?;
    let names: Vec<String> = paths.iter().map(|path| path.shown().to_string()).collect();
    Tiling::of(ledgers, &names, partial)
}
