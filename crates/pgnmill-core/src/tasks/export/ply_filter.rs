//! Which plies have a row in the table of plies.
//!
//! In: the numbers of plies, and a share. Out: whether a ply is taken. Invariant: of games with the same tag pairs and
//! the same moves up to a ply, the ply is taken in all or in none, in any archive, for any number of threads. Cost: one
//! multiplication per ply, where there is a share.
//!
//! ```
//! use pgnmill_core::tasks::export::PlyNumbers;
//! let numbers = PlyNumbers::read("10..60").expect("plies 10 to 60");
//! assert!(numbers.has(10) && numbers.has(60) && !numbers.has(61));
//! assert!(PlyNumbers::read("40..").is_some_and(|numbers| numbers.has(1_000)));
//! ```

use std::fmt;

use crate::notation::{AnyPly, MoveText, UCI};
use crate::select::Share;
use crate::select::share::{number, with};

/// The numbers of plies, from 1: the first and the last of those that are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyNumbers {
    first: u32,
    last: u32,
}

impl PlyNumbers {
    /// Reads `10..60`, `10..`, `..60` or `10`, or a condition as in `--where`: `ply == 16`, `ply between 10 and 60`.
    pub fn read(text: &str) -> Option<PlyNumbers> {
        if let Some(condition) = text.trim().strip_prefix("ply") {
            return PlyNumbers::of_condition(condition.trim_start());
        }
        let bound = |text: &str, open| match text.trim() {
            "" => Some(open),
            text => text.parse().ok().filter(|&number| number > 0),
        };
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let is_open = first.trim().is_empty() && last.trim().is_empty();
        let (first, last) = (bound(first, 1)?, bound(last, u32::MAX)?);
        (first <= last && !is_open).then_some(PlyNumbers { first, last })
    }

    /// Reads what follows `ply` in a condition.
    fn of_condition(text: &str) -> Option<PlyNumbers> {
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let (operator, operand) = text.split_at(text.find(|it: char| it.is_ascii_digit())?);
        if operator.trim_end() == "between" {
            let (first, last) = operand.split_once("and")?;
            let (first, last) = (number(first)?, number(last)?);
            return (1..=last).contains(&first).then_some(PlyNumbers { first, last });
        }
        let number = number(operand)?;
        let (first, last) = match operator.trim_end() {
            "==" | "=" => (number, number),
            ">=" => (number, u32::MAX),
            ">" => (number.checked_add(1)?, u32::MAX),
            "<=" => (1, number),
            "<" => (1, number.checked_sub(1)?),
            _ => return None,
        };
        (1..=last).contains(&first).then_some(PlyNumbers { first, last })
    }

    /// Is the ply of this number, from 1, among them?
    pub fn has(&self, number: usize) -> bool {
        (self.first as usize..=self.last as usize).contains(&number)
    }
}

impl fmt::Display for PlyNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            u32::MAX => write!(f, "{}..", self.first),
            last => write!(f, "{}..{last}", self.first),
        }
    }
}

/// Which plies have a row: all by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlyFilter {
    /// The numbers that they have.
    pub numbers: Option<PlyNumbers>,
    /// A share of the plies.
    pub share: Option<Share>,
}

impl PlyFilter {
    /// Are all taken?
    pub fn is_all(&self) -> bool {
        self.numbers.is_none() && self.share.is_none()
    }

    /// The path to the first ply of a game with these tag pairs.
    pub(super) fn path_of(&self, tags: &[u8]) -> u64 {
        if self.share.is_some() { number(0, tags, tags.len()) } else { 0 }
    }

    /// Whether a ply is taken. `path`: the game and its moves, to which this one is added; `text`: memory for a text.
    pub(super) fn takes(
        &self,
        number: usize,
        ply: AnyPly<'_>,
        path: &mut u64,
        text: &mut MoveText,
    ) -> bool {
        let is_of_share = self.share.is_none_or(|share| {
            *path = with(*path, code(ply, text));
            share.takes_number(*path)
        });
        is_of_share && self.numbers.is_none_or(|numbers| numbers.has(number))
    }
}

/// The move as a number: different moves of a position have different ones.
fn code(ply: AnyPly<'_>, text: &mut MoveText) -> u64 {
    if let Some(code) = ply.polyglot_move() {
        return code.into();
    }
    text.clear();
    if ply.encode(UCI, text).is_err() {
        text.clear();
    }
    number(0, text.as_bytes(), text.as_bytes().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A condition takes the plies of which it is true, and a text that is none takes nothing.
    #[test]
    fn conditions_and_ranges_take_the_same_plies() {
        for (text, range) in [
            ("ply == 16", "16"),
            ("ply=16", "16..16"),
            (" ply >= 3 ", "3.."),
            ("ply > 3", "4.."),
            ("ply <= 3", "..3"),
            ("ply<3", "1..2"),
            ("ply between 10 and 60", "10..60"),
        ] {
            assert_eq!(PlyNumbers::read(text), PlyNumbers::read(range), "{text}");
            assert!(PlyNumbers::read(text).is_some(), "{text}");
        }
        for text in [
            "ply",
            "ply 16",
            "ply != 3",
            "ply < 1",
            "ply == 0",
            "ply > 4294967295",
            "ply between 3 and",
            "ply between and 3",
            "ply between 5 and 4",
            "plyer == 3",
            "ply == 3 and",
            "ply == x",
            "ply ==",
            "..",
            "0..3",
            "5..4",
        ] {
            assert_eq!(PlyNumbers::read(text), None, "{text}");
        }
    }
}
