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

mod call;
mod comments;
mod compile;
mod dates;
mod error;
mod fields;
mod functions;
mod known_tags;
mod lexer;
mod like;
mod listing;
mod literals;
mod material;
mod moves;
mod near;
mod near_values;
mod node;
mod order;
mod parser;
mod players;
mod position_set;
mod reads;
pub(crate) mod share;
mod slips;
mod target;
mod truth;
mod view;
mod watch;

use crate::facts::ReadGame;
use crate::pgn::TagPair;

pub use error::SelectError;
pub use fields::{Cost, Field, FieldKind, fields, typed_tags};
pub use functions::FUNCTIONS;
pub use listing::{list, markdown};
pub use moves::{MoveFacts, TARGETS_MAX};
pub(crate) use near::distance;
pub use near::{meant, tags_near};
pub use near_values::NearValues;
use node::{BoolNode, Typed};
pub use parser::{DEPTH_MAX, EXPRESSION_BYTES_MAX};
use parser::{Node, Tree};
pub use position_set::{LINE_BYTES_MAX, POSITIONS_MAX, PositionSet, PositionSetError};
use reads::Reads;
pub use share::Share;
use truth::Truth;
pub use view::GameView;
pub(crate) use view::RequiredTags;
pub use watch::Met;
pub(crate) use watch::Watch;

/// The most expressions by which games are divided: each is a part of the name of a file.
pub const KEYS_MAX: usize = 16;

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
    /// As it was given; spans are those of this text.
    text: String,
    condition: BoolNode,
    /// With the values of White and of Black, where it is a value of a player.
    keys: Vec<(String, Key)>,
    reads: Reads,
    order: Vec<order::OrderKey>,
    /// A key or the order requires the moves.
    key_of_moves: bool,
    /// Of the games that the condition selects.
    share: Option<Share>,
}

impl Selection {
    /// Reads an expression, which names no files.
    ///
    /// # Errors
    /// What is wrong, with the column.
    pub fn parse(text: &str) -> Result<Selection, SelectError> {
        let refused = |_: &str| Err("files are not read for this expression".to_string());
        Selection::parse_with(text, refused)
    }

    /// Reads an expression with the positions of the files that it names (`position in @FILE`): `read` is called once
    /// for each name, before the first game is read.
    ///
    /// # Errors
    /// What is wrong, with the column; what `read` returns.
    pub fn parse_with(
        text: &str,
        read: impl FnMut(&str) -> Result<PositionSet, String>,
    ) -> Result<Selection, SelectError> {
        let mut reads = Reads::default();
        let condition = parser::parse(text)
            .and_then(|tree| {
                reads.files = position_sets(text, read)?;
                compile::condition(&tree, &mut reads)
            })
            .map_err(|fault| SelectError::of(fault, text))?;
        reads.settle();
        let text = text.to_string();
        Ok(Selection { text, condition, reads, ..Selection::all() })
    }

    /// The files that it names, and the positions of each.
    pub fn files(&self) -> impl Iterator<Item = (&str, &PositionSet)> {
        self.reads.files.iter().map(|(name, set)| (name.as_str(), set))
    }

    /// This selection of a share of all games.
    pub fn with_share(self, share: Share) -> Selection {
        Selection { share: Some(share), ..self }
    }

    /// Whether a game is in the share. `text`: that of the game; `tags_end`: where its tag pairs end in it.
    pub(crate) fn shares(&self, text: &[u8], tags_end: usize) -> bool {
        self.share.is_none_or(|share| share.takes(text, tags_end))
    }

    /// Does it read tag pairs?
    #[inline]
    pub(crate) fn reads_tags(&self) -> bool {
        !self.reads.tags.is_empty()
    }

    /// Do moves alone decide every game, so that a look at the rest of it decides none?
    pub(crate) fn is_of_moves_alone(&self) -> bool {
        if self.share.is_some() || self.reads_tags() || self.reads.others || self.key_of_moves {
            return false;
        }
        let (RequiredTags { index, others }, watch) = (self.tags(), self.watch());
        let game = ReadGame { tags: index.values(b""), archive: "", text_bytes: 0, played: None };
        let game = GameView { text: b"", game, others: &others, moves: None, watch: &watch };
        self.decide(&game) == Decision::Open
    }

    /// Every game.
    pub fn all() -> Selection {
        Selection {
            text: "true".to_string(),
            condition: BoolNode::Literal(true),
            keys: Vec::new(),
            order: Vec::new(),
            reads: Reads::default(),
            key_of_moves: false,
            share: None,
        }
    }

    /// This selection, which divides the selected games by the values of expressions, usually fields, with commas
    /// between them: see [`Selection::keys_of`].
    ///
    /// # Errors
    /// As [`Selection::parse`]; an expression that is there twice; more than [`KEYS_MAX`].
    pub fn with_keys(mut self, text: &str) -> Result<Selection, SelectError> {
        let moves = std::mem::take(&mut self.reads.demand.moves);
        self.reads.parts.is_closed = true;
        let trees = parser::parse_list(text).map_err(|fault| SelectError::of(fault, text))?;
        for tree in &trees {
            let tree = &players::as_field(tree);
            let own = match &tree.node {
                Node::Name(name) => name.as_str(),
                _ => &text[tree.span.clone()],
            };
            let is_twice = self.key_texts().any(|other| other == own);
            let fault = |message| Err(error::Fault::new(tree.span.clone(), message));
            let key = match () {
                () if is_twice => fault(format!("{own} is there twice")),
                () if self.keys.len() == KEYS_MAX => {
                    fault(format!("games are divided by {KEYS_MAX} expressions at most"))
                }
                () => key(tree, &mut self.reads),
            };
            let own = own.to_string();
            self.keys.push((own, key.map_err(|fault| SelectError::of(fault, text))?));
        }
        self.key_of_moves |= self.reads.demand.moves;
        self.reads.demand.moves |= moves;
        self.reads.settle();
        Ok(self)
    }

