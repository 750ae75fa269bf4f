//! The functions of each ruleset on the board of chess.
//!
//! In: a [`VariantKind`]. Out: its [`VariantRules`]. Cost: an index of a table.

use super::kind::VariantKind;
use super::variant::VariantRules;
use super::{
    Antichess, Atomic, Crazyhouse, Giveaway, Horde, KingOfTheHill, RacingKings, Suicide, ThreeCheck,
};

/// All, in the order of [`VariantKind::ALL`].
static RULES: [VariantRules; VariantKind::ALL.len()] = [
    VariantRules::of::<Crazyhouse>(),
    VariantRules::of::<Atomic>(),
    VariantRules::of::<Antichess>(),
    VariantRules::of::<Giveaway>(),
    VariantRules::of::<Suicide>(),
    VariantRules::of::<KingOfTheHill>(),
    VariantRules::of::<ThreeCheck>(),
    VariantRules::of::<RacingKings>(),
    VariantRules::of::<Horde>(),
];

const _: () = {
    let mut index = 0;
    while index < RULES.len() {
        assert!(RULES[index].kind as usize == index);
        index += 1;
    }
};

impl VariantKind {
    /// The functions of the ruleset.
    #[inline(always)]
    pub(super) fn rules(self) -> &'static VariantRules {
        &RULES[self as usize]
    }
}
