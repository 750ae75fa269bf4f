//! The names of the outputs of a run.
//!
//! In: where a command writes, its inputs. Out: [`Outputs`]. Invariants: no two have one name; a name that requests
//! another format than the one that is written is refused. Cost: a call of the system per directory.

use std::collections::{BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};

use pgnmill_io::archive::{Input, is_zstd_name, named_after};
use pgnmill_io::error::{Error, Result, Shown as _};

use crate::args::values::{level_of, level_of_texts};

use super::splits::refuse_directory;

/// Where a command writes.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Only what every run can write.
    Nothing,
    /// One file.
    File(PathBuf),
    /// One file per input, in a directory.
    PerInput {
        directory: PathBuf,
        /// Without the folders of the inputs.
        flat: bool,
        /// What names end with in place of `.pgn` and `.pgn.zst`.
        ending: Option<String>,
    },
    /// One file per value, in a directory: their names turn out during the run.
    ByValue {
        directory: PathBuf,
        /// In words: what is written.
        files: String,
    },
    /// Files of fixed names in a directory.
    Tables { directory: PathBuf, names: Vec<String> },
}

impl Place {
    /// The file, or the directory.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Place::Nothing => None,
            Place::File(path) => Some(path),
            Place::PerInput { directory, .. }
            | Place::ByValue { directory, .. }
            | Place::Tables { directory, .. } => Some(directory),
        }
    }

    /// Is it a directory?
    pub(crate) fn is_directory(&self) -> bool {
        !matches!(self, Place::Nothing | Place::File(_))
    }
}

/// The outputs of a run besides its tables.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    pub(crate) place: Place,
    /// Those that can be named before the run; of a place per input one per input, in their order.
    pub(crate) paths: Vec<PathBuf>,
    /// The directories that they are in, as far as they are to be created.
    pub(crate) directories: Vec<PathBuf>,
    /// The level of compression of text.
    pub(crate) level: i32,
    /// The number of bytes that they have, about; 0 if it is not known.
    pub(crate) bytes: u64,
}

impl Outputs {
    /// Names them. `text`: with text, and this level of compression, if one is given; `roots`: the paths that were
    /// named as inputs.
    ///
    /// # Errors
    /// Two inputs with one name; a split in a directory; a level of compression without compression.
    pub(super) fn of(
        place: Place,
        is_text: bool,
        level: Option<i32>,
        inputs: &[Input],
        roots: &[PathBuf],
    ) -> Result<Outputs> {
        let paths = match &place {
            Place::Nothing | Place::ByValue { .. } => Vec::new(),
            Place::File(path) => vec![path.clone()],
            Place::Tables { directory, names } => {
                names.iter().map(|name| directory.join(name)).collect()
            }
            Place::PerInput { directory, flat, ending } => {
                refuse_directory(directory, inputs)?;
                let below = |input| output_below(input, roots, *flat);
                let named = inputs.iter().map(below).map(|path| ended(path, ending.as_deref()));
                unique(named.map(|path| directory.join(path)).collect())?
            }
        };
        let level = match place.path() {
            Some(output) if is_text => level_of_texts(level, &paths, output)?,
            _ => level_of(level)?,
        };
        let directories = match &place {
            Place::Nothing | Place::File(_) => BTreeSet::new(),
            Place::Tables { directory, .. } | Place::ByValue { directory, .. } => {
                BTreeSet::from([directory.as_path()])
            }
            Place::PerInput { directory, .. } => {
                let folders = paths.iter().filter_map(|path| path.parent());
                folders.chain([directory.as_path()]).collect()
            }
        };
        let directories = directories.into_iter().map(Path::to_path_buf).collect();
        let bytes = if is_text { text_bytes(inputs, &paths) } else { 0 };
        Ok(Outputs { paths, directories, level, bytes, place })
    }
}

/// The text of a compressed archive, as a multiple of its stored bytes: that of Lichess's exports.
const TEXT_PER_STORED: u64 = 7;

