//! The command line.
//!
//! In: arguments. Out: a run, messages, an exit code. May use: all crates of the project. Invariants: no other crate
//! prints; data is written to files or standard output, everything else to standard error; a command prints through its
//! `Host` only. So a caller in the same process can run a command too (`run_in`). The replays that are compiled here,
//! small, are those of single games (`explain`, `notations --compare`). Cost: that of the run.
//!
//! The next command is a file with its arguments and its run, a variant of `args.rs` and a row of `dispatch.rs`.

mod arg_values;
mod args;
mod board_view;
mod columns;
mod common_args;
mod comparison;
mod convert;
mod disk;
mod dispatch;
mod distinct;
mod duplicates;
mod duplicates_args;
mod duplicates_values;
mod edit_args;
mod examples;
mod explain;
mod explain_record;
#[cfg(feature = "columns")]
mod export;
#[cfg(feature = "columns")]
mod export_args;
#[cfg(feature = "columns")]
mod export_target;
mod expression;
mod game_view;
mod headline;
mod host;
mod journal;
mod json;
mod ledger;
mod library;
mod list_args;
mod listing;
mod manual;
mod measure;
mod measure_args;
mod merge;
mod messages;
mod names;
mod near_moves;
mod outlets;
mod output_path;
mod page;
mod parser;
mod program;
mod progress;
mod readings;
mod records;
mod remarks;
mod rewrite_args;
mod run_options;
mod screen;
mod seals;
mod select;
mod select_ledger;
mod select_split;
mod split_json;
mod splits;
mod study;
mod suggestion;
mod summary;
mod summary_args;
mod table_sink;
mod task;
mod text_table;
mod totals;
mod visited_game;

pub use host::{Completion, Event, Host, InputEnd, Screen, Snapshot, Stream};
pub use library::{CommandOption, columns_of, options_of, run_in};
pub use program::{main, main_of};
pub use split_json::{parse_split, split_json};
