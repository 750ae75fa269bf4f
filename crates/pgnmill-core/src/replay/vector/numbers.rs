//! Move numbers as texts, up to sixteen compared at once.
//!
//! In: the number that is expected. Out: the texts of it and those that follow, aligned at their full stop, with the
//! masks and the counts of their bytes. Cost: three loads.

/// Numbers from here on are left to the general loop. Their texts have four bytes at most.
pub(super) const NUMBERS: usize = 1_000;

/// Entries after the last number, which equal no text.
const PADDING: usize = 64;

/// What a number looks like: its text as the last bytes of four, the mask of these, and how many digits it has.
pub(super) struct Numbers<const ENTRIES: usize> {
    text: [[u8; 4]; ENTRIES],
    mask: [[u8; 4]; ENTRIES],
    digits: [u8; ENTRIES],
}

/// The texts, masks and counts of a number and those after it.
pub(super) struct Expected<'n> {
    pub(super) text: &'n [u8; 64],
    pub(super) mask: &'n [u8; 64],
    pub(super) digits: &'n [u8; 64],
}

/// Each number once.
pub(super) static NUMBERS_ONCE: Numbers<{ NUMBERS + PADDING }> = Numbers::new(1);

/// Each number twice: before a move of White, and before one of Black.
pub(super) static NUMBERS_TWICE: Numbers<{ 2 * NUMBERS + PADDING }> = Numbers::new(2);

impl<const ENTRIES: usize> Numbers<ENTRIES> {
    const fn new(times: usize) -> Numbers<ENTRIES> {
        let (text, mask, digits) = ([[0; 4]; ENTRIES], [[0xff; 4]; ENTRIES], [99; ENTRIES]);
        let mut numbers = Numbers { text, mask, digits };
        // Move 0 equals no text either.
        let mut index = times;
        while index < times * NUMBERS {
            let (mut rest, mut at) = (index / times, 3);
            numbers.text[index][at] = b'.';
            while rest > 0 {
                at -= 1;
                numbers.text[index][at] = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            numbers.digits[index] = 3 - at as u8;
            while at > 0 {
                at -= 1;
                numbers.mask[index][at] = 0;
            }
            index += 1;
        }
        numbers
    }

    /// The entries from this one on; `None` if it is behind the last number.
    #[inline(always)]
    pub(super) fn from(&self, index: usize) -> Option<Expected<'_>> {
        Some(Expected {
            text: self.text.get(index..)?.as_flattened().first_chunk()?,
            mask: self.mask.get(index..)?.as_flattened().first_chunk()?,
            digits: self.digits.get(index..)?.first_chunk()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_numbers() {
        for (number, twice) in [(1, 3), (9, 18), (10, 20), (99, 199), (100, 200), (999, 1998)] {
            let once = NUMBERS_ONCE.from(number).expect("a number");
            let expected = format!("{number}.");
            let digits = usize::from(once.digits[0]);
            assert_eq!(&once.text[3 - digits..4], expected.as_bytes());
            assert_eq!(once.mask[..4].iter().filter(|&&byte| byte != 0).count(), digits + 1);
            let again = NUMBERS_TWICE.from(twice).expect("a number");
            assert_eq!((&again.text[..4], again.digits[0]), (&once.text[..4], once.digits[0]));
        }
        assert_eq!(NUMBERS_ONCE.from(0).expect("padding").digits[0], 99);
        assert_eq!(NUMBERS_ONCE.from(NUMBERS).expect("padding").digits[0], 99);
        assert!(NUMBERS_ONCE.from(NUMBERS + PADDING).is_none());
    }
}
