//! Sixty-four bytes at once: a board of chess, or a line of text, in one register.
//!
//! In: 64 bytes. Out: 64 bytes, or one bit per byte as a word whose lowest bit belongs to the first byte. The second
//! design of the replay (`replay/vector/`) is written over [`Wide`] and runs on two machines: AVX-512 with VBMI2, and
//! an emulation in plain Rust, which every processor, Miri and the fuzzers execute and which is never chosen for speed.
//!
//! Invariant: both machines give the same results (a test compares every operation). Cost: one or two instructions per
//! operation on AVX-512; a loop in the emulation.

/// A machine with vectors of 64 bytes.
pub trait Wide: Copy + 'static {
    /// Sixty-four bytes, which some operations read as eight words of 64 bits.
    type Bytes: Copy;

    /// The bytes of an array.
    fn load(bytes: &[u8; 64]) -> Self::Bytes;
    /// The first bytes of a text; zeros after its end.
    fn load_first(text: &[u8]) -> Self::Bytes;
    /// Writes the bytes to an array.
    fn store(bytes: Self::Bytes, to: &mut [u8; 64]);
    /// Writes at least the first `count` bytes to an array; what the others are is not stated.
    fn store_first(bytes: Self::Bytes, count: usize, to: &mut [u8; 64]);
    /// One byte, 64 times.
    fn fill(byte: u8) -> Self::Bytes;

    /// Bitwise and.
    fn and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise or.
    fn or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise exclusive or.
    fn xor(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// `a & !b`.
    fn and_not(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// `a & (b | c)`.
    fn and_or(a: Self::Bytes, b: Self::Bytes, c: Self::Bytes) -> Self::Bytes;
    /// Sums of bytes, modulo 256.
    fn add(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Differences of bytes, modulo 256.
    fn sub(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Differences of bytes; 0 where `b` is larger.
    fn sub_to_zero(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sums of words of 64 bits, modulo 2^64.
    fn add_words(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Differences of words of 64 bits, modulo 2^64.
    fn sub_words(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;

    /// The bytes at these indices; the upper two bits of an index are ignored.
    fn permute(bytes: Self::Bytes, indices: Self::Bytes) -> Self::Bytes;
    /// In each group of sixteen bytes: the bytes of that group of `table` at these indices, which are less than 128;
    /// their bits above the lowest four are ignored.
    fn look_up(table: Self::Bytes, indices: Self::Bytes) -> Self::Bytes;
    /// The selected bytes, one after the other; zeros after them.
    fn compress(bytes: Self::Bytes, selected: u64) -> Self::Bytes;
    /// `other` where selected, `bytes` elsewhere.
    fn replace(bytes: Self::Bytes, selected: u64, other: Self::Bytes) -> Self::Bytes;

    /// Which bytes are equal?
    fn equal(a: Self::Bytes, b: Self::Bytes) -> u64;
    /// Which bytes of `a` are at least those of `b`, as unsigned numbers?
    fn at_least(a: Self::Bytes, b: Self::Bytes) -> u64;
    /// Which bytes have a bit in common?
    fn intersect(a: Self::Bytes, b: Self::Bytes) -> u64;
    /// The highest bit of each byte.
    fn high_bits(bytes: Self::Bytes) -> u64;
    /// Which of the sixteen groups of four bytes differ in the bits of `mask`? One bit per group.
    fn groups_differ(a: Self::Bytes, b: Self::Bytes, mask: Self::Bytes) -> u64;

    /// The selected bits of a word, one after the other.
    fn extract_bits(word: u64, selected: u64) -> u64;
    /// The lowest bits of a word, at the selected places.
    fn deposit_bits(word: u64, selected: u64) -> u64;
    /// Bit `i`: whether an odd number of the bits 0 to `i` of a word are set.
    fn parities(word: u64) -> u64;

    /// Runs code outside of the caller, so that what is rare takes no registers from what is not.
    fn apart<K: RareKernel<Self>>(kernel: K) -> K::Output;
}

/// Code that is written once for all machines with vectors of 64 bytes; see [`Kernel`](super::Kernel).
pub trait WideKernel {
    /// The result.
    type Output;
    /// Runs the kernel.
    fn run<W: Wide>(self) -> Self::Output;
}

/// Rare code with values of one machine; see [`Wide::apart`].
pub trait RareKernel<W: Wide> {
    /// The result.
    type Output;
    /// Runs the kernel.
    fn run(self) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::super::Level;
    use super::*;

    fn random(seed: &mut u64) -> u64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed ^ *seed >> 29
    }

    /// Each operation on two vectors, two words and a text.
    struct Everything<'t>([[u8; 64]; 3], [u64; 2], &'t [u8]);

    struct Sum<W: Wide>(W::Bytes, W::Bytes);

    impl<W: Wide> RareKernel<W> for Sum<W> {
        type Output = W::Bytes;
        fn run(self) -> W::Bytes {
            W::add(self.0, self.1)
        }
    }

    impl WideKernel for Everything<'_> {
        type Output = (Vec<[u8; 64]>, Vec<u64>);

        #[inline(always)]
        fn run<W: Wide>(self) -> Self::Output {
            let Everything([a, b, mask], [word, selected], text) = self;
            let indices = b.map(|byte| byte & 0x7f);
            let (a, b, mask) = (W::load(&a), W::load(&b), W::load(&mask));
            let indices = W::load(&indices);
            let vectors = [
                a,
                W::load_first(text),
                W::fill(word as u8),
                W::and(a, b),
                W::or(a, b),
                W::xor(a, b),
                W::and_not(a, b),
                W::and_or(a, b, mask),
                W::add(a, b),
                W::sub(a, b),
                W::sub_to_zero(a, b),
                W::add_words(a, b),
                W::sub_words(a, b),
                W::permute(a, b),
                W::look_up(a, indices),
                W::compress(a, selected),
                W::replace(a, selected, b),
                W::apart(Sum::<W>(a, b)),
            ];
            let stored = vectors.map(|vector| {
                let mut bytes = [0; 64];
                W::store(vector, &mut bytes);
                bytes
            });
            let words = [
                W::equal(a, W::and(a, b)),
                W::at_least(a, b),
                W::intersect(a, b),
                W::high_bits(a),
                W::groups_differ(a, W::replace(a, selected & word, b), mask),
                W::extract_bits(word, selected),
                W::deposit_bits(word, selected),
                W::parities(word),
            ];
            let mut stored = stored.to_vec();
            for count in [0, 1, 16, 17, 64] {
                let mut bytes = [0; 64];
                W::store_first(a, count, &mut bytes);
                bytes[count..].fill(0);
                stored.push(bytes);
            }
            (stored, words.to_vec())
        }
    }

    #[test]
    fn all_machines_give_the_same_vectors_and_words() {
        let mut seed = 3;
        for trial in 0..if cfg!(miri) { 4 } else { 2_000 } {
            let thin = random(&mut seed) & random(&mut seed);
            let masks = [u64::MAX, 0, random(&mut seed), thin & random(&mut seed)];
            let words = [random(&mut seed), masks[trial % masks.len()]];
            let mut vector = || {
                let dense = random(&mut seed) % 3;
                std::array::from_fn(|_| match dense {
                    0 => 0x20 + (random(&mut seed) % 0x60) as u8,
                    1 => (random(&mut seed) % 3) as u8,
                    _ => random(&mut seed) as u8,
                })
            };
            let vectors: [[u8; 64]; 3] = [vector(), vector(), vector()];
            let text = &vectors[0][..trial % 65];
            let run = |level: Level| level.run_wide(Everything(vectors, words, text));
            let expected = run(Level::Emulated).expect("the emulation is wide");
            assert_eq!(expected.0[0], vectors[0]);
            for level in Level::all() {
                if let Some(found) = run(level) {
                    assert_eq!(found, expected, "{level:?}");
                }
            }
        }
    }
}
