//! A column: its declaration, from which files, `--columns` and `docs/columns.md` are made.
//!
//! Invariant: a column is declared in one place (`games.rs` or `plies.rs`), with the function that writes its values.

use std::borrow::Cow;

use crate::facts::{Fact, FactColumn, Needs, Value};
use crate::notation::{AnyPly, MoveText, Notation, TCN};
use crate::pgn::Tag;

use super::buffer::Buffer;
use super::game_facts::GameFacts;
use super::kind::Kind;
use super::line_facts::LineFacts;
use super::played_ply::{PlayedPly, Players};

/// The sets of columns that `--columns` names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Set {
    /// In the columns of the Hugging Face dataset alone.
    HuggingFaceAlone,
    /// In the default columns and, in the table of games, in those of the Hugging Face dataset.
    HuggingFace,
    /// In the default columns.
    Default,
    /// Only if it is named, or with `all`.
    OptIn,
}

impl Set {
    /// Is a column of the set `other` in this one, too?
    pub(super) fn has(self, other: Set) -> bool {
        other <= self && (self != Set::Default || other != Set::HuggingFaceAlone)
    }
}

/// What a column requires, besides the tag pairs and counts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requires {
    /// Nothing else.
    Nothing,
    /// The commands in comments.
    Commands,
    /// Commands and what engines left in comments.
    Engines,
    /// The variations of engines, too.
    Variations,
    /// Commands and NAGs.
    Nags,
    /// Commands and the text of comments.
    Comments,
    /// The position after the last move.
    FinalPosition,
    /// The opening that the moves reach.
    Opening,
    /// The tag pairs that have no column of their own.
    OtherTags,
}

/// A ply of the main line, with memory for texts.
#[derive(Debug)]
pub struct PlyFacts<'p> {
    /// The ply.
    pub ply: AnyPly<'p>,
    /// Its number in the game, from 1.
    pub number: usize,
    /// Memory for its text in a notation.
    pub text: &'p mut MoveText,
    /// Memory for its FEN.
    pub fen: &'p mut Vec<u8>,
}

