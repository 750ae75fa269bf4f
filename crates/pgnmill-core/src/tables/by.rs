//! `by_DIMENSION.csv`: the counts of each group of a dimension.

use super::columns::{
    BYTES, CHANGE_VS_LETTERS, CHANGE_VS_SAN, CHARACTERS, CHARACTERS_PER_PLY, GAMES, NOTATION, PLIES,
};
use super::columns::{change_percent, ratio};
use super::dimension::Dimension;
use super::groups::SOURCES_MAX;
use super::notations::BASES;
use super::order::Order;
use super::schema::{Column, Merging, RowCounts, Schema, Written};

/// The group.
pub const KEY: Column = key(Dimension::Ply);

/// Columns of a table by dimension.
const COLUMNS: usize = 9;

static COLUMNS_BY: [[Column; COLUMNS]; Dimension::ALL.len()] = {
    let mut columns = [columns_by(Dimension::Ply); Dimension::ALL.len()];
    let mut at = 0;
    while at < columns.len() {
        columns[at] = columns_by(Dimension::ALL[at]);
        at += 1;
    }
    columns
};

/// One table per dimension, in the order of [`Dimension::ALL`].
pub static SCHEMAS: [Schema; Dimension::ALL.len()] = {
    let mut schemas = [schema_by(Dimension::Ply); Dimension::ALL.len()];
    let mut at = 0;
    while at < schemas.len() {
        schemas[at] = schema_by(Dimension::ALL[at]);
        at += 1;
    }
    schemas
};

const fn key(dimension: Dimension) -> Column {
    Column::key("key", Order::Groups(dimension), "the group")
}

const fn columns_by(dimension: Dimension) -> [Column; COLUMNS] {
    [
        key(dimension),
        NOTATION,
        GAMES.with_doc("games in the group, or with a ply in it"),
        PLIES.with_doc("plies in the group"),
        CHARACTERS,
        BYTES,
        CHARACTERS_PER_PLY,
        CHANGE_VS_SAN,
        CHANGE_VS_LETTERS,
    ]
}

const fn schema_by(dimension: Dimension) -> Schema {
    let groups_max =
        if dimension.index() == Dimension::Source.index() { SOURCES_MAX } else { usize::MAX };
    let always = dimension.index() == Dimension::Ply.index();
    Schema {
        file: dimension.file(),
        purpose: "One row per group and notation; groups without a game have none.",
        written: if always { Written::Always } else { Written::By },
        columns: &COLUMNS_BY[dimension.index()],
        merging: Merging::Add { groups_max, derive },
    }
}

pub(super) fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let (plies, characters) = (row.sums[1], row.sums[2]);
    let change = |base: &str| match (row.of)(base) {
        // A notation that cannot write every game has no comparable total.
        Some(base) if base[1] == plies => change_percent(characters, base[2]),
        _ => String::new(),
    };
    vec![ratio(characters, plies, 3), change(BASES[0]), change(BASES[1])]
}

impl Dimension {
    /// The table by this dimension.
    pub fn schema(self) -> &'static Schema {
        &SCHEMAS[self.index()]
    }

    /// The dimension of the table with this file name.
    pub fn from_file(file: &str) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|dimension| dimension.file() == file)
    }
}
