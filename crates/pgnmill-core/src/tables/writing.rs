//! `writing.csv`: what it costs to write the texts and to send them.

use super::columns::NOTATION;
use super::schema::{Column, Kind, Merging, Schema, Written};

/// A count that follows from those of `characters.csv` and `notations.csv`.
const fn count(name: &'static str, unit: &'static str, doc: &'static str) -> Column {
    Column::derived(name, Kind::Count, unit, doc)
}

/// A mean over the plies.
const fn per_ply(name: &'static str, unit: &'static str, doc: &'static str) -> Column {
    Column::derived(name, Kind::Decimal(3), unit, doc)
}

/// The counts that a page shows, in its order.
pub const SHOWN: [&str; 10] = [
    "plies",
    "characters",
    "keys",
    "morse_units",
    "utf8_bytes",
    "utf16_bytes",
    "alphabet",
    "fixed_width_bits",
    "characters_without_key",
    "characters_without_morse",
];

/// One row per notation.
pub static SCHEMA: Schema = Schema {
    file: "writing.csv",
    purpose: "One row per notation: keys, Morse code and bytes of the move texts.",
    written: Written::Writing,
    columns: &[
        NOTATION,
        count("plies", "plies", "plies that the notation can write"),
        count("characters", "characters", "characters of their texts"),
        count(
            "keys",
            "keys",
            "keys pressed on a US keyboard: 2 for a capital letter and for what is above another sign, because Shift is \
             a key; without separators",
        ),
        count(
            "morse_units",
            "units",
            "duration in Morse code (ITU-R M.1677-1), in dots: 3 for a dash, 1 between the signals of a character, 3 \
             between two characters of a ply, 7 after a ply, which is a word",
        ),
        count("utf8_bytes", "bytes", "bytes in UTF-8"),
        count("utf16_bytes", "bytes", "bytes in UTF-16, without a byte order mark"),
        count(
            "characters_without_key",
            "characters",
            "characters that a US keyboard does not have; they are in no other column of keys",
        ),
        count(
            "characters_without_morse",
            "characters",
            "characters without a signal in the Recommendation, such as `#`; they take no units",
        ),
        count("alphabet", "characters", "how many different characters occur"),
        count(
            "fixed_width_bits",
            "bits",
            "`characters` · the binary logarithm of `alphabet`, rounded to whole bits: equally long codes of characters",
        ),
        per_ply("keys_per_ply", "keys per ply", "`keys` / `plies`; empty if there are no plies"),
        per_ply("morse_units_per_ply", "units per ply", "`morse_units` / `plies`"),
        per_ply(
            "fixed_width_bits_per_ply",
            "bits per ply",
            "the bits before they are rounded, divided by `plies`",
        ),
    ],
    merging: Merging::Compute,
};
