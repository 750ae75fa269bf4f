//! Outputs: the files of a run while they are being written.
//!
//! In: reservations, rows, texts. Out: complete files that wait for their names, the room on their disks. May use:
//! texts, arguments, the host. Invariant: a file that is not completed is removed. Cost: none per result besides the
//! writing.

#[cfg(feature = "columns")]
pub(crate) mod by_value;
pub(crate) mod destination;
pub(crate) mod disk;
pub(crate) mod table_sink;

use std::path::{Path, PathBuf};

/// Where the temporary files of an output are: beside it, or among those of the system.
pub(crate) fn beside(output: &Path) -> PathBuf {
    if output == Path::new("-") || output.starts_with("/dev") {
        return std::env::temp_dir();
    }
    match output.parent() {
        Some(folder) if folder == Path::new("") => PathBuf::from("."),
        Some(folder) => folder.to_path_buf(),
        None => std::env::temp_dir(),
    }
}
