//! What a byte begins in movetext (PGN standard 7), and before which bytes a word ends.
//!
//! In: a byte. Out: its class, from a table that is made when the program is compiled. Invariant: digits, full stops,
//! `*` and `%` end no word, so that `1-0`, `e4.` and `=*` are one. Cost: one look-up.

use pgnmill_io::archive::blanks::may_be_blank;

/// The class of a byte, by the token that it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteClass {
    Whitespace,
    Letter,
    Digit,
    Brace,
    Semicolon,
    Percent,
    Open,
    Close,
    Dollar,
    Suffix,
    Bracket,
    Star,
    Dot,
    Stray,
}

/// The class of each byte.
pub(super) const CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Letter; 256];
    let mut byte = 0;
    while byte <= b' ' as usize {
        classes[byte] = ByteClass::Whitespace;
        byte += 1;
    }
    byte = b'0' as usize;
    while byte <= b'9' as usize {
        classes[byte] = ByteClass::Digit;
        byte += 1;
    }
    classes[b'{' as usize] = ByteClass::Brace;
    classes[b'}' as usize] = ByteClass::Stray;
    classes[b']' as usize] = ByteClass::Stray;
    classes[b';' as usize] = ByteClass::Semicolon;
    classes[b'%' as usize] = ByteClass::Percent;
    classes[b'(' as usize] = ByteClass::Open;
    classes[b')' as usize] = ByteClass::Close;
    classes[b'$' as usize] = ByteClass::Dollar;
    classes[b'!' as usize] = ByteClass::Suffix;
    classes[b'?' as usize] = ByteClass::Suffix;
    classes[b'[' as usize] = ByteClass::Bracket;
    classes[b'*' as usize] = ByteClass::Star;
    classes[b'.' as usize] = ByteClass::Dot;
    classes
};

/// Does a word end before this byte?
pub(super) const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = !matches!(
            CLASSES[byte],
            ByteClass::Letter
                | ByteClass::Digit
                | ByteClass::Star
                | ByteClass::Dot
                | ByteClass::Percent
        );
        byte += 1;
    }
    ends
};

/// May a word end before this byte, if it begins a blank of Unicode or not?
pub(super) const MAY_END_WORD: [bool; 256] = {
    let mut ends = ENDS_WORD;
    let mut byte = 0x80;
    while byte < 256 {
        ends[byte] = may_be_blank(byte as u8);
        byte += 1;
    }
    ends
};

/// Does a word end before this byte?
pub(crate) fn ends_word(byte: u8) -> bool {
    ENDS_WORD[usize::from(byte)]
}
