//! A temporary directory, in memory where the system has one there: programs sync their outputs to disk, and the tests start
//! some thousands of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use pgnmill_io::archive::Input;

/// A file system in memory, on Linux.
const IN_MEMORY: &str = "/dev/shm";
/// The room that tests need there: what they write at a time is below half of it.
const ROOM_KIBIBYTES: u64 = 2 << 20;

/// Where temporary directories are made: in `TMPDIR` if it is set; otherwise in memory, if files there can be run and
/// there is room; otherwise where the system has them.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| match std::env::var_os("TMPDIR") {
        None if is_fit(IN_MEMORY) => PathBuf::from(IN_MEMORY),
        _ => std::env::temp_dir(),
    })
}

/// Whether a script in this directory runs, and reports enough room.
fn is_fit(directory: &str) -> bool {
    let path = Path::new(directory).join(format!("pgnmill-{}.sh", std::process::id()));
    let is_written = fs::write(&path, format!("#!/bin/sh\nexec df -Pk {directory}\n")).is_ok()
        && fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).is_ok();
    let output = is_written.then(|| Command::new(&path).output());
    drop(fs::remove_file(&path));
    let Some(Ok(output)) = output else { return false };
    // The second line: file system, blocks, used, available.
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let available = printed.lines().nth(1).and_then(|line| line.split_whitespace().nth(3));
    available
        .and_then(|blocks| blocks.parse().ok())
        .is_some_and(|blocks: u64| blocks > ROOM_KIBIBYTES)
}

/// A new empty directory, deleted when it is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the directory.
    ///
    /// # Panics
    /// If it cannot be made.
    #[allow(clippy::new_without_default, reason = "it makes a directory")]
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder().join(format!("pgnmill-{}-{count}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and makes the directories above it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes a file that a run reads.
    pub fn put(&self, name: &str, stored: &[u8]) -> Input {
        Input::Path(self.write(name, stored))
    }

    /// The names of its entries, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
