//! The command line.
//!
//! In: arguments. Out: a run, messages, an exit code. Invariants: no other module prints; data is written to files or
//! standard output, everything else to standard error; a command prints through its `Host` only. So a caller in the
//! same process can run a command too (`run_in`). Cost: that of the run.

mod arg_values;
mod args;
mod board_view;
mod columns;
mod common_args;
mod convert;
mod disk;
mod dispatch;
mod distinct;
mod duplicates;
mod duplicates_values;
mod edit_args;
mod explain;
#[cfg(feature = "export")]
mod export;
#[cfg(feature = "export")]
mod export_args;
#[cfg(feature = "export")]
mod export_target;
mod game_view;
mod headline;
mod host;
mod journal;
mod ledger;
mod library;
mod listing;
mod measure;
mod merge;
mod messages;
mod near_moves;
mod of_split;
mod outlets;
mod page;
mod program;
mod progress;
mod readings;
mod remarks;
mod row_tables;
mod run_options;
mod select;
mod select_ledger;
mod select_split;
mod split_json;
mod splits;
mod study;
mod summary;
mod table_sink;
mod task;
mod totals;

pub use host::{Completion, Event, Host, InputEnd, Snapshot};
pub use library::{CommandOption, columns_of, options_of, run_in};
pub use program::{main, main_of};
pub use split_json::{parse_split, split_json};
