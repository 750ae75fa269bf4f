//! What was measured, archive by archive.
//!
//! Input: each measured game ([`ArchiveFacts`]), and the counts of each job; output: `archives.csv`. Invariant: rows
//! add up in any order, wherever a text is cut. Cost: three tag pairs a game.

use pgnmill_state::state;

use crate::chess::rules::RulesKind;
use crate::engine::Counted;
use crate::pgn::{Outcome, Tag, TagValues};
use crate::replay::Game;
use crate::tables::{Grid, archives};

use super::game::GameLengths;
use super::row::Row;
use super::sources::Sources;

/// What the measured games of a job tell of the origin of their archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArchiveFacts {
    measured: u64,
    draws: u64,
    mates: u64,
    rated: u64,
    /// Year · 10,000 + month · 100 + day; 0 is none.
    first_date: u64,
    last_date: u64,
}

impl ArchiveFacts {
    /// Adds a game of chess or Chess960 that is not rejected.
    pub fn add(&mut self, text: &[u8], game: &Game<'_>, lengths: &GameLengths) {
        let tags = game.tags.index.values(text);
        self.measured += 1;
        self.draws += u64::from(game.outcome(text) == Some(Outcome::Draw));
        self.mates += u64::from(lengths.ends_with_mate());
        let is_rated = |tag| tags.rating(tag).is_some_and(|rating| rating > 0);
        self.rated += u64::from(is_rated(Tag::WhiteElo) && is_rated(Tag::BlackElo));
        if let Some(date) = date_of(tags) {
            self.first_date = least(self.first_date, date);
            self.last_date = self.last_date.max(date);
        }
    }

    /// Are games of this ruleset measured?
    pub fn counts(rules: RulesKind) -> bool {
        matches!(rules, RulesKind::Chess | RulesKind::Chess960)
    }
}

/// The lesser of two numbers of which 0 is none.
fn least(one: u64, other: u64) -> u64 {
    match (one, other) {
        (0, number) | (number, 0) => number,
        (one, other) => one.min(other),
    }
}

/// The date of a game as a number; a month or a day that is not known is 0.
fn date_of(tags: TagValues<'_>) -> Option<u64> {
    let (year, month) = tags.year_and_month()?;
    let mut fields = tags.date()?.split(|byte| matches!(byte, b'.' | b'-' | b'/')).skip(2);
    let digits = month.and_then(|_| fields.next()).unwrap_or_default();
    let day = match digits {
        [one @ b'0'..=b'9'] => u64::from(one - b'0'),
        [ten @ b'0'..=b'9', one @ b'0'..=b'9'] => u64::from((ten - b'0') * 10 + (one - b'0')),
        _ => 0,
    };
    let day = if (1..=31).contains(&day) { day } else { 0 };
    Some(year as u64 * 10_000 + month.unwrap_or(0) as u64 * 100 + day)
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ArchiveRow {
    text_bytes: u64,
    games: u64,
    rejected: u64,
    facts: ArchiveFacts,
}

state!(ArchiveFacts { measured, draws, mates, rated, first_date, last_date });
state!(ArchiveRow { text_bytes, games, rejected, facts });

impl Row for ArchiveRow {
    fn empty() -> ArchiveRow {
        ArchiveRow { text_bytes: 0, games: 0, rejected: 0, facts: ArchiveFacts::default() }
    }

    fn add(&mut self, other: &ArchiveRow) {
        self.text_bytes += other.text_bytes;
        self.games += other.games;
        self.rejected += other.rejected;
        let (mine, theirs) = (&mut self.facts, &other.facts);
        mine.measured += theirs.measured;
        mine.draws += theirs.draws;
        mine.mates += theirs.mates;
        mine.rated += theirs.rated;
        mine.first_date = least(mine.first_date, theirs.first_date);
        mine.last_date = mine.last_date.max(theirs.last_date);
    }

    fn has_games(&self) -> bool {
        self.games > 0
    }
}

/// The rows of all archives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archives(Sources<ArchiveRow>);

state!(Archives = rows);

impl Archives {
    /// Adds a job of an archive.
    pub fn add(&mut self, archive: &str, counted: &Counted, facts: &ArchiveFacts) {
        let counts = &counted.counts;
        let row = ArchiveRow {
            text_bytes: counted.text_bytes,
            games: counts.games(),
            rejected: counts.rejected,
            facts: *facts,
        };
        if row.text_bytes > 0 {
            self.0.add(archive, &row);
        }
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(&archives::SCHEMA);
        for (name, row) in self.0.of() {
            let ArchiveRow { text_bytes, games, rejected, facts } = row;
            let ArchiveFacts { measured, draws, mates, rated, first_date, last_date } = facts;
            let sums =
                [text_bytes, games, rejected, measured, draws, mates, rated, first_date, last_date];
            grid.push(&[&name], &sums);
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::TagIndex;

    #[test]
    fn dates_are_numbers_in_their_order() {
        for (text, expected) in [
            ("[Date \"2021.12.31\"]", Some(20_211_231)),
            ("[Date \"2021.12.??\"]", Some(20_211_200)),
            ("[Date \"2021.??.??\"]", Some(20_210_000)),
            ("[Date \"????.??.??\"]\n[UTCDate \"1999.1.2\"]", Some(19_990_102)),
            ("[Date \"2021.02.31\"]", Some(20_210_231)),
            ("[Date \"?\"]", None),
        ] {
            let index = TagIndex::of(text.as_bytes(), 0..text.len());
            assert_eq!(date_of(index.values(text.as_bytes())), expected, "{text}");
        }
        assert_eq!([least(0, 7), least(7, 0), least(3, 7), least(0, 0)], [7, 7, 3, 0]);
    }
}
