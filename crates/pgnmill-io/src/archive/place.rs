//! Where a job begins, so that the reading can go on there.
//!
//! In: the plan of an archive. Out: a [`Place`], which can be saved. Cost: constant.

use pgnmill_state::{Loader, State};

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

impl State for Place {
    fn save(&self, out: &mut Vec<u8>) {
        match *self {
            Place::Range(at) => (0_u8, at).save(out),
            Place::Frames(at) => (1_u8, at).save(out),
            Place::Stream { begin, text, stored } => (2_u8, [begin, text, stored]).save(out),
        }
    }

    fn load(from: &mut Loader<'_>) -> Option<Place> {
        Some(match from.value::<u8>()? {
            0 => Place::Range(from.value()?),
            1 => Place::Frames(from.value()?),
            2 => {
                let [begin, text, stored] = from.value()?;
                Place::Stream { begin, text, stored }
            }
            _ => return None,
        })
    }
}
