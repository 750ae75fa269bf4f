//! Why a table cannot be read or added.

use std::fmt;

/// Why a table cannot be read or added.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// It is no CSV, a row is too long, or it cannot be read.
    Csv(csv::Error),
    /// Its last row has no line end.
    Cut,
    /// It has more than this many rows.
    TooManyRows(u64),
    /// Its columns are not these.
    Columns(Vec<&'static str>),
    /// A field that is not a count.
    NotACount(String),
    /// A key that no table of this declaration has; only the beginning of a long one.
    UnknownKey(String),
    /// A key that another row of the table has; only the beginning of a long one.
    Twice(String),
    /// More groups than a measurement writes.
    TooManyGroups,
    /// The sum of the rows with this key does not fit its column.
    SumTooLarge(String),
    /// The rows with this key do not fit into memory.
    OutOfMemory(String),
    /// A row that is not as its declaration requires, for a reason of its reader.
    Row(String),
    /// What is wrong with a row, and its line.
    AtLine(u64, Box<TableError>),
}

impl TableError {
    /// This error with the line of the row.
    #[must_use]
    pub fn at_line(self, line: u64) -> TableError {
        TableError::AtLine(line, Box::new(self))
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Csv(error) => error.fmt(f),
            TableError::Cut => f.write_str("its last row has no line end: the table was cut"),
            TableError::TooManyRows(rows) => write!(f, "it has more than {rows} rows"),
            TableError::Columns(columns) => write!(f, "its columns are not {}", columns.join(",")),
            TableError::NotACount(field) => write!(f, "{field:?} is no count"),
            TableError::UnknownKey(key) => write!(f, "{key:?} is none of its groups"),
            TableError::Twice(key) => write!(f, "there are two rows for {key:?}"),
            TableError::TooManyGroups => {
                f.write_str("it has more groups than a measurement writes")
            }
            TableError::SumTooLarge(key) => write!(f, "{key}: too large a sum"),
            TableError::OutOfMemory(key) => write!(f, "{key}: not enough memory for its rows"),
            TableError::Row(why) => f.write_str(why),
            TableError::AtLine(line, error) => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TableError::Csv(error) => Some(error),
            TableError::AtLine(_, error) => Some(error),
            _ => None,
        }
    }
}
