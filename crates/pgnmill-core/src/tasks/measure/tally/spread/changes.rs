//! How many games become shorter, and by how much.
//!
//! Input: what a game is in each notation, whole and its first moves; output: the distribution of the ratios, in steps
//! of five per mille; see `tables/changes.rs`.

use pgnmill_state::state;

use crate::tables::changes::{PER_MILLE_MAX, SPANS, STEP_PER_MILLE};

use super::moments::{COMPARED, GameSum, LETTERS, SAN};

/// The plies of the first twenty moves.
pub(in super::super) const EARLY_PLIES: usize = 40;
/// The plies of a game whose later plies are compared.
const LATER_PLIES_MIN: u64 = 60;
/// The plies of a game that is compared.
const PLIES_MIN: u64 = 20;
/// The groups of a pair of notations.
const STEPS: usize = (PER_MILLE_MAX / STEP_PER_MILLE) as usize + 1;
/// What others are compared with.
pub(in super::super) const AGAINST: [usize; 2] = [SAN, LETTERS];

/// Games by span, pair of notations and ratio.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Changes(Vec<u64>);

state!(Changes = counts);

fn place(span: usize, against: usize, notation: usize) -> usize {
    ((span * AGAINST.len() + against) * COMPARED + notation) * STEPS
}

impl Changes {
    pub(in super::super) fn new() -> Changes {
        Changes(vec![0; place(SPANS.len(), 0, 0)])
    }

    pub(in super::super) fn is_like(&self, other: &Changes) -> bool {
        self.0.len() == other.0.len()
    }

    /// Adds a game. `early`: its first 40 plies.
    pub(in super::super) fn add(&mut self, whole: &GameSum, early: &GameSum) {
        let later = whole.without(early);
        let has_early = early.plies == EARLY_PLIES as u64;
        let spans = [
            (whole.plies >= PLIES_MIN, whole),
            (has_early, early),
            (whole.plies >= LATER_PLIES_MIN, &later),
        ];
        for (span, (_, sum)) in spans.into_iter().enumerate().filter(|(_, (is_one, _))| *is_one) {
            for (against, other) in AGAINST.into_iter().enumerate() {
                let base = sum.characters[other].max(1);
                for (notation, characters) in sum.characters.into_iter().enumerate() {
                    let ratio = (1_000 * characters / base).min(PER_MILLE_MAX);
                    let step = (ratio / STEP_PER_MILLE) as usize;
                    self.0[place(span, against, notation) + step] += 1;
                }
            }
        }
    }

    pub(in super::super) fn merge(&mut self, other: &Changes) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    /// The ratios of a pair of notations in a span, in per mille, and their games.
    pub(in super::super) fn of(
        &self,
        span: usize,
        against: usize,
        notation: usize,
    ) -> impl Iterator<Item = (u64, u64)> {
        let from = place(span, against, notation);
        let steps = self.0[from..from + STEPS].iter().enumerate();
        let ratios = steps.map(|(step, &games)| (step as u64 * STEP_PER_MILLE, games));
        ratios.filter(|(_, games)| *games > 0)
    }
}
