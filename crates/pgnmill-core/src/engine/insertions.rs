//! Insertions: the joints between the pieces of a text, packed.
//!
//! In: offsets in ascending order with the bytes to insert there, and the text. Out: the text with these bytes. Cost:
//! about three bytes per joint; the text is moved once, in place.

use super::packed::{push_number, take_number};

/// Bytes to insert before pieces, packed: between tiny games there is a joint every few bytes.
#[derive(Debug, Default)]
pub(super) struct Insertions {
    /// For each joint: the distance from the preceding joint in the text, the number of its bytes, its bytes.
    packed: Vec<u8>,
    /// Offset of the last joint in the text without joints.
    last: usize,
    /// Total length of all joints.
    added: usize,
}

impl Insertions {
    pub(super) fn is_empty(&self) -> bool {
        self.added == 0
    }

    /// Removes all joints and keeps the memory.
    pub(super) fn clear(&mut self) {
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        *self = Insertions { packed, ..Insertions::default() };
    }

    /// Adds a joint; `at` is at least the offset of the last one.
    pub(super) fn push(&mut self, at: usize, bytes: &[u8]) {
        push_number(&mut self.packed, (at - self.last) as u64);
        push_number(&mut self.packed, bytes.len() as u64);
        self.packed.extend_from_slice(bytes);
        self.last = at;
        self.added += bytes.len();
    }

    /// Removes the joint at `old` and inserts another one, which may be empty. Cost: a copy of all joints.
    #[cold]
    pub(super) fn replace(&mut self, old: Option<usize>, (at, bytes): (usize, &[u8])) {
        let mut replaced = Insertions::default();
        let mut new = (!bytes.is_empty()).then_some((at, bytes));
        let mut end = 0;
        for (gap, other) in self.iter() {
            end += gap;
            if let Some((at, bytes)) = new.take_if(|(at, _)| *at <= end) {
                replaced.push(at, bytes);
            }
            if old != Some(end) {
                replaced.push(end, other);
            }
        }
        if let Some((at, bytes)) = new {
            replaced.push(at, bytes);
        }
        *self = replaced;
    }

    /// Replaces the joints up to an offset, that one included. Cost: a copy of all joints.
    #[cold]
    pub(super) fn replace_until(&mut self, end: usize, by: &Insertions) {
        let mut replaced = Insertions::default();
        let ends = |joints: &Insertions| {
            let place = |at: &mut usize, (gap, bytes): (usize, &[u8])| {
                *at += gap;
                Some((*at, bytes.to_vec()))
            };
            joints.iter().scan(0, place).collect::<Vec<_>>()
        };
        let later = ends(self).into_iter().filter(|(at, _)| *at > end);
        for (at, bytes) in ends(by).into_iter().chain(later) {
            replaced.push(at, &bytes);
        }
        *self = replaced;
    }

    /// The joints: the distance from the preceding one in the text, and the bytes to insert.
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

/// Inserts `first`, an offset and its bytes, which may be empty, and then the joints. Adjusts `ends`, offsets in the
/// text in ascending order. In place: a copy of a long text would double the memory of a job.
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
    // The byte that was at `from` is now at `from + added` and moves to `to`, which is never greater.
    let (mut from, mut to, mut end) = (0, 0, ends.iter_mut().peekable());
    let rest = joints.iter().scan(0, |at, (gap, bytes)| {
        *at += gap;
        Some((*at, bytes))
    });
    for (at, bytes) in std::iter::once(first).chain(rest) {
        // A game that ends at a joint ends before it.
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
