//! Eight bitboards changed at once: the heart of making a move.
//!
//! What enters are a position's bitboards and what a move does to all of them; what leaves are the next position's.
//! Left to itself the compiler makes eight scalar updates of this (55 instructions a ply; vectors take 20), because
//! the results are read one by one soon after. So this file, and no other of the room, speaks to the vector unit.

/// Sets each board of `next` to `(board & keep) | (to & place)`.
#[inline(always)]
pub(super) fn sweep(boards: &[u64; 8], keep: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
    #[cfg(target_arch = "x86_64")]
    sweep_sse2(boards, keep, to, places, next);
    #[cfg(not(target_arch = "x86_64"))]
    sweep_scalar(boards, keep, to, places, next);
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn sweep_scalar(boards: &[u64; 8], keep: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
    for i in 0..8 {
        next[i] = (boards[i] & keep) | (to & places[i]);
    }
}

/// SSE2 is part of every x86-64 processor.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code, reason = "vector loads and stores through pointers; see the module's page")]
fn sweep_sse2(boards: &[u64; 8], keep: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_loadu_si128, _mm_or_si128, _mm_set1_epi64x, _mm_storeu_si128,
    };
    let (boards, places) = (boards.as_ptr().cast::<__m128i>(), places.as_ptr().cast::<__m128i>());
    let next = next.as_mut_ptr().cast::<__m128i>();
    // SAFETY: SSE2 is there on every x86-64; each array holds eight words, which is four pairs; unaligned loads and
    // stores are used, and `next` is borrowed for writing, so that nothing else refers to it.
    unsafe {
        let (keep, to) = (_mm_set1_epi64x(keep as i64), _mm_set1_epi64x(to as i64));
        for pair in 0..4 {
            let kept = _mm_and_si128(_mm_loadu_si128(boards.add(pair)), keep);
            let placed = _mm_and_si128(_mm_loadu_si128(places.add(pair)), to);
            _mm_storeu_si128(next.add(pair), _mm_or_si128(kept, placed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_scalars_agree() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            seed ^ seed >> 29
        };
        for _ in 0..1_000 {
            let boards = std::array::from_fn(|_| random());
            let places = std::array::from_fn(|_| random());
            let (keep, to) = (random(), random());
            let (mut fast, mut slow) = ([0; 8], [0; 8]);
            sweep(&boards, keep, to, &places, &mut fast);
            sweep_scalar(&boards, keep, to, &places, &mut slow);
            assert_eq!(fast, slow);
        }
    }
}
