//! `ledger.csv`: one row per split that was read; it shows that every game of an archive was read exactly once.

use super::columns::ARCHIVE;
use super::schema::{Column, Merging, Schema, Written};

/// The seals of tables.
pub const TABLES: Column = Column::text(
    "tables",
    "the tables that were written beside the ledger: bytes, digest and name of each, separated by `/`; \
     empty where `tables.csv` has them; `merge` refuses other tables",
);

/// One row per split.
pub static SCHEMA: Schema = Schema {
    file: "ledger.csv",
    purpose: "One row per split that was read, in the order of the archives and of their bytes.",
    written: Written::Split,
    columns: &[
        ARCHIVE.with_doc("the path or URL of the archive, as in the split"),
        Column::text("container", "`text`, `zstd`, `gzip`, `bzip2` or `xz`"),
        Column::count("begin", "bytes", "the first stored byte of the split's range"),
        Column::count("end", "bytes", "the end of the range"),
        Column::count("stored_bytes", "bytes", "the size of the archive"),
        Column::count("target_bytes", "bytes", "the size that ranges were requested to have"),
        Column::count("frames", "frames", "frames before the range, skippable ones not counted"),
        Column::count("ordinal", "", "the number of the split in the archive, from 0"),
        Column::count("count", "splits", "the splits of the archive"),
        Column::text(
            "modified_ns",
            "when the archive was modified, in nanoseconds since 1970; empty if that is unknown",
        ),
        Column::text("etag", "the tag of the archive in an object store; empty if it has none"),
        Column::text("seal", "a hash of all columns before, in hexadecimal digits"),
        Column::text("program_version", "of pgnmill"),
        Column::text("command", "`validate`, `convert`, `export` or `measure`"),
        Column::text("options", "of the command line, as far as they influence the counts"),
        Column::count(
            "before_text_bytes",
            "bytes",
            "what the offsets in the tables of the split begin with",
        ),
        Column::count("before_lines", "lines", "the same of the numbers of lines"),
        Column::count("before_games", "games", "the same of the numbers of games"),
        Column::count("text_bytes", "bytes", "bytes of text that the split owns"),
        Column::count("lines", "lines", "line ends in it"),
        Column::count(
            "games",
            "games",
            "games that begin in it = `accepted` + `repaired` + `rejected` + `not_selected`",
        ),
        Column::count("accepted", "games", "as in `summary.csv`"),
        Column::count("repaired", "games", "as in `summary.csv`"),
        Column::count("rejected", "games", "as in `summary.csv`"),
        Column::count("not_selected", "games", "as in `summary.csv`"),
        Column::count("plies", "plies", "as in `summary.csv`"),
        Column::count("variation_plies", "plies", "as in `summary.csv`"),
        Column::count("between_bytes", "bytes", "as in `summary.csv`"),
        Column::count(
            "texts_between",
            "times",
            "how often the deviation `bytes-between-games` occurred",
        ),
        Column::count(
            "games_without_tags",
            "times",
            "how often the deviation `game-without-tags` occurred",
        ),
        Column::text(
            "survey",
            "the encodings and line ends of the text: `utf8` (beyond ASCII), `other` (bytes that are not UTF-8), \
             `controls` (0x80 to 0x9F among them), `lf`, `crlf`, `cr`; the notes on an archive follow from all its \
             splits: the summary of one split does not count them; empty where the summary counts them",
        ),
        TABLES,
    ],
    merging: Merging::Ledger,
};
