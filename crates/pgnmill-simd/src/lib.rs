//! Vector instructions: what a processor does to many bytes at once, chosen when the program runs.
//!
//! In: bytes of text and 64-bit words of a position. Out: bit masks of the bytes that were searched for, and changed
//! words. A `Machine` is one set of vector instructions; a `Kernel` is code that is written once for all of them; a
//! [`Level`] names the machine that a kernel runs on, and is detected when the program runs.
//!
//! [`Wide`] is a set of instructions on vectors of 64 bytes, which only some levels have ([`Level::run_wide`]).
//!
//! May use: nothing of the project. Invariant: every level gives the same results. The `unsafe` code of the project is
//! here, in the memory map and in the handling of signals. The next level is a file that implements `Machine`, and a
//! row of [`Level`].
//!
//! ```
//! use pgnmill_simd::Level;
//! assert_eq!(Level::find("scalar"), Some(Level::Scalar));
//! assert!(Level::all().any(|level| level == Level::best()));
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod emulated;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod wide;

pub(crate) use scalar::Scalar;
pub use wide::{RareKernel, Wide, WideKernel};

/// The machine that every processor of this architecture has.
#[cfg(target_arch = "x86_64")]
pub use sse2::Sse2 as Baseline;
/// The machine that every processor of this architecture has.
#[cfg(target_arch = "aarch64")]
pub(crate) type Baseline = neon::Neon;
/// The machine that every processor of this architecture has.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) type Baseline = Scalar;

/// A set of vector instructions on many bytes, or on eight words, at once.
pub trait Machine: Copy + 'static {
    /// [`Machine::BYTES`] bytes of text.
    type Bytes: Copy;
    /// The number of bytes in a vector; 64 at most.
    const BYTES: usize;

    /// The bytes from `at` on; `None` if there are fewer than [`Machine::BYTES`].
    fn load(text: &[u8], at: usize) -> Option<Self::Bytes>;
    /// Fetches a byte that will be read soon into the cache; without effect where there is no byte.
    #[inline(always)]
    fn prefetch(_text: &[u8], _at: usize) {}
    /// All ones where a byte equals `byte`.
    fn equal(bytes: Self::Bytes, byte: u8) -> Self::Bytes;
    /// All ones where a byte is less than `byte`, which is not zero.
    fn below(bytes: Self::Bytes, byte: u8) -> Self::Bytes;
    /// Bitwise and.
    fn and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise or.
    fn or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The highest bit of each byte; that of the first byte is the lowest of the result.
    fn bits(bytes: Self::Bytes) -> u64;

    /// Sets each word of `next` to `(words & !left) | (to & place)`.
    fn replace_bits(words: &[u64; 8], left: u64, to: u64, places: &[u64; 8], next: &mut [u64; 8]);
}

/// Code that is written once for all machines. `run` must be inlined, and what it calls too, for speed.
pub trait Kernel {
    /// The result.
    type Output;
    /// Runs the kernel.
    fn run<M: Machine>(self) -> Self::Output;
}

/// The machines, from the slowest to the fastest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// No vector instructions, and vectors of 64 bytes emulated: for tests.
    Emulated,
    /// No vector instructions: every processor.
    Scalar,
    /// SSE2: every x86-64 processor.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// AVX2, BMI1, BMI2, POPCNT and LZCNT: x86-64 since 2013 to 2015.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2Token),
    /// AVX-512 with VBMI2: x86-64 since 2019 (Intel) and 2022 (AMD).
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512Token),
    /// NEON: every AArch64 processor.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

/// A value that exists only if the processor has the instructions of [`Level::Avx2`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Avx2Token(());

/// A value that exists only if the processor has the instructions of [`Level::Avx512`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Avx512Token(());

impl Level {
    /// All levels of this processor, the slowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        #[cfg(target_arch = "x86_64")]
        let more = [Some(Level::Sse2), Level::avx2(), Level::avx512()];
        #[cfg(target_arch = "aarch64")]
        let more = [Some(Level::Neon)];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let more: [Option<Level>; 0] = [];
        [Level::Emulated, Level::Scalar].into_iter().chain(more.into_iter().flatten())
    }

    #[cfg(target_arch = "x86_64")]
    fn avx2() -> Option<Level> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        has_all.then_some(Level::Avx2(Avx2Token(())))
    }

    #[cfg(target_arch = "x86_64")]
    fn avx512() -> Option<Level> {
        avx512::is_detected().then_some(Level::Avx512(Avx512Token(())))
    }

    /// The fastest level of this processor.
    pub fn best() -> Level {
        Level::all().next_back().unwrap_or(Level::Scalar)
    }

    /// The level with this name, if this processor has it.
    pub fn find(name: &str) -> Option<Level> {
        Level::all().find(|level| level.name() == name)
    }

    /// The name of the level.
    pub fn name(self) -> &'static str {
        match self {
            Level::Emulated => "emulated",
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon => "neon",
        }
    }

    /// Runs a kernel on the machine of this level.
    #[inline(always)]
    #[allow(unsafe_code, reason = "code for instructions that were detected")]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Level::Emulated | Level::Scalar => kernel.run::<Scalar>(),
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => kernel.run::<sse2::Sse2>(),
            // SAFETY: the token is made only by `Level::avx2`, which has detected every feature that the function
            // requires.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => unsafe { avx2::run(kernel) },
            // SAFETY: the token is made only by `Level::avx512`, which has detected every feature.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => unsafe { avx512::run(kernel) },
            #[cfg(target_arch = "aarch64")]
            Level::Neon => kernel.run::<neon::Neon>(),
        }
    }

    /// Runs a kernel on the machine of this level, if that is the fastest of its architecture or the one before;
    /// otherwise returns the kernel. What is compiled for many types is compiled for these machines alone.
    ///
    /// # Errors
    /// The kernel, where the machine of this level is a slower one.
    #[inline(always)]
    #[allow(unsafe_code, reason = "code for instructions that were detected")]
    pub fn run_fastest<K: Kernel>(self, kernel: K) -> Result<K::Output, K> {
        match self {
            // SAFETY: the token is made only by `Level::avx2`, which has detected every feature that the function
            // requires.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => Ok(unsafe { avx2::run(kernel) }),
            // SAFETY: the token is made only by `Level::avx512`, which has detected every feature.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => Ok(unsafe { avx512::run(kernel) }),
            #[cfg(target_arch = "aarch64")]
            Level::Neon => Ok(kernel.run::<neon::Neon>()),
            _ => Err(kernel),
        }
    }

    /// Does [`Level::run_wide`] run kernels on this level?
    #[inline(always)]
    pub fn is_wide(self) -> bool {
        match self {
            Level::Emulated => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => true,
            _ => false,
        }
    }

    /// Runs a kernel on vectors of 64 bytes; `None` if this level has none.
    #[inline(always)]
    #[allow(unsafe_code, reason = "code for instructions that were detected")]
    pub fn run_wide<K: WideKernel>(self, kernel: K) -> Option<K::Output> {
        match self {
            Level::Emulated => Some(emulated::run_wide(kernel)),
            // SAFETY: the token is made only by `Level::avx512`, which has detected every feature.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => Some(unsafe { avx512::run_wide(kernel) }),
            _ => None,
        }
    }
}

