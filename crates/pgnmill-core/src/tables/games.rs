//! `games.csv`: one row per measured game.

use super::columns::{ARCHIVE, BYTE_OFFSET, GAME};
use super::schema::{Column, Merging, Schema, Written};

/// What the columns of the notations begin with.
const CHARACTERS: &str = "characters_";

/// One row per game; after the declared columns one per notation, see [`header`].
pub static SCHEMA: Schema = Schema {
    file: "games.csv",
    purpose: "One row per measured game, in the order of the inputs.",
    written: Written::PerGame,
    columns: &[
        ARCHIVE,
        BYTE_OFFSET.with_doc("offset of the game in the archive's text"),
        GAME,
        Column::count("plies", "plies", "plies of the main line"),
        REPEATED,
    ],
    merging: Merging::Append,
};

/// Stands for one column per notation.
const REPEATED: Column = Column::count(
    "characters_NAME",
    "characters",
    "characters of the game's texts in notation NAME, hyphens as underscores; one column per \
     notation that is measured",
);

/// The header for these notations.
pub fn header<'n>(notations: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let fixed = SCHEMA.columns.iter().filter(|column| column.name != REPEATED.name);
    let names = notations.into_iter().map(|name| CHARACTERS.to_string() + &name.replace('-', "_"));
    fixed.map(|column| column.name.to_string()).chain(names).collect()
}
