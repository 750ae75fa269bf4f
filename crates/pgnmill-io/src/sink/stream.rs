//! Outputs that are written as they are, and get no name at the end: standard output, devices, pipes, and open files by
//! the paths that the system gives them.
//!
//! In: a path. Out: whether it is a stream; its open file. Invariants: a stream that a shell has redirected to a file
//! is one too, whatever the file contains: what is written is added where the shell, or another program, is in that
//! file, and replaces nothing. Cost: a call of the system.
//!
//! ```text
//! pgnmill validate --faults /dev/stderr games.pgn 2> faults.csv
//! pgnmill convert --to uci -o /dev/fd/3 games.pgn 3> uci.pgn
//! ```

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Names of the standard streams, by number.
const STANDARD: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
/// Directories that have the open files of the process by number.
const DIRECTORIES: [&str; 2] = ["/dev/fd", "/proc/self/fd"];

/// The number of the open file that a path names.
fn descriptor(path: &Path) -> Option<usize> {
    if !cfg!(unix) {
        return None;
    }
    if let Some(number) = STANDARD.iter().position(|known| path == Path::new(known)) {
        return Some(number);
    }
    let directory = path.parent()?;
    let number = path.file_name()?.to_str()?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_there = DIRECTORIES.iter().any(|known| directory == Path::new(known));
    if is_number && is_there { number.parse().ok() } else { None }
}

/// Is it standard output (`-`), an open file of the process by its number, a device or a pipe?
pub fn is_stream(path: &Path) -> bool {
    let there = || fs::metadata(path).ok().map(|there| there.file_type());
    path == Path::new("-")
        || descriptor(path).is_some()
        || there().is_some_and(|there| !there.is_file() && !there.is_dir())
}

/// Opens a stream that is no pipe.
///
/// # Errors
/// What the system refuses.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let is_file = || fs::metadata(path).is_ok_and(|there| there.is_file());
    match descriptor(path) {
        // The same open file: what the program prints there follows, and does not replace what is written.
        #[cfg(unix)]
        Some(number @ 0..=2) if is_file() => {
            use std::os::fd::AsFd as _;
            let copy = match number {
                0 => io::stdin().as_fd().try_clone_to_owned(),
                1 => io::stdout().as_fd().try_clone_to_owned(),
                _ => io::stderr().as_fd().try_clone_to_owned(),
            };
            copy.map(File::from)
        }
        // Linux opens the file anew, at its beginning.
        Some(_) if is_file() => File::options().append(true).open(path),
        _ => File::options().write(true).open(path),
    }
}

/// Does standard output go to a file, a pipe or a socket? What is written to a terminal is shown, to another device
/// lost.
pub fn stdout_is_kept() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        use std::os::unix::fs::FileTypeExt as _;
        let copy = io::stdout().as_fd().try_clone_to_owned();
        let kind = copy.and_then(|copy| File::from(copy).metadata()).map(|there| there.file_type());
        kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal as _;
        !io::stdout().is_terminal()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn open_files_are_known_by_their_numbers_alone() {
        let number = |path: &str| descriptor(Path::new(path));
        for (known, expected) in
            [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/12", 12)]
        {
            assert_eq!(number(known), Some(expected));
        }
        assert_eq!(number("/proc/self/fd/3"), Some(3));
        for other in [
            "-",
            "/dev/null",
            "/dev/fd",
            "/dev/fd/",
            "/dev/fd/x",
            "/dev/fd/1/x",
            "fd/1",
            "/dev/fd/-1",
        ] {
            assert_eq!(number(other), None, "{other}");
        }
        assert!(is_stream(Path::new("-")) && is_stream(Path::new("/dev/null")));
        assert!(!is_stream(Path::new("/dev")) && !is_stream(Path::new("/dev/none")));
    }
}
