//! The columns by whose values games are divided, and the names of the folders of partitions.
//!
//! In: a game. Out: the name of its folder, `KEY=VALUE/KEY=VALUE`, as Apache Hive writes it. Invariant: different
//! values have different names, each a valid name of a folder.

use pgnmill_io::file_name::escaped_but;

use crate::facts::{self, Fact};

use super::buffer::Buffer;
use super::cell::shown;
use super::column::{Column, Source};
use super::game_facts::{GameFacts, tag_section};
use super::games;
use super::kind::Kind;
use super::parts::Parts;
use super::values::Texts;

/// What Hive calls the partition of null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";
/// The name of the key of parts.
const PARTS: &str = "part";

/// What divides games into files.
#[derive(Clone, Debug)]
pub enum PartitionKey {
    /// The values of a column.
    Column(Box<Column>),
    /// Parts of all games.
    Parts(Parts),
}

impl PartitionKey {
    /// The key of this name: a column of the table of games that has one value, or `Year` or `Month`, also as `year`
    /// and `month`.
    pub fn find(name: &str) -> Option<PartitionKey> {
        let is_named = |fact: &&Fact| {
            fact.partition == Some(name) || fact.partition.is_some() && fact.name == name
        };
        if let Some(fact) = facts::ALL.iter().find(is_named) {
            let name = fact.partition.unwrap_or_default();
            return Some(PartitionKey::Column(Box::new(Column::of_fact(name, fact))));
        }
        let column = games::columns().into_iter().find(|column| column.name == name)?;
        let is_value = matches!(
            column.kind,
            Kind::Text | Kind::Names(_) | Kind::Int16 | Kind::Int32 | Kind::Date
        );
        // A fact whose key has a name of its own has one key.
        let is_known = match column.source {
            Source::Fact(fact) => fact.partition.is_none(),
            source => matches!(source, Source::Tag(_) | Source::Game(_)),
        };
        (is_value && is_known && !matches!(name, "movetext" | "final_fen"))
            .then(|| PartitionKey::Column(Box::new(column)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.column().map_or(PARTS, |column| &column.name)
    }

    /// What it requires.
    pub(super) fn column(&self) -> Option<&Column> {
        match self {
            PartitionKey::Column(column) => Some(column),
            PartitionKey::Parts(_) => None,
        }
    }

    /// The value of a game.
    fn value(&self, facts: &GameFacts<'_>) -> Option<String> {
        match self {
            PartitionKey::Column(column) => {
                let mut buffer = Buffer::new(column.kind);
                column.write(facts, &mut buffer);
                shown(column.kind, &buffer, 0)
            }
            PartitionKey::Parts(parts) => {
                let tags_end = tag_section(facts.game).len();
                Some(parts.part_of(&facts.text[facts.game.span.clone()], tags_end).to_string())
            }
        }
    }
}

/// Adds the folder of a game: `KEY=VALUE/KEY=VALUE`.
pub(super) fn folder(keys: &[PartitionKey], facts: &GameFacts<'_>, folders: &mut Texts) {
    for (index, key) in keys.iter().enumerate() {
        let value = key.value(facts).filter(|value| !value.is_empty());
        let value = value.map_or_else(|| NULL.to_string(), |value| escaped_but(NULL, &value));
        let separator = if index > 0 { "/" } else { "" };
        folders.extend(format!("{separator}{}={value}", key.name()).as_bytes());
    }
    folders.end_row(true);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_value_per_game() {
        for name in ["Year", "Month", "ECO", "outcome", "WhiteElo", "UTCDate", "Variant"] {
            assert!(PartitionKey::find(name).is_some_and(|key| key.name() == name), "{name}");
        }
        for (name, key) in [("year", "Year"), ("month", "Month")] {
            assert!(PartitionKey::find(name).is_some_and(|it| it.name() == key), "{name}");
        }
        for name in
            ["movetext", "final_fen", "moves", "clocks", "archive", "byte_offset", "tags", ""]
        {
            assert!(PartitionKey::find(name).is_none(), "{name}");
        }
    }
}
