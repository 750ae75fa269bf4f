//! `--resume`: a run whose state is saved, and that goes on from it.
//!
//! In: the words of the command line. Out: [`Resuming`]. Invariant: the documentation comments of this file are the
//! help texts.

use crate::args::options::options;
use crate::args::values::seconds;

/// The seconds between two states that are saved, if no others are given.
const CHECKPOINT_SECONDS: f64 = 30.0;

/// How the state of a run is saved.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Resuming {
    /// Go on with a run that was ended, or begin it: see docs/nights.md
    #[arg(long, help_heading = "Long runs")]
    pub resume: bool,
    /// With --resume: read the outputs, complete or not, and compare their digests
    #[arg(long, help_heading = "Long runs", hide_short_help = true)]
    pub verify: bool,
    /// Save the state of the run every so many seconds
    #[arg(
        long, value_name = "SECONDS", default_value_t = CHECKPOINT_SECONDS, value_parser = seconds,
        help_heading = "Long runs",
        hide_short_help = true
    )]
    pub checkpoint: f64,
    /// For tests: end the program as a crash does after so many steps
    #[arg(long, hide = true, value_name = "STEPS", default_value_t = 0)]
    pub abort_after: u64,
}

impl Default for Resuming {
    /// As the command line has it.
    fn default() -> Resuming {
        Resuming { resume: false, verify: false, checkpoint: CHECKPOINT_SECONDS, abort_after: 0 }
    }
}

options!(Resuming: ; without resume verify checkpoint abort_after);
