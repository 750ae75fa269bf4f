//! What runs make of games: conversions, selections, duplicates, tables, columns, the page.
//!
//! Each module is one guarantee of a task, over crafted, generated and real archives.

#[path = "../common/mod.rs"]
mod common;

mod columns;
#[cfg(all(feature = "containers", feature = "export"))]
mod containers;
mod contexts;
mod crossed;
mod determinism;
mod documented;
mod duplicates;
mod duplicates_of_players;
mod edits;
mod errors;
mod evaluator;
mod export;
mod expressions;
mod facts;
mod filter;
mod game_lines;
mod hostile_names;
mod keys;
mod last_positions;
#[cfg(feature = "export")]
mod lines_of_positions;
#[cfg(feature = "containers")]
mod members;
mod merge;
mod names_of_parts;
mod page;
#[cfg(feature = "export")]
mod polyglot_books;
#[cfg(feature = "export")]
mod position_batches;
#[cfg(feature = "export")]
mod position_files;
#[cfg(feature = "export")]
mod position_sums;
#[cfg(feature = "export")]
mod positions;
mod preferred;
mod recount;
mod roundtrip;
mod samples;
mod select;
mod selection;
mod sort;
mod space;
mod spread;
mod stats;
mod tables;
mod tokens;
#[cfg(feature = "export")]
mod two_archives;
mod variant_archives;
mod where_slips;
mod writing;
