//! A share of the games of a position, in percent.
//!
//! In: a text, such as `2.5` or `2.5%`. Out: the number. Invariant: it is from 0 to 100. Cost: none.

use std::fmt;
use std::str::FromStr;

/// A share of the games, in percent.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Share(pub f64);

impl Share {
    /// What a share is.
    pub(crate) const EXPECTED: &'static str = "a number of percent, 0 to 100";
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Share, &'static str> {
        let number = text.strip_suffix('%').unwrap_or(text).parse();
        let share = number.ok().filter(|share| (0.0..=100.0).contains(share));
        share.map(Share).ok_or(Share::EXPECTED)
    }
}
