//! The machine of every AArch64 processor: four times sixteen bytes, two words.
//!
//! No instruction collects the highest bits of bytes. So 64 bytes are processed together: each keeps the bit of its
//! index among eight, and adjacent bytes are added three times, for four vectors at once.

#![allow(unsafe_code, reason = "vector loads and stores through pointers")]

use std::arch::aarch64::{
    uint8x16_t, uint8x16x4_t, vandq_u8, vandq_u64, vbicq_u64, vceqq_u8, vcltq_u8, vcltzq_s8,
    vdupq_n_u8, vdupq_n_u64, vgetq_lane_u64, vld1q_u8, vld1q_u8_x4, vld1q_u64, vorrq_u8, vorrq_u64,
    vpaddq_u8, vreinterpretq_s8_u8, vreinterpretq_u64_u8, vst1q_u64,
};

use super::Machine;

/// See the module's page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

/// The bit of a byte's index among eight.
const PLACES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Changes all four.
#[inline(always)]
fn each(bytes: uint8x16x4_t, change: impl Fn(uint8x16_t) -> uint8x16_t) -> uint8x16x4_t {
    let uint8x16x4_t(a, b, c, d) = bytes;
    uint8x16x4_t(change(a), change(b), change(c), change(d))
}

/// Combines all four pairs.
#[inline(always)]
fn both(
    a: uint8x16x4_t,
    b: uint8x16x4_t,
    join: impl Fn(uint8x16_t, uint8x16_t) -> uint8x16_t,
) -> uint8x16x4_t {
    uint8x16x4_t(join(a.0, b.0), join(a.1, b.1), join(a.2, b.2), join(a.3, b.3))
}

// SAFETY of the whole file: NEON is part of AArch64, so that its instructions always exist.
impl Machine for Neon {
    type Bytes = uint8x16x4_t;
    const BYTES: usize = 64;

    #[inline(always)]
    fn load(text: &[u8], at: usize) -> Option<uint8x16x4_t> {
        let bytes = text.get(at..)?.first_chunk::<64>()?;
        // SAFETY: there are sixty-four bytes, and the load requires no alignment.
        Some(unsafe { vld1q_u8_x4(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn equal(bytes: uint8x16x4_t, byte: u8) -> uint8x16x4_t {
        // SAFETY: see above.
        each(bytes, |one| unsafe { vceqq_u8(one, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn below(bytes: uint8x16x4_t, byte: u8) -> uint8x16x4_t {
        // SAFETY: see above.
        each(bytes, |one| unsafe { vcltq_u8(one, vdupq_n_u8(byte)) })
    }

    #[inline(always)]
    fn and(a: uint8x16x4_t, b: uint8x16x4_t) -> uint8x16x4_t {
        // SAFETY: see above.
        both(a, b, |a, b| unsafe { vandq_u8(a, b) })
    }

    #[inline(always)]
    fn or(a: uint8x16x4_t, b: uint8x16x4_t) -> uint8x16x4_t {
        // SAFETY: see above.
        both(a, b, |a, b| unsafe { vorrq_u8(a, b) })
    }

    #[inline(always)]
    fn bits(bytes: uint8x16x4_t) -> u64 {
        // SAFETY: see above; sixteen bytes are loaded from an array of sixteen.
        unsafe {
            let places = vld1q_u8(PLACES.as_ptr());
            let uint8x16x4_t(a, b, c, d) =
                each(bytes, |one| vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(one)), places));
            let quarters = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(quarters, quarters)))
        }
    }

    #[inline(always)]
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
        let (words, places, next) = (words.as_ptr(), places.as_ptr(), next.as_mut_ptr());
        // SAFETY: each array holds eight words, which is four pairs; loads and stores require no alignment, and `next`
        // is borrowed for writing, so that nothing else refers to it.
        unsafe {
            let (left, to) = (vdupq_n_u64(left), vdupq_n_u64(to));
            for pair in (0..8).step_by(2) {
                let kept = vbicq_u64(vld1q_u64(words.add(pair)), left);
                let placed = vandq_u64(vld1q_u64(places.add(pair)), to);
                vst1q_u64(next.add(pair), vorrq_u64(kept, placed));
            }
        }
    }
}
