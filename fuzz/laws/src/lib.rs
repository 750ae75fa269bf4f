//! Laws that must hold of any bytes: each file takes bytes and panics where its law is broken.
//!
//! In: any bytes, made by a fuzzer or taken from `fuzz/seeds` or `fuzz/regressions`. Out: nothing, or a panic. The fuzz
//! targets call these functions under libFuzzer and AddressSanitizer; `tests/reading/fuzz_regressions.rs` of the
//! package calls them on all kept files, with any toolchain. The first bytes of an input choose sizes, notations and
//! positions; the rest is the text or the archive. `support`, `ledger`, `rows`, `scratch` and the package
//! `pgnmill-dice` are also used by the tests of the package.

pub mod archives;
pub mod fen;
pub mod frames;
pub mod inflate;
pub mod joins;
pub mod kept_bytes;
pub mod movetext;
pub mod notations;
pub mod pipeline;
pub mod replay;
pub mod rows;
mod rules;
pub mod salvage;
pub mod split;
pub mod tokens;
pub mod vector;

pub use pgnmill_dice as dice;
pub mod ledger;
pub mod scratch;
pub mod support;

/// Panics where the bytes break it.
pub type Law = fn(&[u8]);

/// All laws, by the name of their target.
pub const LAWS: &[(&str, Law)] = &[
    ("fen", fen::hold),
    ("frames", frames::hold),
    ("inflate", inflate::hold),
    ("joins", joins::hold),
    ("notations", notations::hold),
    ("pipeline", pipeline::hold),
    ("replay", replay::hold),
    ("salvage", salvage::hold),
    ("split", split::hold),
    ("tokens", tokens::hold),
    ("vector", vector::hold),
];

/// The bytes at the front of an input, which choose; 0 where there are no more.
pub(crate) struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices(bytes)
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> usize {
        match self.0.split_first() {
            None => 0,
            Some((&first, rest)) => {
                self.0 = rest;
                usize::from(first)
            }
        }
    }

    /// The next bytes, as many as there are.
    pub(crate) fn bytes(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'b [u8] {
        self.0
    }
}
