//! Names of files as messages show them: control characters and line ends are escaped, which can be in any name.
//!
//! In: a path or a name. Out: what is shown of it. Invariant: no byte of a name moves the cursor of a terminal or
//! begins a line. Cost: the characters of the name.
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
            match letter.is_control() {
                true => write!(f, "{}", letter.escape_default())?,
                false => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!("a\nb\x1b[31m\u{85}é.pgn".shown().to_string(), "a\\nb\\u{1b}[31m\\u{85}é.pgn");
        assert_eq!(Path::new("in/a b.pgn").shown().to_string(), "in/a b.pgn");
    }
}
