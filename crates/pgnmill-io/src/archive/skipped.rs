//! What has the name of an archive and is not read.
//!
//! In: a path in a directory, or in a file with members. Out: a [`Skipped`], of which a run warns.

use std::path::PathBuf;

/// Something in a directory, or in a file with members, that has the name of an archive and is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Its path.
    pub path: PathBuf,
    /// Why, as the end of a sentence.
    pub why: &'static str,
}
