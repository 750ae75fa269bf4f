//! Rows by archive.
//!
//! Input: rows with the names of their archives; output: the groups of the dimension `source`. Invariants: no more than
//! [`SOURCES_MAX`] archives have a row of their own, the first ones by the bytes of their names, so that neither their
//! order nor their distribution over runs matters; the others are one group. Cost: one look-up per row.

use std::collections::BTreeMap;

use pgnmill_state::state;

use crate::tables::groups::{OTHERS, SOURCES_MAX};

use super::layout::{CostRow, EMPTY_ROW, add};

/// Rows by archive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sources(BTreeMap<String, Box<CostRow>>);

state!(Sources = rows);

impl Sources {
    /// Adds a row of an archive.
    pub(super) fn add(&mut self, name: &str, row: &CostRow) {
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

    fn add_to(&mut self, name: &str, row: &CostRow) {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_string(), Box::new(EMPTY_ROW));
        }
        if let Some(sums) = self.0.get_mut(name) {
            add(&mut sums[..], row);
        }
    }

    /// Adds the rows of another.
    pub(super) fn merge(&mut self, other: &Sources) {
        other.0.iter().for_each(|(name, row)| self.add(name, row));
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The groups by name.
    pub(super) fn of(&self) -> Vec<(String, CostRow)> {
        self.0.iter().map(|(name, row)| (name.clone(), **row)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_archives_are_one_group_in_any_order() {
        let of = |numbers: &mut dyn Iterator<Item = usize>| {
            let mut sources = Sources::default();
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
