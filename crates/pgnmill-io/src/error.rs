//! The error that ends a run, as one small type.
//!
//! Three things are distinct in this project. A *fault* is a property of a game: it is counted, written to
//! `faults.csv`, and the run continues (`pgn/deviation` of `pgnmill-core`). An *error* ends the run; its message names
//! the path and the cause, and the program ends with exit code 2. A *panic* is a bug of the project.
//!
//! Invariant: the messages name no option of the command line; the program adds such advice by [`Error::kind`].
//!
//! ```
//! use pgnmill_io::error::Error;
//! use pgnmill_io::error::ErrorKind;
//! let error = Error::usage("an empty list of notations");
//! assert_eq!(error.to_string(), "an empty list of notations");
//! assert!(matches!(error.kind(), ErrorKind::Usage(_)));
//! ```

mod shown;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use shown::{Name, Shown};

/// The result of an operation that can end a run.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The cause that ends a run. Boxed, so that a `Result` is one word wide.
#[derive(Debug)]
pub struct Error(Box<ErrorKind>);

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused an action on a path.
    Io {
        /// The verb, as in "cannot *open*".
        action: &'static str,
        /// The path of the action.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Compressed data that cannot be decoded.
    Damaged {
        /// The archive.
        path: PathBuf,
        /// The offset of the damaged frame in the stored bytes.
        stored_offset: u64,
        /// Its number in the archive, from 1; skippable frames are not counted.
        frame: u64,
        /// The message of the decoder.
        detail: String,
    },
    /// A file became shorter while it was read.
    Shrunk(PathBuf),
    /// The disk of an output is almost full.
    DiskFull {
        /// A directory on it.
        directory: PathBuf,
        /// What is free.
        free_bytes: u64,
        /// How much more the run needs, about, where that can be estimated.
        needed_bytes: Option<u64>,
    },
    /// A wrong or impossible request.
    Usage(String),
    /// An output exists already and may not be replaced.
    Exists(PathBuf),
    /// An output did not exist when the run began, exists at its end, and may not be replaced.
    Appeared(PathBuf),
    /// Another run is writing this output: the output, and the name of that run's temporary file.
    Busy(PathBuf, PathBuf),
    /// A split that cannot be read: its archive has changed since it was divided, or the split is of another.
    WrongSplit {
        /// The archive.
        path: PathBuf,
        /// The split among those of the archive, such as `split 3 of 7`.
        split: String,
        /// What differs.
        detail: String,
    },
    /// The run was interrupted, as by Ctrl-C.
    Interrupted,
    /// Broken pipe: the reader of standard output closed it. Not a failure.
    PipeClosed,
}

