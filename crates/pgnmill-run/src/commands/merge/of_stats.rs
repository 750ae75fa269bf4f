//! The sum of the tables of `stats`.
//!
//! In: directories that have `stats.csv`. Out: what all of them have found, from which the table is written. Invariant:
//! the rows are those of one run over all archives, as long as no section has more different texts than are kept. Cost:
//! a look-up per row.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use pgnmill_core::tables::{self, Rows};
use pgnmill_core::tasks::stats::Found;
use pgnmill_io::error::{Error, Result, Shown as _};

/// Reads the tables of all directories.
pub(super) fn sum(directories: &[PathBuf]) -> Result<Found> {
    let mut found = Found::default();
    for directory in directories {
        let path = directory.join(tables::stats::SCHEMA.file);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let failed = |why: String| Error::usage(format!("{}: {why}", path.shown()));
        let rows = Rows::of(BufReader::new(file), &tables::stats::SCHEMA);
        let mut rows = rows.map_err(|error| failed(error.to_string()))?.of_any_number();
        while let Some(row) = rows.next_row().map_err(|error| failed(error.to_string()))? {
            let [section, value, games] = [0, 1, 2].map(|column| row.get(column).unwrap_or(""));
            let games = tables::count(games).map_err(|error| failed(error.to_string()))?;
            if !found.add_row(section, value, games) {
                let row = format!("no section {section} of stats has the value {value}");
                return Err(failed(row));
            }
        }
    }
    Ok(found)
}
