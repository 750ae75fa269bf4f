//! Move numbers as texts: the expected number is compared with the text, not parsed.
//!
//! In: the number that a position requires, and text. Out: whether the text has it, and where it ends. The tables are
//! made at compile time; a comparison is one load. Numbers from [`NUMBERS`] on are left to the general loop.

/// Move numbers from here on are left to the general loop.
const NUMBERS: usize = 256;

/// The text of a move number as the lowest bytes of a number, the mask of these bytes, and their count.
#[derive(Clone, Copy)]
pub(in crate::replay) struct NumberText<W = u64> {
    pub(in crate::replay) text: W,
    pub(in crate::replay) mask: W,
    pub(in crate::replay) len: usize,
}

/// The number that is expected next, and whether a space is expected after its full stop: twice the number, plus one if
/// so. The last number decides whether a space is expected; only the time depends on it.
#[derive(Clone, Copy)]
pub(in crate::replay) struct Expected(usize);

impl Expected {
    pub(in crate::replay) fn new(number: u32, spaced: bool) -> Expected {
        Expected(2 * number as usize + usize::from(spaced))
    }

    /// The next number.
    #[inline(always)]
    pub(in crate::replay) fn next(self) -> Expected {
        Expected(self.0 + 2)
    }

    /// This number, with or without a space after it.
    #[inline(always)]
    pub(in crate::replay) fn with_space(self, spaced: bool) -> Expected {
        Expected(self.0 & !1 | usize::from(spaced))
    }

    /// Is a space expected?
    pub(in crate::replay) fn is_spaced(self) -> bool {
        self.0 & 1 != 0
    }

    /// The text before a move of White; `None` from [`NUMBERS`] on.
    #[inline(always)]
    pub(in crate::replay) fn white(self) -> Option<&'static NumberText<u32>> {
        WHITE_NUMBERS.get(self.0)
    }

    /// The text before a move of Black.
    #[inline(always)]
    pub(in crate::replay) fn black(self) -> Option<&'static NumberText> {
        BLACK_NUMBERS.get(self.0 / 2)
    }
}

/// The digits of a number and the bytes `after` them, as the lowest bytes of a number, and their count.
const fn text_of(number: usize, after: &[u8]) -> (u64, usize) {
    let (mut text, mut len, mut at) = (0, after.len(), after.len());
    while at > 0 {
        at -= 1;
        text = text << 8 | after[at] as u64;
    }
    let mut rest = number;
    while rest > 0 {
        text = text << 8 | (b'0' + (rest % 10) as u8) as u64;
        len += 1;
        rest /= 10;
    }
    (text, len)
}

/// Texts such as `12.` and `12. `, by turns. Move 0, and what exceeds four bytes, has an entry that equals no text.
static WHITE_NUMBERS: [NumberText<u32>; 2 * NUMBERS] = {
    let mut texts = [NumberText { text: u32::MAX, mask: 0, len: 1 }; 2 * NUMBERS];
    let mut index = 2;
    while index < texts.len() {
        let (text, len) = text_of(index / 2, if index % 2 == 1 { b". " } else { b"." });
        if len <= 4 {
            texts[index] = NumberText { text: text as u32, mask: u32::MAX >> (32 - 8 * len), len };
        }
        index += 1;
    }
    texts
};

/// The text of each move number before a move of Black, such as `12... `.
static BLACK_NUMBERS: [NumberText; NUMBERS] = {
    let mut texts = [NumberText { text: u64::MAX, mask: 0, len: 1 }; NUMBERS];
    let mut number = 1;
    while number < NUMBERS {
        let (text, len) = text_of(number, b"... ");
        texts[number] = NumberText { text, mask: u64::MAX >> (64 - 8 * len), len };
        number += 1;
    }
    texts
};

/// The end of a move number, `12.` or `12...`, if it is the expected one.
#[inline(always)]
pub(in crate::replay) fn number_end(
    text: &[u8],
    at: usize,
    word: u64,
    expected: Expected,
) -> Option<usize> {
    let NumberText { text: known, mask, len } = *expected.with_space(false).white()?;
    if word as u32 & mask != known {
        return None;
    }
    let mut end = at + len;
    loop {
        match *text.get(end)? {
            b'.' => end += 1,
            // An ellipsis in one character may follow.
            0x80.. => return None,
            _ => return Some(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_expected_ones() {
        let end = |text: &str, number| {
            let text = format!("{text}        ");
            let bytes = text.as_bytes().first_chunk().expect("long enough");
            let word = u64::from_le_bytes(*bytes);
            number_end(text.as_bytes(), 0, word, Expected::new(number, true))
        };
        for number in 1..NUMBERS as u32 {
            let text = number.to_string();
            assert_eq!(end(&format!("{text}. e4"), number), Some(text.len() + 1));
            assert_eq!(end(&format!("{text}...e5"), number), Some(text.len() + 3));
            assert_eq!(end(&format!("{text} e4"), number), None);
            assert_eq!(end(&format!("0{text}. e4"), number), None);
            assert_eq!(end(&format!("{text}0. e4"), number), None);
            assert_eq!(end(&format!("{text}.…"), number), None);
            assert_eq!(end(&format!("{}. e4", number + 1), number), None);
        }
        assert_eq!(end("0. e4", 0), None);
        assert_eq!(end("256. e4", 256), None);
    }

    #[test]
    fn white_numbers_are_those_that_are_written() {
        for (index, known) in WHITE_NUMBERS.iter().enumerate() {
            let written = format!("{}.{}", index / 2, if index % 2 == 1 { " " } else { "" });
            if index < 2 || written.len() > 4 {
                assert_eq!(known.mask, 0, "{written:?}");
                continue;
            }
            assert_eq!(&known.text.to_le_bytes()[..known.len], written.as_bytes());
            assert_eq!(known.len, written.len());
            assert_eq!(known.mask.count_ones() as usize, 8 * known.len);
        }
    }

    #[test]
    fn black_numbers_are_those_that_are_written() {
        assert_eq!(BLACK_NUMBERS[0].mask, 0);
        for (number, known) in BLACK_NUMBERS.iter().enumerate().skip(1) {
            let written = format!("{number}... ");
            assert_eq!(&known.text.to_le_bytes()[..known.len], written.as_bytes());
            assert_eq!(known.len, written.len());
            assert_eq!(known.mask.count_ones() as usize, 8 * known.len);
        }
    }
}
