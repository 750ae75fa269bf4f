//! Tables with a row per game, fault or note: those of several measurements or splits become one.
//!
//! In: the tables of directories. Out: one table. The rows of whole archives follow each other as they are. Those of
//! splits are put in the order of the archives, and their offsets, lines and numbers of games become those of the whole
//! archive. Cost: one pass; one row is held.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::tables::columns::{BYTE_OFFSET, GAME, LINE};
use pgnmill_core::tables::{Rows, TableError};
use pgnmill_io::archive::SplitBase;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{CsvSink, Sink};

use crate::host::Host;
use crate::ledger::{Found, Tiling};

use super::check;

/// The rows of all directories, one after the other; the headers must be equal.
pub(super) fn join(
    directories: &[PathBuf],
    file: &str,
    sink: &mut Sink,
    host: &Arc<dyn Host>,
) -> Result<()> {
    let mut first: Option<Vec<u8>> = None;
    for directory in directories {
        let path = directory.join(file);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let mut reader = BufReader::new(file);
        let mut header = Vec::new();
        let read = reader.read_until(b'\n', &mut header);
        read.map_err(|error| Error::io("read", &path, error))?;
        match &first {
            None => {
                sink.add(&header)?;
                first = Some(header.clone());
            }
            Some(first) if *first == header => {}
            Some(_) => return Err(other_columns(&path)),
        }
        let mut is_whole = header.ends_with(b"\n");
        loop {
            check(host)?;
            let read = reader.fill_buf().map_err(|error| Error::io("read", &path, error))?;
            if read.is_empty() {
                break;
            }
            sink.add(read)?;
            is_whole = read.ends_with(b"\n");
            let read_bytes = read.len();
            reader.consume(read_bytes);
        }
        if !is_whole {
            return Err(Error::usage(format!("{}: {}", path.shown(), TableError::Cut)));
        }
    }
    Ok(())
}

/// The rows of splits. `begin` makes the table from its header.
///
/// # Errors
/// A table that cannot be read, with other columns, or with rows of an archive whose splits are not in its directory.
pub(super) fn join_splits(
    directories: &[PathBuf],
    tiling: &Tiling,
    file: &str,
    begin: impl FnOnce(&[&str]) -> Result<CsvSink>,
    host: &Arc<dyn Host>,
) -> Result<Option<CsvSink>> {
    let (mut table, mut begin) = (None::<(Vec<String>, CsvSink)>, Some(begin));
    let (mut last, mut known) = (None, HashSet::new());
    for found in &tiling.splits {
        // A directory with several splits has the rows of whole archives in their order.
        if last.replace(found.ledger) == Some(found.ledger) {
            continue;
        }
        let directory = &directories[found.ledger];
        if !known.insert(found.ledger) {
            let directory = directory.shown();
            return Err(Error::usage(format!(
                "{directory} has rows of splits that do not follow each other, such as {}",
                found.entry.split
            )));
        }
        let of_directory = tiling.splits.iter().filter(|other| other.ledger == found.ledger);
        let splits: Vec<&Found> = of_directory.collect();
        let path = directory.join(file);
        let refuse = |error: TableError| Error::usage(format!("{}: {error}", path.shown()));
        let input = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let mut rows = Rows::new(BufReader::new(input)).map_err(refuse)?.of_any_number();
        let header: Vec<String> = rows.header().iter().map(str::to_string).collect();
        let (first, table) = match &mut table {
            Some((first, table)) => (&*first, table),
            None => {
                let names: Vec<&str> = header.iter().map(String::as_str).collect();
                let Some(begin) = begin.take() else { return Ok(None) };
                let (first, table) = table.insert((header.clone(), begin(&names)?));
                (&*first, table)
            }
        };
        if *first != header {
            return Err(other_columns(&path));
        }
        let mut count = 0_u64;
        while let Some(record) = rows.next_row().map_err(refuse)? {
            if count.is_multiple_of(1 << 12) {
                check(host)?;
            }
            count += 1;
            let fields = record.iter().collect::<Vec<_>>();
            let moved = moved(&header, &fields, &splits).map_err(refuse)?;
            table.row(&moved.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
    }
    Ok(table.map(|(_, table)| table))
}

/// A row with the numbers of the whole archive.
fn moved(header: &[String], fields: &[&str], splits: &[&Found]) -> Result<Vec<String>, TableError> {
    let archive = fields.first().copied().unwrap_or_default();
    let of_archive = splits.iter().find(|found| found.entry.split.archive == archive);
    let Some(found) = of_archive else {
        return Err(TableError::Row(format!("a row is of {archive}, which the ledger lacks")));
    };
    // Several splits of one archive: the rows are those of the whole already.
    let is_alone = splits.len() == 1;
    let before = found.entry.before;
    let base = found.base.filter(|_| is_alone).unwrap_or(before);
    let add = |field: &str, base: u64, before: u64| {
        let number = pgnmill_core::tables::rows::count(field)?;
        let relative = number.checked_sub(before);
        let moved = relative.and_then(|relative| relative.checked_add(base));
        moved
            .map(|number| number.to_string())
            .ok_or_else(|| TableError::Row(format!("{field} is before the split")))
    };
    let SplitBase { text_bytes, lines, games } = base;
    header
        .iter()
        .zip(fields)
        .map(|(name, field)| match name.as_str() {
            name if name == BYTE_OFFSET.name => add(field, text_bytes, before.text_bytes),
            name if name == LINE.name => add(field, lines, before.lines),
            name if name == GAME.name => add(field, games, before.games),
            _ => Ok((*field).to_string()),
        })
        .collect()
}

fn other_columns(path: &Path) -> Error {
    Error::usage(format!("{} has other columns than those before", path.shown()))
}
