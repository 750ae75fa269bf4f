//! Files that contain archives, zip and 7-Zip: each member with the name of an archive is one, `file.zip/member.pgn`.
//!
//! In: a path. Out: a named source per member, in the order of the file. Invariants: nothing is written, so that a name
//! with `..` leads nowhere. The next container of this kind is a file like `zipped.rs`, and a row of [`KINDS`] and of
//! the endings in `names.rs`.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::member_list::{Listing, Members};
use super::named::NamedSource;
use super::{seven_zip, zipped};
use crate::error::{Error, Result};

/// A kind of file with members.
struct Kind {
    name: &'static str,
    /// What such a file begins with.
    magics: &'static [&'static [u8]],
    add: fn(&Path, &mut Members<'_>) -> Result<()>,
}

const KINDS: [Kind; 2] = [
    Kind { name: "zip", magics: &zipped::MAGICS, add: zipped::add_members },
    Kind { name: "7-Zip", magics: &seven_zip::MAGICS, add: seven_zip::add_members },
];

/// Bytes that decide the kind of a file.
const MAGIC_BYTES: usize = 6;

/// The kind of a file with members, by its first bytes. What cannot be opened has none.
fn kind(path: &Path) -> Option<&'static Kind> {
    let mut begin = Vec::new();
    // To open a pipe would wait for its writer.
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let file = File::open(path).ok().filter(|_| file.len() > 0)?;
    file.take(MAGIC_BYTES as u64).read_to_end(&mut begin).ok()?;
    KINDS.iter().find(|kind| kind.magics.iter().any(|magic| begin.starts_with(magic)))
}

/// Has a file members, by its first bytes?
pub(super) fn has_members(path: &Path) -> bool {
    kind(path).is_some()
}

/// The archives of a file with members, in its order; none of another file.
///
/// # Errors
/// A file that cannot be read, or whose directory is damaged.
pub(super) fn members(path: &Path) -> Result<Listing> {
    let mut members = Members::of(path);
    kind(path).map_or(Ok(()), |kind| (kind.add)(path, &mut members))?;
    Ok(members.into_listing())
}

/// The lists of files that were read: each file is listed once, however many of its members are named, and its members
/// share what decodes them.
#[derive(Debug, Default)]
pub(super) struct Listings(HashMap<PathBuf, Rc<Listing>>);

impl Listings {
    /// The archives of a file.
    ///
    /// # Errors
    /// As [`members`].
    pub(super) fn of(&mut self, path: &Path) -> Result<Rc<Listing>> {
        if let Some(known) = self.0.get(path) {
            return Ok(Rc::clone(known));
        }
        let listing = Rc::new(members(path)?);
        self.0.insert(path.to_path_buf(), Rc::clone(&listing));
        Ok(listing)
    }
}

/// The member of a file that a path names, `file.zip/member.pgn`; `None` if no part of the path is a file with members.
///
/// # Errors
/// As [`members`]; a file without such a member, or itself.
pub(super) fn named_by(path: &Path, listings: &mut Listings) -> Result<Option<NamedSource>> {
    // A file and a directory are what they are.
    let is_other = std::fs::metadata(path).is_ok() && !has_members(path);
    let found = path.ancestors().filter(|_| !is_other).find_map(|part| Some((part, kind(part)?)));
    let Some((file, kind)) = found else { return Ok(None) };
    let (name, listing) = (path.display().to_string(), listings.of(file)?);
    if let Some(found) = listing.named(&name) {
        return Ok(Some(found.clone()));
    }
    let (file, kind) = (file.display(), kind.name);
    Err(Error::usage(match listing.found.first().filter(|_| path.is_file()) {
        Some(first) => {
            format!("{file} is a {kind} file: name one of its archives, such as {}", first.name())
        }
        None if path.is_file() => format!("{file} is a {kind} file: {}", listing.why_none()),
        None => format!("{file} contains no archive of the name {name}"),
    }))
}
