//! What a run has left that ended with an error.
//!
//! In: the journal of the run, the outputs that have their names. Out: [`Left`], for the host. Invariant: each file
//! that the run has created and not removed is named. Cost: a call of the system per file.

use std::fmt;
use std::path::{Path, PathBuf};

use pgnmill_io::error::Shown as _;

/// The files of a run that ended with an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Left {
    /// The journal, the states that it names, and the temporary files of outputs.
    pub kept: Vec<PathBuf>,
    /// Can the run go on with them (`resume`)? Else they are of no use.
    pub can_go_on: bool,
    /// The outputs that were complete and have their names.
    pub complete: Vec<PathBuf>,
}

impl Left {
    /// Those of these files that are there.
    pub(super) fn of(kept: Vec<PathBuf>, can_go_on: bool, complete: &[PathBuf]) -> Left {
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok_and(|it| it.is_file());
        let mut kept: Vec<PathBuf> = kept.into_iter().filter(is_there).collect();
        kept.sort();
        let complete = complete.iter().filter(|path| is_there(path)).cloned().collect();
        Left { kept, can_go_on, complete }
    }

    /// Is nothing left?
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.complete.is_empty()
    }
}

/// One line, for callers in the same process.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.can_go_on {
            f.write_str("what is done is kept: the same request goes on with `resume`, or begins again with `overwrite`")?;
        } else {
            f.write_str("files of the run are left, and can be removed")?;
        }
        let mut separator = ": ";
        for path in self.kept.iter().chain(&self.complete) {
            write!(f, "{separator}{}", Path::new(path).shown())?;
            separator = ", ";
        }
        Ok(())
    }
}
