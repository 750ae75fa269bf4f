//! A field of `--where` in the place of a column: what has its value, or is next to it.
//!
//! In: a name that is no column of a table. Out: the end of a sentence, if it is a field. Invariant: every field that
//! is no column has a row here; a test checks that, and that what is named are columns. Cost: a search in a short list.

use pgnmill_core::pgn::Tag;
use pgnmill_core::select::fields;

/// Fields, the columns of games that are written in their place, and what else helps.
const NEAR: [(&[&str], &str, &str); 13] = [
    (&["rating_min", "rating_max", "rating_mean", "rating_difference"], "WhiteElo,BlackElo", ""),
    (&["player_rating"], "WhiteElo,BlackElo", ""),
    (&["player", "opponent"], "White,Black", ""),
    (&["player_title", "opponent_title"], "WhiteTitle,BlackTitle", ""),
    (&["player_won", "player_lost"], "outcome", ""),
    (&["speed"], "TimeControl,time_initial,time_increment", ""),
    (&["variant"], "Variant", ""),
    (&["eco_computed"], "ECO", "`pgnmill convert --set-eco` sets it by the moves"),
    (&["opening_computed"], "Opening", "`pgnmill convert --set-eco` sets it by the moves"),
    (&["text_bytes"], "movetext", ""),
    (&["evals"], "evals_cp,evals_mate", ""),
    (&["comments", "variations", "nags"], "movetext,variation_plies", ""),
    (
        &[
            "mate",
            "stalemate",
            "insufficient_material",
            "final_material",
            "white_pawns",
            "white_knights",
            "white_bishops",
            "white_rooks",
            "white_queens",
            "black_pawns",
            "black_knights",
            "black_bishops",
            "black_rooks",
            "black_queens",
            "underpromotion",
            "castling_short",
            "castling_long",
        ],
        "final_fen,moves",
        "",
    ),
];

/// What is written in the place of a field, or of a tag pair that has no column of its own. `is_of_games`: the table
/// that is written is that of games.
pub(crate) fn advice(name: &str, is_of_games: bool) -> Option<String> {
    let table = if is_of_games { "" } else { " of the table games" };
    if let Some((_, columns, help)) = NEAR.iter().find(|(fields, ..)| fields.contains(&name)) {
        let help = if help.is_empty() { String::new() } else { format!(" ({help})") };
        return Some(format!("it is a field of --where; write {columns}{table}{help}"));
    }
    let is_tag = Tag::of(name).is_some() || fields().any(|field| field.name == name);
    is_tag.then(|| format!("write tags{table}, which has all tag pairs"))
}

/// Is the column that of a tag pair that can be set by the moves?
pub(super) fn is_computed(column: &str) -> bool {
    NEAR.iter().any(|(_, columns, help)| *columns == column && !help.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_columns::Table;

    /// Each field, and each tag pair with a type.
    #[test]
    fn every_field_that_is_no_column_has_columns_in_its_place() {
        let has = |table: Table, name: &str| table.columns().iter().any(|it| it.name == name);
        let is_column = |name: &str| has(Table::Games, name) || has(Table::Plies, name);
        for field in fields().filter(|field| !is_column(field.name)) {
            let row = NEAR.iter().find(|(fields, ..)| fields.contains(&field.name));
            assert!(row.is_some(), "{}", field.name);
        }
        for (names, columns, _) in NEAR {
            for name in names {
                assert!(!has(Table::Games, name), "{name}");
                assert!(fields().any(|field| field.name == *name), "{name}");
            }
            for column in columns.split(',') {
                assert!(has(Table::Games, column), "{column}");
            }
        }
        assert!(has(Table::Games, "tags"));
        assert_eq!(advice("nothing", true), None);
        assert!(advice("Annotator", true).unwrap().contains("write tags"));
    }
}
