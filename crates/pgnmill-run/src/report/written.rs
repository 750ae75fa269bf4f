//! What a run has written: the last line that it prints.
//!
//! In: paths of files that have their names. Out: `wrote a.pgn.zst (1.2 MB)`, or how many files, where and how large.
//! Standard output and pipes are not named. Cost: a system call per file.

use std::path::{Path, PathBuf};

use pgnmill_io::error::Shown as _;
use pgnmill_io::sink::is_stream;

use crate::host::Host;
use crate::text::numbers::{count, size};

/// So many files are named.
const NAMED_MAX: usize = 3;

/// Prints what was written; not for a caller in the same process, who knows it.
pub(crate) fn print(paths: &[PathBuf], host: &dyn Host) {
    if host.takes_events() {
        return;
    }
    let files: Vec<(&Path, u64)> = paths
        .iter()
        .filter_map(|path| {
            let is_named = |it: &std::fs::Metadata| it.is_file() && !is_stream(path);
            let metadata = path.metadata().ok().filter(is_named)?;
            Some((path.as_path(), metadata.len()))
        })
        .collect();
    let bytes = size(files.iter().map(|(_, bytes)| bytes).sum());
    match &files[..] {
        [] => {}
        few if few.len() <= NAMED_MAX => {
            let named =
                few.iter().map(|(path, bytes)| format!("{} ({})", path.shown(), size(*bytes)));
            host.print(&format!("wrote {}\n", named.collect::<Vec<_>>().join(", ")));
        }
        many => {
            let files = places(many).unwrap_or_else(|| {
                let files = count(many.len() as u64, "file", "files");
                format!("{files} in {}", directory(many).shown())
            });
            host.print(&format!("wrote {files} ({bytes})\n"));
        }
    }
}

/// The files by directory, in the order of the first ones: how many are in each, or the name of one alone. `None` if
/// there are too many directories.
fn places(files: &[(&Path, u64)]) -> Option<String> {
    let mut places: Vec<(&Path, Vec<&Path>)> = Vec::new();
    for (path, _) in files {
        let parent = path.parent().unwrap_or(Path::new(""));
        match places.iter().position(|(known, _)| *known == parent) {
            Some(at) => places[at].1.push(path),
            None if places.len() == NAMED_MAX => return None,
            None => places.push((parent, vec![path])),
        }
    }
    let shown = places.into_iter().map(|(parent, paths)| match &paths[..] {
        [only] => only.shown().to_string(),
        _ => {
            let parent = if parent == Path::new("") { Path::new(".") } else { parent };
            format!("{} in {}", count(paths.len() as u64, "file", "files"), parent.shown())
        }
    });
    Some(shown.collect::<Vec<_>>().join(", "))
}

/// The directory that all files are in or below.
fn directory(files: &[(&Path, u64)]) -> PathBuf {
    let mut parents = files.iter().map(|(path, _)| path.parent().unwrap_or(Path::new("")));
    let first = parents.next().unwrap_or(Path::new(""));
    let common = parents.fold(first, |common, parent| {
        let mut above = common.ancestors();
        above.find(|above| parent.starts_with(above)).unwrap_or(Path::new(""))
    });
    if common == Path::new("") { PathBuf::from(".") } else { common.to_path_buf() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_by_directory() {
        let of = |paths: &[&'static str]| {
            places(&paths.iter().map(|path| (Path::new(path), 1)).collect::<Vec<_>>())
        };
        let shown = |text: &str| Some(text.to_string());
        assert_eq!(of(&["r.html", "f/a.svg", "f/b.svg"]), shown("r.html, 2 files in f"));
        assert_eq!(of(&["a", "b", "c", "d"]), shown("4 files in ."));
        assert_eq!(of(&["a/1", "b/1", "c/1", "c/2"]), shown("a/1, b/1, 2 files in c"));
        assert_eq!(of(&["a/1", "b/1", "c/1", "d/1"]), None);
    }

    #[test]
    fn the_directory_is_that_of_all_files() {
        let of = |paths: &[&'static str]| {
            let files: Vec<(&Path, u64)> = paths.iter().map(|path| (Path::new(*path), 0)).collect();
            directory(&files).to_string_lossy().into_owned()
        };
        assert_eq!(of(&["a/b/c.pgn", "a/b/d.pgn"]), "a/b");
        assert_eq!(of(&["a/b/c.pgn", "a/d.pgn", "a/b/e/f.pgn"]), "a");
        assert_eq!(of(&["c.pgn", "a/d.pgn"]), ".");
        assert_eq!(of(&["/x/c.pgn", "/y/d.pgn"]), "/");
    }
}
