//! Runs: what the commands do, as typed requests.
//!
//! In: a request ([`Convert`] and so on), a [`Host`]. Out: files, and a [`Completion`]; the host takes texts, warnings,
//! progress and counts. May use: the core, columns, report. Invariants: nothing is printed, no signal is handled, the
//! process does not end; an output has its name when it is complete and on disk. Cost: that of the task.
//!
//! The next request is a file with its fields, which are declared as options of a command line, and one with its run.
//!
//! ```
//! use std::sync::Arc;
//!
//! use pgnmill_run::{Convert, Recorder};
//!
//! let recorder = Arc::new(Recorder::default());
//! let convert = Convert::new(["../../data/sources.pgn"], "uci", "-");
//! let completion = Convert { to_utf8: true, ..convert }.run(&(Arc::clone(&recorder) as _))?;
//! let recorded = recorder.take();
//! assert!(completion.is_clean && recorded.output.starts_with(b"[Event "));
//! assert_eq!(recorded.fact("rejected"), Some("0"));
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

pub mod args;
pub mod commands;
#[cfg(feature = "columns")]
pub mod explore;
pub mod host;
mod journal;
mod ledger;
mod outputs;
pub mod plan;
mod report;
mod run;
pub mod text;

pub use args::edits::EditArgs;
pub use args::files::RunFiles;
pub use args::messages::{ListFormat, Messages, Mode, SummaryArgs};
pub use args::reading::{Failures, GameLines, Reading};
pub use args::resuming::Resuming;
pub use args::sample::{SampleArgs, SampleSize};
pub use args::selecting::Selecting;
pub use args::splitting::Splitting;
pub use args::values::{Dropped, Share, Size};
pub use args::writing::Writing;
pub use commands::convert::Convert;
pub use commands::duplicates::args::Duplicates;
pub use commands::duplicates::values::{KeepName, NearPlies, SameName};
#[cfg(feature = "columns")]
pub use commands::export::args::{Export, PositionOfPly};
pub use commands::measure::args::Measure;
pub use commands::measure::vocabularies::VocabularyFile;
pub use commands::merge::args::Merge;
pub use commands::position_args::{PositionArgs, PositionFormat, Side};
#[cfg(feature = "columns")]
pub use commands::positions::args::Positions;
pub use commands::registry::NamedRequest;
pub use commands::report::Report;
pub use commands::select::Select;
pub use commands::select_split::SPLIT_FILES_MAX;
pub use commands::sort::Sort;
pub use commands::splits::Splits;
pub use commands::stats::Stats;
pub use commands::validate::Validate;
#[cfg(feature = "columns")]
pub use explore::{Explore, Explored};
pub use host::{
    Completion, Event, Host, Ink, InputEnd, Left, Recorded, Recorder, Screen, Snapshot, Stream,
};
pub use ledger::split_json::{parse_split, split_json};
#[cfg(feature = "columns")]
pub use outputs::by_value::FILES_BY_VALUE_MAX;
