//! Where a job begins, so that the reading can go on there.
//!
//! In: the plan of an archive. Out: a [`Place`], which can be saved. Cost: constant.

use pgnmill_state::state;

/// Where a job begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A range of a mapped text, at this stored byte.
    Range(u64),
    /// Frames of a mapped file, at this stored byte.
    Frames(u64),
    /// A stream that begins at a stored byte, after so many bytes of its text; its stored bytes so far are counted.
    Stream {
        /// The stored byte.
        begin: u64,
        /// Bytes of text before the job.
        text: u64,
        /// Stored bytes before the job.
        stored: u64,
    },
}

state!(enum Place { 0 => Range(at), 1 => Frames(at), 2 => Stream { begin, text, stored } });