/// The first byte from `at` on that `select` selects with ones. The last bytes of the text are tested in a vector that
/// is filled up with zeros, which `select` may select as well.
#[inline(always)]
pub fn find<M: Machine>(
    text: &[u8],
    mut at: usize,
    select: impl Fn(M::Bytes) -> M::Bytes,
) -> Option<usize> {
    while let Some(bytes) = M::load(text, at) {
        let found = M::bits(select(bytes));
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += M::BYTES;
    }
    let rest = text.get(at..)?;
    let mut filled = [0u8; 64];
    filled[..rest.len()].copy_from_slice(rest);
    let found = M::bits(select(M::load(&filled, 0)?));
    let index = found.trailing_zeros() as usize;
    (index < rest.len()).then_some(at + index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> u64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed ^ *seed >> 29
    }

    struct ReplaceBits([u64; 8], u64, u64, [u64; 8]);

    impl Kernel for ReplaceBits {
        type Output = [u64; 8];
        #[inline(always)]
        fn run<M: Machine>(self) -> [u64; 8] {
            let mut next = [0; 8];
            M::replace_bits(&self.0, self.1, self.2, &self.3, &mut next);
            next
        }
    }

    #[test]
    fn all_levels_replace_bits_alike() {
        let mut seed = 1;
        // Miri interprets: a thousand times slower.
        for _ in 0..if cfg!(miri) { 20 } else { 1_000 } {
            let mut words = || std::array::from_fn(|_| random(&mut seed));
            let (boards, places) = (words(), words());
            let (left, to) = (random(&mut seed), random(&mut seed));
            let expected: [u64; 8] =
                std::array::from_fn(|i| (boards[i] & !left) | (to & places[i]));
            for level in Level::all() {
                assert_eq!(level.run(ReplaceBits(boards, left, to, places)), expected, "{level:?}");
            }
        }
    }

    /// The first offsets of: a byte, a byte less than another, both, either.
    struct Find<'t>(&'t [u8], usize, u8, u8);

    impl Kernel for Find<'_> {
        type Output = [Option<usize>; 4];
        #[inline(always)]
        fn run<M: Machine>(self) -> [Option<usize>; 4] {
            let Find(text, at, byte, limit) = self;
            [
                find::<M>(text, at, |bytes| M::equal(bytes, byte)),
                find::<M>(text, at, |bytes| M::below(bytes, limit)),
                find::<M>(text, at, |b| M::and(M::equal(b, byte), M::below(b, limit))),
                find::<M>(text, at, |b| M::or(M::equal(b, byte), M::below(b, limit))),
            ]
        }
    }

    #[test]
    fn all_levels_find_alike() {
        let mut seed = 7;
        let (step, trials) = if cfg!(miri) { (7, 1) } else { (1, 4) };
        for len in (0..200usize).step_by(step) {
            for _ in 0..trials {
                let text: Vec<u8> = (0..len).map(|_| random(&mut seed) as u8).collect();
                let (byte, limit) =
                    (random(&mut seed) as u8, (random(&mut seed) as u8 >> 4).max(1));
                let at = random(&mut seed) as usize % (len + 1);
                let first =
                    |select: &dyn Fn(u8) -> bool| (at..len).find(|&index| select(text[index]));
                let expected = [
                    first(&|b| b == byte),
                    first(&|b| b < limit),
                    first(&|b| b == byte && b < limit),
                    first(&|b| b == byte || b < limit),
                ];
                for level in Level::all() {
                    assert_eq!(level.run(Find(&text, at, byte, limit)), expected, "{level:?}");
                }
            }
        }
    }

    #[test]
    fn levels_are_found_by_name() {
        for level in Level::all() {
            assert_eq!(Level::find(level.name()), Some(level));
        }
        assert_eq!(Level::find("abacus"), None);
        assert_eq!(Level::best(), Level::all().last().expect("one at least"));
    }
}
