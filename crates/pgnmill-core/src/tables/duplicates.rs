//! `groups.csv` of `duplicates`: one row per member of a group of duplicate games.

use super::columns::{ARCHIVE, BLACK, BYTE_OFFSET, GAME, WHITE};
use super::schema::{Column, Merging, Schema, Written};

/// One row per member.
pub static SCHEMA: Schema = Schema {
    file: "groups.csv",
    purpose: "One row per game that has duplicates, group by group, in the order of the inputs.",
    written: Written::Duplicates,
    columns: &[
        Column::count("group", "", "the number of the group, from 1, in the order of first games"),
        Column::text(
            "kind",
            "`kept`: the one game of the group that is kept; `exact`: it has the moves of an \
             earlier game; `near`: it is the first with its moves, which begin another game's, or \
             begin with them",
        ),
        ARCHIVE,
        GAME,
        BYTE_OFFSET.with_doc("offset of the game in the archive's text"),
        Column::count("plies", "plies", "plies of the main line"),
        WHITE,
        BLACK,
        Column::text("date", "the tag `Date`; empty if there is none"),
        Column::text("result", "the tag `Result`; empty if there is none"),
        Column::text(
            "of_archive",
            "the archive of the game that it duplicates: of the first one with its moves, or of \
             the next one on the way to the kept game; empty for the kept game",
        ),
        Column::count("of_game", "", "the number of that game in its archive; empty likewise"),
    ],
    merging: Merging::Never,
};
