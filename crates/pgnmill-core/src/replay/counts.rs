//! The counts of a replay: games by verdict, plies, bytes, deviations.
//!
//! Integers whose sums do not depend on the order.

use pgnmill_state::state;

use crate::pgn::deviation::RULES_COUNT;

/// The counts of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Games without a repair or fault.
    pub accepted: u64,
    /// Games with repairs.
    pub repaired: u64,
    /// Games with a fault.
    pub rejected: u64,
    /// Games that a selection excludes; of them `untagged_…` alone are counted besides.
    pub not_selected: u64,
    /// Selected games of a task that does not read moves: they have no verdict.
    pub unread: u64,
    /// Games without a tag pair among those that a selection excludes.
    pub untagged_not_selected: u64,
    /// Games without a tag pair, but with a legal ply, among those that have no verdict (excluded and unread), and that
    /// would not be rejected.
    pub untagged_with_plies: u64,
    /// The same of those that would be rejected.
    pub untagged_with_fault: u64,
    /// Plies of main lines of games that were not rejected.
    pub plies: u64,
    /// Plies in their variations.
    pub variation_plies: u64,
    /// Bytes that belong to no game.
    pub between_bytes: u64,
    /// Occurrences of each deviation, in all games.
    pub deviations: [u64; RULES_COUNT],
}

state!(Counts {
    accepted,
    repaired,
    rejected,
    not_selected,
    unread,
    untagged_not_selected,
    untagged_with_plies,
    untagged_with_fault,
    plies,
    variation_plies,
    between_bytes,
    deviations
});

impl Default for Counts {
    fn default() -> Counts {
        Counts {
            accepted: 0,
            repaired: 0,
            rejected: 0,
            not_selected: 0,
            unread: 0,
            untagged_not_selected: 0,
            untagged_with_plies: 0,
            untagged_with_fault: 0,
            plies: 0,
            variation_plies: 0,
            between_bytes: 0,
            deviations: [0; RULES_COUNT],
        }
    }
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u64 {
        let Counts { accepted, repaired, rejected, not_selected, unread, .. } = *self;
        // The numbers of a ledger can be any.
        [repaired, rejected, not_selected, unread].into_iter().fold(accepted, u64::saturating_add)
    }

    /// Adds the counts of another replay.
    pub fn merge(&mut self, other: &Counts) {
        let sums = [
            (&mut self.accepted, other.accepted),
            (&mut self.repaired, other.repaired),
            (&mut self.rejected, other.rejected),
            (&mut self.not_selected, other.not_selected),
            (&mut self.unread, other.unread),
            (&mut self.untagged_not_selected, other.untagged_not_selected),
            (&mut self.untagged_with_plies, other.untagged_with_plies),
            (&mut self.untagged_with_fault, other.untagged_with_fault),
            (&mut self.plies, other.plies),
            (&mut self.variation_plies, other.variation_plies),
            (&mut self.between_bytes, other.between_bytes),
        ];
        let deviations = self.deviations.iter_mut().zip(other.deviations);
        for (sum, number) in sums.into_iter().chain(deviations) {
            *sum = sum.saturating_add(number);
        }
    }
}
