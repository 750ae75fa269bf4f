//! Breaches of the laws, and the exceptions that make some of them lawful.
//!
//! Input: the breaches of one run; output: the lines of a failure: how many, and the first of each kind with law,
//! notation, FEN, move and text.

use std::collections::BTreeMap;
use std::fmt;

use crate::chess::{Move, Position};

/// A law of the contract.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Law {
    /// No two legal moves of a position share a text.
    Injective,
    /// Reading and decoding what was written give the move, without deviations.
    RoundTrip,
    /// A second writing gives the same text, and what was in the buffer stays.
    Canonical,
    /// `decode` answers as the oracle does.
    Agreement,
    /// What is read without deviations is the canonical text of a legal move.
    Honest,
    /// Within the stated length and alphabet, without whitespace and brackets.
    Bounded,
    /// The computed length is that of the text.
    Length,
    /// The source's examples hold.
    Faithful,
}

/// One breach of a law.
pub(super) struct Breach {
    pub(super) law: Law,
    pub(super) notation: &'static str,
    pub(super) position: Position,
    pub(super) mv: Option<Move>,
    pub(super) text: Vec<u8>,
    pub(super) detail: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Breach { law, notation, mv, detail, .. } = self;
        let (fen, text) = (self.position.to_fen(), self.text.escape_ascii());
        write!(f, "{law:?}: {notation} | {fen} | {mv:?} | \"{text}\" | {detail}")
    }
}

/// A breach that a notation declares lawful.
pub(super) struct Exception {
    pub(super) notation: &'static str,
    pub(super) law: Law,
    pub(super) why: &'static str,
    pub(super) covers: fn(&Position, Option<Move>) -> bool,
}

/// The exceptions of notations. Each line gives the reason why its system cannot keep the law.
pub(super) static EXCEPTIONS: &[Exception] = &[
    without_history(Law::Injective),
    without_history(Law::RoundTrip),
    without_history(Law::Agreement),
    without_history(Law::Bounded),
    without_history(Law::Faithful),
];

/// This suite tests positions, and Stamma names a piece by the file on which it began the game: without a game nothing
/// is written or read. `tests/rules/notations` tests all laws with games.
const fn without_history(law: Law) -> Exception {
    let why = "a position without its game; tests/rules/notations tries games";
    Exception { notation: "stamma", law, why, covers: |_, _| true }
}

/// Counts the breaches that `exceptions` cover and returns the others; complains of exceptions to
/// `laws` that covered nothing.
pub(super) fn judge(laws: &[Law], breaches: Vec<Breach>, exceptions: &[Exception]) -> Vec<String> {
    let mut covered = vec![0usize; exceptions.len()];
    let mut open: BTreeMap<(Law, &str), (usize, Vec<String>)> = BTreeMap::new();
    for breach in breaches {
        let exception = exceptions.iter().position(|exception| {
            exception.law == breach.law
                && exception.notation == breach.notation
                && (exception.covers)(&breach.position, breach.mv)
        });
        if let Some(index) = exception {
            covered[index] += 1;
            continue;
        }
        let (count, shown) = open.entry((breach.law, breach.notation)).or_default();
        *count += 1;
        if shown.len() < 12 {
            shown.push(breach.to_string());
        }
    }
    let mut found = Vec::new();
    for ((law, notation), (count, shown)) in open {
        found.push(format!("{notation} breaks {law:?} {count} times"));
        found.extend(shown);
    }
    for (exception, count) in exceptions.iter().zip(covered) {
        let Exception { notation, law, why, .. } = exception;
        println!("{notation}: {count} lawful breaches of {law:?}: {why}");
        if count == 0 && laws.contains(law) {
            found.push(format!("{notation} declares an exception to {law:?} that nothing needs"));
        }
    }
    found
}

pub(super) fn assert_kept(laws: &[Law], breaches: Vec<Breach>) {
    let found = judge(laws, breaches, EXCEPTIONS);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
