//! Bytes that are put between the pieces of a text, packed, and their insertion.
//!
//! In: where the bytes go, in ascending order, and the text. Out: the text with them. Cost: some three bytes per joint; the text
//! is moved once, in place.

use super::packed::{push_number, take_number};

/// Bytes to put before pieces, packed: between tiny games there is a joint every few bytes.
#[derive(Debug, Default)]
pub(super) struct Insertions {
    /// Of each joint: bytes of text since the joint before it, how many bytes it has, and these.
    packed: Vec<u8>,
    /// Where the last joint is, in the text without them.
    last: usize,
    /// Bytes of all joints.
    added: usize,
}

impl Insertions {
    pub(super) fn is_empty(&self) -> bool {
        self.added == 0
    }

    /// Forgets everything but the memory.
    pub(super) fn clear(&mut self) {
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        *self = Insertions { packed, ..Insertions::default() };
    }

    /// Adds a joint behind those that are there.
    pub(super) fn push(&mut self, at: usize, bytes: &[u8]) {
        push_number(&mut self.packed, (at - self.last) as u64);
        push_number(&mut self.packed, bytes.len() as u64);
        self.packed.extend_from_slice(bytes);
        self.last = at;
        self.added += bytes.len();
    }

    /// Each joint: bytes of text since the joint before it, and what is put there.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let mut packed = self.packed.as_slice();
        std::iter::from_fn(move || {
            if packed.is_empty() {
                return None;
            }
            let gap = take_number(&mut packed) as usize;
            let len = take_number(&mut packed) as usize;
            Some((gap, packed.split_off(..len).unwrap_or_default()))
        })
    }
}

/// Puts the joints where they belong, before them all the one at the beginning, which may have no bytes. In place: the text can be
/// as long as a job's memory allows.
#[cold]
pub(super) fn splice(
    text: &mut Vec<u8>,
    first: (usize, &[u8]),
    joints: &Insertions,
    ends: &mut [u64],
) {
    let added = first.1.len() + joints.added;
    let len = text.len();
    text.resize(len + added, 0);
    text.copy_within(..len, added);
    // What was at `from` is at `from + added`, and goes to `to`, which never passes it.
    let (mut from, mut to, mut end) = (0, 0, ends.iter_mut().peekable());
    let rest = joints.iter().scan(0, |at, (gap, bytes)| {
        *at += gap;
        Some((*at, bytes))
    });
    for (at, bytes) in std::iter::once(first).chain(rest) {
        // A game that ends where a joint is ends before it.
        while let Some(end) = end.next_if(|end| **end as usize <= at) {
            *end += (to - from) as u64;
        }
        text.copy_within(from + added..at + added, to);
        to += at - from;
        text[to..to + bytes.len()].copy_from_slice(bytes);
        to += bytes.len();
        from = at;
    }
    end.for_each(|end| *end += added as u64);
}
