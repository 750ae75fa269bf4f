//! What the notations cost in games of other rules than those of chess.
//!
//! In: plies of such games. Out: games, plies, characters and bytes by ruleset and notation. Invariants: integers only,
//! so that merging is exact and in any order; a game is counted for a notation whole or not at all: one with a ply that
//! the notation cannot write is not. Cost: each text is written.

use std::collections::BTreeMap;

use pgnmill_state::{Loader, State};

use crate::chess::rules::RulesKind;
use crate::notation::{MoveText, NOTATIONS, OtherPly};

use super::layout::{add, add_all};
use super::selection::Selection;

/// Games, plies, characters, bytes.
pub(super) type Sums = [u64; 4];

/// The sums of each notation of the registry.
type OfNotations = Vec<Sums>;

/// The lengths of the texts of one game, by notation; `None` where the notation cannot write the game.
#[derive(Clone, Debug, Default)]
pub struct OtherGame {
    lengths: Vec<Option<[u64; 2]>>,
    plies: u64,
}

impl OtherGame {
    /// Removes the last game.
    pub fn clear(&mut self) {
        self.lengths.clear();
        self.plies = 0;
    }

    /// Adds a ply, in these notations.
    pub fn observe(&mut self, ply: &OtherPly<'_>, selection: Selection) {
        self.lengths.resize(NOTATIONS.len(), Some([0; 2]));
        self.plies += 1;
        let mut text = MoveText::default();
        for index in selection.iter() {
            let Some(sums) = &mut self.lengths[index] else { continue };
            text.clear();
            match ply.encode(NOTATIONS[index], &mut text) {
                Ok(()) => {
                    let length = [text.characters_count() as u64, text.bytes_count() as u64];
                    add(sums, &length);
                }
                Err(_) => self.lengths[index] = None,
            }
        }
    }
}

/// Sums by ruleset and notation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct OtherRules(BTreeMap<u32, OfNotations>);

impl State for OtherRules {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<OtherRules> {
        let loaded: BTreeMap<u32, OfNotations> = from.value()?;
        loaded.values().all(|sums| sums.len() == NOTATIONS.len()).then_some(OtherRules(loaded))
    }
}

impl OtherRules {
    /// Adds a game that is not rejected.
    pub(super) fn add(&mut self, rules: RulesKind, game: &OtherGame, selection: Selection) {
        let sums = self.of(rules.index() as u32);
        for index in selection.iter() {
            // A game without moves is written in every notation.
            if let Some([characters, bytes]) = game.lengths.get(index).unwrap_or(&Some([0; 2])) {
                add(&mut sums[index], &[1, game.plies, *characters, *bytes]);
            }
        }
    }

    fn of(&mut self, rules: u32) -> &mut OfNotations {
        self.0.entry(rules).or_insert_with(|| vec![Sums::default(); NOTATIONS.len()])
    }

    /// Adds the sums of another.
    pub(super) fn merge(&mut self, other: &OtherRules) {
        other.0.iter().for_each(|(&rules, sums)| add_all(self.of(rules), sums));
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The sums of each ruleset, by the index of the notation, in the order of the rulesets.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&'static str, &[Sums])> {
        let names =
            |(&rules, sums): (&u32, _)| (RulesKind::NAMES.get(rules as usize).copied(), sums);
        self.0
            .iter()
            .map(names)
            .filter_map(|(name, sums): (_, &OfNotations)| Some((name?, &sums[..])))
    }
}
