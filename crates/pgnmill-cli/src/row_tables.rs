//! The rows of `--faults` and `--notes`.
//!
//! In: the rows of a job, with offsets and numbers from its beginning; what is before the job. Out: rows of the tables.
//! Cost: one pass over the rows.

use pgnmill_core::engine::{Base, FaultRows, NoteRows};
use pgnmill_core::pgn::deviation::{Class, Deviation};
use pgnmill_io::error::Result;

use super::table_sink::TableSink;

/// The kind of the last row of a game that has more notes and repairs than are listed.
const OMITTED: &str = "left-out";

/// Writes the faults of a job.
pub(super) fn write_faults(
    table: &mut TableSink,
    archive: &str,
    base: Base,
    rows: &FaultRows,
) -> Result<()> {
    rows.visit(|row| {
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &(base.lines + row.lines + 1).to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.name(),
            &row.text,
            &row.detail,
            &row.fen,
            &row.names.event,
            &row.names.site,
            &row.names.white,
            &row.names.black,
        ])
    })
}

/// Writes the notes and repairs of a job.
pub(super) fn write_notes(
    table: &mut TableSink,
    archive: &str,
    base: Base,
    rows: &NoteRows,
) -> Result<()> {
    rows.visit(|row, names| {
        table.row(&[
            archive,
            &(base.offset + row.offset).to_string(),
            &(base.lines + row.lines + 1).to_string(),
            &(row.column + 1).to_string(),
            &(base.games + row.game + 1).to_string(),
            &row.ply.to_string(),
            row.kind.map_or(OMITTED, Deviation::name),
            row.class.map_or("", Class::name),
            &row.written,
            &row.canonical,
            &names.event,
            &names.site,
            &names.white,
            &names.black,
        ])
    })
}
