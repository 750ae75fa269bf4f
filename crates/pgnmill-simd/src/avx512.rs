//! The machine of x86-64 processors with AVX-512 VBMI2 (Ice Lake, Sapphire Rapids, Zen 4 and later): sixty-four bytes
//! with any permutation of them in one instruction, and one bit per byte as a word.
//!
//! In and out: see [`Machine`] and [`Wide`]. A thin layer: each function is one or two intrinsics.

#![allow(
    unsafe_code,
    reason = "vector loads and stores through pointers; features known at run time"
)]

use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_prefetch,
    _mm_set1_epi8, _mm_storeu_si128, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
    _mm512_andnot_si512, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask,
    _mm512_cmplt_epu8_mask, _mm512_loadu_si512, _mm512_mask_mov_epi8, _mm512_maskz_compress_epi8,
    _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_set1_epi64, _mm512_shuffle_epi8, _mm512_storeu_si512, _mm512_sub_epi8,
    _mm512_sub_epi64, _mm512_subs_epu8, _mm512_ternarylogic_epi64, _mm512_test_epi8_mask,
    _mm512_test_epi32_mask, _mm512_xor_si512, _pdep_u64, _pext_u64,
};

use super::wide::{RareKernel, Wide, WideKernel};
use super::{Kernel, Machine};

/// AVX-512. Private to the module, so that its functions are reached through [`run`] and [`run_wide`] alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512;

/// Does this processor have every feature of the functions below?
pub(super) fn is_detected() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("pclmulqdq")
}

/// Runs a kernel on this machine; all code that is inlined into it is compiled for it.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq"
)]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

/// As [`run`], for kernels of vectors of 64 bytes.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq"
)]
pub(super) fn run_wide<K: WideKernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

#[cold]
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,popcnt,lzcnt,pclmulqdq"
)]
fn run_rare<K: RareKernel<Avx512>>(kernel: K) -> K::Output {
    kernel.run()
}

/// Bytes, and one bit for each: as they were loaded their highest bits, after a comparison its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masked {
    bytes: __m512i,
    bits: u64,
}

// SAFETY of the whole file: the functions are reached through `run` and `run_wide`, whose caller has detected the
// features.
impl Machine for Avx512 {
    type Bytes = Masked;
    const BYTES: usize = 64;

    #[inline(always)]
    fn load(text: &[u8], at: usize) -> Option<Masked> {
        let bytes = text.get(at..)?.first_chunk::<64>()?;
        // SAFETY: there are sixty-four bytes, and an unaligned load is used.
        let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        // SAFETY: see above.
        Some(Masked { bytes, bits: unsafe { _mm512_movepi8_mask(bytes) } })
    }

    #[inline(always)]
    fn prefetch(text: &[u8], at: usize) {
        // SAFETY: the instruction neither faults nor changes memory, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().wrapping_add(at).cast()) };
    }

    #[inline(always)]
    fn equal(bytes: Masked, byte: u8) -> Masked {
        // SAFETY: see above.
        let bits = unsafe { _mm512_cmpeq_epi8_mask(bytes.bytes, _mm512_set1_epi8(byte as i8)) };
        Masked { bits, ..bytes }
    }

    #[inline(always)]
    fn below(bytes: Masked, byte: u8) -> Masked {
        // SAFETY: see above.
        let bits = unsafe { _mm512_cmplt_epu8_mask(bytes.bytes, _mm512_set1_epi8(byte as i8)) };
        Masked { bits, ..bytes }
    }

    #[inline(always)]
    fn and(a: Masked, b: Masked) -> Masked {
        Masked { bits: a.bits & b.bits, ..a }
    }

    #[inline(always)]
    fn or(a: Masked, b: Masked) -> Masked {
        Masked { bits: a.bits | b.bits, ..a }
    }

    #[inline(always)]
    fn bits(bytes: Masked) -> u64 {
        bytes.bits
    }

