//! Which rulesets each notation can write.
//!
//! In: a notation and a ruleset. Out: whether all games of the ruleset have texts, games without some moves, or none.
//! Source: `variants.md`, section 6, `chess99.md`, section 6, and `boards.md`. `tests/rules/variants.rs` compares it
//! with the writers.
//!
//! ```
//! use pgnmill_core::chess::rules::RulesKind;
//! use pgnmill_core::notation::{self, Expresses, expresses};
//! let iccf = notation::find("iccf").unwrap();
//! let crazyhouse = "crazyhouse".parse::<RulesKind>().unwrap();
//! assert_eq!(expresses(iccf, crazyhouse), Expresses::WithoutDrops);
//! assert_eq!(expresses(iccf, RulesKind::Chess99), Expresses::Nothing);
//! ```

use crate::chess::rules::{RulesKind, VariantKind};

use super::Notation;

/// What a notation can write of a ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expresses {
    /// Every game.
    All,
    /// Games without drops.
    WithoutDrops,
    /// Games in which no pawn becomes a king.
    WithoutKingPromotions,
    /// No game.
    Nothing,
}

/// The notations that have texts on nine by nine squares.
const NINE: [&str; 4] = ["chess99", "uci", "long", "geographical"];
/// The notations that have texts on boards that are given by a table.
const BOARDS: [&str; 4] = ["san", "long", "uci", "geographical"];
/// The notations that have no drops.
const WITHOUT_DROPS: [&str; 4] = ["iccf", "smith", "uedemann", "stamma"];

/// What a notation can write of a ruleset.
pub fn expresses(notation: &dyn Notation, rules: RulesKind) -> Expresses {
    use VariantKind::*;
    let name = notation.info().name;
    let variant = match rules {
        RulesKind::Chess | RulesKind::Chess960 => return Expresses::All,
        RulesKind::Chess99 if NINE.contains(&name) => return Expresses::All,
        RulesKind::Board(_) if BOARDS.contains(&name) => return Expresses::All,
        RulesKind::Chess99 | RulesKind::Board(_) => return Expresses::Nothing,
        RulesKind::Variant { kind, .. } => kind,
    };
    match variant {
        Horde | RacingKings if notation.needs_lineage() => Expresses::Nothing,
        Crazyhouse if WITHOUT_DROPS.contains(&name) => Expresses::WithoutDrops,
        Antichess | Giveaway | Suicide if name == "uedemann" => Expresses::WithoutKingPromotions,
        _ => Expresses::All,
    }
}

/// The rulesets of a notation in words, for its row in a table.
pub fn rulesets_in_words(notation: &dyn Notation) -> String {
    let limited = |wanted: Expresses| -> Vec<&str> {
        let fits = |rules: &RulesKind| expresses(notation, *rules) == wanted;
        RulesKind::all().filter(fits).map(RulesKind::name).collect()
    };
    let without = limited(Expresses::Nothing);
    let mut words = match without.is_empty() {
        true => "all".to_string(),
        false => format!("all but {}", without.join(", ")),
    };
    if !limited(Expresses::WithoutDrops).is_empty() {
        words.push_str("; no drops");
    }
    if !limited(Expresses::WithoutKingPromotions).is_empty() {
        words.push_str("; no promotion to a king");
    }
    words
}
