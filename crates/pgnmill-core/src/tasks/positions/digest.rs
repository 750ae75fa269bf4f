//! A digest of rows, by which a damaged table of sums is recognised.
//!
//! In: the values of a row. Out: a number; the digest of a table is the sum of those of its rows. Invariant: a row of
//! which one value differs has another number, because each step is a bijection of the value and of what precedes it.
//! Cost: a multiplication for eight bytes.
//!
//! It shows accidents, not malice: it is no signature.

/// An odd number with bits everywhere (the golden ratio of 64 bits).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The digest of values that are added one by one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn number(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(FACTOR);
        self.0 = mixed ^ mixed >> 29;
    }

    /// A text, with its length.
    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        for part in text.chunks(8) {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            self.number(u64::from_le_bytes(bytes));
        }
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// The digest of a text.
pub fn digest_of_text(text: &str) -> u64 {
    let mut digest = Digest::default();
    digest.text(text.as_bytes());
    digest.value()
}
