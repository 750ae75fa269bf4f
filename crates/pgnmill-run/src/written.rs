//! What a run has written: the last line that it prints.
//!
//! In: paths of files that have their names. Out: `wrote a.pgn.zst (1.2 MB)`, or how many files, where and how large.
//! Standard output and pipes are not named. Cost: a system call per file.

use std::path::{Path, PathBuf};

use pgnmill_io::error::Shown as _;

use super::host::Host;
use super::summary::{count, size};

/// So many files are named.
const NAMED_MAX: usize = 3;

/// Prints what was written; not for a caller in the same process, who knows it.
pub(super) fn print(paths: &[PathBuf], host: &dyn Host) {
    if host.takes_events() {
        return;
    }
    let files: Vec<(&Path, u64)> = paths
        .iter()
        .filter_map(|path| {
            let metadata = path.metadata().ok().filter(|it| it.is_file())?;
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
            let files = count(many.len() as u64, "file", "files");
            host.print(&format!("wrote {files} in {} ({bytes})\n", directory(many).shown()));
        }
    }
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