/// The bytes of the text of these inputs, about, as these outputs store it.
fn text_bytes(inputs: &[Input], outputs: &[PathBuf]) -> u64 {
    let of = |input: &Input| {
        let bytes = input.stored_bytes().unwrap_or(0);
        let name = input.name().to_ascii_lowercase();
        let is_compressed =
            [".zst", ".gz", ".bz2", ".xz"].iter().any(|ending| name.ends_with(ending));
        if is_compressed { bytes.saturating_mul(TEXT_PER_STORED) } else { bytes }
    };
    let text_bytes = inputs.iter().map(of).fold(0, u64::saturating_add);
    if outputs.iter().all(|path| is_zstd_name(path)) {
        text_bytes / TEXT_PER_STORED
    } else {
        text_bytes
    }
}

/// The path of the output of an input, in a directory of outputs: its name, in the folders that lead to it from a
/// directory that is read unless `flat`. A file with members is such a folder, and has the folders in it.
fn output_below(input: &Input, roots: &[PathBuf], flat: bool) -> PathBuf {
    let stdin = || PathBuf::from("stdin.pgn");
    let below = |path: &Path| {
        let directories = roots.iter().filter(|root| !flat && root.is_dir());
        let below = directories.filter_map(|directory| path.strip_prefix(directory).ok());
        let below = below.map(Path::to_path_buf).next();
        below.or_else(|| path.file_name().map(PathBuf::from))
    };
    named_after(&match input {
        Input::Path(path) => below(path).unwrap_or_else(stdin),
        Input::Stdin => stdin(),
        Input::Named(source) => match (source.file(), source.member()) {
            (Some(file), Some(member)) if !flat => {
                below(file).unwrap_or_default().join(inside(member))
            }
            _ => {
                let name = Path::new(source.name()).file_name();
                name.map_or_else(|| PathBuf::from("games.pgn"), PathBuf::from)
            }
        },
    })
}

/// The path of a member in the file that contains it, which leads out of no folder.
fn inside(member: &str) -> PathBuf {
    let parts = Path::new(member).components().filter_map(|part| match part {
        Component::Normal(name) => Some(PathBuf::from(name)),
        Component::ParentDir => Some(PathBuf::from("%2E%2E")),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    });
    parts.collect()
}

/// The name of an archive with another ending.
fn ended(path: PathBuf, ending: Option<&str>) -> PathBuf {
    let Some(ending) = ending else { return path };
    let mut name = path.file_name().unwrap_or_default().as_encoded_bytes();
    for ending in [&b".zst"[..], b".pgn", b".txt", b".uci", b".tcn"] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    let name = String::from_utf8_lossy(name);
    path.with_file_name(format!("{name}.{ending}"))
}

/// The outputs, or an error if two of them are the same.
fn unique(outputs: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let mut known = HashSet::new();
    match outputs.iter().find(|path| !known.insert(*path)) {
        None => Ok(outputs),
        Some(path) => Err(Error::usage(format!(
            "two inputs would be written to {}; give them separately",
            path.shown()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room is reserved for the text, or for what it is compressed to, by the endings of names in either case.
    #[test]
    fn bytes_of_outputs_follow_from_their_endings() {
        let folder = std::env::temp_dir().join(format!("pgnmill-names-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let input = |name: &str| {
            let path = folder.join(name);
            std::fs::write(&path, [b'x'; 700]).unwrap();
            Input::Path(path)
        };
        let plain = input("a.pgn");
        for (name, times) in [("a.pgn", 1), ("a.pgn.zst", 7), ("a.PGN.ZST", 7), ("a.PGN.Gz", 7)] {
            let of = |output: &str| text_bytes(&[input(name), plain.clone()], &[output.into()]);
            assert_eq!(of("x.pgn"), 700 * times + 700, "{name}");
            for compressed in ["x.zst", "x.pgn.ZST"] {
                assert_eq!(of(compressed), (700 * times + 700) / 7, "{name} {compressed}");
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
