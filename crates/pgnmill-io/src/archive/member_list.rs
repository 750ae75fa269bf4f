//! The members of a file that are archives, as they are found.
//!
//! In: names and what opens them. Out: named sources, in order. Invariant: of several members with one name all but the
//! first have a number, so that each is read.

use std::collections::HashMap;
use std::path::Path;

use super::named::{NamedSource, OpenArchive};
use super::names::{has_members_name, is_archive_name};

/// The members of a file that are archives.
#[derive(Debug)]
pub(super) struct Members<'p> {
    path: &'p Path,
    found: Vec<NamedSource>,
    names: HashMap<String, u32>,
}

impl<'p> Members<'p> {
    /// None yet of the file at this path.
    pub(super) fn of(path: &'p Path) -> Members<'p> {
        Members { path, found: Vec::new(), names: HashMap::new() }
    }

    /// Has a member the name of an archive, in no hidden folder? What macOS adds, `__MACOSX/._games.pgn`, is hidden. A
    /// file with members in another is none.
    pub(super) fn has_archive(name: &str) -> bool {
        let is_hidden = |part: &str| part.starts_with('.') && part != ".." && part != ".";
        let path = Path::new(name);
        !has_members_name(path)
            && !name.split('/').any(is_hidden)
            && is_archive_name(path) == Some(true)
    }

    /// Adds a member.
    pub(super) fn add(&mut self, name: String, member: impl OpenArchive + 'static) {
        let same = self.names.entry(name.clone()).or_insert(0_u32);
        *same += 1;
        let name = match (*same, name.rsplit_once('.')) {
            (2.., Some((stem, ending))) => format!("{stem} ({same}).{ending}"),
            _ => name,
        };
        self.found.push(NamedSource::new(&format!("{}/{name}", self.path.display()), member));
    }

    /// The sources.
    pub(super) fn into_found(self) -> Vec<NamedSource> {
        self.found
    }
}
