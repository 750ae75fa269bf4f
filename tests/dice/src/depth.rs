//! How deep the tests go: the one setting that all of them share.
//!
//! In: the variable `PGNMILL_DEPTH`. Out: one of three numbers that a test states. `short`, without the variable, is
//! that of `cargo test` in every clone: each kind of case occurs, and an ordinary slip is found. `full` is that of CI,
//! `scripts/check-full`: more seeds, longer archives, every limit, every cut. `night` is as much as a night allows,
//! `scripts/check-full night`.

use std::sync::OnceLock;

/// The depths, from the shallowest to the deepest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Every kind of case, in a minute or two for all tests.
    Short,
    /// Many cases of each kind.
    Full,
    /// As many as there is time for.
    Night,
}

impl Depth {
    /// The depth of this process.
    ///
    /// # Panics
    /// If `PGNMILL_DEPTH` is set to another word: a run that is not as deep as was meant would end quietly.
    pub fn current() -> Depth {
        static DEPTH: OnceLock<Depth> = OnceLock::new();
        *DEPTH.get_or_init(|| match std::env::var("PGNMILL_DEPTH").as_deref() {
            Err(_) | Ok("" | "short") => Depth::Short,
            Ok("full") => Depth::Full,
            Ok("night") => Depth::Night,
            Ok(other) => panic!("PGNMILL_DEPTH is short, full or night, not {other}"),
        })
    }
}

/// The size of a test at the depth of this process. A shorter one has every kind of case that a longer one has.
pub fn trials<T>(short: T, full: T, night: T) -> T {
    match Depth::current() {
        Depth::Short => short,
        Depth::Full => full,
        Depth::Night => night,
    }
}

/// At the short depth each `every`-th of these cases, from the first on; otherwise all.
pub fn thinned<I: IntoIterator>(every: usize, cases: I) -> impl Iterator<Item = I::Item> {
    cases.into_iter().step_by(trials(every, 1, 1))
}
