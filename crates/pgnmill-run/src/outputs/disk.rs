//! The room on the disks of the outputs, before and during a run.
//!
//! In: the directories that a run writes to, the sizes of its inputs; later how much of them was read. Out: a warning
//! if the outputs hardly fit; an error before a disk is full. All of it is an estimate: other programs write too, and
//! how large an output becomes depends on the games. Cost: one call of the system per disk and second.
//!
//! Where the system does not report how much room there is, nothing is checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::is_stream;

use crate::host::Host;
use crate::text::numbers::size;

/// How often the room is checked.
const INTERVAL: Duration = Duration::from_secs(1);
/// A run ends when less than this is left on a disk, or less than one part of [`RESERVE_PARTS`] of it.
const RESERVE_BYTES_MAX: u64 = 64 << 20;
const RESERVE_PARTS: u64 = 200;
/// From this share of the input on, in percent, what was written so far is the base of an estimate.
const SEEN_PERCENT: u64 = 5;

/// A disk with outputs.
#[derive(Debug)]
struct Disk {
    /// One of the directories on it.
    directory: PathBuf,
    free_bytes_at_start: u64,
    reserve_bytes: u64,
    is_warned: bool,
}

/// The disks with outputs of a run.
#[derive(Debug)]
pub(crate) struct Disks {
    host: Arc<dyn Host>,
    disks: Vec<Disk>,
    checked: Instant,
}

/// How much of the inputs was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    /// Stored bytes that were read.
    pub(crate) read_bytes: u64,
    /// All stored bytes, if that is known.
    pub(crate) total_bytes: Option<u64>,
}

impl Disks {
    /// Watches the disks of these directories from now on.
    pub(crate) fn watch<'p>(
        directories: impl Iterator<Item = &'p Path>,
        host: &Arc<dyn Host>,
    ) -> Disks {
        let mut disks: Vec<Disk> = Vec::new();
        let mut known = Vec::new();
        for directory in directories {
            let directory = if directory == Path::new("") { Path::new(".") } else { directory };
            let Some(room) = Room::of(directory) else { continue };
            if known.contains(&room.disk) {
                continue;
            }
            known.push(room.disk);
            disks.push(Disk {
                directory: directory.to_path_buf(),
                free_bytes_at_start: room.free_bytes,
                reserve_bytes: RESERVE_BYTES_MAX.min(room.disk_bytes / RESERVE_PARTS),
                is_warned: false,
            });
        }
        Disks { host: Arc::clone(host), disks, checked: Instant::now() }
    }

    /// Watches no disk.
    pub(crate) fn none(host: &Arc<dyn Host>) -> Disks {
        Disks { host: Arc::clone(host), disks: Vec::new(), checked: Instant::now() }
    }

    /// Warns if outputs of about `bytes` bytes in a directory do not fit.
    pub(crate) fn expect(&self, directory: &Path, bytes: u64) {
        let directory = if directory == Path::new("") { Path::new(".") } else { directory };
        if let Some(Room { free_bytes, .. }) =
            Room::of(directory).filter(|it| it.free_bytes < bytes)
        {
            self.host.warn(format_args!(
                "the outputs may need {} in {}, where {} are free (an estimate from the sizes of the inputs)",
                size(bytes),
                directory.shown(),
                size(free_bytes),
            ));
        }
    }

    /// Checks the room, if it was not checked within the last second.
    ///
    /// # Errors
    /// A disk that is almost full.
    pub(crate) fn check(&mut self, share: Share) -> Result<()> {
        if self.disks.is_empty() || self.checked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.checked = Instant::now();
        self.disks.iter_mut().try_for_each(|disk| disk.check(share, &*self.host))
    }
}

impl Disk {
    fn check(&mut self, share: Share, host: &dyn Host) -> Result<()> {
        let Some(Room { free_bytes, .. }) = Room::of(&self.directory) else { return Ok(()) };
        let needed_bytes = share.rest_of(self.free_bytes_at_start.saturating_sub(free_bytes));
        if free_bytes < self.reserve_bytes {
            return Err(Error::disk_full(&self.directory, free_bytes, needed_bytes));
        }
        if let Some(needed_bytes) = needed_bytes.filter(|&needed| needed > free_bytes)
            && !self.is_warned
        {
            self.is_warned = true;
            host.warn(format_args!(
                "the disk of {} may become full: about {} more are needed, and {} are free (an estimate from what was written so far)",
                self.directory.shown(),
                size(needed_bytes),
                size(free_bytes),
            ));
        }
        Ok(())
    }
}

impl Share {
    /// How many bytes the rest of the inputs needs, if what was read needed so many.
    fn rest_of(self, used_bytes: u64) -> Option<u64> {
        let total = self.total_bytes.filter(|&total| total > 0)?;
        let is_enough = u128::from(self.read_bytes) * 100 >= u128::from(total * SEEN_PERCENT);
        let left = u128::from(total.saturating_sub(self.read_bytes));
        let rest = u128::from(used_bytes) * left / u128::from(self.read_bytes.max(1));
        is_enough.then(|| u64::try_from(rest).unwrap_or(u64::MAX))
    }
}

/// The directory of an output; `None` for a stream.
pub(crate) fn directory_of(output: &Path) -> Option<&Path> {
    match output.is_dir() {
        _ if is_stream(output) => None,
        true => Some(output),
        false => output.parent(),
    }
}

/// The room on a disk.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// The identity of the disk.
    disk: u64,
    disk_bytes: u64,
    /// What this user may write.
    free_bytes: u64,
}

impl Room {
    #[cfg(unix)]
    fn of(directory: &Path) -> Option<Room> {
        use std::os::unix::fs::MetadataExt;

        let disk = fs::metadata(directory).ok()?.dev();
        let room = rustix::fs::statvfs(directory).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(room.f_frsize);
        // Some network file systems report nothing.
        (room.f_blocks > 0).then(|| Room {
            disk,
            disk_bytes: bytes(room.f_blocks),
            free_bytes: bytes(room.f_bavail),
        })
    }

    #[cfg(not(unix))]
    fn of(_: &Path) -> Option<Room> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Recorder;

    #[test]
    fn the_rest_is_proportional_to_what_was_read() {
        let share = |read_bytes, total_bytes| Share { read_bytes, total_bytes };
        assert_eq!(share(250, Some(1_000)).rest_of(100), Some(300));
        assert_eq!(share(1_000, Some(1_000)).rest_of(100), Some(0));
        assert_eq!(share(40, Some(1_000)).rest_of(100), None);
        assert_eq!(share(40, None).rest_of(100), None);
        assert_eq!(share(0, Some(0)).rest_of(100), None);
        assert_eq!(share(u64::MAX / 2, Some(u64::MAX / 100)).rest_of(u64::MAX), Some(0));
    }

    #[test]
    fn one_disk_is_watched_once() {
        let root = std::env::temp_dir();
        let host: Arc<dyn Host> = Arc::new(Recorder::default());
        let paths = [root.as_path(), root.as_path(), Path::new("/nonexistent")];
        let mut disks = Disks::watch(paths.into_iter(), &host);
        assert!(disks.disks.len() <= 1);
        let share = Share { read_bytes: 1, total_bytes: Some(1) };
        assert!(disks.check(share).is_ok());
        if let Some(disk) = disks.disks.first_mut() {
            disk.reserve_bytes = u64::MAX;
            let error = disk.check(share, &*host).unwrap_err().to_string();
            assert!(error.contains("almost full"), "{error}");
        }
    }
}