impl Error {
    /// An input or output failure: `action` is the verb of "cannot …".
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: io::Error) -> Error {
        let path = path.as_ref().to_path_buf();
        Error(Box::new(ErrorKind::Io { action, path, source }))
    }

    /// A frame that does not decode; `stored_offset` is where it begins in the file, `frame` its number. Where there
    /// are no frames, as in gzip: where the decoder met the damage, and 0.
    pub fn damaged(
        path: impl AsRef<Path>,
        stored_offset: u64,
        frame: u64,
        detail: impl fmt::Display,
    ) -> Error {
        let (path, detail) = (path.as_ref().to_path_buf(), detail.to_string());
        Error(Box::new(ErrorKind::Damaged { path, stored_offset, frame, detail }))
    }

    /// This error, with `frames` more frames before the damaged one.
    #[must_use]
    pub fn after_frames(mut self, frames: u64) -> Error {
        if let ErrorKind::Damaged { frame, .. } = &mut *self.0 {
            *frame += frames;
        }
        self
    }

    /// A file that became shorter while it was read.
    pub fn shrunk(path: impl AsRef<Path>) -> Error {
        Error(Box::new(ErrorKind::Shrunk(path.as_ref().to_path_buf())))
    }

    /// A disk that is almost full.
    pub fn disk_full(
        directory: impl AsRef<Path>,
        free_bytes: u64,
        needed_bytes: Option<u64>,
    ) -> Error {
        let directory = directory.as_ref().to_path_buf();
        Error(Box::new(ErrorKind::DiskFull { directory, free_bytes, needed_bytes }))
    }

    /// A wrong or impossible request.
    pub fn usage(message: impl Into<String>) -> Error {
        Error(Box::new(ErrorKind::Usage(message.into())))
    }

    /// An output that exists already.
    pub fn exists(path: impl AsRef<Path>) -> Error {
        Error(Box::new(ErrorKind::Exists(path.as_ref().to_path_buf())))
    }

    /// An output that another program has written during the run.
    pub fn appeared(path: impl AsRef<Path>) -> Error {
        Error(Box::new(ErrorKind::Appeared(path.as_ref().to_path_buf())))
    }

    /// An output that another run is writing, to this temporary file.
    pub fn busy(path: impl AsRef<Path>, temporary: impl AsRef<Path>) -> Error {
        let temporary = temporary.as_ref().to_path_buf();
        Error(Box::new(ErrorKind::Busy(path.as_ref().to_path_buf(), temporary)))
    }

    /// A split that cannot be read; `split` is as in `split 3 of 7`.
    pub fn wrong_split(
        path: impl AsRef<Path>,
        split: impl fmt::Display,
        detail: impl fmt::Display,
    ) -> Error {
        let (split, detail) = (split.to_string(), detail.to_string());
        Error(Box::new(ErrorKind::WrongSplit { path: path.as_ref().to_path_buf(), split, detail }))
    }

    /// The run was interrupted by a signal.
    pub fn interrupted() -> Error {
        Error(Box::new(ErrorKind::Interrupted))
    }

    /// Broken pipe: the reader of standard output closed it.
    pub fn pipe_closed() -> Error {
        Error(Box::new(ErrorKind::PipeClosed))
    }

    /// Can it be the fault of an input, so that others can be read?
    pub fn is_of_input(&self) -> bool {
        let kind = self.kind();
        matches!(kind, ErrorKind::Io { .. } | ErrorKind::Damaged { .. } | ErrorKind::Shrunk(_))
            || matches!(kind, ErrorKind::Usage(_))
    }

    /// The kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            ErrorKind::Io { action, path, source } => {
                write!(f, "cannot {action} {}: {source}", path.shown())
            }
            ErrorKind::Damaged { path, stored_offset, frame: 0, detail } => {
                write!(f, "{} is damaged at stored byte {stored_offset}: {detail}", path.shown())
            }
            ErrorKind::Damaged { path, stored_offset, frame, detail } => write!(
                f,
                "{}: zstd frame {frame}, which begins at stored byte {stored_offset}, is damaged: {detail}",
                path.shown()
            ),
            ErrorKind::Shrunk(path) => {
                write!(
                    f,
                    "{} became shorter while it was read; it cannot be relied on",
                    path.shown()
                )
            }
            ErrorKind::DiskFull { directory, free_bytes, needed_bytes } => {
                let directory = directory.shown();
                write!(f, "the disk of {directory} is almost full: {free_bytes} bytes are free")?;
                match needed_bytes {
                    None => Ok(()),
                    Some(needed) => write!(f, ", and about {needed} more bytes are needed"),
                }
            }
            ErrorKind::Usage(message) => f.write_str(message),
            ErrorKind::Exists(path) => {
                write!(f, "{} exists already", path.shown())
            }
            ErrorKind::Appeared(path) => write!(
                f,
                "{} was created by another program during this run, and is kept; nothing was published",
                path.shown()
            ),
            ErrorKind::Busy(path, temporary) => write!(
                f,
                "{} is being written by another run, to {}; wait for it to end, or name another file",
                path.shown(),
                temporary.shown()
            ),
            ErrorKind::WrongSplit { path, split, detail } => {
                write!(f, "{split} of {} cannot be read: {detail}", path.shown())
            }
            ErrorKind::Interrupted => f.write_str("interrupted"),
            ErrorKind::PipeClosed => {
                f.write_str("broken pipe: the reader of standard output closed it")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            ErrorKind::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
