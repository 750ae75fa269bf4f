//! Rows by archive.
//!
//! Input: rows with the names of their archives; output: the groups of the dimension `source`. Invariants: no more than
//! [`SOURCES_MAX`] archives have a row of their own, the first ones by the bytes of their names, so that neither their
//! order nor their distribution over runs matters; the others are one group. Cost: one look-up per row.

use std::collections::BTreeMap;

use pgnmill_state::{Loader, State};

use crate::tables::groups::{OTHERS, SOURCES_MAX};

use super::row::Row;

/// Rows by archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sources<R>(BTreeMap<String, Box<R>>);

impl<R: Row> State for Sources<R> {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Self> {
        from.value().map(Sources)
    }
}

impl<R> Default for Sources<R> {
    fn default() -> Self {
        Sources(BTreeMap::new())
    }
}

impl<R: Row> Sources<R> {
    /// Adds a row of an archive.
    pub(super) fn add(&mut self, name: &str, row: &R) {
        self.add_to(name, row);
        // The last one is removed, whatever the order of adding.
        let named = self.0.len() - usize::from(self.0.contains_key(OTHERS));
        if named > SOURCES_MAX
            && let Some(last) = self.0.keys().rfind(|name| *name != OTHERS).cloned()
            && let Some(row) = self.0.remove(&last)
        {
            self.add_to(OTHERS, &row);
        }
    }

    fn add_to(&mut self, name: &str, row: &R) {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_string(), Box::new(R::empty()));
        }
        if let Some(sums) = self.0.get_mut(name) {
            sums.add(row);
        }
    }

    /// Adds the rows of another.
    pub(super) fn merge(&mut self, other: &Sources<R>) {
        other.0.iter().for_each(|(name, row)| self.add(name, row));
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The groups by name.
    pub(super) fn of(&self) -> Vec<(String, R)> {
        self.0.iter().map(|(name, row)| (name.clone(), (**row).clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::measure::tally::layout::CostRow;

    #[test]
    fn the_last_archives_are_one_group_in_any_order() {
        let of = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut sources = Sources::<CostRow>::default();
            numbers.for_each(|number| sources.add(&format!("{number:06}"), &[1; _]));
            sources
        };
        let all = SOURCES_MAX + 321;
        let (forth, mut back) = (of(&mut (0..all)), of(&mut (0..all).rev()));
        assert_eq!(forth, back);
        assert_eq!(forth.0.len(), SOURCES_MAX + 1);
        assert_eq!(forth.0[OTHERS][0], 321);
        back.clear();
        (0..3).for_each(|part| back.merge(&of(&mut (part..all).step_by(3))));
        assert_eq!(forth, back);
    }
}
