//! Movetext without its comments in braces, and where its bytes were.
//!
//! In: movetext. Out: a copy without comments, as far as these are what they seem: a brace within a comment, or text
//! that follows one without whitespace, ends the copy before. Invariant: what is copied has the same tokens as the
//! original, in which comments are between them. Cost: some 20 instructions per 64 bytes.
//!
//! ```text
//! text      1. e4 { [%clk 0:01:00] } 1... e5
//! braces    ......1................1........
//! inside    ......11111111111111111.........     an odd number of braces up to here
//! copy      1. e4  1... e5
//! ```

use pgnmill_simd::Wide;

/// So much text is read in one go; longer comments are left to the general loop.
pub(super) const COPIED_BYTES_MAX: usize = 1 << 16;

/// Movetext without comments.
pub(super) struct Stripped {
    text: Vec<u8>,
    bytes: usize,
    /// The offset of the text that was read, and its end.
    from: usize,
    end: usize,
    /// A comment is open at the end.
    open: bool,
    /// Of each 64 bytes that were read: the offset in the copy, and which bytes were kept.
    chunks: Vec<(usize, u64)>,
}

/// The comments of 64 bytes.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// All ones if a comment was open before.
    carried: u64,
    /// One if the byte before closed a comment.
    closed: u64,
}

impl Inside {
    /// Which of 64 bytes are outside of comments; `None` where they are not what they seem. `all`: the bytes that
    /// there are.
    #[inline(always)]
    fn kept<W: Wide>(&mut self, bytes: W::Bytes, all: u64) -> Option<u64> {
        let open = W::equal(bytes, W::fill(b'{'));
        let close = W::equal(bytes, W::fill(b'}'));
        let inside = W::parities(open | close) ^ self.carried;
        let kept = !(inside | close) & all;
        let token = W::at_least(bytes, W::fill(b' ' + 1));
        // A brace opens where the comment begins, or there are two that open or close.
        let wrong = (open | close) & inside ^ open | (close << 1 | self.closed) & kept & token;
        *self = Inside { carried: ((inside as i64) >> 63) as u64, closed: close >> 63 };
        (wrong == 0).then_some(kept)
    }
}

impl Stripped {
    pub(super) fn new() -> Stripped {
        Stripped { text: Vec::new(), bytes: 0, from: 0, end: 0, open: false, chunks: Vec::new() }
    }

    /// The text without comments.
    #[inline(always)]
    pub(super) fn text(&self) -> &[u8] {
        &self.text[..self.bytes]
    }

    /// Copies text from `from` on.
    #[inline(always)]
    pub(super) fn copy<W: Wide>(&mut self, text: &[u8], from: usize) {
        let read = text.len().min(from + COPIED_BYTES_MAX);
        if self.text.len() < read - from + 64 {
            self.text.resize(COPIED_BYTES_MAX + 64, 0);
        }
        let (mut at, mut to, mut inside) = (from, 0, Inside::default());
        self.chunks.clear();
        while at < read {
            let (bytes, all) = chunk::<W>(text, at);
            let Some(kept) = inside.kept::<W>(bytes, all) else { break };
            let Some(room) = self.text.get_mut(to..).and_then(|rest| rest.first_chunk_mut()) else {
                break;
            };
            W::store(W::compress(bytes, kept), room);
            self.chunks.push((to, kept));
            to += kept.count_ones() as usize;
            at += 64;
        }
        (self.bytes, self.from, self.end) = (to, from, at.min(text.len()));
        self.open = inside.carried != 0;
    }

    /// Bytes of the original that were read.
    pub(super) fn read_bytes(&self) -> usize {
        self.end - self.from
    }

    /// Was there no room for more?
    pub(super) fn is_full(&self, text: &[u8]) -> bool {
        self.read_bytes() >= COPIED_BYTES_MAX && self.end < text.len()
    }

    /// The offset in the original text of the byte at `at` of the copy.
    #[inline(always)]
    pub(super) fn original<W: Wide>(&self, text: &[u8], at: usize) -> usize {
        // Mostly only a result is left.
        let left = self.bytes - at;
        if left <= self.end - self.from
            && self.end == text.len()
            && !self.open
            && !text[self.end - left..].iter().any(|byte| matches!(byte, b'{' | b'}'))
        {
            return self.end - left;
        }
        let chunk = self.chunks.partition_point(|&(start, _)| start <= at);
        let chunk = self.chunk_of(chunk.saturating_sub(1), at);
        self.in_chunk::<W>(chunk, at)
    }

