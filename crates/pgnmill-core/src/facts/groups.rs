//! The groups of a fact in the tables of `measure --by`.
//!
//! In: a game. Out: the code of its group, a small number, and the names of all groups. Invariant: every dimension but
//! the archive has some thousand groups at most, whatever an archive contains: a value that is none of them has none.

use super::ReadGame;

/// The groups of a fact.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// The name of the dimension.
    pub name: &'static str,
    /// The file of its table.
    pub file: &'static str,
    /// What the groups are, in Markdown.
    pub doc: &'static str,
    /// The group of a game, if it has one.
    pub code: fn(&ReadGame<'_>) -> Option<u32>,
    /// The names of the groups.
    pub names: GroupNames,
}

/// The names of groups, by their codes.
#[derive(Clone, Copy, Debug)]
pub enum GroupNames {
    /// A list, in the order of the rows.
    Listed(&'static [&'static str]),
    /// A name for each of the codes.
    Written {
        /// The name of a code.
        name: fn(u32) -> String,
        /// All codes.
        codes: fn() -> Vec<u32>,
    },
    /// Any text; the groups have no codes.
    Any,
}
