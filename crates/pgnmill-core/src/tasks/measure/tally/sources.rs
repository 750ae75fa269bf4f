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
pub(super) struct Sources<R> {
    /// So many archives have a row of their own.
    most: usize,
    rows: BTreeMap<String, Box<R>>,
}

impl<R: Row> State for Sources<R> {
    fn save(&self, out: &mut Vec<u8>) {
        self.most.save(out);
        self.rows.save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Self> {
        Some(Sources { most: from.value()?, rows: from.value()? })
    }
}

impl<R> Default for Sources<R> {
    fn default() -> Self {
        Sources { most: SOURCES_MAX, rows: BTreeMap::new() }
    }
}

impl<R: Row> Sources<R> {
    /// No archives; no more than so many have rows of their own.
    pub(super) fn at_most(most: usize) -> Self {
        Sources { most: most.min(SOURCES_MAX), rows: BTreeMap::new() }
    }

    /// Have they rows for as many archives?
    pub(super) fn is_like(&self, other: &Sources<R>) -> bool {
        self.most == other.most
    }

    /// Adds a row of an archive.
    pub(super) fn add(&mut self, name: &str, row: &R) {
        self.add_to(name, row);
        // The last one is removed, whatever the order of adding.
        let named = self.rows.len() - usize::from(self.rows.contains_key(OTHERS));
        if named > self.most
            && let Some(last) = self.rows.keys().rfind(|name| *name != OTHERS).cloned()
            && let Some(row) = self.rows.remove(&last)
        {
            self.add_to(OTHERS, &row);
        }
    }

    fn add_to(&mut self, name: &str, row: &R) {
        if !self.rows.contains_key(name) {
            self.rows.insert(name.to_string(), Box::new(R::empty()));
        }
        if let Some(sums) = self.rows.get_mut(name) {
            sums.add(row);
        }
    }

    /// Adds the rows of another.
    pub(super) fn merge(&mut self, other: &Sources<R>) {
        other.rows.iter().for_each(|(name, row)| self.add(name, row));
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    /// The groups by name.
    pub(super) fn of(&self) -> Vec<(String, R)> {
        self.rows.iter().map(|(name, row)| (name.clone(), (**row).clone())).collect()
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
        assert_eq!(forth.rows.len(), SOURCES_MAX + 1);
        assert_eq!(forth.rows[OTHERS][0], 321);
        back.clear();
        (0..3).for_each(|part| back.merge(&of(&mut (part..all).step_by(3))));
        assert_eq!(forth, back);
    }
}