    /// Replaces offsets of the copy, in ascending order, by those of the text.
    #[inline(always)]
    pub(super) fn originals<W: Wide>(&self, places: &mut [usize]) {
        let mut chunk = 0;
        for place in places {
            chunk = self.chunk_of(chunk, *place);
            *place = self.in_chunk::<W>(chunk, *place);
        }
    }

    /// The chunk, not before `chunk`, that has the byte at `at` of the copy.
    #[inline(always)]
    fn chunk_of(&self, mut chunk: usize, at: usize) -> usize {
        while self.chunks.get(chunk + 1).is_some_and(|&(start, _)| start <= at) {
            chunk += 1;
        }
        chunk
    }

    #[inline(always)]
    fn in_chunk<W: Wide>(&self, chunk: usize, at: usize) -> usize {
        let Some(&(start, kept)) = self.chunks.get(chunk) else { return self.end };
        let index = W::deposit_bits(1 << ((at - start) & 63), kept).trailing_zeros() as usize;
        self.from + 64 * chunk + index
    }
}

/// The 64 bytes from `at` on, and which of them there are.
#[inline(always)]
fn chunk<W: Wide>(text: &[u8], at: usize) -> (W::Bytes, u64) {
    let rest = &text[at..];
    match rest.first_chunk::<64>() {
        Some(chunk) => (W::load(chunk), u64::MAX),
        None => (W::load_first(rest), !(u64::MAX << rest.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_simd::{Level, WideKernel};

    struct Copies<'t>(&'t [u8], usize);

    impl WideKernel for Copies<'_> {
        type Output = (Vec<u8>, Vec<usize>);

        #[inline(always)]
        fn run<W: Wide>(self) -> Self::Output {
            let mut stripped = Stripped::new();
            stripped.copy::<W>(self.0, self.1);
            let copy = stripped.text().to_vec();
            let places = (0..copy.len()).map(|at| stripped.original::<W>(self.0, at)).collect();
            (copy, places)
        }
    }

    /// The copy and the places, byte by byte; the places that end it are checked by the caller.
    fn plain(text: &[u8], from: usize) -> (Vec<u8>, Vec<usize>) {
        let (mut copy, mut places, mut inside) = (Vec::new(), Vec::new(), false);
        for (at, &byte) in text.iter().enumerate().skip(from) {
            let after = at > from && text[at - 1] == b'}';
            match byte {
                b'{' if !inside => inside = true,
                b'}' if inside => inside = false,
                b'{' | b'}' => break,
                _ if inside => {}
                _ if after && byte > b' ' => break,
                _ => {
                    copy.push(byte);
                    places.push(at);
                }
            }
        }
        (copy, places)
    }

    #[test]
    fn copies_are_the_text_without_comments() {
        let mut seed = 5u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 33) as usize % below
        };
        for trial in 0..if cfg!(miri) { 10 } else { 3_000 } {
            let pieces: &[&str] = if trial % 2 == 0 {
                &[
                    "e4 ",
                    "{ clk } ",
                    "1... ",
                    "{}",
                    " ",
                    "Nf3 ",
                    "{ a long comment, of many words }\n",
                ]
            } else {
                &["e4", "{ x }", "{", "}", " ", "{ comment } "]
            };
            let count = random(60);
            let text: String = (0..count).map(|_| pieces[random(pieces.len())]).collect();
            let from = random(text.len() + 1);
            let (expected, expected_places) = plain(text.as_bytes(), from);
            for level in Level::all() {
                let copies = Copies(text.as_bytes(), from);
                let Some((copy, places)) = level.run_wide(copies) else { continue };
                assert!(expected.starts_with(&copy), "{level:?}: {text:?} from {from}");
                // The copy ends at most 64 bytes early.
                let next = expected_places.get(copy.len()).map_or(0, |&place| (place - from) % 64);
                assert!(copy.len() == expected.len() || next < 64);
                assert_eq!(
                    places,
                    expected_places[..copy.len()],
                    "{level:?}: {text:?} from {from}"
                );
            }
        }
    }
}
