//! A table of positions as CSV or JSON lines.
//!
//! In: a file. Out: the rows of the positions that are looked for. Invariant: a row has at most [`ROW_BYTES_MAX`]
//! bytes. Cost: the file is read from its beginning to its end.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use serde_json::Value as Json;

use super::flaw::Flaw;
use super::lookup::Lookup;
use super::row::{PositionRow, REQUIRED, Value};

/// Bytes of a row, at most.
const ROW_BYTES_MAX: u64 = 1 << 20;
/// Rows between two questions whether the search is to end.
const ROWS_BETWEEN: u64 = 1 << 13;
/// Bytes that are read at once.
const BUFFER_BYTES: usize = 256 << 10;

/// A reader that ends with an error after so many bytes, of which there can be more again.
struct Limited {
    file: File,
    left: Rc<Cell<u64>>,
}

impl Read for Limited {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(out)?;
        match self.left.get().checked_sub(count as u64) {
            Some(left) => self.left.set(left),
            None => {
                let why = format!("a row has more than {ROW_BYTES_MAX} bytes");
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
        }
        Ok(count)
    }
}

/// With which archives of games begin: a tag pair, or a zstd frame.
const ARCHIVES: [&[u8]; 2] = [b"[", b"\x28\xb5\x2f\xfd"];

/// The rows of a CSV file, below its header.
struct Rows {
    reader: csv::Reader<Limited>,
    names: Vec<String>,
    left: Rc<Cell<u64>>,
}

impl Rows {
    fn open(path: &Path) -> Result<Rows, Flaw> {
        let limit = ROW_BYTES_MAX + BUFFER_BYTES as u64;
        let left = Rc::new(Cell::new(limit));
        let file = Limited { file: File::open(path)?, left: Rc::clone(&left) };
        let mut reader = csv::ReaderBuilder::new().buffer_capacity(BUFFER_BYTES).from_reader(file);
        let names = reader.byte_headers().map_err(csv_flaw)?;
        if names.get(0).is_some_and(|first| ARCHIVES.iter().any(|mark| first.starts_with(mark))) {
            return Err(Flaw::new("it is an archive of games: `positions` writes a table of them"));
        }
        let names: Vec<String> =
            names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        match REQUIRED.iter().find(|name| !names.iter().any(|known| known == *name)) {
            Some(missing) => Err(Flaw::new(format_args!("its header has no column {missing}"))),
            None => Ok(Rows { reader, names, left }),
        }
    }

    fn read(&mut self, row: &mut csv::ByteRecord) -> Result<bool, Flaw> {
        self.left.set(ROW_BYTES_MAX + BUFFER_BYTES as u64);
        self.reader.read_byte_record(row).map_err(csv_flaw)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }
}

fn csv_flaw(error: csv::Error) -> Flaw {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        _ => Flaw::new(text),
    }
}

/// A text, which is UTF-8.
fn utf8(bytes: &[u8]) -> Result<&str, Flaw> {
    std::str::from_utf8(bytes).map_err(|_| Flaw::new("a text is not UTF-8"))
}

/// Checks the header of a CSV file.
pub(super) fn check_csv(path: &Path) -> Result<(), Flaw> {
    Rows::open(path).map(drop)
}

/// Finds rows in a CSV file.
pub(super) fn find_csv(path: &Path, lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
    let mut rows = Rows::open(path)?;
    let (fen, rules) = (rows.place("fen"), rows.place("rules"));
    let places: Vec<(&str, usize)> =
        rows.names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let places: std::collections::HashMap<String, usize> =
        places.into_iter().map(|(name, place)| (name.to_string(), place)).collect();
    let (mut row, mut number) = (csv::ByteRecord::new(), 1_u64);
    while rows.read(&mut row).map_err(|flaw| flaw.at(format_args!("row {number}")))? {
        let field = |place: Option<usize>| place.and_then(|place| row.get(place));
        let mut read = || {
            let record = utf8(field(fen).unwrap_or_default())?;
            if !lookup.has_record(record) {
                return Ok(());
            }
            let found = lookup.with(record, field(rules).map(utf8).transpose()?);
            let row = PositionRow::of(|name| match field(places.get(name).copied()) {
                None | Some(b"") => Ok(Value::Null),
                Some(text) => Ok(Value::Text(utf8(text)?.to_string())),
            })?;
            lookup.add(&found, &row)
        };
        read().map_err(|flaw: Flaw| flaw.at(format_args!("row {number}")))?;
        if number.is_multiple_of(ROWS_BETWEEN) {
            lookup.check()?;
        }
        number += 1;
    }
    Ok(())
}

/// Finds rows in a file of JSON lines.
pub(super) fn find_json(path: &Path, lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
    let (mut line, mut number) = (Vec::new(), 1_u64);
    loop {
        line.clear();
        let read = (&mut reader).take(ROW_BYTES_MAX + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        let found = if read as u64 > ROW_BYTES_MAX {
            Err(Flaw::new(format_args!("it has more than {ROW_BYTES_MAX} bytes")))
        } else {
            find_in_line(&line, lookup)
        };
        found.map_err(|flaw| flaw.at(format_args!("row {number}")))?;
        if number.is_multiple_of(ROWS_BETWEEN) {
            lookup.check()?;
        }
        number += 1;
    }
}

/// Counts the rows of a CSV file.
pub(super) fn count_csv(path: &Path) -> Result<u64, Flaw> {
    let mut rows = Rows::open(path)?;
    let (mut row, mut count) = (csv::ByteRecord::new(), 0);
    while rows.read(&mut row).map_err(|flaw| flaw.at(format_args!("row {}", count + 1)))? {
        count += 1;
    }
    Ok(count)
}

/// Counts the rows of a file of JSON lines.
pub(super) fn count_json(path: &Path) -> Result<u64, Flaw> {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
    let (mut count, mut is_ended) = (0, true);
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(count + u64::from(!is_ended));
        }
        count += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        is_ended = bytes.ends_with(b"\n");
        let read = bytes.len();
        reader.consume(read);
    }
}

fn find_in_line(line: &[u8], lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
    let object: Json = serde_json::from_slice(line).map_err(Flaw::new)?;
    let missing = |name: &&&str| object.get(**name).is_none();
    if let Some(missing) = REQUIRED.iter().find(missing) {
        return Err(Flaw::new(format_args!("it has no {missing}")));
    }
    let record = object["fen"].as_str().unwrap_or_default();
    if !lookup.has_record(record) {
        return Ok(());
    }
    let found = lookup.with(record, object.get("rules").and_then(Json::as_str));
    let row = PositionRow::of(|name| {
        Ok(match object.get(name) {
            None | Some(Json::Null) => Value::Null,
            Some(Json::String(text)) => Value::Text(text.clone()),
            Some(Json::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Value::Unsigned(number),
                (None, Some(number)) => Value::Signed(number),
                (None, None) => number.as_f64().map_or(Value::Null, Value::Real),
            },
            Some(_) => return Err(Flaw::new(format_args!("{name} is no number and no text"))),
        })
    })?;
    lookup.add(&found, &row)
}