    #[inline(always)]
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]) {
        // SAFETY: each array holds eight words; unaligned loads and stores are used, and `next` is borrowed for
        // writing, so that nothing else refers to it.
        unsafe {
            let words = _mm512_loadu_si512(words.as_ptr().cast());
            let kept = _mm512_andnot_si512(_mm512_set1_epi64(left as i64), words);
            let places = _mm512_loadu_si512(places.as_ptr().cast());
            let placed = _mm512_and_si512(places, _mm512_set1_epi64(to as i64));
            _mm512_storeu_si512(next.as_mut_ptr().cast(), _mm512_or_si512(kept, placed));
        }
    }
}

impl Wide for Avx512 {
    type Bytes = __m512i;

    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: there are sixty-four bytes, and an unaligned load is used.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_first(text: &[u8]) -> __m512i {
        let selected = if text.len() < 64 { !(u64::MAX << text.len()) } else { u64::MAX };
        // SAFETY: bytes that are not selected are not read, and the selected ones are in the text.
        unsafe { _mm512_maskz_loadu_epi8(selected, text.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(bytes: __m512i, to: &mut [u8; 64]) {
        // SAFETY: there is room for sixty-four bytes, borrowed for writing; an unaligned store is used.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bytes) }
    }

    #[inline(always)]
    fn store_first(bytes: __m512i, count: usize, to: &mut [u8; 64]) {
        if count > 16 {
            Avx512::store(bytes, to);
        } else {
            // A short store seldom crosses the end of a cache line.
            // SAFETY: there is room for sixty-four bytes, borrowed for writing; an unaligned store is used.
            unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_castsi512_si128(bytes)) }
        }
    }

    #[inline(always)]
    fn fill(byte: u8) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn and(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn xor(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn and_not(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn and_or(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        // By the intrinsic: the compiler would divide the operation in two if `a & d` is required, too.
        // SAFETY: see above.
        unsafe { _mm512_ternarylogic_epi64::<0xe0>(a, b, c) }
    }

    #[inline(always)]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_add_epi8(a, b) }
    }

    #[inline(always)]
    fn sub(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_sub_epi8(a, b) }
    }

    #[inline(always)]
    fn sub_to_zero(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_subs_epu8(a, b) }
    }

    #[inline(always)]
    fn add_words(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn sub_words(a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn permute(bytes: __m512i, indices: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_permutexvar_epi8(indices, bytes) }
    }

    #[inline(always)]
    fn look_up(table: __m512i, indices: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_shuffle_epi8(table, indices) }
    }

    #[inline(always)]
    fn compress(bytes: __m512i, selected: u64) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_maskz_compress_epi8(selected, bytes) }
    }

    #[inline(always)]
    fn replace(bytes: __m512i, selected: u64, other: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_mask_mov_epi8(bytes, selected, other) }
    }

    #[inline(always)]
    fn equal(a: __m512i, b: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmpeq_epi8_mask(a, b) }
    }

    #[inline(always)]
    fn at_least(a: __m512i, b: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_cmpge_epu8_mask(a, b) }
    }

    #[inline(always)]
    fn intersect(a: __m512i, b: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_test_epi8_mask(a, b) }
    }

    #[inline(always)]
    fn high_bits(bytes: __m512i) -> u64 {
        // SAFETY: see above.
        unsafe { _mm512_movepi8_mask(bytes) }
    }

    #[inline(always)]
    fn groups_differ(a: __m512i, b: __m512i, mask: __m512i) -> u64 {
        // SAFETY: see above.
        u64::from(unsafe { _mm512_test_epi32_mask(_mm512_xor_si512(a, b), mask) })
    }

    #[inline(always)]
    fn extract_bits(word: u64, selected: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pext_u64(word, selected) }
    }

    #[inline(always)]
    fn deposit_bits(word: u64, selected: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pdep_u64(word, selected) }
    }

    #[inline(always)]
    fn parities(word: u64) -> u64 {
        // A carry-less product with ones adds, without carries, all lower bits to each bit.
        // SAFETY: see above.
        unsafe {
            let product =
                _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(word as i64), _mm_set1_epi8(-1));
            _mm_cvtsi128_si64(product) as u64
        }
    }

    #[inline(always)]
    fn apart<K: RareKernel<Avx512>>(kernel: K) -> K::Output {
        // SAFETY: see above.
        unsafe { run_rare(kernel) }
    }
}
