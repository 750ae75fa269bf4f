//! Blanks of Unicode: characters without ink, which word processors and web pages write in place of spaces.
//!
//! In: text and an offset. Out: how many bytes the blank there has. They are U+0085, U+00A0, U+1680, U+180E,
//! U+2000 to U+200F, U+2028, U+2029, U+202F, U+205F, U+2060, U+3000 and U+FEFF in UTF-8 (the property
//! `White_Space` of the Unicode Character Database, and the characters of no width), and the bytes A0 and 85 of
//! Latin-1 where they are no part of a character of UTF-8; in Windows-1252 the byte 85 is an ellipsis, which
//! separates as well. ASCII is not examined here.

/// The longest blank in UTF-8.
pub const BLANK_BYTES_MAX: usize = 3;

/// Can a blank begin with this byte?
pub const fn may_be_blank(byte: u8) -> bool {
    matches!(byte, 0x85 | 0xA0 | 0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF)
}

/// The bytes of the blank of Unicode at `at`; 0 if there is none.
///
/// ```
/// use pgnmill_io::archive::blanks::blank_bytes;
/// assert_eq!(blank_bytes("1.\u{a0}e4".as_bytes(), 2), 2);
/// assert_eq!(blank_bytes(b"1.\xA0e4", 2), 1);
/// assert_eq!(blank_bytes("\u{420}f3".as_bytes(), 1), 0);
/// ```
pub fn blank_bytes(text: &[u8], at: usize) -> usize {
    match text[at..] {
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..] | [0xE1, 0xA0, 0x8E, ..] => 3,
        [0xE2, 0x80, 0x80..=0x8F | 0xA8 | 0xA9 | 0xAF, ..] => 3,
        [0xE2, 0x81, 0x9F | 0xA0, ..] => 3,
        [0xE3, 0x80, 0x80, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
        [0x85 | 0xA0, ..] if !continues(text, at) => 1,
        _ => 0,
    }
}

/// The first byte from `at` on that is no space, no tab and no blank of Unicode.
pub fn blanks_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        at += match byte {
            b' ' | b'\t' => 1,
            0x80.. => match blank_bytes(text, at) {
                0 => return at,
                bytes => bytes,
            },
            _ => return at,
        };
    }
    at
}

/// The first byte from `at` on that is no blank of Unicode without a width, and no control character but tabs, line
/// ends and form feeds: a reader cannot see it.
pub fn widthless_blanks_end(text: &[u8], mut at: usize) -> usize {
    loop {
        at += match text[at..] {
            [0..=8 | 0x0E..=0x1F | 0x7F, ..] => 1,
            [0xE1, 0xA0, 0x8E, ..] | [0xE2, 0x80, 0x8B..=0x8F, ..] => 3,
            [0xE2, 0x81, 0xA0, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
            _ => return at,
        };
    }
}

/// Is the byte at `at` one of a character of UTF-8 that begins before it?
fn continues(text: &[u8], at: usize) -> bool {
    for back in 1..=at.min(3) {
        let lead = text[at - back];
        let bytes = match lead {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return false,
        };
        let character = text.get(at - back..at - back + bytes);
        return bytes > back && character.is_some_and(|bytes| std::str::from_utf8(bytes).is_ok());
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character of the list is a blank, every other one none; so is each byte of Latin-1.
    #[test]
    fn blanks_are_those_of_the_list() {
        let is_blank = |c: char| {
            let beyond = c.is_whitespace() && !c.is_ascii();
            let without_width = matches!(u32::from(c), 0x180E | 0x200B..=0x200F | 0x2060 | 0xFEFF);
            beyond || without_width
        };
        for c in '\0'..=char::MAX {
            let text = format!("1.{c}e4");
            let bytes = blank_bytes(text.as_bytes(), 2);
            assert_eq!(bytes, if is_blank(c) { c.len_utf8() } else { 0 }, "U+{:04X}", u32::from(c));
            assert!(bytes == 0 || may_be_blank(text.as_bytes()[2]), "U+{:04X}", u32::from(c));
            assert!(bytes <= BLANK_BYTES_MAX);
            // No byte within a character is one.
            for at in 3..2 + c.len_utf8() {
                assert_eq!(blank_bytes(text.as_bytes(), at), 0, "U+{:04X}", u32::from(c));
            }
        }
        for byte in 0x80..=u8::MAX {
            for before in [&b"1."[..], b"M\xFC", b"\xE9", b"\xA0", b""] {
                let text = [before, &[byte], b"e4"].concat();
                let bytes = blank_bytes(&text, before.len());
                assert_eq!(bytes, usize::from(matches!(byte, 0x85 | 0xA0)), "{text:X?}");
            }
        }
    }
}
