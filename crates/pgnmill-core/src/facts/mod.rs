//! The facts of a game: each is declared once, in a row of [`ALL`].
//!
//! In: a game, as far as it was read ([`ReadGame`]). Out: a value, or none. From the rows are made the fields of
//! `--where` and `--split-by`, columns of `export`, the keys of `--partition-by`, the groups of `measure --by`, and
//! what their documents say of them. Invariant: the field, the column, the group and the partition of a game agree,
//! because they are one value; `tasks/export/one_fact.rs` compares them. Cost: of the facts that are requested, the tag
//! values once per game.
//!
//! The next fact is a row. A fact of single plies, which a selection alone collects, is a row of `select/fields.rs`.
//!
//! ```
//! use pgnmill_core::facts::{self, ReadGame, Value};
//! use pgnmill_core::pgn::TagIndex;
//! let text = b"[Date \"????.??.??\"]\n[UTCDate \"2021.12.31\"]\n";
//! let index = TagIndex::of(text, 0..text.len());
//! let game = ReadGame { tags: index.values(text), archive: "a.pgn", text_bytes: text.len(), played: None };
//! let Value::Int(year) = facts::find("year").unwrap().value else { panic!() };
//! assert_eq!(year(&game), Some(2021));
//! ```

mod groups;
mod rows;

use std::borrow::Cow;

use crate::chess::rules::RulesKind;
use crate::openings::Opening;
use crate::pgn::{Outcome, Tag, TagValues};
use crate::replay::{Game, Verdict};

pub use groups::{GroupNames, Groups};
pub use rows::{ALL, OUTCOMES, SPEEDS, STANDARD, VERDICTS, is_eco};

/// A game, as far as it was read.
#[derive(Clone, Copy, Debug)]
pub struct ReadGame<'g> {
    /// Its tag pairs.
    pub tags: TagValues<'g>,
    /// The name of the archive.
    pub archive: &'g str,
    /// The length of its text.
    pub text_bytes: usize,
    /// What its moves came to; `None` if they were not read.
    pub played: Option<Played>,
}

/// What the moves of a game came to.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// The verdict.
    pub verdict: Verdict,
    /// The result token; without one the tag pair `Result`, and `*` without that.
    pub outcome: Outcome,
    /// Plies of the main line.
    pub plies: u32,
    /// Plies in variations.
    pub variation_plies: u32,
    /// The opening that the moves reach, if it is tracked.
    pub opening: Option<&'static Opening>,
    /// The ruleset.
    pub rules: RulesKind,
}

impl Played {
    /// That of a game at its end.
    pub fn of(text: &[u8], game: &Game<'_>, opening: Option<&'static Opening>) -> Played {
        Played {
            verdict: game.verdict,
            outcome: game.outcome(text).unwrap_or(Outcome::Unknown),
            plies: game.plies,
            variation_plies: game.variation_plies,
            opening,
            rules: game.tags.rules,
        }
    }
}

/// How a fact is computed: its type, and a function.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A whole number.
    Int(fn(&ReadGame<'_>) -> Option<i32>),
    /// A number, perhaps not a whole one, or a large one.
    Real(fn(&ReadGame<'_>) -> Option<f64>),
    /// A text, in UTF-8 unless the archive changes while it is read.
    Text(for<'g> fn(&ReadGame<'g>) -> Option<Cow<'g, [u8]>>),
    /// One of a few names, by its index.
    Name(&'static [&'static str], fn(&ReadGame<'_>) -> Option<usize>),
    /// It has groups alone.
    Grouped,
}

/// What has to be read of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The tag pairs.
    Tags,
    /// The moves; also a rejected game has the fact.
    Verdict,
    /// The moves of a game that is not rejected.
    Moves,
    /// Its positions, too, for the name of the opening.
    Opening,
}

/// The column of a fact.
#[derive(Clone, Copy, Debug)]
pub struct FactColumn {
    /// The unit, or empty.
    pub unit: &'static str,
    /// A value.
    pub example: &'static str,
    /// The names that occur in it, if they are fewer.
    pub names: Option<&'static [&'static str]>,
    /// Is it written only if it is named?
    pub is_opt_in: bool,
}

/// A fact.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// The name of the field and of the column.
    pub name: &'static str,
    /// Its type and its value.
    pub value: Value,
    /// What has to be read.
    pub needs: Needs,
    /// The tag pairs on which it depends.
    pub tags: &'static [Tag],
    /// The meaning, in Markdown.
    pub doc: &'static str,
    /// When it is missing; empty: never.
    pub missing: &'static str,
    /// Is it a column of the table of games?
    pub column: Option<FactColumn>,
    /// The name of the key of `--partition-by` that has its values, if it is no column.
    pub partition: Option<&'static str>,
    /// The groups of `measure --by`.
    pub groups: Option<Groups>,
}

impl Fact {
    const fn new(
        name: &'static str,
        needs: Needs,
        tags: &'static [Tag],
        value: Value,
        doc: &'static str,
    ) -> Fact {
        let (missing, column, partition, groups) = ("", None, None, None);
        Fact { name, value, needs, tags, doc, missing, column, partition, groups }
    }

    const fn missing(mut self, missing: &'static str) -> Fact {
        self.missing = missing;
        self
    }

    const fn column(mut self, unit: &'static str, example: &'static str) -> Fact {
        self.column = Some(FactColumn { unit, example, names: None, is_opt_in: false });
        self
    }

    const fn opt_in(mut self, unit: &'static str, example: &'static str) -> Fact {
        self.column = Some(FactColumn { unit, example, names: None, is_opt_in: true });
        self
    }

    const fn partition(mut self, name: &'static str) -> Fact {
        self.partition = Some(name);
        self
    }

    const fn by(mut self, groups: Groups) -> Fact {
        self.groups = Some(groups);
        self
    }

    /// Is it a field of `--where`?
    pub const fn is_field(&self) -> bool {
        !matches!(self.value, Value::Grouped)
    }

    /// What it means, and when it is missing.
    pub fn meaning(&self) -> Cow<'static, str> {
        match self.missing {
            "" => self.doc.into(),
            missing => format!("{}; missing: {missing}", self.doc).into(),
        }
    }
}

/// The fact of this name.
pub fn find(name: &str) -> Option<&'static Fact> {
    ALL.iter().find(|fact| fact.name == name)
}
