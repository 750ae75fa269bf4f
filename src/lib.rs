//! pgnmill reads archives of chess games, proves every move, rewrites the moves in any notation and
//! measures what each notation costs.

pub mod archive;
pub mod board;
pub mod cli;
pub mod error;
pub mod fault;
pub mod machine;
pub mod notation;
pub mod pgn;
pub mod pipeline;
pub mod replay;
pub mod report;
pub mod rows;
pub mod sink;
pub mod study;
pub mod tally;

/// Holds the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
