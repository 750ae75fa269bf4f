//! Vectors of 64 bytes in plain Rust: the definition of each operation of [`Wide`], and what runs where a processor has
//! no such vectors. Never chosen for speed.

use super::wide::{RareKernel, Wide, WideKernel};

/// Arrays in place of registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Emulated;

/// Runs a kernel on this machine, apart from its caller: the code is long, and speed does not matter.
#[cold]
#[inline(never)]
pub(super) fn run_wide<K: WideKernel>(kernel: K) -> K::Output {
    kernel.run::<Emulated>()
}

/// Sixty-four bytes.
type Bytes = [u8; 64];

#[inline(always)]
fn each(a: Bytes, b: Bytes, operation: impl Fn(u8, u8) -> u8) -> Bytes {
    std::array::from_fn(|index| operation(a[index], b[index]))
}

#[inline(always)]
fn each_word(a: Bytes, b: Bytes, operation: impl Fn(u64, u64) -> u64) -> Bytes {
    let mut result = [0; 64];
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    for ((a, b), to) in words.zip(result.as_chunks_mut::<8>().0) {
        *to = operation(u64::from_le_bytes(*a), u64::from_le_bytes(*b)).to_le_bytes();
    }
    result
}

#[inline(always)]
fn bits_where(holds: impl Fn(usize) -> bool) -> u64 {
    (0..64).fold(0, |bits, index| bits | u64::from(holds(index)) << index)
}

/// The numbers of the bits of a word that are set, the lowest first.
#[inline(always)]
fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        lowest
    })
}

// Operations that take loops are functions of their own: inlined, they would be a quarter of a megabyte of the program.
impl Wide for Emulated {
    type Bytes = Bytes;

    #[inline]
    fn load(bytes: &[u8; 64]) -> Bytes {
        *bytes
    }

    #[inline]
    fn load_first(text: &[u8]) -> Bytes {
        let mut bytes = [0; 64];
        let count = text.len().min(64);
        bytes[..count].copy_from_slice(&text[..count]);
        bytes
    }

    #[inline]
    fn store(bytes: Bytes, to: &mut [u8; 64]) {
        *to = bytes;
    }

    #[inline]
    fn store_first(bytes: Bytes, _: usize, to: &mut [u8; 64]) {
        *to = bytes;
    }

    #[inline]
    fn fill(byte: u8) -> Bytes {
        [byte; 64]
    }

    #[inline]
    fn and(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, |a, b| a & b)
    }

    #[inline]
    fn or(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, |a, b| a | b)
    }

    #[inline]
    fn xor(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, |a, b| a ^ b)
    }

    #[inline]
    fn and_not(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, |a, b| a & !b)
    }

    #[inline]
    fn and_or(a: Bytes, b: Bytes, c: Bytes) -> Bytes {
        each(a, each(b, c, |b, c| b | c), |a, b| a & b)
    }

    #[inline]
    fn add(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, u8::wrapping_add)
    }

    #[inline]
    fn sub(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, u8::wrapping_sub)
    }

    #[inline]
    fn sub_to_zero(a: Bytes, b: Bytes) -> Bytes {
        each(a, b, u8::saturating_sub)
    }

    #[inline]
    fn add_words(a: Bytes, b: Bytes) -> Bytes {
        each_word(a, b, u64::wrapping_add)
    }

    #[inline]
    fn sub_words(a: Bytes, b: Bytes) -> Bytes {
        each_word(a, b, u64::wrapping_sub)
    }

    #[inline(never)]
    fn permute(bytes: Bytes, indices: Bytes) -> Bytes {
        indices.map(|index| bytes[usize::from(index & 63)])
    }

    #[inline(never)]
    fn look_up(table: Bytes, indices: Bytes) -> Bytes {
        std::array::from_fn(|at| table[at & !15 | usize::from(indices[at] & 15)])
    }

    #[inline(never)]
    fn compress(bytes: Bytes, selected: u64) -> Bytes {
        let mut result = [0; 64];
        for (to, from) in result.iter_mut().zip(ones(selected)) {
            *to = bytes[from as usize];
        }
        result
    }

    #[inline(never)]
    fn replace(bytes: Bytes, selected: u64, other: Bytes) -> Bytes {
        std::array::from_fn(
            |index| if selected >> index & 1 != 0 { other[index] } else { bytes[index] },
        )
    }

    #[inline(never)]
    fn equal(a: Bytes, b: Bytes) -> u64 {
        bits_where(|index| a[index] == b[index])
    }

    #[inline(never)]
    fn at_least(a: Bytes, b: Bytes) -> u64 {
        bits_where(|index| a[index] >= b[index])
    }

    #[inline(never)]
    fn intersect(a: Bytes, b: Bytes) -> u64 {
        bits_where(|index| a[index] & b[index] != 0)
    }

    #[inline(never)]
    fn high_bits(bytes: Bytes) -> u64 {
        bits_where(|index| bytes[index] & 0x80 != 0)
    }

    #[inline(never)]
    fn groups_differ(a: Bytes, b: Bytes, mask: Bytes) -> u64 {
        let differ = each(each(a, b, |a, b| a ^ b), mask, |a, b| a & b);
        let groups = differ.as_chunks::<4>().0.iter().zip(0..);
        groups.fold(0, |bits, (group, number)| bits | u64::from(*group != [0; 4]) << number)
    }

    #[inline]
    fn extract_bits(word: u64, selected: u64) -> u64 {
        (0..).zip(ones(selected)).fold(0, |bits, (to, from)| bits | (word >> from & 1) << to)
    }

    #[inline]
    fn deposit_bits(word: u64, selected: u64) -> u64 {
        (0..).zip(ones(selected)).fold(0, |bits, (from, to)| bits | (word >> from & 1) << to)
    }

    #[inline]
    fn parities(word: u64) -> u64 {
        [1, 2, 4, 8, 16, 32].into_iter().fold(word, |word, shift| word ^ word << shift)
    }

    #[inline]
    fn apart<K: RareKernel<Emulated>>(kernel: K) -> K::Output {
        kernel.run()
    }
}
