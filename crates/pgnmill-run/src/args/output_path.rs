//! The names of outputs: a format that a name requests is written, or the name is refused.
//!
//! In: the path of an output, and what the command writes there. Out: an error that states which names would be right.
//! Invariants: nothing is written under the name of another format, such as PGN as `x.csv`, plain text as `x.pgn.gz`,
//! or a file where a new directory is meant; a pipe, a device and standard output have any name. Cost: one system call
//! per path.
//!
//! ```text
//! convert -o x.pgn.gz   → x.pgn.gz: gz is not written; name it x.pgn or x.pgn.zst
//! report -o x.pdf       → x.pdf: pdf is not written; name it x.html or x.md
//! ```

use std::path::{MAIN_SEPARATOR, Path};

use pgnmill_io::archive::{RecordKind, is_pgn_name};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::is_stream;

/// What is written to a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Games: one file, or a directory with one per input.
    Games,
    /// Games: one file.
    OneFileOfGames,
    /// The moves of games alone, a game a line: one file, or a directory with one per input.
    GameLines,
    /// The games that were rejected: a file.
    Rejects,
    /// Positions: one file, or a directory with one per input.
    Positions,
    /// The positions that were rejected: a file.
    RejectedPositions,
    /// A table in CSV, or Parquet.
    Table,
    /// A table in CSV.
    CsvTable,
    /// The summary, in CSV or JSON.
    Summary,
    /// A page, in HTML or Markdown.
    Page,
    /// Lines of JSON.
    Lines,
    /// Columns, in the format of this name.
    #[cfg_attr(not(feature = "columns"), allow(dead_code, reason = "no command writes columns"))]
    Columns(&'static str),
    /// A directory of files.
    Directory,
}

use Written::*;

/// Endings of formats: a file with one of them has that format.
const FORMATS: [&str; 50] = [
    "pgn", "zst", "csv", "tsv", "json", "jsonl", "ndjson", "parquet", "arrow", "arrows", "feather",
    "ipc", "html", "htm", "md", "markdown", "pdf", "xlsx", "xls", "ods", "xml", "yaml", "yml",
    "toml", "sql", "sqlite", "db", "duckdb", "svg", "png", "jpg", "doc", "docx", "tex", "gz",
    "bz2", "xz", "7z", "zip", "rar", "tar", "tgz", "lz4", "br", "lzma", "z", "epd", "fen", "cbh",
    "scid",
];

impl Written {
    /// What is written of such records, where games are of games.
    pub(crate) fn of(self, records: RecordKind) -> Written {
        match (self, records) {
            (Games, RecordKind::Lines) => Positions,
            (Rejects, RecordKind::Lines) => RejectedPositions,
            (written, _) => written,
        }
    }

    /// The endings of its names, those that are best first.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Games | OneFileOfGames => &["pgn", "pgn.zst", "zst"],
            GameLines => &["txt", "txt.zst", "uci", "tcn", "tcn.zst", "zst"],
            Rejects => &["pgn"],
            Positions => &["epd", "epd.zst", "fen", "zst"],
            RejectedPositions => &["epd", "fen"],
            Table if cfg!(feature = "columns") => &["csv", "parquet"],
            Table | CsvTable => &["csv"],
            Summary => &["csv", "json"],
            Page => &["html", "md", "htm"],
            Lines => &["jsonl", "json", "ndjson"],
            Columns("parquet") => &["parquet"],
            Columns("arrow") => &["arrow"],
            Columns("csv") => &["csv"],
            Columns("epd") => &["epd"],
            Columns("fen") => &["fen"],
            Columns(_) => &["jsonl"],
            Directory => &[],
        }
    }

    /// Must a name have an ending? The tables of a run are files, whatever their names.
    fn needs_ending(self) -> bool {
        matches!(self, Games | OneFileOfGames | GameLines | Positions | Page | Lines)
    }
}

/// Endings of compressed files.
#[cfg(feature = "columns")]
const COMPRESSED: [&str; 13] =
    ["zst", "gz", "bz2", "xz", "7z", "zip", "rar", "tar", "tgz", "lz4", "br", "lzma", "z"];

/// As [`check`], but refuses only the names of compressed files: for a format that an option names.
#[cfg(feature = "columns")]
pub fn check_compression(what: &str, path: &Path, written: Written) -> Result<()> {
    let ending = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    match ending.is_some_and(|ending| COMPRESSED.contains(&ending.as_str())) {
        true => check(what, path, written),
        false => Ok(()),
    }
}

