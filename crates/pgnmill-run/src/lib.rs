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

mod arg_values;
#[cfg(feature = "columns")]
mod by_value;
pub mod columns;
mod common_args;
mod convert;
mod defaults;
mod destination;
mod disk;
pub mod distinct;
mod dry_run;
mod duplicates;
mod duplicates_args;
mod duplicates_values;
mod edit_args;
#[cfg(feature = "columns")]
mod export;
#[cfg(feature = "columns")]
mod export_args;
#[cfg(feature = "columns")]
mod export_target;
mod expression;
mod first_faults;
mod headline;
pub mod host;
mod journal;
mod json;
mod ledger;
mod left;
mod measure;
mod measure_args;
mod merge;
mod named_request;
pub mod names;
#[cfg(feature = "columns")]
mod near_columns;
mod option_words;
mod outlets;
pub mod output_path;
mod page;
#[cfg(feature = "columns")]
mod partition;
mod progress;
mod readings;
pub mod records;
mod remarks;
mod rewrite_args;
mod run_options;
mod sample_args;
mod sampled;
mod seals;
mod select;
mod select_ledger;
mod select_split;
mod selected;
mod sort;
mod split_json;
mod splits;
mod stats;
mod study;
pub mod suggestion;
pub mod summary;
mod summary_args;
mod table_sink;
mod task;
mod text_table;
mod totals;
mod unclean;
mod validate;
mod vocabularies;
mod written;

pub use arg_values::{Dropped, Size};
#[cfg(feature = "columns")]
pub use by_value::FILES_BY_VALUE_MAX;
pub use common_args::Common;
pub use duplicates_args::Duplicates;
pub use duplicates_values::{KeepName, NearPlies, SameName};
pub use edit_args::EditArgs;
#[cfg(feature = "columns")]
pub use export_args::Export;
pub use expression::Expression;
pub use host::{
    Completion, Event, Host, Ink, InputEnd, Recorded, Recorder, Screen, Snapshot, Stream,
};
pub use left::Left;
pub use measure_args::{Measure, Merge, Report};
pub use named_request::NamedRequest;
pub use progress::Mode;
pub use rewrite_args::{Convert, Select};
pub use sample_args::{SampleArgs, SampleSize};
pub use select_split::SPLIT_FILES_MAX;
pub use sort::Sort;
pub use split_json::{parse_split, split_json};
pub use splits::Splits;
pub use stats::Stats;
pub use summary_args::{ListFormat, SummaryArgs};
pub use validate::Validate;
pub use vocabularies::VocabularyFile;
