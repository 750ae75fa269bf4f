//! `archives.csv`: what was measured, archive by archive.

use super::columns::percent;
use super::dimension::Dimension;
use super::groups::SOURCES_MAX;
use super::order::Order;
use super::schema::{Column, Kind, Merging, Role, RowCounts, Schema, Written};

/// The archive.
pub const ARCHIVE: Column = Column::key(
    "archive",
    Order::Groups(Dimension::Source),
    "the archive; the first 10,000 by the bytes of their names, the others are one row",
);

/// The integers of a row, in their order.
pub const SUMS: [Column; 9] = [
    Column::sum("text_bytes", "bytes", "the text of its games, decompressed"),
    Column::sum("games", "games", "games that were read"),
    Column::sum("rejected", "games", "of these, games that were rejected and not measured"),
    Column::sum("measured", "games", "games of chess and Chess960 that were measured"),
    Column::sum("draws", "games", "of these, games that were drawn"),
    Column::sum("mates", "games", "of these, games that end with mate"),
    Column::sum("rated", "games", "of these, games with the ratings of both players"),
    Column::end(
        "first_date",
        Role::Least,
        "",
        "the first `Date` (`UTCDate`) of these, as year · 10,000 + month · 100 + day; what is unknown of a date is \
         0; 0 if none has one",
    ),
    Column::end("last_date", Role::Greatest, "", "the last one"),
];

/// One row per archive.
pub static SCHEMA: Schema = Schema {
    file: "archives.csv",
    purpose: "One row per archive: its games, and what they tell of its origin. Games online have few draws and many \
              mates, those over the board the reverse.",
    written: Written::BySource,
    columns: &[
        ARCHIVE,
        SUMS[0],
        SUMS[1],
        SUMS[2],
        SUMS[3],
        SUMS[4],
        SUMS[5],
        SUMS[6],
        SUMS[7],
        SUMS[8],
        Column::derived("draws_percent", Kind::Decimal(2), "per cent", "`draws` of `measured`"),
        Column::derived("mates_percent", Kind::Decimal(2), "per cent", "`mates` of `measured`"),
        Column::derived("rated_percent", Kind::Decimal(2), "per cent", "`rated` of `measured`"),
    ],
    merging: Merging::Add { groups_max: SOURCES_MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let measured = row.sums[3];
    [4, 5, 6].map(|place| percent(row.sums[place], measured)).to_vec()
}
