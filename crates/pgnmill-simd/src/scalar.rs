//! The machine of every processor: plain Rust, which the compiler may still turn into vector instructions.

use super::Machine;

/// No vector instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

const BYTES: usize = 16;

impl Machine for Scalar {
    type Bytes = [u8; BYTES];
    const BYTES: usize = BYTES;

    #[inline(always)]
    fn load(text: &[u8], at: usize) -> Option<[u8; BYTES]> {
        text.get(at..)?.first_chunk().copied()
    }

    #[inline(always)]
    fn equal(bytes: [u8; BYTES], byte: u8) -> [u8; BYTES] {
        bytes.map(|one| if one == byte { 0xff } else { 0 })
    }

    #[inline(always)]
    fn below(bytes: [u8; BYTES], byte: u8) -> [u8; BYTES] {
        bytes.map(|one| if one < byte { 0xff } else { 0 })
    }

    #[inline(always)]
    fn and(a: [u8; BYTES], b: [u8; BYTES]) -> [u8; BYTES] {
        (u128::from_ne_bytes(a) & u128::from_ne_bytes(b)).to_ne_bytes()
    }

    #[inline(always)]
    fn or(a: [u8; BYTES], b: [u8; BYTES]) -> [u8; BYTES] {
        (u128::from_ne_bytes(a) | u128::from_ne_bytes(b)).to_ne_bytes()
    }

    #[inline(always)]
    fn bits(bytes: [u8; BYTES]) -> u64 {
        let bit = |(index, byte): (usize, &u8)| u64::from(byte >> 7) << index;
        bytes.iter().enumerate().map(bit).sum()
    }

    #[inline(always)]
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
        for index in 0..8 {
            next[index] = (words[index] & !left) | (to & places[index]);
        }
    }
}
