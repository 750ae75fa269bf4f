//! Which file a path names, however it is spelled.
//!
//! In: a path that is read or written. Out: keys; two paths name the same file if they have a key in common. A file
//! that exists has its device and inode as a key, so that hard links, symbolic links and standard streams that a shell
//! redirected are found; a file that is written has the device and inode of its directory, with its name, as well,
//! because it need not exist yet. Cost: two or three calls of the system for each path.
//!
//! Not found: two names that are equal on a file system that ignores case, as long as there is no such file.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::file_id::{FileId, id};
use super::temporary::Target;

/// A property that two paths of the same file have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileKey {
    /// Standard output, as `-`.
    Stdout,
    /// A file that exists.
    File(FileId),
    /// A pipe or a socket that is written: what two outputs write into one is mixed.
    Stream(FileId),
    /// A name in a directory that exists.
    Entry(FileId, OsString),
    /// A path of which nothing else is known.
    Path(PathBuf),
}

/// Does it contain bytes that writing would destroy? A terminal, `/dev/null`, a pipe may be read and written at once.
fn is_stored(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        metadata.is_file() || metadata.file_type().is_block_device()
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

fn key_of_file(path: &Path, metadata: &Metadata) -> Option<FileKey> {
    id(path, metadata).filter(|_| is_stored(metadata)).map(FileKey::File)
}

/// The key of a pipe or a socket.
fn key_of_pipe(path: &Path, metadata: &Metadata) -> Option<FileKey> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        id(path, metadata).filter(|_| kind.is_fifo() || kind.is_socket()).map(FileKey::Stream)
    }
    #[cfg(not(unix))]
    {
        let _ = (path, metadata);
        None
    }
}

/// The metadata of a standard stream, which a shell may have redirected to a file.
#[cfg(unix)]
fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Metadata> {
    let copy = stream.as_fd().try_clone_to_owned().ok()?;
    fs::File::from(copy).metadata().ok()
}

#[cfg(unix)]
fn key_of_stream(stream: impl std::os::fd::AsFd) -> Option<FileKey> {
    of_stream(stream).and_then(|metadata| key_of_file(Path::new("-"), &metadata))
}

/// The keys of a file that is read; none if it does not exist, or contains no bytes that writing would destroy.
pub fn input_keys(path: &Path) -> Vec<FileKey> {
    let metadata = fs::metadata(path).ok();
    metadata.and_then(|metadata| key_of_file(path, &metadata)).into_iter().collect()
}

/// The keys of standard input.
pub fn stdin_keys() -> Vec<FileKey> {
    #[cfg(unix)]
    return key_of_stream(std::io::stdin()).into_iter().collect();
    #[cfg(not(unix))]
    Vec::new()
}

/// Is it a device in which nothing can be mixed, such as `/dev/null`?
fn discards(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::io::IsTerminal as _;
        use std::os::unix::fs::FileTypeExt;
        let is_device = fs::metadata(path).is_ok_and(|it| it.file_type().is_char_device());
        let open = || fs::File::options().write(true).open(path);
        is_device && open().is_ok_and(|device| !device.is_terminal())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The keys of an output: of the file that exists, and of the name that it has or will have; none if it discards what
/// is written. `-` is standard output.
pub fn output_keys(path: &Path) -> Vec<FileKey> {
    if path == Path::new("-") {
        #[cfg(unix)]
        {
            let stdout = std::io::stdout();
            let pipe = of_stream(&stdout).and_then(|it| key_of_pipe(path, &it));
            return [FileKey::Stdout]
                .into_iter()
                .chain(key_of_stream(stdout))
                .chain(pipe)
                .collect();
        }
        #[cfg(not(unix))]
        return vec![FileKey::Stdout];
    }
    if discards(path) {
        return Vec::new();
    }
    let mut keys = input_keys(path);
    keys.extend(fs::metadata(path).ok().and_then(|it| key_of_pipe(path, &it)));
    let entry = Target::of(path).ok().and_then(|target| {
        let directory = target.directory();
        let metadata = fs::metadata(directory).ok()?;
        Some(FileKey::Entry(id(directory, &metadata)?, target.name().to_os_string()))
    });
    keys.push(entry.unwrap_or_else(|| FileKey::Path(path.to_path_buf())));
    keys
}