/// Where the values of a column come from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The name of the archive.
    Archive,
    /// Offset of the game in the text of the archive.
    Offset,
    /// The number of the game in the archive.
    GameNumber,
    /// The index of the game among those of the file.
    GameIndex,
    /// A tag pair: a text, or a number of 16 bits.
    Tag(Tag),
    /// A fact.
    Fact(&'static Fact),
    /// The game, at its end.
    Game(fn(&GameFacts<'_>, &mut Buffer)),
    /// The plies of the main line: in the table of plies a row each, in that of games one text, separated by spaces.
    Moves(&'static dyn Notation),
    /// The plies of the main line, in the table of games one list, in Polyglot's packing.
    PackedMoves,
    /// A ply of the main line, when it is read.
    Ply(fn(&mut PlyFacts<'_>, &mut Buffer)),
    /// A ply of the main line, at the end of the game: the value for White's plies and that for Black's.
    BySide(fn(&Players) -> [Option<i16>; 2]),
    /// A ply of the main line and what annotates it, at the end of the game.
    PlayedPly(fn(&PlayedPly<'_>, &mut Buffer)),
    /// Rows that are made elsewhere, of a table that no export has.
    Row,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The kind of its values.
    pub kind: Kind,
    /// The unit, or empty.
    pub unit: &'static str,
    /// When it is null.
    pub null: &'static str,
    /// A value.
    pub example: &'static str,
    /// What it means.
    pub doc: Cow<'static, str>,
    /// The sets that contain it.
    pub set: Set,
    /// Where its values come from.
    pub source: Source,
    /// What it requires.
    pub requires: Requires,
    /// Writes the values of many plies at once, where that is faster: the same as ply by ply.
    pub of_line: Option<fn(&LineFacts<'_>, &mut Buffer)>,
}

impl Column {
    /// A column of the default set that requires nothing.
    pub(crate) const fn new(
        name: &'static str,
        kind: Kind,
        source: Source,
        doc: &'static str,
    ) -> Column {
        Column {
            name: Cow::Borrowed(name),
            kind,
            unit: "",
            null: "never",
            example: "",
            doc: Cow::Borrowed(doc),
            set: Set::Default,
            source,
            requires: Requires::Nothing,
            of_line: None,
        }
    }

    pub(crate) const fn unit(mut self, unit: &'static str) -> Column {
        self.unit = unit;
        self
    }

    pub(crate) const fn null(mut self, null: &'static str) -> Column {
        self.null = null;
        self
    }

    pub(crate) const fn example(mut self, example: &'static str) -> Column {
        self.example = example;
        self
    }

    pub(super) const fn set(mut self, set: Set) -> Column {
        self.set = set;
        self
    }

    pub(super) const fn requires(mut self, requires: Requires) -> Column {
        self.requires = requires;
        self
    }

    pub(super) const fn of_line(mut self, write: fn(&LineFacts<'_>, &mut Buffer)) -> Column {
        self.of_line = Some(write);
        self
    }

    /// A column of the moves in a notation, as `--notation` adds it.
    pub(super) fn of_notation(prefix: &str, notation: &'static dyn Notation) -> Column {
        let name = notation.info().name;
        Column {
            name: Cow::Owned(prefix.to_string() + &name.replace('-', "_")),
            kind: Kind::Text,
            unit: "",
            null: "the notation requires the history of the game from its starting position, and it has none",
            example: "",
            doc: Cow::Owned(format!("in the notation {name}")),
            set: Set::OptIn,
            source: Source::Moves(notation),
            requires: Requires::Nothing,
            of_line: None,
        }
    }

    /// The column of the moves in TCN, which has no other name.
    pub(super) fn of_tcn() -> Column {
        let doc =
            "in TCN, the code of chess.com: two characters a move, with nothing between two moves";
        Column { doc: doc.into(), ..Column::of_notation("", TCN) }
            .null("a null move in the main line, or another board than that of chess")
    }

    /// Is there one value per game, also in the table of plies?
    pub(super) fn is_of_game(&self) -> bool {
        matches!(
            self.source,
            Source::Archive
                | Source::Offset
                | Source::GameNumber
                | Source::GameIndex
                | Source::Tag(_)
                | Source::Fact(_)
                | Source::Game(_)
        )
    }

    /// Is its value of a game that of the game, not of its archive?
    pub(super) fn has_game_value(&self) -> bool {
        self.is_of_game() && !matches!(self.source, Source::Archive | Source::GameIndex)
    }

    /// Adds the value of a game, if it depends on nothing but the facts of one.
    pub(super) fn write(&self, game: &GameFacts<'_>, buffer: &mut Buffer) {
        match (self.source, self.kind) {
            (Source::Tag(tag), Kind::Int16) => buffer.int16(game.read.tags.rating(tag)),
            (Source::Tag(tag), _) => buffer.tag_value(game.read.tags.bytes(tag)),
            (Source::Fact(fact), _) => match fact.value {
                Value::Int(value) => buffer.int32(value(&game.read)),
                Value::Text(value) => buffer.decoded(value(&game.read).as_deref()),
                Value::Name(_, value) => buffer.name(value(&game.read)),
                Value::Real(_) | Value::Grouped => {}
            },
            (Source::Game(write), _) => write(game, buffer),
            _ => {}
        }
    }

    /// The column of a fact: what it is called, and what else its declaration has.
    pub(super) fn of_fact(name: &'static str, fact: &'static Fact) -> Column {
        let kind = match fact.value {
            Value::Int(_) => Kind::Int32,
            Value::Name(names, _) => {
                Kind::Names(fact.column.and_then(|column| column.names).unwrap_or(names))
            }
            Value::Text(_) | Value::Real(_) | Value::Grouped => Kind::Text,
        };
        let mut column = Column::new(name, kind, Source::Fact(fact), fact.doc);
        if !fact.missing.is_empty() {
            column.null = fact.missing;
        }
        if fact.needs == Needs::Opening {
            column.requires = Requires::Opening;
        }
        if let Some(FactColumn { unit, example, is_opt_in, .. }) = fact.column {
            (column.unit, column.example) = (unit, example);
            if is_opt_in {
                column.set = Set::OptIn;
            }
        }
        column
    }
}
