//! Names of tags, compared as numbers, and the slot of each name that matters.
//!
//! In: the bytes of a name. Out: its slot in a [`TagSection`](super::TagSection), if it has one. The hash table is
//! made at compile time, free of collisions. Cost: one multiplication, one load, one comparison.

use crate::pgn::{NOTATION_TAG, ROSTER};

/// Bytes of the longest name in [`NAMED`].
pub(super) const NAME_BYTES_MAX: usize = 16;

/// The first `len` bytes, 1 to [`NAME_BYTES_MAX`], as a little-endian number.
#[inline(always)]
pub(super) fn name_number(bytes: &[u8; NAME_BYTES_MAX], len: usize) -> u128 {
    u128::from_le_bytes(*bytes) & NAME_MASKS[len]
}

/// The bits of so many bytes; a load is faster than a shift of 128 bits.
static NAME_MASKS: [u128; NAME_BYTES_MAX + 1] = {
    let mut masks = [0; NAME_BYTES_MAX + 1];
    let mut len = 1;
    while len < masks.len() {
        masks[len] = u128::MAX >> (128 - 8 * len);
        len += 1;
    }
    masks
};

/// The number of a whole name; `None` if it is longer than [`NAME_BYTES_MAX`].
#[inline(always)]
pub(super) const fn short_name(name: &[u8]) -> Option<u128> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let (mut number, mut i) = (0, 0);
    while i < name.len() {
        number |= (name[i] as u128) << (8 * i);
        i += 1;
    }
    Some(number)
}

/// Slots of values: the roster's seven, `FEN`, `SetUp`, `Variant`, and one for all values without a use.
pub(super) const SLOTS: usize = ROSTER.len() + 4;

/// The names with a slot of their own; then common names, so that the fast path need not check their characters.
const NAMED: [(&[u8], u8); 36] = [
    (ROSTER[0], 0),
    (ROSTER[1], 1),
    (ROSTER[2], 2),
    (ROSTER[3], 3),
    (ROSTER[4], 4),
    (ROSTER[5], 5),
    (ROSTER[6], 6),
    (b"FEN", 7),
    (b"SetUp", 8),
    (b"Setup", 8),
    (b"Variant", 9),
    (b"ECO", 10),
    (b"WhiteElo", 10),
    (b"BlackElo", 10),
    (b"UTCDate", 10),
    (b"UTCTime", 10),
    (b"Opening", 10),
    (b"PlyCount", 10),
    (b"Variation", 10),
    (b"EventDate", 10),
    (b"EventType", 10),
    (b"Annotator", 10),
    (b"TimeControl", 10),
    (b"Termination", 10),
    (b"WhiteRatingDiff", 10),
    (b"BlackRatingDiff", 10),
    (b"WhiteTitle", 10),
    (b"BlackTitle", 10),
    (b"WhiteFideId", 10),
    (b"BlackFideId", 10),
    (b"WhiteTeam", 10),
    (b"BlackTeam", 10),
    (b"GameStartTime", 10),
    (b"GameEndTime", 10),
    (b"GameDuration", 10),
    (b"SourceDate", 10),
];

/// The number of [`NOTATION_TAG`], which is not in [`NAMED`].
pub(super) const NOTATION_NAME: u128 = match short_name(NOTATION_TAG) {
    Some(number) => number,
    None => panic!("it is short"),
};

const HASH_BITS: u32 = 8;

#[inline(always)]
const fn hash(name: u128, factor: u64) -> usize {
    let folded = name as u64 ^ ((name >> 64) as u64).rotate_left(23);
    (folded.wrapping_mul(factor) >> (64 - HASH_BITS)) as usize
}

/// The names as numbers, each at the index of its hash, with its slot.
type SlotsHash = [(u128, u8); 1 << HASH_BITS];

const fn slots_hash(factor: u64) -> Option<SlotsHash> {
    let mut table = [(0, 0); 1 << HASH_BITS];
    let mut i = 0;
    while i < NAMED.len() {
        if let Some(name) = short_name(NAMED[i].0) {
            let index = hash(name, factor);
            if table[index].0 != 0 {
                return None;
            }
            table[index] = (name, NAMED[i].1);
        }
        i += 1;
    }
    Some(table)
}

/// The first factor with which no two hashes are equal.
const SLOTS_FACTOR: u64 = {
    let mut factor = 0x9e37_79b9_7f4a_7c15;
    while slots_hash(factor).is_none() {
        factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d);
    }
    factor
};

/// The slot of a name, if it is in [`NAMED`].
#[inline(always)]
pub(super) fn slot_of(name: u128) -> Option<usize> {
    let (known, slot) = SLOTS_HASH[hash(name, SLOTS_FACTOR)];
    (name == known).then_some(usize::from(slot))
}

/// See [`SlotsHash`].
static SLOTS_HASH: SlotsHash = match slots_hash(SLOTS_FACTOR) {
    Some(table) => table,
    None => panic!("the factor was found above"),
};
