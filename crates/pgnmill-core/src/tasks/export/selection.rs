//! The columns that an export writes.
//!
//! In: a table, and words: names of columns and of sets. Out: columns, in the order of the words; those of a set in
//! the order of the table. Invariant: no name twice.

use std::fmt;

use crate::notation::{NOTATIONS, Notation};

use super::column::{Column, Set};
use super::{games, plies};

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// One row per game.
    Games,
    /// One row per ply of the main line.
    Plies,
}

/// Words that are not columns of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SelectionError {
    /// No such column.
    Unknown {
        /// The table.
        table: Table,
        /// The word.
        name: String,
        /// What may be meant.
        near: Option<String>,
    },
    /// The table has no such set.
    NoSuchSet,
    /// No column is left.
    Empty,
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectionError::Unknown { table, name, near } => {
                write!(f, "the table {} has no column {name}", table.name())?;
                near.iter().try_for_each(|near| write!(f, "; {near}"))
            }
            SelectionError::NoSuchSet => f.write_str("only the table of games has the set hf"),
            SelectionError::Empty => f.write_str("no column is named"),
        }
    }
}

impl std::error::Error for SelectionError {}

impl Table {
    /// All tables.
    pub const ALL: [Table; 2] = [Table::Games, Table::Plies];

    /// What a row is.
    pub const fn about(self) -> &'static str {
        match self {
            Table::Games => "One row per game",
            Table::Plies => "One row per ply of the main line",
        }
    }

    /// The name of the table.
    pub fn name(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Plies => "plies",
        }
    }

    /// All declared columns, in order, without those of notations.
    pub fn columns(self) -> Vec<Column> {
        match self {
            Table::Games => games::columns(),
            Table::Plies => plies::columns(),
        }
    }

    /// What the name of a notation's column begins with.
    pub fn notation_prefix(self) -> &'static str {
        match self {
            Table::Games => "moves_",
            Table::Plies => "",
        }
    }

    /// The column after which those of `--notation` come.
    fn before_notations(self) -> &'static str {
        match self {
            Table::Games => "moves",
            Table::Plies => plies::BEFORE_NOTATIONS,
        }
    }

    /// The columns that these words name, and those of the notations.
    ///
    /// # Errors
    /// A word that is neither a column nor a set of the table.
    pub fn select(
        self,
        words: &[String],
        notations: &[&'static dyn Notation],
    ) -> Result<Vec<Column>, SelectionError> {
        let declared = self.columns();
        let mut selected: Vec<Column> = Vec::new();
        for word in words.iter().filter(|word| !word.is_empty()) {
            let set = match word.as_str() {
                "hf" if self == Table::Plies => return Err(SelectionError::NoSuchSet),
                "hf" => Some(Set::HuggingFace),
                "default" => Some(Set::Default),
                "all" => Some(Set::OptIn),
                _ => None,
            };
            match set {
                Some(set) => declared
                    .iter()
                    .filter(|column| set.has(column.set))
                    .for_each(|column| add(&mut selected, column.clone())),
                None => add(&mut selected, self.column(&declared, word)?),
            }
        }
        if words.iter().any(|word| word == "hf") {
            let time = selected.iter_mut().find(|column| column.name == "UTCTime");
            time.into_iter().for_each(|column| *column = games::utc_time_in_seconds());
        }
        let mut others = Vec::new();
        for &notation in notations {
            let column = Column::of_notation(self.notation_prefix(), notation);
            if selected.iter().all(|known| known.name != column.name) {
                add(&mut others, column);
            }
        }
        let place = selected.iter().position(|column| column.name == self.before_notations());
        let place = place.map_or(selected.len(), |place| place + 1);
        selected.splice(place..place, others);
        if selected.is_empty() { Err(SelectionError::Empty) } else { Ok(selected) }
    }

    /// The column of this name: a declared one, or that of a notation.
    pub(super) fn column(self, declared: &[Column], word: &str) -> Result<Column, SelectionError> {
        if let Some(column) = declared.iter().find(|column| column.name == word) {
            return Ok(column.clone());
        }
        let of_word = |notation: &&&'static dyn Notation| {
            let name = word.strip_prefix(self.notation_prefix());
            name.is_some_and(|name| notation.info().name.replace('-', "_") == name)
        };
        if let Some(notation) = NOTATIONS.iter().find(of_word) {
            return Ok(Column::of_notation(self.notation_prefix(), *notation));
        }
        Err(SelectionError::Unknown { table: self, name: word.to_string(), near: self.near(word) })
    }

    /// What a word that is no column of the table may mean.
    fn near(self, word: &str) -> Option<String> {
        let other = if self == Table::Games { Table::Plies } else { Table::Games };
        let of_other = other.columns().into_iter().find(|column| column.name == word);
        if let Some(column) = of_other {
            return Some(format!("the table {} has {}", other.name(), column.name));
        }
        let written = word.replace('-', "_");
        let is_same = |column: &Column| column.name.eq_ignore_ascii_case(&written);
        if let Some(column) = self.columns().into_iter().find(is_same) {
            return Some(format!("it has {}", column.name));
        }
        let is_notation = |notation: &&&'static dyn Notation| {
            let name = notation.info().name;
            word.strip_prefix(self.notation_prefix()).unwrap_or(word) == name
        };
        let notation = NOTATIONS.iter().find(is_notation)?;
        let column = Column::of_notation(self.notation_prefix(), *notation);
        Some(format!("it has {}", column.name))
    }
}

