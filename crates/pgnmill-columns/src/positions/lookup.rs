//! The positions that are looked for, and the rows that are found.
//!
//! In: positions; for each row of a table first its hash, then its record, then its values. Out: the rows of each
//! position. Invariants: a row belongs to a position if ruleset and record are equal; a position has at most
//! [`ROWS_MAX`] rows. Cost: a search in a hash table for each row.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use pgnmill_core::chess::rules::RulesKind;

use super::flaw::Flaw;
use super::row::PositionRow;

/// Moves of a position, at most: more than any position has.
const ROWS_MAX: usize = 4_096;

/// A position that is looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its ruleset.
    pub rules: RulesKind,
    /// Its record, without the move clocks.
    pub fen: String,
    /// The Polyglot key of this record, of chess and Chess960.
    pub hash: Option<u64>,
}

/// A search.
#[derive(Debug)]
pub(super) struct Lookup<'w> {
    pub(super) wanted: &'w [Wanted],
    hashes: HashSet<Option<u64>>,
    by_fen: HashMap<&'w str, Vec<usize>>,
    rows: Vec<Vec<PositionRow>>,
    stop: &'w AtomicBool,
}

impl<'w> Lookup<'w> {
    pub(super) fn new(wanted: &'w [Wanted], stop: &'w AtomicBool) -> Lookup<'w> {
        let mut by_fen: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, it) in wanted.iter().enumerate() {
            by_fen.entry(&it.fen).or_default().push(index);
        }
        let hashes = wanted.iter().map(|it| it.hash).collect();
        Lookup { wanted, hashes, by_fen, rows: vec![Vec::new(); wanted.len()], stop }
    }

    /// Is the search to end before its end?
    pub(super) fn check(&self) -> Result<(), Flaw> {
        if self.stop.load(Ordering::Relaxed) { Err(Flaw::interrupted()) } else { Ok(()) }
    }

    /// May a row with this hash be of one of the positions?
    pub(super) fn may_have(&self, hash: Option<u64>) -> bool {
        self.hashes.contains(&hash)
    }

    /// May one of the rows with hashes from `least` to `greatest` be?
    pub(super) fn may_have_between(&self, least: u64, greatest: u64) -> bool {
        let mut hashes = self.hashes.iter().flatten();
        hashes.any(|hash| (least..=greatest).contains(hash))
    }

    /// The positions with this record and ruleset; a table without rulesets has those of chess.
    pub(super) fn with(&self, fen: &str, rules: Option<&str>) -> Vec<usize> {
        let rules = rules.unwrap_or(RulesKind::NAMES[0]);
        let all = self.by_fen.get(fen).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|&index| self.wanted[index].rules.name() == rules).collect()
    }

    /// Is it a record that is looked for?
    pub(super) fn has_record(&self, fen: &str) -> bool {
        self.by_fen.contains_key(fen)
    }

    /// Adds a row of these positions.
    pub(super) fn add(&mut self, places: &[usize], row: &PositionRow) -> Result<(), Flaw> {
        for &place in places {
            if self.rows[place].len() == ROWS_MAX {
                return Err(Flaw::new(format_args!("a position has more than {ROWS_MAX} moves")));
            }
            self.rows[place].push(row.clone());
        }
        Ok(())
    }

    pub(super) fn into_rows(self) -> Vec<Vec<PositionRow>> {
        self.rows
    }
}
