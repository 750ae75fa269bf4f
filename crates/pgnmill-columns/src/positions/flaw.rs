//! Why a table of positions cannot be read.
//!
//! In: an error of the system, of a library, or a reason. Out: an error with the path of the table.

use std::fmt;
use std::io;
use std::path::Path;

use pgnmill_io::error::Error;

/// The key of the metadata with the name of the table.
pub(super) const TABLE_KEY: &str = "pgnmill.table";
/// The names of the tables of `export`, which have other columns.
const KNOWN_TABLES: [&str; 2] = ["games", "plies"];

/// A reason.
#[derive(Debug)]
pub(super) struct Flaw(io::Error);

impl Flaw {
    /// A file whose bytes are not those of such a table.
    pub(super) fn new(why: impl fmt::Display) -> Flaw {
        Flaw(io::Error::new(io::ErrorKind::InvalidData, why.to_string()))
    }

    /// No flaw of the table: the search was ended from outside.
    pub(super) fn interrupted() -> Flaw {
        Flaw(io::ErrorKind::Interrupted.into())
    }

    /// That of a file which states what it is a table of.
    pub(super) fn of_table(self, table: Option<&str>) -> Flaw {
        match table.filter(|name| KNOWN_TABLES.contains(name)) {
            Some(name) => self.at(format_args!("it is a table of {name}")),
            None => self,
        }
    }

    /// With the place in the file before it.
    pub(super) fn at(self, place: impl fmt::Display) -> Flaw {
        match self.0.kind() {
            io::ErrorKind::InvalidData => Flaw::new(format_args!("{place}: {}", self.0)),
            _ => self,
        }
    }

    /// The error.
    pub(super) fn of(self, path: &Path) -> Error {
        match self.0.kind() {
            io::ErrorKind::InvalidData => Error::io("read the table of positions", path, self.0),
            io::ErrorKind::Interrupted => Error::interrupted(),
            _ => Error::io("read", path, self.0),
        }
    }
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Flaw {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Flaw::new("the file is truncated"),
            _ => Flaw(error),
        }
    }
}

impl From<parquet::errors::ParquetError> for Flaw {
    fn from(error: parquet::errors::ParquetError) -> Flaw {
        let text = error.to_string();
        Flaw::new(text.lines().next().unwrap_or_default())
    }
}
