//! A field of `--where` in the place of a column: what has its value, or is next to it.
//!
//! In: a name that is no column of a table. Out: the end of a sentence, if it is a field. Invariant: every field that
//! is no column has a row here; a test checks that, and that what is named are columns. Cost: a search in a short list.

use pgnmill_columns::Table;
use pgnmill_core::pgn::Tag;
use pgnmill_core::select::{fields, meant};

/// Fields, and the columns of games that are written in their place.
const NEAR: [(&[&str], &str); 11] = [
    (&["rating_min", "rating_max", "rating_mean", "rating_difference"], "WhiteElo,BlackElo"),
    (&["player_rating"], "WhiteElo,BlackElo"),
    (&["player", "opponent"], "White,Black"),
    (&["player_title", "opponent_title"], "WhiteTitle,BlackTitle"),
    (&["player_won", "player_lost"], "outcome"),
    (&["speed"], "TimeControl,time_initial,time_increment"),
    (&["variant"], "Variant"),
    (&["text_bytes"], "movetext"),
    (&["evals"], "evals_cp,evals_mate"),
    (&["comments", "variations", "nags"], "movetext,variation_plies"),
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
    ),
];

/// What is written in the place of a field, of a word that means columns, or of a tag pair that has no column of its
/// own.
pub(crate) fn advice(name: &str, table: Table) -> Option<String> {
    let columns = table.columns();
    let is_column = |name: &&&str| columns.iter().any(|column| column.name == **name);
    let meant = meant(name).unwrap_or_default();
    let meant: Vec<&str> = meant.iter().filter(is_column).copied().collect();
    if !meant.is_empty() {
        return Some(format!("did you mean {}?", meant.join(",")));
    }
    let table = if table == Table::Games { "" } else { " of the table games" };
    if let Some((_, columns)) = NEAR.iter().find(|(fields, _)| fields.contains(&name)) {
        return Some(format!("it is a field of --where; write {columns}{table}"));
    }
    let is_tag = Tag::of(name).is_some() || fields().any(|field| field.name == name);
    is_tag.then(|| format!("write tags{table}, which has all tag pairs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each field, and each tag pair with a type.
    #[test]
    fn every_field_that_is_no_column_has_columns_in_its_place() {
        let has = |table: Table, name: &str| table.columns().iter().any(|it| it.name == name);
        let is_column = |name: &str| has(Table::Games, name) || has(Table::Plies, name);
        for field in fields().filter(|field| !is_column(field.name)) {
            let row = NEAR.iter().find(|(fields, _)| fields.contains(&field.name));
            assert!(row.is_some(), "{}", field.name);
        }
        for (names, columns) in NEAR {
            for name in names {
                assert!(!has(Table::Games, name), "{name}");
                assert!(fields().any(|field| field.name == *name), "{name}");
            }
            for column in columns.split(',') {
                assert!(has(Table::Games, column), "{column}");
            }
        }
        assert!(has(Table::Games, "tags"));
        assert_eq!(advice("nothing", Table::Games), None);
        assert!(advice("Annotator", Table::Games).unwrap().contains("write tags"));
        let meant = |name: &str| advice(name, Table::Games).unwrap_or_default();
        assert_eq!(meant("Rating"), "did you mean WhiteElo,BlackElo?");
        assert_eq!(meant("moves_count"), "did you mean ply_count?");
        assert_eq!(meant("fen"), "did you mean final_fen?");
    }
}
