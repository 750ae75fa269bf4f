//! `notations.csv`: one row per notation.

use crate::notation::{NOTATIONS, Notation, without_languages};

use super::columns::{
    BYTES, CHANGE_VS_LETTERS, CHANGE_VS_SAN, CHARACTERS, CHARACTERS_PER_PLY, GAMES, NOTATION, PLIES,
};
use super::columns::{change_percent, ratio};
use super::schema::{Merging, RowCounts, Schema, Written};

/// The names of the notations that tables and pages treat in a special way; a test checks that the registry has them.
pub mod names {
    /// Standard Algebraic Notation.
    pub const SAN: &str = "san";
    /// Long algebraic notation.
    pub const LONG: &str = "long";
    /// The notation of the Universal Chess Interface.
    pub const UCI: &str = "uci";
    /// Economical notation with letters.
    pub const LETTERS: &str = "economical-letters";
    /// Economical notation without letters, unambiguous by the movements of the pieces.
    pub const SQUARES: &str = "economical-squares";
    /// Economical notation without letters, unambiguous among legal moves.
    pub const SQUARES_LEGAL: &str = "economical-squares-legal";
    /// Economical notation with priority, by the movements of the pieces.
    pub const PRIORITY: &str = "economical-priority";
    /// Economical notation with priority, among legal moves.
    pub const PRIORITY_LEGAL: &str = "economical-priority-legal";
    /// Chess 99.
    pub const CHESS99: &str = "chess99";
}

/// The notations that the others are compared with: they are in every selection.
pub const BASES: [&str; 2] = [names::SAN, names::LETTERS];

/// Is it SAN with the letters of a language?
pub fn is_localized(name: &str) -> bool {
    let is_it = |notation: &&dyn Notation| notation.info().name == name;
    NOTATIONS.iter().any(is_it) && !without_languages().iter().any(is_it)
}

/// One row per notation.
pub static SCHEMA: Schema = Schema {
    file: "notations.csv",
    purpose: "One row per notation, in the order of `pgnmill notations`.",
    written: Written::Always,
    columns: &[
        NOTATION,
        GAMES.with_doc(
            "games that the notation can write: the same in every row except `stamma`, which \
             writes only games from the starting position",
        ),
        PLIES.with_doc("plies of these games"),
        CHARACTERS,
        BYTES,
        CHARACTERS_PER_PLY,
        CHANGE_VS_SAN,
        CHANGE_VS_LETTERS,
    ],
    merging: Merging::Add { groups_max: usize::MAX, derive },
};

fn derive(row: &RowCounts<'_>) -> Vec<String> {
    let (plies, characters) = (row.sums[1], row.sums[2]);
    let change = |base: &str| match (row.of)(base) {
        // A notation that cannot write every game has no comparable total.
        Some(base) if base[1] == plies => change_percent(characters, base[2]),
        _ => String::new(),
    };
    vec![ratio(characters, plies, 3), change(BASES[0]), change(BASES[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_has_the_names() {
        for name in [names::SAN, names::LONG, names::UCI, names::LETTERS, names::SQUARES]
            .into_iter()
            .chain([names::SQUARES_LEGAL, names::PRIORITY, names::PRIORITY_LEGAL, names::CHESS99])
        {
            assert!(NOTATIONS.iter().any(|notation| notation.info().name == name), "{name}");
            assert!(!is_localized(name), "{name}");
        }
        assert!(is_localized("san-de") && !is_localized("san-none"));
    }
}
