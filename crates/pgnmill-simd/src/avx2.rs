//! The machine of x86-64 processors since 2013 (Intel) and 2015 (AMD): thirty-two bytes, four words, and bit
//! operations in one instruction that took three or four.

#![allow(
    unsafe_code,
    reason = "vector loads and stores through pointers; features known at run time"
)]

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_prefetch, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi64x, _mm256_storeu_si256,
};

use super::{Kernel, Machine};

/// AVX2 with bit instructions. Private to the module, so that its functions are reached through [`run`] alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2;

/// Runs a kernel on this machine; all code that is inlined into it is compiled for it.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// The highest bit of each byte. The intrinsic becomes a comparison and a conversion; where the bits are used on one
/// branch only, the compiler moves the second there without the first, and then extracts each byte of the vector by
/// itself.
#[inline]
#[target_feature(enable = "avx2")]
fn high_bits(bytes: __m256i) -> u32 {
    if cfg!(miri) {
        return _mm256_movemask_epi8(bytes) as u32;
    }
    let bits: u32;
    // SAFETY: the instruction is one of AVX2, reads one register and writes another, no memory and no flag.
    unsafe {
        asm!("vpmovmskb {bits:e}, {bytes}", bits = lateout(reg) bits, bytes = in(ymm_reg) bytes,
            options(pure, nomem, nostack, preserves_flags));
    }
    bits
}

// SAFETY of the whole file: the functions are reached through `run`, whose caller has detected the features.
impl Machine for Avx2 {
    type Bytes = __m256i;
    const BYTES: usize = 32;

    #[inline(always)]
    fn load(text: &[u8], at: usize) -> Option<__m256i> {
        let bytes = text.get(at..)?.first_chunk::<32>()?;
        // SAFETY: there are thirty-two bytes, and an unaligned load is used.
        Some(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn prefetch(text: &[u8], at: usize) {
        // SAFETY: the instruction neither faults nor changes memory, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().wrapping_add(at).cast()) };
    }

    #[inline(always)]
    fn equal(bytes: __m256i, byte: u8) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn below(bytes: __m256i, byte: u8) -> __m256i {
        // SAFETY: see above.
        unsafe {
            _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8((byte - 1) as i8)), bytes)
        }
    }

    #[inline(always)]
    fn and(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: see above.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn bits(bytes: __m256i) -> u64 {
        // SAFETY: see above.
        u64::from(unsafe { high_bits(bytes) })
    }

    #[inline(always)]
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
        let (words, places) = (words.as_ptr().cast::<__m256i>(), places.as_ptr().cast::<__m256i>());
        let next = next.as_mut_ptr().cast::<__m256i>();
        // SAFETY: each array holds eight words, which is two fours; unaligned loads and stores are used, and `next`
        // is borrowed for writing, so that nothing else refers to it.
        unsafe {
            let (left, to) = (_mm256_set1_epi64x(left as i64), _mm256_set1_epi64x(to as i64));
            for four in 0..2 {
                let kept = _mm256_andnot_si256(left, _mm256_loadu_si256(words.add(four)));
                let placed = _mm256_and_si256(_mm256_loadu_si256(places.add(four)), to);
                _mm256_storeu_si256(next.add(four), _mm256_or_si256(kept, placed));
            }
        }
    }
}
