//! `facts.csv`: how often less than SAN writes would be enough.

use super::columns::percent;
use super::order::Order;
use super::schema::{Column, Kind, Merging, RowCounts, Schema, Written};

/// The names of the facts, in their order.
pub const FACTS: [&str; 10] = {
    let mut names = [""; 10];
    let mut at = 0;
    while at < names.len() {
        names[at] = MEANINGS[at].0;
        at += 1;
    }
    names
};

/// The facts: name, unit, where it holds, among what.
pub const MEANINGS: [(&str, &str, &str, &str); 10] = [
    (
        "piece-and-square-enough",
        "plies",
        "no other piece of the same type can legally move to that square. Pawns are a type; \
         castling has a text of its own and counts as unambiguous, as does the piece type of a \
         promotion",
        "all plies",
    ),
    (
        "piece-and-square-enough-for-pieces",
        "plies",
        "the same",
        "plies of pieces other than pawns, without castling",
    ),
    (
        "square-enough",
        "plies",
        "the square with which the economical notations name the move fits no other legal move",
        "all plies",
    ),
    (
        "square-enough-by-steps",
        "plies",
        "the same, where pieces that are pinned count as able to move",
        "all plies",
    ),
    (
        "pawn-capture-square-enough",
        "plies",
        "no other pawn can legally capture there",
        "captures by pawns, en passant included",
    ),
    (
        "pawn-capture-files-enough",
        "plies",
        "no other pawn can legally capture from this file to that file",
        "captures by pawns, en passant included",
    ),
    (
        "legality-shortens-squares",
        "plies",
        "`economical-squares-legal` is shorter than `economical-squares`",
        "all plies",
    ),
    (
        "legality-saves-squares",
        "characters",
        "so many fewer in `economical-squares-legal`",
        "the characters of `economical-squares`",
    ),
    (
        "legality-shortens-priority",
        "plies",
        "`economical-priority-legal` is shorter than `economical-priority`",
        "all plies",
    ),
    (
        "legality-saves-priority",
        "characters",
        "so many fewer in `economical-priority-legal`",
        "the characters of `economical-priority`",
    ),
];

/// The name of the fact.
pub const FACT: Column =
    Column::key("fact", Order::Listed(&FACTS), "the name of the fact; see below");
/// How often it holds.
pub const COUNT: Column =
    Column::sum("count", "plies or characters", "for how many the fact holds");
/// Among what.
pub const OF: Column = Column::sum("of", "plies or characters", "among how many");

/// One row per fact.
pub static SCHEMA: Schema = Schema {
    file: "facts.csv",
    purpose: "One row per fact: how often a shorter text would be enough.",
    written: Written::Always,
    columns: &[
        FACT,
        COUNT,
        OF,
        Column::derived(
            "percent",
            Kind::Decimal(2),
            "per cent",
            "100 · `count` / `of`; empty if `of` is 0",
        ),
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    vec![percent(row.sums[0], row.sums[1])]
}
