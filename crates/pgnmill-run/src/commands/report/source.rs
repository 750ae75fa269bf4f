//! What `report` is given: a directory of tables, a table of positions, or something else.
//!
//! In: a path. Out: which of these it is; of anything else an error that states what it is and what `report` takes.
//! Invariant: nothing is read but the beginning of a file. Cost: one system call for a directory.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use pgnmill_core::tables;
use pgnmill_io::error::{Error, Result, Shown as _};

/// The bytes of a file that decide what it is.
const BEGIN_BYTES: u64 = 512;
/// With which compressed files begin: zstd frames, and frames that are skipped; gzip, bzip2, xz, zip, 7z.
const COMPRESSED: [&[u8]; 7] = [
    b"\x28\xb5\x2f\xfd",
    b"\x5e\x2a\x4d\x18",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"PK\x03\x04",
    b"7z\xbc\xaf",
];
/// Endings of archives of games, and of lines of positions.
const OF_GAMES: [&str; 11] =
    ["pgn", "zst", "epd", "fen", "gz", "bz2", "xz", "zip", "7z", "tgz", "txt"];
/// Endings of tables of positions.
const OF_TABLES: [&str; 5] = ["parquet", "arrow", "csv", "jsonl", "ndjson"];

/// What a path is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// A directory, or nothing at all: the tables of a measurement, or of `stats`.
    Directory,
    /// A file that may be a table of positions.
    Positions,
}

impl Source {
    /// That of a path.
    ///
    /// # Errors
    /// A file that is no table of positions.
    pub(super) fn of(path: &Path) -> Result<Source> {
        match std::fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => {}
            _ => return Ok(Source::Directory),
        }
        let mut begin = Vec::new();
        if let Ok(file) = File::open(path) {
            // What cannot be read is an error where the whole file is.
            drop(file.take(BEGIN_BYTES).read_to_end(&mut begin));
        }
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        let ending = ending.as_deref().unwrap_or_default();
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        if ending == "bin" {
            return Err(is_book(path));
        }
        let first_column = begin.split(|byte| b",\r\n".contains(byte)).next().unwrap_or_default();
        let schema = tables::find(&name).and_then(|schema| schema.columns.first());
        if schema.is_some_and(|column| column.name.as_bytes() == first_column) {
            return Err(of_measurement(path));
        }
        if OF_TABLES.contains(&ending) || begin.starts_with(b"PAR1") || begin.starts_with(b"ARROW1")
        {
            return Ok(Source::Positions);
        }
        let has_games = OF_GAMES.contains(&ending)
            || COMPRESSED.iter().any(|mark| begin.starts_with(mark))
            || begin.trim_ascii_start().starts_with(b"[");
        if has_games { Err(is_archive(path)) } else { Ok(Source::Positions) }
    }
}

/// What `report` takes.
fn taken(path: &str) -> String {
    format!(
        "report reads the directory that `pgnmill measure -o TABLES {path}` or `pgnmill stats -o TABLES {path}` writes, or a \
         table that `pgnmill positions -o TABLE.parquet {path}` writes"
    )
}

fn is_archive(path: &Path) -> Error {
    let path = path.shown().to_string();
    Error::usage(format!("{path} is an archive, not a table: {}", taken(&path)))
}

/// The error of a Polyglot book.
pub(super) fn is_book(path: &Path) -> Error {
    let path = path.shown();
    Error::usage(format!(
        "{path} is a Polyglot book, which has weights and no games: `pgnmill explore {path}` shows it; {}",
        taken("INPUT")
    ))
}

/// The error of a single table of a measurement.
fn of_measurement(path: &Path) -> Error {
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    Error::usage(format!(
        "{} is one table of a directory: report reads the directory, `pgnmill report {}`",
        path.shown(),
        directory.shown()
    ))
}

/// The error of a file that cannot be read as a table of positions.
#[cfg(feature = "columns")]
pub(super) fn no_table(why: &Error) -> Error {
    Error::usage(format!("{why}; {}", taken("INPUT")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_table_is_named() {
        let folder = std::env::temp_dir().join(format!("pgnmill-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let of = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.join(name), bytes).unwrap();
            Source::of(&folder.join(name)).map_err(|error| error.to_string())
        };
        assert_eq!(Source::of(&folder).unwrap(), Source::Directory);
        assert_eq!(Source::of(&folder.join("nothing")).unwrap(), Source::Directory);
        assert_eq!(of("a.csv", b"fen,uci"), Ok(Source::Positions));
        assert_eq!(of("a", b"PAR1"), Ok(Source::Positions));
        for (name, bytes, words) in [
            ("a.pgn", &b""[..], "is an archive"),
            ("b", b"\n[Event \"x\"]\n", "is an archive"),
            ("c", b"\x28\xb5\x2f\xfd", "is an archive"),
            ("d.bin", b"", "is a Polyglot book"),
            ("notations.csv", b"notation,games\n", "is one table of a directory"),
        ] {
            let error = of(name, bytes).unwrap_err();
            assert!(
                error.contains(words) && error.contains("report reads the directory"),
                "{error}"
            );
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
