//! Parts of all games, such as those for training and for validation.
//!
//! In: names and shares, `train:0.98,val:0.02`. Out: for each game the name of its part. Invariants: a hash of the
//! game's own text decides, so that all its plies are in one part, whatever archive and whatever run it is in; it is
//! not the hash of `--sample`. Cost: that of [`Share::takes`] per part.
//!
//! ```
//! use pgnmill_core::tasks::export::Parts;
//! let parts = Parts::read("train:98%,val:2%").expect("two parts");
//! assert!(["train", "val"].contains(&parts.part_of(b"[Event \"a\"]\n\n1. e4 *", 11)));
//! ```

use std::fmt;

use crate::select::Share;

/// Another one than those that are usual with `--seed`.
const SEED: u64 = 0x7061_7274_735f_6f66;

/// Why a text is no list of parts.
#[derive(Clone, PartialEq, Debug)]
pub enum PartsError {
    /// No name and share.
    Unreadable(String),
    /// A name with other characters than letters, digits, `_` and `-`.
    Name(String),
    /// A name twice.
    Twice(String),
    /// What the shares add to.
    Sum(f64),
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartsError::Unreadable(part) => {
                write!(f, "{part:?} is no name with a share; an example is train:0.98,val:0.02")
            }
            PartsError::Name(name) => {
                write!(f, "{name:?} names a folder: letters, digits, _ and - are allowed")
            }
            PartsError::Twice(name) => write!(f, "{name} is there twice"),
            PartsError::Sum(sum) => write!(f, "the shares add to {sum}, not to 1"),
        }
    }
}

impl std::error::Error for PartsError {}

/// Parts of all games, with their names.
#[derive(Clone, PartialEq, Debug)]
pub struct Parts {
    text: String,
    /// The name of each part, and the games up to its end.
    parts: Vec<(String, Share)>,
}

impl Parts {
    /// Reads names and shares: `train:0.98,val:0.02`, or `train:98%,val:2%`.
    ///
    /// # Errors
    /// Text that is no such list; shares that do not add to 1.
    pub fn read(text: &str) -> Result<Parts, PartsError> {
        let (mut parts, mut sum) = (Vec::<(String, Share)>::new(), 0.0);
        for part in text.split(',') {
            let unreadable = || PartsError::Unreadable(part.to_string());
            let (name, share) = part.split_once(':').ok_or_else(unreadable)?;
            let (name, share) = (name.trim(), share.trim());
            let (share, whole) =
                share.strip_suffix('%').map_or((share, 1.0), |share| (share, 100.0));
            let share = share.trim().parse::<f64>().map_err(|_| unreadable())? / whole;
            if !(share > 0.0 && share <= 1.0) {
                return Err(unreadable());
            }
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_letter) {
                return Err(PartsError::Name(name.to_string()));
            }
            if parts.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
                return Err(PartsError::Twice(name.to_string()));
            }
            sum += share;
            parts.push((name.to_string(), Share::of(sum, SEED)));
        }
        match (sum - 1.0).abs() < 1e-6 {
            true => Ok(Parts { text: text.to_string(), parts }),
            false => Err(PartsError::Sum((sum * 1e6).round() / 1e6)),
        }
    }

    /// The part of a game. `text`: that of the game; `tags_end`: where its tag pairs end in it.
    pub fn part_of(&self, text: &[u8], tags_end: usize) -> &str {
        let taken = self.parts.iter().find(|(_, share)| share.takes(text, tags_end));
        // Shares may add to a little less than 1.
        taken.or(self.parts.last()).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_parts_are_read_or_refused() {
        for text in
            ["a:1", "train:0.98,val:0.02", "a:33.3333%,b:33.3333%,c:33.3334%", " x : 0.5 , y:.5"]
        {
            assert!(Parts::read(text).is_ok(), "{text}");
        }
        for (text, expected) in [
            ("", r#""" is no name with a share; an example is train:0.98,val:0.02"#),
            ("train", r#""train" is no name with a share; an example is train:0.98,val:0.02"#),
            ("a:0.5,b:x", r#""b:x" is no name with a share; an example is train:0.98,val:0.02"#),
            ("a:2", r#""a:2" is no name with a share; an example is train:0.98,val:0.02"#),
            ("a:nan", r#""a:nan" is no name with a share; an example is train:0.98,val:0.02"#),
            ("../a:1", r#""../a" names a folder: letters, digits, _ and - are allowed"#),
            (":1", r#""" names a folder: letters, digits, _ and - are allowed"#),
            ("a:0.5,A:0.5", "A is there twice"),
            ("a:0.9,b:0.2", "the shares add to 1.1, not to 1"),
        ] {
            assert_eq!(Parts::read(text).unwrap_err().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn parts_have_their_shares() {
        let parts = Parts::read("a:0.7,b:0.2,c:0.1").unwrap();
        let games = (0..20_000).map(|game| format!("[Event \"{game}\"]\n\n1. e4 e5 *\n"));
        let mut counts = [0_u32; 3];
        for game in games {
            let part = parts.part_of(game.as_bytes(), game.find(']').unwrap() + 1);
            counts[usize::from(part.as_bytes()[0] - b'a')] += 1;
        }
        for (count, expected) in counts.into_iter().zip([14_000_u32, 4_000, 2_000]) {
            assert!(count.abs_diff(expected) < 300, "{counts:?}");
        }
    }
}
