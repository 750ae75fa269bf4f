//! Inputs: paths of files and directories as a list of archives.
//!
//! In: paths, `-` for standard input. Out: one [`Input`] per archive, directories searched, zip files listed. No other
//! file is opened here but for its first bytes.

#[cfg(feature = "containers")]
use super::members::{self, Listings};
use super::names::{is_archive_name, is_similar_name};
use super::skipped::Skipped;
use super::{ArchiveSplit, NamedSource};
use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Without them no file is listed.
#[cfg(not(feature = "containers"))]
#[derive(Debug, Default)]
struct Listings {}

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
    /// `-` is standard input. A directory is replaced by the files in it, and in its subdirectories, that are named
    /// `.pgn`, `.pgn.zst`, `.zst`, `.pgn.gz`, `.pgn.bz2`, `.pgn.xz`, `.zip` or `.7z`, in the order of their paths. A
    /// zip file is replaced by its members with such names. Links to directories are not followed within a directory,
    /// and hidden files and directories not read.
    ///
    /// ```
    /// use pgnmill_io::archive::Input;
    /// let inputs = Input::expand(["-", "games.pgn"])?;
    /// assert_eq!(inputs, [Input::Stdin, Input::Path("games.pgn".into())]);
    /// # Ok::<(), pgnmill_io::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// A directory that cannot be read, or that contains no archive.
    pub fn expand<P: AsRef<Path>>(args: impl IntoIterator<Item = P>) -> Result<Vec<Input>> {
        Ok(Expanded::of(args, false, None)?.inputs)
    }
}

/// The archives that arguments name, and what was not taken for one.
#[derive(Debug, Default)]
pub struct Expanded {
    /// In the order of the arguments; those of a directory by path.
    pub inputs: Vec<Input>,
    /// What in the directories has the name of an archive and is none, by path.
    pub skipped: Vec<Skipped>,
    /// The archives with hidden names, or in hidden directories, which are read only if they are named.
    pub hidden_count: u64,
}

impl Expanded {
    /// As [`Input::expand`]. `keeps_going`: a directory below the named ones that cannot be read is an input that
    /// cannot be opened. `apart`: a directory of outputs, which is read only if it is named.
    pub fn of<P: AsRef<Path>>(
        args: impl IntoIterator<Item = P>,
        keeps_going: bool,
        apart: Option<&Path>,
    ) -> Result<Expanded> {
        let apart = apart.and_then(|directory| directory.canonicalize().ok());
        let mut expanded = Expanded::default();
        let mut listings = Listings::default();
        for arg in args {
            let path = arg.as_ref();
            if path == Path::new("-") {
                expanded.inputs.push(Input::Stdin);
            } else if path.is_dir() {
                let hidden_before = expanded.hidden_count;
                let mut found = search(path, keeps_going, apart.as_deref(), &mut expanded)?;
                found.sort();
                let inputs_before = expanded.inputs.len();
                for path in found {
                    expanded.add(path, true, &mut listings)?;
                }
                if expanded.inputs.len() == inputs_before {
                    return Err(nothing_in(path, expanded.hidden_count > hidden_before));
                }
            } else {
                expanded.add(path.to_path_buf(), false, &mut listings)?;
            }
        }
        expanded.skipped.sort();
        Ok(expanded)
    }

    /// Adds a file; of a zip or 7-Zip file its members. `is_searched`: one that was found in a directory.
    #[cfg(feature = "containers")]
    fn add(&mut self, path: PathBuf, is_searched: bool, listings: &mut Listings) -> Result<()> {
        if !members::has_members(&path) {
            let member = if path.exists() { None } else { members::named_by(&path, listings)? };
            self.inputs.push(member.map_or(Input::Path(path), Input::Named));
            return Ok(());
        }
        let Ok(listing) = listings.of(&path) else {
            // It cannot be opened, which is said in its turn.
            self.inputs.push(Input::Path(path));
            return Ok(());
        };
        self.inputs.extend(listing.found.iter().cloned().map(Input::Named));
        self.skipped.extend(listing.skipped.iter().cloned());
        self.hidden_count += listing.hidden_count;
        if listing.found.is_empty() && is_searched {
            self.skipped.push(Skipped { path, why: listing.why_none() });
        } else if listing.found.is_empty() {
            self.inputs.push(Input::Path(path));
        }
        Ok(())
    }

