//! `changes.csv`: how many games each notation makes shorter, and by how much.

use super::columns::NOTATION;
use super::notations::BASES;
use super::order::Order;
use super::schema::{Column, Schema, Written};

/// What is compared of a game, and the games that are compared.
pub const SPANS: [(&str, &str); 3] = [
    ("game", "the main line of a game of 20 plies and more"),
    ("first-20-moves", "the first 40 plies of a game that has them"),
    ("later", "all after the 40th ply, of a game of 60 plies and more"),
];
/// The names of the spans.
pub const SPAN_NAMES: [&str; 3] = [SPANS[0].0, SPANS[1].0, SPANS[2].0];
/// The width of a group, in per mille of the other notation.
pub const STEP_PER_MILLE: u64 = 5;
/// The last group has all games that become longer than twice as long.
pub const PER_MILLE_MAX: u64 = 2_000;

/// What is compared.
pub const SPAN: Column = Column::key(
    "span",
    Order::Listed(&SPAN_NAMES),
    "`game`: the main line, of games of 20 plies and more; `first-20-moves`: the first 40 plies, of games that have \
     them; `later`: all after the 40th, of games of 60 plies and more",
);
/// With what.
pub const AGAINST: Column = Column::key(
    "against",
    Order::Listed(&BASES),
    "the other notation, `san` or `economical-letters`",
);
/// The length against the other.
pub const LENGTH_PER_MILLE: Column = Column::number(
    "length_per_mille",
    Order::Below(PER_MILLE_MAX as usize + 1),
    "per mille",
    "1,000 · characters of this notation / characters of the other, rounded down to a multiple of 5; 800 to 804.9 are \
     800, a saving of 19.5 to 20 per cent. 2,000 stands for all above",
);

/// One row per span, pair of notations and ratio.
pub static SCHEMA: Schema = Schema {
    written: Written::Cluster,
    ..Schema::added(
        "changes.csv",
        "One row per span, pair of notations and ratio of lengths that occurs: the distribution over games.",
        &[
            SPAN,
            AGAINST,
            NOTATION,
            LENGTH_PER_MILLE,
            Column::sum("games", "games", "games with this ratio"),
        ],
    )
};
