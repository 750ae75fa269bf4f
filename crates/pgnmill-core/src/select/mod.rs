//! Selections: conditions on games, such as `rating_min >= 2000 and speed == "blitz"`.
//!
//! In: the text of an expression. Out: a [`Selection`], which decides each game from its tag pairs as far as they
//! decide it, and from the facts of its moves otherwise; or a [`SelectError`] with the column. Invariants: any text has
//! a result; types are checked before the first game is read; a field that is absent, `?` or not readable is *missing*,
//! a comparison with it is missing, `and`, `or` and `not` are those of SQL, and a game is selected if the expression is
//! true. Cost: the fields that the expression names; nothing is allocated for usual texts.
//!
//! ```text
//! text ─ lexer ─► words ─ parser ─► tree ─ compile ─► nodes ─ GameView ─► true, false, missing, or: read the moves
//! ```
//!
//! ```
//! use pgnmill_core::select::Selection;
//! assert!(Selection::parse("WhiteElo - BlackElo > 200 and Date >= 2024-05").is_ok());
//! let error = Selection::parse("WhiteElo > '2000'").unwrap_err();
//! assert_eq!(error.column(), 1);
//! ```
//!
//! The language: `docs/select.md`.

mod compile;
mod dates;
mod error;
mod fields;
mod lexer;
mod listing;
mod literals;
mod material;
mod moves;
mod near;
mod node;
mod parser;
mod reads;
mod truth;
mod view;

use std::sync::Arc;

use crate::pgn::TagPair;

pub use error::SelectError;
pub use fields::{Cost, FUNCTIONS, Field, FieldKind, fields, typed_tags};
pub use listing::{list, markdown};
pub use moves::{MoveFacts, TARGETS_MAX};
pub(crate) use near::distance;
use node::{BoolNode, Typed};
pub use parser::{DEPTH_MAX, EXPRESSION_BYTES_MAX};
use reads::Reads;
use truth::Truth;
pub use view::GameView;
pub(crate) use view::RequiredTags;

/// What is known of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The expression is true.
    Selected,
    /// It is false.
    False,
    /// It is missing.
    Missing,
    /// It is false or missing: not selected in any case.
    NotSelected,
    /// The moves decide.
    Open,
}

impl Decision {
    /// Is it certain that the game is not selected?
    pub fn is_against(self) -> bool {
        !matches!(self, Decision::Selected | Decision::Open)
    }
}

/// A condition on games, and optionally a value by which selected games are divided.
#[derive(Clone, Debug)]
pub struct Selection {
    source: String,
    condition: BoolNode,
    key: Option<Typed>,
    reads: Reads,
    /// The key requires the moves.
    key_of_moves: bool,
}

impl Selection {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong, with the column.
    pub fn parse(text: &str) -> Result<Selection, SelectError> {
        let mut reads = Reads::default();
        let condition = parser::parse(text)
            .and_then(|tree| compile::condition(&tree, &mut reads))
            .map_err(|fault| SelectError::of(fault, text))?;
        reads.demand.targets = Arc::from(&reads.targets[..]);
        let source = text.trim().to_string();
        Ok(Selection { source, condition, key: None, reads, key_of_moves: false })
    }

    /// Every game.
    pub fn all() -> Selection {
        Selection {
            source: "true".to_string(),
            condition: BoolNode::Literal(true),
            key: None,
            reads: Reads::default(),
            key_of_moves: false,
        }
    }

    /// The same, which divides the selected games by the value of an expression, usually a field: see
    /// [`Selection::key_of`].
    ///
    /// # Errors
    /// As [`Selection::parse`].
    pub fn with_key(mut self, text: &str) -> Result<Selection, SelectError> {
        let moves = std::mem::take(&mut self.reads.demand.moves);
        let key = parser::parse(text)
            .and_then(|tree| compile::value(&tree, &mut self.reads))
            .map_err(|fault| SelectError::of(fault, text))?;
        self.key_of_moves = self.reads.demand.moves;
        self.reads.demand.moves |= moves;
        self.reads.demand.targets = Arc::from(&self.reads.targets[..]);
        self.key = Some(key);
        Ok(self)
    }

    /// The expression.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Does it require the moves of some games?
    pub fn reads_moves(&self) -> bool {
        self.reads.demand.moves
    }

    /// Does it require the moves of every selected game?
    pub(crate) fn key_reads_moves(&self) -> bool {
        self.key_of_moves
    }

    /// Memory for the facts of moves that it requires.
    pub(crate) fn move_facts(&self) -> MoveFacts {
        MoveFacts::new(&self.reads.demand)
    }

    /// Memory for the tag pairs that it requires.
    pub(crate) fn tags(&self) -> RequiredTags {
        self.reads.tags.tags()
    }

    /// Keeps the value of a tag pair if it is required; of several with one name the last counts.
    #[inline]
    pub(crate) fn keep_tag(&self, text: &[u8], pair: &TagPair, tags: &mut RequiredTags) {
        self.reads.tags.keep(text, pair, tags);
    }

    /// Decides a game.
    pub(crate) fn decide(&self, game: &GameView<'_>) -> Decision {
        let truth = self.condition.truth(game);
        match (truth, truth.can_be(Truth::TRUE)) {
            (Truth::TRUE, _) => Decision::Selected,
            (Truth::FALSE, _) => Decision::False,
            (Truth::MISSING, _) => Decision::Missing,
            (_, true) => Decision::Open,
            (_, false) => Decision::NotSelected,
        }
    }

    /// The value by which a selected game is divided; `None` if it is missing.
    pub fn key_of(&self, game: &GameView<'_>) -> Option<String> {
        self.key.as_ref()?.shown(game)
    }
}

#[cfg(test)]
mod tests;
