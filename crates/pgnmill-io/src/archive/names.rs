//! The names that archives have: endings.
//!
//! In: a path, or the name of a member of a zip or 7-Zip file. Out: whether it is that of an archive. Names decide what
//! is read of a directory and of such a file alone; what a file contains is recognised by its bytes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The endings of files that are decoded as a whole.
const CODED: [&str; 3] = ["gz", "bz2", "xz"];

/// The endings of files with members.
const MEMBERS: [&str; 2] = ["zip", "7z"];

/// Is a file named `.pgn.gz`, `.pgn.bz2` or `.pgn.xz`?
fn is_coded_name(path: &Path) -> bool {
    let has = |path: &Path, ending: &str| {
        path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
    };
    let is_pgn = || path.file_stem().is_some_and(|stem| has(Path::new(stem), "pgn"));
    cfg!(feature = "containers") && CODED.iter().any(|ending| has(path, ending)) && is_pgn()
}

/// Has a file one of these endings, perhaps with that of a container after it?
fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let has = |path: &Path, endings: &[&str]| {
        let ending = path.extension().and_then(OsStr::to_str);
        ending.is_some_and(|found| endings.iter().any(|known| found.eq_ignore_ascii_case(known)))
    };
    let is_contained = has(path, &["zst"]) || has(path, &CODED);
    let inner = if is_contained { path.with_extension("") } else { path.to_path_buf() };
    has(&inner, endings)
}

/// Is a file of positions: `.epd` or `.fen`, perhaps with the ending of a container after it?
pub(super) fn is_positions_name(path: &Path) -> bool {
    has_ending(path, &["epd", "fen"])
}

/// Is a file called PGN: `.pgn`, perhaps with the ending of a container after it?
///
/// ```
/// use pgnmill_io::archive::is_pgn_name;
/// assert!(is_pgn_name("a.pgn".as_ref()) && is_pgn_name("a.PGN.zst".as_ref()));
/// assert!(!is_pgn_name("a.txt".as_ref()) && !is_pgn_name("a.zst".as_ref()));
/// ```
#[must_use]
pub fn is_pgn_name(path: &Path) -> bool {
    has_ending(path, &["pgn"])
}

/// The path of an output that is named after an archive, which is written as text or zstd: without the ending of
/// another container.
#[must_use]
pub fn named_after(path: &Path) -> PathBuf {
    let is_coded = path.extension().and_then(OsStr::to_str).is_some_and(|ending| {
        is_positions_name(path) && CODED.iter().any(|coded| ending.eq_ignore_ascii_case(coded))
    });
    match is_coded || is_coded_name(path) {
        true => path.with_extension(""),
        false => path.to_path_buf(),
    }
}

/// Is a file named `.zst`, in letters of either case? One that is written is compressed.
#[must_use]
pub fn is_zstd_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zst"))
}

/// Is a file named `.zip` or `.7z`?
pub(super) fn has_members_name(path: &Path) -> bool {
    let is_one = |ending: &OsStr| MEMBERS.iter().any(|name| ending.eq_ignore_ascii_case(name));
    cfg!(feature = "containers") && path.extension().is_some_and(is_one)
}

/// Has a file, which has not the name of an archive, one that a person may take for it: `x.gz`, `x.tar`, `x.pgn.txt`?
pub(super) fn is_similar_name(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
    let name = name.to_ascii_lowercase();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_packed = matches!(ending, "tar" | "tgz" | "rar" | "lz4")
        || CODED.contains(&ending) && !stem.contains('.')
        || stem.ends_with(".tar");
    is_packed || name.ends_with(".pgn.txt")
}

/// Has a file the name of an archive? `Some(false)`: it is the ending alone.
pub(super) fn is_archive_name(path: &Path) -> Option<bool> {
    let ends =
        |ending: &OsStr| ending.eq_ignore_ascii_case("pgn") || ending.eq_ignore_ascii_case("zst");
    if is_coded_name(path) || has_members_name(path) {
        return Some(true);
    }
    if path.extension().is_some_and(ends) {
        return Some(true);
    }
    let name = path.file_name()?.to_str()?.strip_prefix('.')?;
    ends(OsStr::new(name)).then_some(false)
}
