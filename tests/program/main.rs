//! The program as it is used: arguments, messages, files, exit codes, interrupted runs, limits of memory.
//!
//! Each module is one guarantee; most run the program in a directory of their own.

#[path = "../common/mod.rs"]
mod common;

mod bombs;
mod cli;
mod cluster;
#[cfg(feature = "export")]
mod explore;
mod forged;
mod formulas;
#[cfg(feature = "containers")]
mod growth;
mod help;
mod in_process;
mod inputs;
mod journal;
mod keep_going;
mod last_lines;
mod ledger_fields;
mod many_files;
mod memory;
mod merged_tables;
mod neighbours;
mod outputs;
mod outside;
mod private;
mod products;
mod progress;
mod recorded_options;
mod refusals;
mod requests;
mod resume;
mod rewritten;
mod seek_table;
mod slips;
mod streams;
mod summaries;
mod sums;
mod system;
mod terminal;
