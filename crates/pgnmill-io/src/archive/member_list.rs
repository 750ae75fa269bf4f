//! The members of a file that are archives, as they are found.
//!
//! In: names and what opens them. Out: a [`Listing`]: named sources, in order, and what is left out, as in a directory.
//! Invariants: of several members with one name all but the first have a number, so that each is read, which gives no
//! member the name of another; each name is one member. Cost: a look-up per member.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::named::{NamedSource, OpenArchive};
use super::names::{has_members_name, is_archive_name};
use super::skipped::Skipped;

/// What macOS adds to files that it packs: no archive.
const RESOURCES: &str = "__MACOSX";

/// A member that is an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// It is read.
    Archive,
    /// It is read if it is named: it is hidden, or in a hidden folder.
    Hidden,
    /// It is read if it is named: its name is the ending alone.
    NoName,
}

/// The members of a file that are archives.
pub(super) struct Members<'p> {
    path: &'p Path,
    found: Vec<(Held, String, Arc<dyn OpenArchive>)>,
    skipped: Vec<Skipped>,
}

/// The archives of a file, and what is left out.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Those that are read, in order.
    pub(super) found: Vec<NamedSource>,
    /// What has the name of an archive and is not read.
    pub(super) skipped: Vec<Skipped>,
    /// The archives that are hidden.
    pub(super) hidden_count: u64,
    /// All archives, by name.
    by_name: HashMap<String, NamedSource>,
}

impl Listing {
    /// The archive of this name, one that is not read otherwise too.
    pub(super) fn named(&self, name: &str) -> Option<&NamedSource> {
        self.by_name.get(name)
    }

    /// Why nothing of the file is read.
    pub(super) fn why_none(&self) -> &'static str {
        match self.hidden_count {
            0 => "it contains no .pgn file",
            _ => "it contains no .pgn file that is not hidden",
        }
    }
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') && part != ".." && part != ".")
}

impl<'p> Members<'p> {
    /// None yet of the file at this path.
    pub(super) fn of(path: &'p Path) -> Members<'p> {
        Members { path, found: Vec::new(), skipped: Vec::new() }
    }

    /// Has a member the name of an archive, hidden or not?
    pub(super) fn is_archive(name: &str) -> bool {
        let path = Path::new(name);
        let is_resource = name.split('/').any(|part| part == RESOURCES);
        !is_resource && !has_members_name(path) && is_archive_name(path).is_some()
    }

    /// What a member is, by its name. One that is a file with members itself is left out.
    pub(super) fn held(&mut self, name: &str) -> Option<Held> {
        let path = Path::new(name);
        let is_hidden = is_hidden(name);
        if has_members_name(path) && !is_hidden {
            self.skip(name, "it is in another such file: unpack that one to read it");
        }
        if !Members::is_archive(name) {
            return None;
        }
        let has_no_name = is_archive_name(path) == Some(false);
        if has_no_name {
            self.skip(name, "it has no name before the ending: name it to read it");
        }
        Some(match (has_no_name, is_hidden) {
            (true, _) => Held::NoName,
            (false, true) => Held::Hidden,
            (false, false) => Held::Archive,
        })
    }

    fn skip(&mut self, name: &str, why: &'static str) {
        let path = format!("{}/{name}", self.path.display()).into();
        self.skipped.push(Skipped { path, why });
    }

    /// Adds a member.
    pub(super) fn add(&mut self, held: Held, name: String, member: impl OpenArchive + 'static) {
        self.found.push((held, name, Arc::new(member)));
    }

    /// The sources.
    pub(super) fn into_listing(self) -> Listing {
        let Members { path, found, skipped } = self;
        let names: HashSet<String> = found.iter().map(|(_, name, _)| name.clone()).collect();
        // The number that the next member of this name has, at least.
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let mut listing = Listing { skipped, ..Listing::default() };
        for (held, name, opener) in found {
            let number = numbers.entry(name.clone()).or_insert(0);
            *number += 1;
            let own = match (*number, name.rsplit_once('.')) {
                (2.., Some((stem, ending))) => loop {
                    let numbered = format!("{stem} ({number}).{ending}");
                    if !names.contains(&numbered) {
                        break numbered;
                    }
                    *number += 1;
                },
                _ => name,
            };
            let source = NamedSource::of(&format!("{}/{own}", path.display()), opener);
            match held {
                Held::Archive => listing.found.push(source.clone()),
                Held::Hidden => listing.hidden_count += 1,
                Held::NoName => {}
            }
            listing.by_name.insert(source.name().to_string(), source);
        }
        listing
    }
}
