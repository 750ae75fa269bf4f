//! `summary.csv`: one fact per row, a key and its value.

use super::schema::{Column, Merging, Schema, Written};

/// The key.
pub const KEY: Column = Column::text("key", "the name of the value; see below");
/// The value.
pub const VALUE: Column = Column::text("value", "a count, or words");

/// One row per fact.
pub static SCHEMA: Schema = Schema {
    file: "summary.csv",
    purpose: "One row per value of the run.",
    written: Written::Summary,
    columns: &[KEY, VALUE],
    merging: Merging::Count,
};

/// A key that is known: its name, its unit (none: its value is words) and its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The key.
    pub name: &'static str,
    /// The unit of the count; empty for words.
    pub unit: &'static str,
    /// The meaning, in Markdown.
    pub doc: &'static str,
    /// Only in the summary of a measurement?
    pub measured: bool,
}

const fn words(name: &'static str, measured: bool, doc: &'static str) -> Known {
    Known { name, unit: "", doc, measured }
}

const fn count(name: &'static str, unit: &'static str, doc: &'static str) -> Known {
    Known { name, unit, doc, measured: false }
}

/// The version of the layout.
pub const SCHEMA_VERSION: Known = words(
    "schema_version",
    false,
    "of all tables; grows when a column changes its meaning. `report` reads older versions too: \
     it uses nothing of them that has changed",
);
/// The command.
pub const COMMAND: Known =
    words("command", false, "`validate`, `convert`, `export`, `measure`, `select` or `duplicates`");
/// The day of the measurement.
pub const MEASURED_ON: Known = words(
    "measured_on",
    true,
    "the day in UTC, `yyyy-mm-dd`; that of `SOURCE_DATE_EPOCH` where it is set",
);

/// The keys in their order; keys of deviations, `CLASS:NAME`, follow.
pub const KEYS: [Known; 22] = [
    SCHEMA_VERSION,
    words("program_version", false, "of pgnmill"),
    COMMAND,
    words("options", true, "of the command line, as far as they influence the counts"),
    MEASURED_ON,
    count("archives", "archives", "archives read"),
    count("stored_bytes", "bytes", "bytes as stored, compressed where they are"),
    count(
        "damaged_bytes",
        "bytes",
        "the part of `stored_bytes` that could not be decoded and was skipped (`--skip-damaged`)",
    ),
    count("text_bytes", "bytes", "bytes of text = `game_bytes` + `between_bytes`"),
    count("game_bytes", "bytes", "bytes that belong to games"),
    count("between_bytes", "bytes", "bytes that belong to no game"),
    count(
        "games",
        "games",
        "games read = `accepted` + `repaired` + `rejected` + `selected` + `not_selected`; of files of positions these, \
         here and below",
    ),
    count("accepted", "games", "valid games"),
    count("repaired", "games", "valid games with texts that were accepted by a generous reading"),
    count("rejected", "games", "invalid games"),
    count(
        "selected",
        "games",
        "games that `select` copies, which have no verdict; only in its summary",
    ),
    count("not_selected", "games", "games that `--where` excludes; only in runs with it"),
    count("rejected_bytes", "bytes", "bytes of the rejected games"),
    count(
        "plies",
        "plies",
        "plies in main lines of games that are not rejected; of positions the moves of their operations",
    ),
    count("variation_plies", "plies", "plies in variations of these games"),
    Known { measured: true, ..count("measured_games", "games", "games counted in the tables") },
    Known { measured: true, ..count("measured_plies", "plies", "plies counted in the tables") },
];

/// What the documents have for the keys of deviations.
pub const OF_DEVIATIONS: Known = count(
    "CLASS:NAME",
    "times",
    "how often the deviation NAME occurred, rejected games included; CLASS is `note`, `repair` or \
     `fault` in this run; only deviations that occurred",
);

/// What the documents have for the keys of values that cannot be read.
pub const OF_VALUES: Known = count(
    "null:NAME",
    "values",
    "of `export`: values of the kind NAME that cannot be read and are null, in games that are not \
     rejected; only kinds that occurred",
);

/// What the documents have for the keys of inputs that failed.
pub const OF_FAILURES: Known = count(
    "failed:INPUT",
    "games",
    "with `--keep-going`: games that were read of an input that could not be read to its end; the \
     first 100 such inputs",
);

/// The inputs that failed which have a row, at most.
pub const FAILURES_MAX: usize = 100;

/// Is the value of this key words, not a count?
pub fn is_words(key: &str) -> bool {
    KEYS.iter().any(|known| known.name == key && known.unit.is_empty())
}

/// The place of a key among the known ones.
pub fn place(key: &str) -> Option<usize> {
    KEYS.iter().position(|known| known.name == key)
}
