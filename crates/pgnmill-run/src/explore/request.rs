//! A question to a table of positions.
//!
//! In: the path of a table, a position as text, how many plies. Out: an [`Explored`]. Invariant: a position that cannot
//! be read is refused before the table is opened. Cost: that of [`MoveTree`].
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use pgnmill_run::{Explore, Positions, Recorder};
//!
//! # let folder = std::env::temp_dir().join(format!("pgnmill-explore-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let table = folder.join("explorer.csv");
//! Positions::new(["../../data/sources.pgn"], &table).run(&(std::sync::Arc::new(Recorder::default()) as _))?;
//! let explored = Explore::new(&table, "1. e4").answer(&AtomicBool::new(false))?;
//! assert_eq!(explored.name(), "King's Pawn Game (B00)");
//! assert!(explored.is_found() && explored.total().games > Some(0));
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), pgnmill_io::error::Error>(())
//! ```

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use pgnmill_columns::PositionTable;
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::notation::Notation;
use pgnmill_io::error::{Error, Result};

use super::explored::Explored;
use super::requested_position::RequestedPosition;
use super::tree::{MoveTree, TreeRequest};

/// Moves of a tree, at most.
const MOVES_MAX: usize = 2_000;
/// The share of the games, in percent, that a move of a tree has, where none is given.
const SHARE_MIN: f64 = 1.0;

/// What was played in a position of a table?
#[derive(Clone, Debug)]
pub struct Explore {
    /// The table, or a Polyglot book.
    pub table: PathBuf,
    /// The position: a FEN record, with or without its last fields, or the moves that lead to it; empty: the start.
    pub position: String,
    /// The notation of the moves; `None`: the usual one of the ruleset, or UCI.
    pub from: Option<&'static dyn Notation>,
    /// The ruleset of the position.
    pub rules: RulesKind,
    /// The plies of a tree; `None`: all moves of the position, and none after them.
    pub depth: Option<u32>,
    /// Of a tree: the least share of the games of the position, in percent, that a move has; `None`: 1.
    pub share: Option<f64>,
}

impl Explore {
    /// All moves of a position of chess.
    pub fn new(table: impl AsRef<Path>, position: impl Into<String>) -> Explore {
        Explore {
            table: table.as_ref().to_path_buf(),
            position: position.into(),
            from: None,
            rules: RulesKind::Chess,
            depth: None,
            share: None,
        }
    }

    /// Looks it up, unless `stop` becomes true meanwhile. A position that the table does not have has no moves.
    ///
    /// # Errors
    /// A record that is none; a move that is not legal, with its ply; a file that cannot be read, or is neither a table
    /// of positions nor a book; a book, and a position that no book has;
    /// [`pgnmill_io::error::ErrorKind::Interrupted`].
    pub fn answer(&self, stop: &AtomicBool) -> Result<Explored> {
        let requested = RequestedPosition::of(&self.position, self.rules, self.from)?;
        let table = PositionTable::open(&self.table)?;
        if table.is_book() && requested.position.chess().is_none() {
            let title = requested.position.rules().title();
            return Err(Error::usage(format!(
                "a Polyglot book has positions of chess and Chess960 alone, not of {title}"
            )));
        }
        let is_tree = self.depth.is_some();
        let request = TreeRequest {
            depth: self.depth.unwrap_or(1),
            share_min: if is_tree { self.share.unwrap_or(SHARE_MIN) } else { 0.0 },
            moves_max: if is_tree { MOVES_MAX } else { usize::MAX },
        };
        let tree = MoveTree::read(&table, &requested.position, request, stop)?;
        Ok(Explored { requested, tree, is_tree, is_book: table.is_book() })
    }
}
