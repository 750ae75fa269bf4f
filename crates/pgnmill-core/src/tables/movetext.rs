//! `movetext.csv`: what whole movetext costs.

use super::columns::{BYTES, CHARACTERS, CHARACTERS_PER_PLY, PLIES, ratio};
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The parts of movetext: the last one is the sum of the others.
pub const PARTS: [&str; 5] = ["moves", "separators", "numbers", "results", "total"];
/// Characters of the line for which plies are given.
const LINE_CHARACTERS: u64 = 80;

/// The part of the movetext.
pub const PART: Column = Column::key(
    "part",
    Order::Listed(&PARTS),
    "`moves`, `separators`, `numbers`, `results`, or `total`, their sum",
);

/// Five rows per notation, and of the code of a game, whatever is measured: it follows from the counts of all.
pub static SCHEMA: Schema = Schema {
    file: "movetext.csv",
    purpose: "Five rows per notation, and of `tcn`: what whole movetext costs.",
    written: Written::Always,
    columns: &[
        Column::key("notation", Order::RegistryAndGames, "the name of the notation"),
        PART,
        PLIES.with_doc("plies measured"),
        CHARACTERS.with_doc("characters of the part"),
        BYTES.with_doc("bytes of the part"),
        CHARACTERS_PER_PLY,
        Column::derived(
            "plies_per_line",
            Kind::Decimal(2),
            "plies",
            "plies that 80 characters hold: 80 · `plies` / `characters`; of `total` alone",
        ),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let (plies, characters) = (row.sums[0], row.sums[1]);
    let line = match row.keys[1] == PARTS[4] {
        true => ratio(plies.saturating_mul(LINE_CHARACTERS), characters, 2),
        false => String::new(),
    };
    vec![ratio(characters, plies, 3), line]
}