    /// The expressions of the keys.
    pub fn key_texts(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(text, _)| text.as_str())
    }

    /// The expression.
    pub fn source(&self) -> &str {
        self.text.trim()
    }

    /// What is probably not meant, such as a text with an asterisk that is compared as it is.
    pub fn warnings(&self) -> &[String] {
        &self.reads.warnings
    }

    /// The names of tag pairs in it that are not known, and that no game had.
    pub fn unmet_tags(&self, met: Met) -> Vec<&str> {
        self.absent(met, false)
    }

    /// The names of known tag pairs in it that no game had.
    pub fn absent_tags(&self, met: Met) -> Vec<&str> {
        self.absent(met, true)
    }

    fn absent(&self, met: Met, is_known: bool) -> Vec<&str> {
        let names = self.reads.named.iter().enumerate();
        let absent =
            names.filter(|(index, (.., known))| *known == is_known && met.tags >> index & 1 == 0);
        absent.map(|(_, (name, ..))| name.as_str()).collect()
    }

    /// The parts of it that were true of no game of those on which they were evaluated: comparisons with texts,
    /// searches in comments, positions, material, lines.
    pub fn never_true(&self, met: Met) -> Vec<&str> {
        self.reads.parts.never_true(met).into_iter().map(|span| &self.text[span]).collect()
    }

    /// Which of the tag pairs that it names a game has: a bit for each.
    #[inline]
    pub(crate) fn tags_met(&self, tags: &RequiredTags) -> u64 {
        let has = |slot: &view::Slot| match slot {
            view::Slot::Tag(tag) => tags.index.span(*tag).is_some(),
            view::Slot::Other(at) => tags.others[*at].is_some(),
        };
        let named = self.reads.named.iter().enumerate();
        named.fold(0, |met, (index, (_, slot, _))| met | u64::from(has(slot)) << index)
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

    /// Watches what is met of it.
    pub(crate) fn watch(&self) -> Watch {
        self.reads.parts.watch()
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
        let decision = match (truth, truth.can_be(Truth::TRUE)) {
            (Truth::TRUE, _) => Decision::Selected,
            (Truth::FALSE, _) => Decision::False,
            (Truth::MISSING, _) => Decision::Missing,
            (_, true) => Decision::Open,
            (_, false) => Decision::NotSelected,
        };
        game.watch.decided(decision != Decision::Open);
        decision
    }

    /// Has a game two values, because one is that of a player?
    pub fn has_keys_of_players(&self) -> bool {
        self.keys.iter().any(|(_, key)| matches!(key, Key::OfPlayers(_)))
    }

    /// The values by which a selected game is divided, one per key; `None` if one is missing. Two lists, of the
    /// player with White and of the one with Black, if a key is a value of a player and they differ.
    pub fn keys_of(&self, game: &GameView<'_>) -> Vec<Vec<Option<String>>> {
        let of_side = |side: usize| -> Vec<Option<String>> {
            let value = |key: &Key| match key {
                Key::One(key) => key.shown(game),
                Key::OfPlayers(sides) => sides[side].shown(game),
            };
            self.keys.iter().map(|(_, key)| value(key)).collect()
        };
        let mut keys = vec![of_side(0)];
        if self.has_keys_of_players() {
            keys.push(of_side(1));
            keys.dedup();
        }
        keys
    }
}

/// What games are divided by.
#[derive(Clone, Debug)]
enum Key {
    One(Typed),
    /// A value of a player, with White and with Black.
    OfPlayers(Box<[Typed; 2]>),
}

/// Compiles a key.
fn key(tree: &Tree, reads: &mut Reads) -> Result<Key, error::Fault> {
    match players::sides_of_value(tree) {
        None => compile::value(tree, reads).map(Key::One),
        Some([white, black]) => {
            let sides = [compile::value(&white, reads)?, compile::value(&black, reads)?];
            Ok(Key::OfPlayers(Box::new(sides)))
        }
    }
}

/// The positions of the files that an expression names.
fn position_sets(
    text: &str,
    mut read: impl FnMut(&str) -> Result<PositionSet, String>,
) -> Result<Vec<(String, PositionSet)>, error::Fault> {
    let mut sets: Vec<(String, PositionSet)> = Vec::new();
    for (name, span) in parser::files(text)? {
        let set = read(&name).map_err(|why| error::Fault::new(span.clone(), why))?;
        let count: usize = sets.iter().map(|(_, set)| set.len()).sum();
        if count + set.len() > POSITIONS_MAX {
            let message = format!("the files have more than {POSITIONS_MAX} positions together");
            return Err(error::Fault::new(span, message));
        }
        sets.push((name, set));
    }
    Ok(sets)
}

#[cfg(test)]
mod tests;
