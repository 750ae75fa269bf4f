//! What `merge` requires of splits besides their tables: that they are whole archives, and that ledgers and summaries
//! belong together.
//!
//! In: ledgers, summaries. Out: a [`Tiling`]; the rows of the summary that follow from whole archives. Cost: a pass
//! over the rows of the ledgers.

use std::path::{Path, PathBuf};

use pgnmill_core::engine::Survey;
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::ledger::{self, Entry, Tiling};
use crate::summary;

/// The counts of a summary must be those of the ledger beside it.
pub(super) fn same_counts(
    tiling: &Tiling,
    index: usize,
    rows: &[summary::Fact],
    ledger: &Path,
) -> Result<()> {
    let entries = || tiling.splits.iter().filter(|found| found.ledger == index);
    let sum = |count: fn(&Entry) -> u64| {
        entries().fold(0, |sum: u64, found| sum.saturating_add(count(&found.entry)))
    };
    let counts = [
        ("text_bytes", sum(|entry| entry.text_bytes)),
        ("games", sum(Entry::games)),
        ("accepted", sum(|entry| entry.accepted)),
        ("rejected", sum(|entry| entry.rejected)),
        ("plies", sum(|entry| entry.plies)),
        ("variation_plies", sum(|entry| entry.variation_plies)),
    ];
    let value = |key: &str| rows.iter().find(|row| row.0 == key).map(|row| row.1.as_str());
    match counts.into_iter().find(|(key, count)| value(key) != Some(&count.to_string())) {
        None => Ok(()),
        Some((key, count)) => Err(Error::usage(format!(
            "{} is of other tables: {key} is {count} in it, {} in summary.csv",
            ledger.shown(),
            value(key).unwrap_or("missing"),
        ))),
    }
}

/// The rows of a summary that follow from whole archives: those of their encodings and line ends.
pub(super) fn notes_of_archives(tiling: &Tiling) -> Vec<summary::Fact> {
    let mut notes = Vec::new();
    for splits in tiling.archives() {
        let mut survey = Survey::default();
        splits.iter().for_each(|found| survey.merge(found.entry.survey));
        notes.extend(survey.notes().map(|note| {
            let class = Profile::lenient().class(note).name();
            (format!("{class}:{}", note.name()), "1".to_string())
        }));
    }
    notes
}

/// The splits of ledgers.
pub(super) fn tiling(paths: &[PathBuf], partial: bool) -> Result<Tiling> {
    let ledgers = paths.iter().map(|path| ledger::read(path)).collect::<Result<_>>()?;
    let names: Vec<String> = paths.iter().map(|path| path.shown().to_string()).collect();
    Tiling::of(ledgers, &names, partial)
}