/// Returns an error if the path has the name of something else than what is written. `what` is the option or the
/// command.
pub fn check(what: &str, path: &Path, written: Written) -> Result<()> {
    let metadata = path.metadata().ok();
    let is_named = written == Directory && (path == Path::new("-") || path.is_file());
    if is_stream(path) && !is_named {
        return Ok(());
    }
    let shown = path.shown();
    let ending = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    let ending = ending.filter(|ending| FORMATS.contains(&ending.as_str()));
    if written == Directory {
        let is_file = metadata.is_some_and(|it| it.is_file()) || path == Path::new("-");
        let is_new_file = ending.is_some() && !is_directory(path);
        return match is_file || is_new_file {
            false => Ok(()),
            true => Err(Error::usage(format!(
                "{what}: {shown} is the name of a file; the output is a directory, such as {}",
                named(path, "")
            ))),
        };
    }
    if is_directory(path) {
        return match written {
            Games | GameLines | Positions => Ok(()),
            _ => Err(Error::usage(format!(
                "{what}: {shown} is a directory; the output is one file, such as {}",
                path.join("output").with_extension(written.endings()[0]).shown()
            ))),
        };
    }
    // Of `x.pgn.zst` the last ending alone would be one that lines can have.
    if written == GameLines && is_pgn_name(path) {
        let why = format!("{what}: {shown}: pgn is not written here");
        return Err(Error::usage(format!("{why}; name it {}", names(path, written))));
    }
    match ending {
        Some(ending) if !written.endings().contains(&&ending[..]) => {
            let why = format!("{what}: {shown}: {ending} is not written here");
            Err(Error::usage(format!("{why}; name it {}", names(path, written))))
        }
        None if written.needs_ending() && path.extension().is_none() && metadata.is_none() => {
            let why = format!("{what}: {shown} has no ending that names a format");
            Err(Error::usage(format!("{why}; name it {}", names(path, written))))
        }
        _ => Ok(()),
    }
}

/// Does an output path name a directory: an existing one, or one with a slash at its end?
pub fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// The names that would be right.
fn names(path: &Path, written: Written) -> String {
    let mut names: Vec<String> =
        written.endings().iter().take(2).map(|ending| named(path, ending)).collect();
    if written == Games && path.extension().is_none() {
        names.push(format!("{}{MAIN_SEPARATOR}, for a directory", named(path, "")));
    }
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
}

/// The path with another ending in place of those that name formats.
fn named(path: &Path, ending: &str) -> String {
    let mut path = path.to_path_buf();
    let is_format = |path: &Path| {
        path.extension()
            .is_some_and(|it| FORMATS.contains(&&it.to_string_lossy().to_ascii_lowercase()[..]))
    };
    while is_format(&path) {
        path.set_extension("");
    }
    let dot = if ending.is_empty() { "" } else { "." };
    format!("{}{dot}{ending}", path.shown())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &str, written: Written) -> Option<String> {
        check("-o", Path::new(path), written).err().map(|error| error.to_string())
    }

    #[test]
    fn a_format_that_is_not_written_is_refused_with_names_that_are_not() {
        let files = [
            (Games, "pgn pgn.zst zst", "csv pgn.gz pgn.bz2 pgn.xz 7z zip json html pdf parquet"),
            (Rejects, "pgn txt", "pgn.zst pgn.gz csv"),
            (Table, "csv CSV txt", "json csv.gz csv.zst pgn xlsx"),
            (Summary, "csv json", "parquet pgn json.gz"),
            (Page, "html md HTM", "pdf html.gz csv docx"),
            (Lines, "jsonl json", "csv parquet json.zst"),
        ];
        for (written, right, wrong) in files {
            for ending in right.split(' ') {
                assert_eq!(refusal(&format!("no/x.{ending}"), written), None, "{written:?}");
            }
            for ending in wrong.split(' ') {
                let why = refusal(&format!("no/x.{ending}"), written).unwrap();
                let (_, advice) = why.split_once("; name it ").unwrap();
                for name in advice.split([' ', ',']).filter(|word| word.starts_with("no/x")) {
                    assert_eq!(refusal(name, written), None, "{why}");
                }
            }
        }
    }

    #[test]
    fn directories_and_files_are_not_confused() {
        assert!(
            refusal("new", Games)
                .unwrap()
                .ends_with("new.pgn, new.pgn.zst or new/, for a directory")
        );
        assert_eq!(refusal("new/", Games), None);
        assert!(refusal("new/", Page).unwrap().contains("one file"));
        assert!(refusal("new", Page).unwrap().contains("new.html"));
        assert_eq!(refusal("new", Directory), None);
        assert_eq!(refusal("new.d/", Directory), None);
        assert!(refusal("tables.csv", Directory).unwrap().ends_with("such as tables"));
        assert!(refusal("-", Directory).is_some());
        assert_eq!(refusal("-", Games), None);
        assert_eq!(refusal("/dev/null", Games), None);
        assert_eq!(refusal("games.2024", Games), None);
    }
}
