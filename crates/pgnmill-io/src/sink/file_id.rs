//! Which file it is, whatever its names are.
//!
//! In: the metadata of a file. Out: its device and inode; where there are none, its path without links.

#[cfg(not(unix))]
use std::fs;
use std::fs::Metadata;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// Device and inode.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

/// The path without symbolic links, on systems without inodes.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId(PathBuf);

/// That of a file with this metadata.
#[cfg(unix)]
pub(super) fn id(_: &Path, metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some(FileId { device: metadata.dev(), inode: metadata.ino() })
}

/// That of a file with this metadata.
#[cfg(not(unix))]
pub(super) fn id(path: &Path, _: &Metadata) -> Option<FileId> {
    fs::canonicalize(path).ok().map(FileId)
}
