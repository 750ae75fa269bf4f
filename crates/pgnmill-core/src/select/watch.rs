//! What was met of an expression: unknown tag pairs that games have, and parts that were true of a game.
//!
//! In: evaluations. Out: bits, which add up in any order. A part is a comparison with a text, a search in comments, a
//! position, material or line: a slip in it is never true, and an `or` or a `not` around it would hide that. Invariant:
//! a part that is reported was false or missing in every game; so parts are evaluated, until each was true once, also
//! where another part decides; what the moves would have decided in a game whose moves were not read is not reported.
//! The first 64 of each are watched.

use std::cell::Cell;
use std::ops::Range;

use pgnmill_state::state;

use super::truth::{Known, Truth};

/// The greatest number of unknown tag pairs, and of parts, that are watched.
pub(super) const WATCHED_MAX: usize = 64;

/// What was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Tag pairs of the expression that a game has: a bit for each.
    pub(super) tags: u64,
    /// Parts that were evaluated.
    pub(super) evaluated: u64,
    /// Parts that were true.
    pub(super) matched: u64,
    /// Parts that were not evaluated in a game.
    pub(super) skipped: u64,
    /// Games are not selected because their moves cannot be read.
    pub(super) faulty: bool,
}

state!(Met { tags, evaluated, matched, skipped, faulty });

impl Met {
    /// Adds what else was met.
    pub fn merge(&mut self, other: Met) {
        self.tags |= other.tags;
        self.evaluated |= other.evaluated;
        self.matched |= other.matched;
        self.skipped |= other.skipped;
        self.faulty |= other.faulty;
    }

    /// Are there games that are not selected because their moves cannot be read, so that it is not known of them?
    pub fn has_faulty(&self) -> bool {
        self.faulty
    }
}

/// What was met so far, for evaluations, which change nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    tags: Cell<u64>,
    evaluated: Cell<u64>,
    matched: Cell<u64>,
    skipped: Cell<u64>,
    faulty: Cell<bool>,
    /// The parts that the moves of the game decide.
    open: Cell<u64>,
    /// All parts.
    parts: u64,
}

/// Adds bits; most of them are there.
#[inline]
fn add(cell: &Cell<u64>, bits: u64) {
    if bits & !cell.get() != 0 {
        cell.set(cell.get() | bits);
    }
}

impl Watch {
    /// What was met.
    pub(crate) fn met(&self) -> Met {
        let Watch { tags, evaluated, matched, skipped, .. } = self;
        Met {
            tags: tags.get(),
            evaluated: evaluated.get(),
            matched: matched.get(),
            skipped: skipped.get(),
            faulty: self.faulty.get(),
        }
    }

    /// Are there parts that were never true so far?
    #[inline]
    pub(super) fn waits(&self) -> bool {
        self.parts & !self.matched.get() != 0
    }

    /// A game is not selected because its moves cannot be read.
    pub(crate) fn faulty(&self) {
        self.faulty.set(true);
    }

    /// A game is decided, or its moves will be read.
    #[inline]
    pub(super) fn decided(&self, is_decided: bool) {
        if self.open.get() != 0 {
            let open = self.open.take();
            add(&self.skipped, if is_decided { open } else { 0 });
        }
    }

    /// Unknown tag pairs of a game.
    #[inline]
    pub(crate) fn tags(&self, tags: u64) {
        add(&self.tags, tags);
    }

    /// The value of a part.
    #[inline]
    pub(super) fn part(&self, part: Part, truth: Truth) {
        let bit = 1 << part.0;
        if truth.is_decided() {
            add(&self.evaluated, bit);
            add(&self.matched, if truth == Truth::TRUE { bit } else { 0 });
        } else {
            add(&self.open, bit);
        }
    }

    /// The values of parts that follow each other: those of a list, of which a text is one or none.
    #[inline]
    pub(super) fn list(&self, first: Part, count: usize, found: Known<Option<usize>>) {
        let all = (((1_u128 << count) - 1) as u64) << first.0;
        if found == Known::Later {
            return add(&self.open, all);
        }
        add(&self.evaluated, all);
        if let Known::Value(Some(found)) = found {
            add(&self.matched, 1 << (usize::from(first.0) + found));
        }
    }
}

/// The number of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part(u8);

/// The parts of an expression.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    spans: Vec<Range<usize>>,
    /// The key by which games are divided has no parts.
    pub(super) is_closed: bool,
}

impl Parts {
    /// The number of the first of these parts; `None` if there are too many.
    pub(super) fn add(
        &mut self,
        spans: impl ExactSizeIterator<Item = Range<usize>>,
    ) -> Option<Part> {
        let first = self.spans.len();
        if self.is_closed || first + spans.len() > WATCHED_MAX {
            return None;
        }
        self.spans.extend(spans);
        Some(Part(first as u8))
    }

    /// Watches them.
    pub(super) fn watch(&self) -> Watch {
        Watch { parts: ((1_u128 << self.spans.len()) - 1) as u64, ..Watch::default() }
    }

    /// The spans of parts that were evaluated and never true, in order. A condition on a player is two parts.
    pub(super) fn never_true(&self, met: Met) -> Vec<Range<usize>> {
        let is = |bits: u64, part: usize| bits >> part & 1 != 0;
        let parts = || self.spans.iter().enumerate();
        let mut never: Vec<Range<usize>> = Vec::new();
        for (part, span) in parts() {
            let is_met = parts().any(|(other, same)| same == span && is(met.matched, other));
            if is(met.evaluated, part) && !is_met && !is(met.skipped, part) && !never.contains(span)
            {
                never.push(span.clone());
            }
        }
        never
    }
}
