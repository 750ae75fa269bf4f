//! What is counted of a text: the numbers of a job, of an archive, of a run, of a row of a ledger.
//!
//! In: the numbers of parts. Out: their sums, and these by name: summaries, ledgers and metadata are written from
//! [`Counted::facts`]. Invariant: parts merge in any order with the same result. Cost: a pass over the deviations.
//!
//! ```
//! use pgnmill_core::engine::Counted;
//! let mut counted = Counted::default();
//! assert!(counted.set("accepted", 2) && counted.set("text_bytes", 70) && !counted.set("games", 2));
//! assert!(counted.facts().contains(&("games", 2)));
//! ```

use pgnmill_state::state;

use crate::pgn::deviation::Deviation;
use crate::replay::Counts;
use crate::select::Met;

use super::survey::Survey;
use super::unreadable::UnreadableCounts;

/// The numbers of some text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Stored bytes that could not be read, where damage is skipped.
    pub damaged_bytes: u64,
    /// Bytes of text, after decompression.
    pub text_bytes: u64,
    /// Line ends in it.
    pub lines: u64,
    /// Its encodings and line ends.
    pub survey: Survey,
    /// Games by verdict, plies and deviations.
    pub counts: Counts,
    /// Bytes of games that were rejected.
    pub rejected_bytes: u64,
    /// Values that the task could not read, in games that are not rejected.
    pub unreadable: UnreadableCounts,
    /// What was met of the expression of a selection.
    pub met: Met,
}

state!(Counted {
    damaged_bytes,
    text_bytes,
    lines,
    survey,
    counts,
    rejected_bytes,
    unreadable,
    met
});

/// A number of [`Counted`].
type Number = fn(&mut Counted) -> &mut u64;

/// The numbers that add up, with their names in summaries and ledgers.
const NUMBERS: [(&str, Number); 14] = [
    ("damaged_bytes", |it| &mut it.damaged_bytes),
    ("text_bytes", |it| &mut it.text_bytes),
    ("between_bytes", |it| &mut it.counts.between_bytes),
    ("accepted", |it| &mut it.counts.accepted),
    ("repaired", |it| &mut it.counts.repaired),
    ("rejected", |it| &mut it.counts.rejected),
    ("rejected_bytes", |it| &mut it.rejected_bytes),
    ("plies", |it| &mut it.counts.plies),
    ("variation_plies", |it| &mut it.counts.variation_plies),
    ("not_selected", |it| &mut it.counts.not_selected),
    ("selected", |it| &mut it.counts.unread),
    ("lines", |it| &mut it.lines),
    ("texts_between", |it| &mut it.counts.deviations[Deviation::BytesBetweenGames as usize]),
    ("games_without_tags", |it| &mut it.counts.deviations[Deviation::GameWithoutTags as usize]),
];

impl Counted {
    /// Adds those of another part.
    pub fn merge(&mut self, other: &Counted) {
        let Counted { damaged_bytes, text_bytes, lines, survey, .. } = other;
        self.counts.merge(&other.counts);
        self.unreadable.merge(&other.unreadable);
        self.survey.merge(*survey);
        self.met.merge(other.met);
        // The numbers of a ledger can be any.
        let sums = [
            (&mut self.damaged_bytes, damaged_bytes),
            (&mut self.text_bytes, text_bytes),
            (&mut self.lines, lines),
            (&mut self.rejected_bytes, &other.rejected_bytes),
        ];
        sums.into_iter().for_each(|(sum, number)| *sum = sum.saturating_add(*number));
    }

    /// The numbers by name, the sums among them included, in the order of summaries.
    pub fn facts(&self) -> Vec<(&'static str, u64)> {
        let mut numbers = self.clone();
        let mut facts = NUMBERS.map(|(name, number)| (name, *number(&mut numbers))).to_vec();
        let game_bytes = self.text_bytes.saturating_sub(self.counts.between_bytes);
        facts.insert(2, ("game_bytes", game_bytes));
        facts.insert(4, ("games", self.counts.games()));
        facts
    }

    /// Sets a number by its name. Returns whether there is one of that name that is no sum of others.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let found = NUMBERS.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, number)| *number(self) = value).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_state::{Loader, State};

    #[test]
    fn each_number_has_a_name_of_its_own_and_is_added_and_saved() {
        let mut counted = Counted::default();
        for (at, (name, _)) in NUMBERS.into_iter().enumerate() {
            assert!(counted.set(name, 1 << at));
        }
        // A ledger does not name these.
        counted.survey = Survey::of_words("utf8 lf").unwrap();
        counted.unreadable.0[3] = 5;
        for (at, (name, _)) in NUMBERS.into_iter().enumerate() {
            assert!(counted.facts().contains(&(name, 1 << at)), "{name}");
        }
        let mut sum = counted.clone();
        sum.merge(&counted);
        for ((name, one), (_, two)) in counted.facts().into_iter().zip(sum.facts()) {
            assert_eq!(two, 2 * one, "{name}");
        }
        assert_eq!((sum.survey, sum.unreadable.0[3]), (counted.survey, 10));
        let mut bytes = Vec::new();
        sum.save(&mut bytes);
        assert_eq!(Loader::new(&bytes).value(), Some(sum.clone()));
        // The numbers of a ledger can be any.
        sum.unreadable = UnreadableCounts::default();
        for _ in 0..70 {
            sum.merge(&sum.clone());
        }
        assert!(
            sum.facts().iter().all(|(name, number)| *number == u64::MAX || *name == "game_bytes")
        );
    }
}
