//! Standard output, or what a caller in the same process takes in its place.
//!
//! In: bytes. Out: the same bytes, in order. Cost: one call per buffer.

use std::fmt;
use std::io::{self, Write};

/// Where an output that is named `-` is written.
pub(super) struct StandardOutput(Box<dyn Write + Send>);

impl StandardOutput {
    /// That of the process.
    pub(super) fn of_process() -> StandardOutput {
        StandardOutput(process_output())
    }

    /// Another one.
    pub(super) fn new(out: Box<dyn Write + Send>) -> StandardOutput {
        StandardOutput(out)
    }
}

/// Standard output of the process, without a buffer. The standard library takes what is written to one that is not open
/// for writing as written; this one returns the error.
pub fn process_output() -> Box<dyn Write + Send> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        if let Ok(copy) = io::stdout().as_fd().try_clone_to_owned() {
            return Box::new(std::fs::File::from(copy));
        }
    }
    Box::new(io::stdout())
}

impl fmt::Debug for StandardOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StandardOutput")
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
