//! The command line.
//!
//! In: arguments. Out: a run, messages, an exit code. May use: pgnmill-run, and what is below it. Invariants: no other
//! crate prints; data is written to files or standard output, everything else to standard error; a command prints
//! through its `Host` only. So a caller in the same process can run a command too (`run_in`). The replays that are
//! compiled here, small, are those of single games (`explain`, `notations --compare`). Cost: that of the run.
//!
//! The next command is a file with its arguments and its run, or a request of pgnmill-run, and a row of
//! `commands.rs`.

mod args;
mod board_view;
mod commands;
mod comparison;
mod examples;
mod explain;
mod explain_position;
mod explain_record;
#[cfg(feature = "columns")]
mod explore;
mod game_view;
mod habits;
mod left_behind;
mod library;
mod listing;
mod manual;
mod messages;
mod near_moves;
mod options;
mod parser;
mod program;
mod screen;
mod spellings;
mod visited_game;
mod written_names;

#[cfg(feature = "columns")]
pub use explore::page_of;
pub use library::{CommandOption, columns_of, options_of, run_in};
pub use program::{main, main_of};
