//! Damage: stored bytes of an archive that do not decode.
//!
//! In: a range of stored bytes, the number of their frame and the reason. Out: one line of text for messages and
//! tables.

use super::Container;
use std::fmt;
use std::ops::Range;

/// Stored bytes that do not decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The container of the archive.
    pub container: Container,
    /// Their offsets in the archive.
    pub stored: Range<u64>,
    /// The number of the zstd frame they belong to, from 1.
    pub frame: u64,
    /// The reason, for the first of them.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.stored;
        let len = end - start;
        f.write_str(self.container.name())?;
        if self.container == Container::Zstd {
            write!(f, " frame {}", self.frame)?;
        }
        write!(f, ", stored bytes {start} to {end} ({len}): ")?;
        f.write_str(&self.why)
    }
}
