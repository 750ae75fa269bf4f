//! Inputs: paths of files and directories as a list of archives.
//!
//! In: paths, `-` for standard input. Out: one [`Input`] per archive, directories searched. No file is opened here.

use super::{ArchiveSplit, NamedSource};
use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Where an archive is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file, or anything else that can be opened by a path.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Anything else, with a name.
    Named(NamedSource),
}

impl Input {
    /// The name of standard input as an archive.
    pub const STDIN_NAME: &'static str = "standard input";

    /// The name of the archive.
    pub fn name(&self) -> String {
        match self {
            Input::Path(path) => path.display().to_string(),
            Input::Stdin => Input::STDIN_NAME.to_string(),
            Input::Named(source) => source.name().to_string(),
        }
    }

    /// Can it be opened several times? Of a path this is so if it names a file.
    pub fn is_repeatable(&self) -> bool {
        match self {
            Input::Path(path) => path.is_file(),
            Input::Stdin => false,
            Input::Named(source) => source.is_repeatable(),
        }
    }

    /// The split of an archive that it is, if it is one.
    pub fn split(&self) -> Option<&ArchiveSplit> {
        match self {
            Input::Named(source) => source.split(),
            Input::Path(_) | Input::Stdin => None,
        }
    }

    /// The number of stored bytes, where it is known without opening the archive.
    pub fn stored_bytes(&self) -> Option<u64> {
        match self {
            Input::Path(path) => {
                let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
                metadata.map(|metadata| metadata.len())
            }
            Input::Stdin => None,
            Input::Named(source) => source.stored_bytes(),
        }
    }

    /// The archives that `args` name, in their order.
    ///
    /// `-` is standard input. A directory is replaced by the files in it, and in its subdirectories,
    /// that are named `.pgn`, `.pgn.zst` or `.zst`, in the order of their paths. Links to
    /// directories are not followed within a directory.
    ///
    /// ```
    /// use pgnmill::Input;
    /// let inputs = Input::expand(["-", "games.pgn"])?;
    /// assert_eq!(inputs, [Input::Stdin, Input::Path("games.pgn".into())]);
    /// # Ok::<(), pgnmill::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A directory that cannot be read, or that contains no archive.
    pub fn expand<P: AsRef<Path>>(args: impl IntoIterator<Item = P>) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for arg in args {
            let path = arg.as_ref();
            if path == Path::new("-") {
                inputs.push(Input::Stdin);
            } else if path.is_dir() {
                let mut found = Vec::new();
                search(path, &mut found)?;
                if found.is_empty() {
                    let path = path.display();
                    return Err(Error::usage(format!(
                        "{path} holds no .pgn, .pgn.zst or .zst file"
                    )));
                }
                found.sort();
                inputs.extend(found.into_iter().map(Input::Path));
            } else {
                inputs.push(Input::Path(path.to_path_buf()));
            }
        }
        Ok(inputs)
    }
}

/// Adds the archives of a directory and of those below it, in no order.
fn search(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut pending = vec![directory.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let failed = |error| Error::io("read the directory", &directory, error);
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            if entry.file_type().map_err(failed)?.is_dir() {
                pending.push(path);
            } else if is_archive_name(&path) && path.is_file() {
                found.push(path);
            }
        }
    }
    Ok(())
}

fn is_archive_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("pgn") || extension.eq_ignore_ascii_case("zst")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_searched_in_the_order_of_paths() {
        let root = std::env::temp_dir().join(format!("pgnmill-expand-{}", std::process::id()));
        fs::create_dir_all(root.join("b/empty")).unwrap();
        for name in ["c.pgn", "a.PGN", "b/x.pgn.zst", "b/y.zst", "b/notes.txt", "pgn"] {
            fs::write(root.join(name), "").unwrap();
        }
        let inputs = Input::expand([&root]).unwrap();
        let names = ["a.PGN", "b/x.pgn.zst", "b/y.zst", "c.pgn"];
        let expected: Vec<_> = names.iter().map(|name| Input::Path(root.join(name))).collect();
        assert_eq!(inputs, expected);
        let error = Input::expand([root.join("b/empty")]).unwrap_err().to_string();
        assert!(error.contains("empty holds no .pgn"), "{error}");
        fs::remove_dir_all(&root).unwrap();
    }
}