/// Adds a column unless there is one of this name.
fn add(selected: &mut Vec<Column>, column: Column) {
    if selected.iter().all(|known| known.name != column.name) {
        selected.push(column);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(table: Table, words: &[&str], notations: &[&'static dyn Notation]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let columns = table.select(&words, notations).expect("known words");
        columns.iter().map(|column| column.name.to_string()).collect()
    }

    #[test]
    fn the_columns_of_the_hugging_face_dataset() {
        let expected = "Event,Site,White,Black,Result,WhiteTitle,BlackTitle,WhiteElo,BlackElo,WhiteRatingDiff,\
                        BlackRatingDiff,UTCDate,UTCTime,ECO,Opening,Termination,TimeControl,movetext";
        assert_eq!(names(Table::Games, &["hf"], &[]).join(","), expected);
        let columns = names(Table::Games, &["default"], &[]).join(",");
        assert!(columns.starts_with(expected.trim_end_matches(",movetext")));
        // What it contains is in other columns.
        assert!(!columns.contains("movetext"));
        assert!(names(Table::Games, &["all"], &[]).contains(&"movetext".to_string()));
    }

    /// Spark ignores case.
    #[test]
    fn no_two_names_differ_by_case_only() {
        for table in [Table::Games, Table::Plies] {
            let columns = names(table, &["all"], &[]);
            let folded: BTreeSet<String> =
                columns.iter().map(|name| name.to_ascii_lowercase()).collect();
            assert_eq!(folded.len(), columns.len());
        }
    }

    #[test]
    fn words_are_columns_sets_and_notations() {
        assert_eq!(names(Table::Plies, &["fen", "ply", "fen"], &[]), ["fen", "ply"]);
        assert_eq!(names(Table::Games, &["moves_san", "game"], &[]), ["moves_san", "game"]);
        let uci = crate::notation::UCI;
        assert_eq!(names(Table::Games, &["moves", "game"], &[uci]), ["moves", "moves_uci", "game"]);
        assert_eq!(names(Table::Plies, &["uci", "ply"], &[uci]), ["uci", "ply"]);
        for (table, word) in [(Table::Plies, "hf"), (Table::Games, "ply"), (Table::Games, "x")] {
            assert!(table.select(&[word.to_string()], &[]).is_err(), "{word}");
        }
        assert_eq!(Table::Games.select(&[], &[]).unwrap_err(), SelectionError::Empty);
    }
}
