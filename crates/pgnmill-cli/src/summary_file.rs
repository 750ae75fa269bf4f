//! The file of `--summary`: CSV, or JSON if its name ends in .json.
//!
//! In: the rows of the summary. Out: a file. Invariant: it is created before the run, so that a name that cannot be
//! written ends the run at once. Cost: the number of rows.

use std::path::Path;

use pgnmill_core::tables::summary::SCHEMA;
use pgnmill_io::error::Result;
use pgnmill_io::sink::{CsvSink, Sink};

use super::summary::{self, Fact};
use super::summary_json;
use super::totals::Totals;

/// The file, before its rows.
#[derive(Debug)]
pub(super) enum SummaryFile {
    Csv(Box<CsvSink>),
    Json(Box<Sink>),
}

impl SummaryFile {
    /// Creates the file.
    pub(super) fn create(path: &Path, overwrite: bool) -> Result<SummaryFile> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        Ok(match is_json {
            true => SummaryFile::Json(Box::new(Sink::create(path, overwrite)?)),
            false => {
                SummaryFile::Csv(Box::new(CsvSink::create(path, overwrite, &SCHEMA.header())?))
            }
        })
    }

    /// The file with these rows; to be published.
    pub(super) fn fill(self, rows: Vec<Fact>, totals: &Totals, is_clean: bool) -> Result<Sink> {
        match self {
            SummaryFile::Csv(mut table) => {
                summary::fill(&mut table, rows)?;
                table.into_sink()
            }
            SummaryFile::Json(mut file) => {
                file.add(summary_json::json(rows, totals, is_clean).as_bytes())?;
                Ok(*file)
            }
        }
    }
}
