//! A table of a measurement, as a file.
//!
//! Input: a CSV file; output: its rows by declared columns. Invariant: a file is read completely or rejected with its
//! name, the line and the reason; an absent file is `None`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use pgnmill_core::tables::{self, Keys, Role, Rows, TableError};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

/// A table that was read.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    columns: Vec<String>,
    /// The fields of all rows, one after the other, the end of each, and the line of each row.
    text: String,
    ends: Vec<u32>,
    lines: Vec<u32>,
}

/// Bytes of fields of a table. The largest tables of a measurement that can be shown have some tens of millions.
const TEXT_BYTES_MAX: usize = 64 << 20;
/// No table of a measurement has more columns.
const COLUMNS_MAX: usize = 100;

/// The columns of a table that name its rows.
struct KeyColumns {
    places: Vec<usize>,
    keys: Keys,
    /// Which of them have no names that a later version could add.
    closed: Vec<bool>,
}

impl KeyColumns {
    /// Those of the table of this name; `None` if its rows have no names.
    fn of(name: &str, columns: &[String]) -> Option<KeyColumns> {
        let schema = tables::find(name)?;
        let is_key = |column: &&tables::Column| matches!(column.role, Role::Key(_));
        let mut names: Vec<&str> =
            schema.columns.iter().filter(is_key).map(|column| column.name).collect();
        if name == tables::summary::SCHEMA.file {
            names.push(tables::summary::KEY.name);
        }
        // A later version may have more notations and facts, but no other groups of a dimension and no other parts.
        let is_closed = |at: usize, name: &str| {
            let is_of_product = tables::Product::from_file(schema.file).is_some();
            at == 0 && tables::by::SCHEMAS.iter().any(|by| by.file == schema.file)
                || is_of_product && name != tables::columns::NOTATION.name
                || name == tables::movetext::PART.name
        };
        let closed = names.iter().enumerate().map(|(at, name)| is_closed(at, name)).collect();
        let place = |name: &&str| columns.iter().position(|column| column == name);
        // What lacks a column is refused by name when that is looked for.
        let places = names.iter().map(place).collect::<Option<Vec<usize>>>()?;
        (!places.is_empty()).then(|| KeyColumns { places, keys: Keys::new(schema), closed })
    }

    fn add(&mut self, record: &StringRecord) -> std::result::Result<(), TableError> {
        let field = |&place: &usize| record.get(place).unwrap_or_default();
        let keys: Vec<&str> = self.places.iter().map(field).collect();
        self.keys.add(&keys, &self.closed)
    }
}

fn line_of(record: &StringRecord) -> u64 {
    record.position().map_or(0, csv::Position::line)
}

impl Table {
    /// Reads a table; none if the directory has no file of that name.
    pub(super) fn read(directory: &Path, name: &str) -> Result<Option<Table>> {
        let path = directory.join(name);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path, error)),
        };
        let refused = |error: TableError| malformed(&path, &error.to_string());
        let too_long = |why: String| malformed(&path, &why);
        let mut rows = Rows::new(file).map_err(refused)?;
        let columns: Vec<String> = rows.header().iter().map(String::from).collect();
        if columns.len() > COLUMNS_MAX {
            return Err(too_long(format!("it has more than {COLUMNS_MAX} columns")));
        }
        let (mut text, mut ends, mut lines) = (String::new(), Vec::new(), Vec::new());
        let mut keys = KeyColumns::of(name, &columns);
        while let Some(record) = rows.next_row().map_err(refused)? {
            let fields = record.as_slice();
            let room =
                ends.try_reserve(columns.len()).and_then(|()| text.try_reserve(fields.len()));
            if room.is_err() || text.len() + fields.len() > TEXT_BYTES_MAX {
                return Err(too_long(format!(
                    "it has more than {TEXT_BYTES_MAX} bytes in its rows"
                )));
            }
            if let Some(keys) = &mut keys {
                keys.add(record).map_err(|error| refused(error.at_line(line_of(record))))?;
            }
            text.push_str(fields);
            // Rows of unequal length were refused when they were read.
            let mut end = text.len() - fields.len();
            ends.extend(record.iter().map(|field| {
                end += field.len();
                end as u32
            }));
            lines.push(rows.line() as u32);
        }
        Ok(Some(Table { path, columns, text, ends, lines }))
    }

    /// A declared column.
    pub(super) fn column(&self, declared: &tables::Column) -> Result<Column<'_>> {
        self.named(declared.name)
    }

    /// The column of a name that is not declared.
    pub(super) fn named(&self, name: &str) -> Result<Column<'_>> {
        match self.columns.iter().position(|column| column == name) {
            Some(index) => Ok(Column { table: self, index }),
            None => Err(malformed(&self.path, &format!("there is no column `{name}`"))),
        }
    }

    /// Refuses a table of more rows than this.
    pub(super) fn is_at_most(&self, rows: usize) -> Result<()> {
        match self.rows_count() <= rows {
            true => Ok(()),
            false => Err(self.refuse(&format!("it has more than {rows} rows"))),
        }
    }

    /// How many rows follow the header.
    pub(super) fn rows_count(&self) -> usize {
        self.lines.len()
    }

    /// An error about this table.
    pub(super) fn refuse(&self, why: &str) -> Error {
        malformed(&self.path, why)
    }
}

fn malformed(path: &Path, why: &str) -> Error {
    Error::usage(format!("{} is not a table of `pgnmill measure`: {why}", path.shown()))
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    table: &'a Table,
    index: usize,
}

impl<'a> Column<'a> {
    /// The text in a row, from 0.
    pub(super) fn text(self, row: usize) -> &'a str {
        let at = row * self.table.columns.len() + self.index;
        let from = at.checked_sub(1).map_or(0, |before| self.table.ends[before] as usize);
        &self.table.text[from..self.table.ends[at] as usize]
    }

    fn read<T: std::str::FromStr>(self, row: usize, kind: &str) -> Result<T> {
        let text = self.text(row);
        text.parse().map_err(|_| {
            let line = self.table.lines[row];
            let column = &self.table.columns[self.index];
            self.table.refuse(&format!("line {line}: `{column}` is `{text}`, not {kind}"))
        })
    }

    /// The count in a row.
    pub(super) fn count(self, row: usize) -> Result<u64> {
        self.read(row, "a whole number")
    }

    /// The decimal in a row; no number where the field is empty.
    pub(super) fn decimal_if_any(self, row: usize) -> Result<f64> {
        if self.text(row).is_empty() { Ok(f64::NAN) } else { self.decimal(row) }
    }

    /// The decimal in a row.
    pub(super) fn decimal(self, row: usize) -> Result<f64> {
        self.read(row, "a number").and_then(|number: f64| match number.is_finite() {
            true => Ok(number),
            false => Err(self.table.refuse("a number is not finite")),
        })
    }
}