    /// Adds a file.
    #[cfg(not(feature = "containers"))]
    fn add(&mut self, path: PathBuf, _: bool, _: &mut Listings) -> Result<()> {
        self.inputs.push(Input::Path(path));
        Ok(())
    }
}

/// The error of a directory of which nothing is read.
fn nothing_in(directory: &Path, has_hidden: bool) -> Error {
    let directory = directory.display();
    let hidden = if has_hidden { " that is not hidden" } else { "" };
    let (compressed, others) = match cfg!(feature = "containers") {
        true => (", .zst, .pgn.gz, .pgn.bz2, .pgn.xz, .zip or .7z", ""),
        false => (" or .zst", "; other compressed files are read with the feature `containers`"),
    };
    Error::usage(format!("{directory} holds no .pgn, .pgn.zst{compressed} file{hidden}{others}"))
}

/// The archives of a directory and of those below it, in no order; but not of the directory `apart` below it. Hidden
/// ones are counted.
fn search(
    root: &Path,
    keeps_going: bool,
    apart: Option<&Path>,
    expanded: &mut Expanded,
) -> Result<Vec<PathBuf>> {
    let Expanded { skipped, hidden_count, .. } = expanded;
    let (mut found, mut pending) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(directory) = pending.pop() {
        let failed = |error| Error::io("read the directory", &directory, error);
        let entries = match fs::read_dir(&directory) {
            Err(_) if keeps_going && directory != root => {
                found.push(directory);
                continue;
            }
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let is_directory = entry.file_type().map_err(failed)?.is_dir();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if is_hidden && (is_directory || is_archive_name(&path) == Some(true)) {
                *hidden_count += if is_directory { archives_below(&path) } else { 1 };
                continue;
            }
            if is_directory {
                if apart.is_some() && path.canonicalize().ok().as_deref() == apart {
                    let why = "the outputs of this run are written there: name it to read it";
                    skipped.push(Skipped { path, why });
                } else {
                    pending.push(path);
                }
                continue;
            }
            match is_archive_name(&path) {
                None if is_similar_name(&path) && !is_hidden => {
                    let why =
                        "its name is not that of an archive (x.pgn, x.pgn.gz): name it to read it";
                    skipped.push(Skipped { path, why });
                }
                None if !is_hidden && is_linked_directory(&entry) => {
                    let why = "it is a link to a directory: name it to read it";
                    skipped.push(Skipped { path, why });
                }
                None => {}
                Some(true) => match fs::metadata(&path) {
                    // A link to nothing is an input that cannot be opened.
                    Err(_) => found.push(path),
                    Ok(there) if there.is_file() => found.push(path),
                    Ok(there) if there.is_dir() => {
                        let why = "it is a link to a directory: name it to read it";
                        skipped.push(Skipped { path, why });
                    }
                    Ok(_) => {
                        let why = "it is no file: name it to read it";
                        skipped.push(Skipped { path, why });
                    }
                },
                Some(false) => {
                    let why = "it has no name before the ending: name it to read it";
                    skipped.push(Skipped { path, why });
                }
            }
        }
    }
    Ok(found)
}

/// Is it a link to a directory?
fn is_linked_directory(entry: &fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir()
}

/// The archives in a hidden directory and in those below it, as far as they can be read.
fn archives_below(directory: &Path) -> u64 {
    let (mut count, mut pending) = (0, vec![directory.to_path_buf()]);
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                _ => count += u64::from(is_archive_name(&entry.path()) == Some(true)),
            }
        }
    }
    count
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
