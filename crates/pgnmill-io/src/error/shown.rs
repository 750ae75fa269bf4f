//! Names of files as messages show them: control characters, line ends and controls of the direction of writing are
//! escaped, which can be in any name.
//!
//! In: a path or a name. Out: what is shown of it. Invariant: no character of a name moves the cursor of a terminal,
//! begins a line, or changes the order in which others are shown (Unicode Standard Annex 9, 2: with U+202E before it,
//! `gnp.exe` is shown as `exe.png`). Cost: the characters of the name.
//!
//! Tables and outputs have the names as they are.

use std::fmt::{self, Write as _};
use std::path::Path;

/// What has a name that is shown.
pub trait Shown {
    /// The name, for messages.
    fn shown(&self) -> Name;
}

impl Shown for Path {
    fn shown(&self) -> Name {
        Name(self.display().to_string())
    }
}

impl Shown for str {
    fn shown(&self) -> Name {
        Name(self.to_string())
    }
}

/// A name that is shown.
#[derive(Clone, Debug)]
pub struct Name(String);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter.is_control() || is_of_direction(letter) {
                true => write!(f, "{}", letter.escape_default())?,
                false => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

/// Does a character control the direction of writing, or does it end a line?
fn is_of_direction(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!("a\nb\x1b[31m\u{85}é.pgn".shown().to_string(), "a\\nb\\u{1b}[31m\\u{85}é.pgn");
        for letter in ('\0'..=char::MAX).filter(|letter| is_of_direction(*letter)) {
            let name = format!("a{letter}gnp.exe");
            assert_eq!(name.shown().to_string(), format!("a\\u{{{:x}}}gnp.exe", letter as u32));
        }
        for letter in
            "\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2069}"
                .chars()
        {
            assert!(is_of_direction(letter));
        }
        assert_eq!("שחמט.pgn".shown().to_string(), "שחמט.pgn");
        assert_eq!(Path::new("in/a b.pgn").shown().to_string(), "in/a b.pgn");
    }
}
