//! pgnmill reads archives of chess games, proves every move, rewrites the moves in any notation and
//! measures what each notation costs.

pub mod archive;
pub mod chess;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod error;
pub mod machine;
pub mod notation;
pub mod pgn;
pub mod reader;
pub mod replay;
#[cfg(feature = "report")]
pub mod report;
pub mod sink;
pub mod tables;
pub mod tasks;

pub use error::{Error, Result};
pub use reader::{Event, Game, Games, PlayedMove, Reader, Tag, Visitor};

/// Holds the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
