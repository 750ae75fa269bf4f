//! The counts of texts that occur often in movetext, each computed once.
//!
//! In: a move, a number or a result, with a space before it or not. Out: its characters and its tokens in each
//! vocabulary. Invariant: in movetext with single spaces a piece begins with each space (`pieces.rs` tests it), so that
//! its tokens are the sum of those of its parts, whatever is beside them. Memory: the texts of the notations, some ten
//! thousand each, at most [`KEPT_MAX`]. Cost: a look-up.

use std::collections::HashMap;
use std::sync::Arc;

use super::vocabulary::Vocabularies;

/// The most texts that are kept.
const KEPT_MAX: usize = 1 << 20;

/// Counts of texts, in these vocabularies.
#[derive(Debug, Default)]
pub struct Units {
    vocabularies: Arc<Vocabularies>,
    /// By text without the space before it: the index of its counts, divided by their number.
    places: HashMap<Box<[u8]>, usize>,
    counts: Vec<u64>,
}

impl Units {
    /// Counts in these vocabularies; those of others are dropped.
    pub(super) fn configure(&mut self, vocabularies: &Arc<Vocabularies>) {
        if !Arc::ptr_eq(&self.vocabularies, vocabularies) {
            *self = Units { vocabularies: Arc::clone(vocabularies), ..Units::default() };
        }
    }

    /// Adds characters, then tokens in each vocabulary, of a text.
    pub(super) fn add(&self, text: &str, sums: &mut [u64]) {
        let tokens = self.vocabularies.iter().map(|vocabulary| vocabulary.count(text));
        let counts = std::iter::once(text.chars().count() as u64).chain(tokens);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// Adds the tokens of a text with a space before it, which is one of not too many.
    pub(super) fn add_often(&mut self, text: &[u8], sums: &mut [u64]) {
        let width = 1 + self.vocabularies.len();
        let place = match self.places.get(text) {
            Some(&place) => place,
            None => {
                let spaced = format!(" {}", String::from_utf8_lossy(text));
                if self.places.len() >= KEPT_MAX {
                    return self.add(&spaced, sums);
                }
                let place = self.places.len();
                let mut counts = vec![0; width];
                self.add(&spaced, &mut counts);
                self.counts.extend(counts);
                self.places.insert(text.into(), place);
                place
            }
        };
        let counts = self.counts.get(place * width..).unwrap_or_default();
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}
