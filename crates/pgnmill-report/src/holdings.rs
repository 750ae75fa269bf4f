//! What is in archives, from the table of `stats`.
//!
//! Input: a directory with `stats.csv`; output: for each section its rows, as they are in the table. Invariant: of a
//! section the first [`ROWS_MAX`] rows are kept, and the others counted. Cost: one read of the table.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use pgnmill_core::tables::{Rows, count, stats};
use pgnmill_core::tasks::stats::SECTIONS;
use pgnmill_io::error::{Error, Result, Shown as _};

/// Rows of a section that are kept.
const ROWS_MAX: usize = 5_000;

/// The rows of a section.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Values and their games, in the order of the table.
    pub(super) rows: Vec<(String, u64)>,
    /// How many values there are.
    pub(super) values_count: u64,
}

/// What is in archives.
#[derive(Debug)]
pub(super) struct Holdings {
    /// In the order of [`SECTIONS`].
    pub(super) sections: [Held; SECTIONS.len()],
}

impl Holdings {
    /// Reads the table of a directory, if there is one.
    ///
    /// # Errors
    /// A malformed table.
    pub(super) fn read(directory: &Path) -> Result<Option<Holdings>> {
        let path = directory.join(stats::SCHEMA.file);
        if !path.exists() {
            return Ok(None);
        }
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let failed = |why: &dyn std::fmt::Display| Error::usage(format!("{}: {why}", path.shown()));
        let rows = Rows::of(BufReader::new(file), &stats::SCHEMA);
        let mut rows = rows.map_err(|error| failed(&error))?.of_any_number();
        let mut sections: [Held; SECTIONS.len()] = std::array::from_fn(|_| Held::default());
        while let Some(row) = rows.next_row().map_err(|error| failed(&error))? {
            let [name, value, games] = [0, 1, 2].map(|column| row.get(column).unwrap_or(""));
            let games = count(games).map_err(|error| failed(&error))?;
            let index = SECTIONS.iter().position(|section| section.name == name);
            let index = index.ok_or_else(|| failed(&format!("there is no section {name}")))?;
            let section = &mut sections[index];
            section.values_count += 1;
            if section.rows.len() < ROWS_MAX {
                section.rows.push((value.to_string(), games));
            }
        }
        Ok(Some(Holdings { sections }))
    }

    /// The rows of a section.
    pub(super) fn section(&self, name: &str) -> &[(String, u64)] {
        let index = SECTIONS.iter().position(|section| section.name == name);
        index.map_or(&[], |index| &self.sections[index].rows)
    }

    /// The games of a verdict.
    pub(super) fn games(&self, verdict: &str) -> u64 {
        let rows = self.section("verdict").iter();
        rows.filter(|(value, _)| value == verdict).map(|(_, games)| games).sum()
    }
}
