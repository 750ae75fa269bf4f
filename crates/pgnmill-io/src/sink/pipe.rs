//! A named pipe as an output: a run can be interrupted while the pipe has no reader.
//!
//! In: the path of a pipe; bytes. Out: the same bytes, in order. Invariant: a request to stop ends the waiting for a
//! reader, and for room, at once. Cost: some
//! sleep where the pipe is full.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// How long a reader is waited for before the request to stop is looked at again.
const READER_WAIT: Duration = Duration::from_millis(50);
/// The pause while a pipe has no room. It has room for some 64 kB: so short a pause does not slow down its reader.
const ROOM_WAIT: Duration = Duration::from_micros(200);

/// Was the process requested to stop?
type Stop = Box<dyn Fn() -> bool + Send + Sync>;
static STOP: OnceLock<Stop> = OnceLock::new();

/// Sets what shows that the process was requested to stop; once per process.
pub fn stops_when(is_stopped: impl Fn() -> bool + Send + Sync + 'static) {
    // A second program in one process keeps the first.
    drop(STOP.set(Box::new(is_stopped)));
}

/// The error of an output that was waited for when the process was requested to stop.
#[derive(Debug)]
pub(super) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Stopped {}

/// Was the process requested to stop? What takes long can be given up then.
pub fn is_stopped() -> bool {
    STOP.get().is_some_and(|is_stopped| is_stopped())
}

fn check() -> io::Result<()> {
    match is_stopped() {
        true => Err(io::Error::other(Stopped)),
        false => Ok(()),
    }
}

/// A named pipe that is open for writing.
#[derive(Debug)]
pub(super) struct Pipe(File);

impl Pipe {
    /// Opens a pipe as soon as it is read.
    ///
    /// # Errors
    /// What the system refuses; a request to stop, as [`Stopped`].
    #[cfg(unix)]
    pub(super) fn open(path: &Path) -> io::Result<Pipe> {
        use std::os::unix::fs::OpenOptionsExt as _;
        loop {
            let mut options = OpenOptions::new();
            match options.write(true).custom_flags(libc::O_NONBLOCK).open(path) {
                // It has no reader yet.
                Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
                    check()?;
                    std::thread::sleep(READER_WAIT);
                }
                opened => return opened.map(Pipe),
            }
        }
    }

    #[cfg(not(unix))]
    pub(super) fn open(path: &Path) -> io::Result<Pipe> {
        OpenOptions::new().write(true).open(path).map(Pipe)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    check()?;
                    std::thread::sleep(ROOM_WAIT);
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Is it a named pipe?
#[cfg(unix)]
pub(super) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: &Path) -> bool {
    false
}
