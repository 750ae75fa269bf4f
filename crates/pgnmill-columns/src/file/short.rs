//! Short texts that are in many rows, such as moves, results and codes of openings.
//!
//! In: a text. Out: the same text, in memory that lives as long as the program; `None` for a text that is long, or
//! whose place another text has. Invariants: a place keeps the first text that is looked up in it, so that what is
//! kept is bounded; which texts have a place changes no file. Cost: a multiplication and a comparison, where a
//! reference to a buffer is counted twice by all processors.

use std::sync::{LazyLock, OnceLock};

/// Bytes of a text, at most. The last byte of a place is the number of the others.
const BYTES_MAX: usize = 7;
/// Places: a few times as many as there are moves in SAN that are frequent.
const PLACES_COUNT: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 13;

type Places = [OnceLock<[u8; BYTES_MAX + 1]>; PLACES_COUNT];

/// Made when it is used first: as a constant it would be in the program's file.
static PLACES: LazyLock<Box<Places>> = LazyLock::new(|| {
    let places: Vec<_> = (0..PLACES_COUNT).map(|_| OnceLock::new()).collect();
    places.try_into().unwrap_or_else(|_| unreachable!("as many as there are places"))
});

/// The short texts of the process.
#[derive(Clone, Copy)]
pub(super) struct ShortTexts(&'static Places);

impl ShortTexts {
    pub(super) fn of_process() -> ShortTexts {
        ShortTexts(&PLACES)
    }

    /// The text of so many bytes at the beginning of `bytes`.
    #[inline]
    pub(super) fn get(self, bytes: &[u8], bytes_count: usize) -> Option<&'static [u8]> {
        let &word = bytes.first_chunk().filter(|_| bytes_count <= BYTES_MAX)?;
        let mask = (1 << (8 * bytes_count)) - 1;
        let word = u64::from_le_bytes(word) & mask | (bytes_count as u64) << (8 * BYTES_MAX);
        // The high bits of a product depend on all of its bits; the factor is the golden ratio.
        let place = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACE_BITS);
        let kept = self.0[place as usize].get_or_init(|| word.to_le_bytes());
        (u64::from_le_bytes(*kept) == word).then(|| &kept[..bytes_count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that has a place is returned as it is, to several threads at once, also where there are more texts than
    /// places.
    #[test]
    fn a_text_is_itself_or_has_no_place() {
        let find = || {
            let texts = ShortTexts::of_process();
            let mut found_count = 0;
            for number in 0..4 * PLACES_COUNT {
                let text = format!("{number}\0{}", ["", "\0", "é"][number % 3]);
                let bytes = [text.as_bytes(), b"and what follows"].concat();
                let found = texts.get(&bytes, text.len());
                assert!(found.is_none_or(|found| found == text.as_bytes()), "{text:?}");
                found_count += usize::from(found.is_some());
            }
            found_count
        };
        let counts = std::thread::scope(|scope| {
            let threads = [(); 3].map(|()| scope.spawn(find));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(counts.iter().all(|&count| count > PLACES_COUNT / 4), "{counts:?}");
    }

    #[test]
    fn long_texts_and_the_end_of_a_buffer_have_no_place() {
        let texts = ShortTexts::of_process();
        assert_eq!(texts.get(b"12345678", 8), None);
        assert_eq!(texts.get(b"1234567", 7), None);
        assert_eq!(texts.get(b"", 0), None);
    }
}
