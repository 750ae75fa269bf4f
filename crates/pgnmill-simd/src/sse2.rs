//! The machine of every x86-64 processor: sixteen bytes, two words.
//!
//! Without intrinsics the compiler makes eight scalar updates of `replace_bits` (55 instructions per ply; vectors take
//! 20), because the results are read one by one soon after.

#![allow(unsafe_code, reason = "vector loads and stores through pointers")]

use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8,
    _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi64x, _mm_storeu_si128,
};

use super::Machine;

/// SSE2.
#[derive(Clone, Copy, Debug)]
pub struct Sse2;

// SAFETY of the whole file: SSE2 is part of x86-64, so that its instructions always exist.
impl Machine for Sse2 {
    type Bytes = __m128i;
    const BYTES: usize = 16;

    #[inline(always)]
    fn load(text: &[u8], at: usize) -> Option<__m128i> {
        let bytes = text.get(at..)?.first_chunk::<16>()?;
        // SAFETY: there are sixteen bytes, and an unaligned load is used.
        Some(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn equal(bytes: __m128i, byte: u8) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn below(bytes: __m128i, byte: u8) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8((byte - 1) as i8)), bytes) }
    }

    #[inline(always)]
    fn and(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_and_si128(a, b) }
    }

    #[inline(always)]
    fn or(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: see above.
        unsafe { _mm_or_si128(a, b) }
    }

    #[inline(always)]
    fn bits(bytes: __m128i) -> u64 {
        // SAFETY: see above.
        u64::from(unsafe { _mm_movemask_epi8(bytes) } as u32)
    }

    #[inline(always)]
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
        let (words, places) = (words.as_ptr().cast::<__m128i>(), places.as_ptr().cast::<__m128i>());
        let next = next.as_mut_ptr().cast::<__m128i>();
        // SAFETY: each array holds eight words, which is four pairs; unaligned loads and stores are used, and `next`
        // is borrowed for writing, so that nothing else refers to it.
        unsafe {
            let (left, to) = (_mm_set1_epi64x(left as i64), _mm_set1_epi64x(to as i64));
            for pair in 0..4 {
                let kept = _mm_andnot_si128(left, _mm_loadu_si128(words.add(pair)));
                let placed = _mm_and_si128(_mm_loadu_si128(places.add(pair)), to);
                _mm_storeu_si128(next.add(pair), _mm_or_si128(kept, placed));
            }
        }
    }
}
