//! The tag pairs of a game that have a column, and the values that are numbers, dates and times.
//!
//! In: the text of a game's tag pairs. Out: the spans of values by [`TagColumn`]; numbers, or why there is none.
//! Invariants: of several pairs with one name the last counts, as for the seven tag roster; any bytes have a result.
//! Cost: the tag section once.

use std::borrow::Cow;
use std::ops::Range;

pub(super) use crate::pgn::tag_numbers::{Read, civil, date, rating, time, time_control};
use crate::pgn::{TagPairs, tag_value};

/// The tag pairs that have a column of their own in the table of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagColumn {
    Event,
    Site,
    White,
    Black,
    Result,
    WhiteTitle,
    BlackTitle,
    WhiteElo,
    BlackElo,
    WhiteRatingDiff,
    BlackRatingDiff,
    UtcDate,
    UtcTime,
    Eco,
    Opening,
    Termination,
    TimeControl,
    Date,
    Round,
    Variant,
    Fen,
    /// It has no column of its own; the identifier of a game is read from it.
    Link,
}

/// How many there are.
const TAG_COLUMNS: usize = TagColumn::Link as usize + 1;

impl TagColumn {
    fn of(name: &[u8]) -> Option<TagColumn> {
        Some(match name {
            b"Event" => TagColumn::Event,
            b"Site" => TagColumn::Site,
            b"White" => TagColumn::White,
            b"Black" => TagColumn::Black,
            b"Result" => TagColumn::Result,
            b"WhiteTitle" => TagColumn::WhiteTitle,
            b"BlackTitle" => TagColumn::BlackTitle,
            b"WhiteElo" => TagColumn::WhiteElo,
            b"BlackElo" => TagColumn::BlackElo,
            b"WhiteRatingDiff" => TagColumn::WhiteRatingDiff,
            b"BlackRatingDiff" => TagColumn::BlackRatingDiff,
            b"UTCDate" => TagColumn::UtcDate,
            b"UTCTime" => TagColumn::UtcTime,
            b"ECO" => TagColumn::Eco,
            b"Opening" => TagColumn::Opening,
            b"Termination" => TagColumn::Termination,
            b"TimeControl" => TagColumn::TimeControl,
            b"Date" => TagColumn::Date,
            b"Round" => TagColumn::Round,
            b"Variant" => TagColumn::Variant,
            b"FEN" => TagColumn::Fen,
            b"Link" => TagColumn::Link,
            _ => return None,
        })
    }
}

/// The spans of a game's tag values.
#[derive(Debug, Default)]
pub(super) struct TagValues {
    values: [Option<Range<usize>>; TAG_COLUMNS],
    /// Names and values of all other pairs, if they are requested.
    others: Vec<(Range<usize>, Range<usize>)>,
}

impl TagValues {
    /// Reads the tag pairs in `section` of the text. `others`: also those without a column.
    pub(super) fn read(&mut self, text: &[u8], section: Range<usize>, others: bool) {
        self.values = Default::default();
        self.others.clear();
        for pair in TagPairs::new(text, section) {
            let column = TagColumn::of(&text[pair.name.clone()]);
            if others && column.is_none_or(|column| column == TagColumn::Link) {
                self.others.push((pair.name, pair.value.clone()));
            }
            if let Some(column) = column {
                self.values[column as usize] = Some(pair.value);
            }
        }
        if others {
            self.keep_last_of_each(text);
        }
    }

    /// Keeps of each name the last value, so that the names of a map are different.
    fn keep_last_of_each(&mut self, text: &[u8]) {
        // Sorted by name, and by position where the names are the same: linear searches would be quadratic.
        let name = |pair: &(Range<usize>, Range<usize>)| pair.0.clone();
        self.others.sort_by(|one, other| {
            (&text[name(one)], other.0.start).cmp(&(&text[name(other)], one.0.start))
        });
        self.others.dedup_by(|later, kept| text[name(later)] == text[name(kept)]);
        self.others.sort_by_key(|pair| pair.0.start);
    }

    /// The span of a value.
    pub(super) fn span(&self, column: TagColumn) -> Option<Range<usize>> {
        self.values[column as usize].clone()
    }

    /// A value without escapes, in UTF-8.
    pub(super) fn get<'t>(&self, text: &'t [u8], column: TagColumn) -> Option<Cow<'t, str>> {
        self.span(column).map(|span| tag_value(&text[span]))
    }

    /// Names and values of the pairs without a column, in the order of the text.
    pub(super) fn others<'t>(
        &self,
        text: &'t [u8],
    ) -> impl Iterator<Item = (Cow<'t, str>, Cow<'t, str>)> {
        let pair = |(name, value): &(Range<usize>, Range<usize>)| {
            (crate::pgn::decode(&text[name.clone()]), tag_value(&text[value.clone()]))
        };
        self.others.iter().map(pair)
    }
}

/// The identifier of a game in a URL: the last segment of the path of one of lichess.org, the number of one of
/// chess.com.
pub(super) fn game_id(url: &str) -> Option<&str> {
    let url = url.trim();
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let path_end = address.find(['?', '#']).unwrap_or(address.len());
    let mut segments = address[..path_end].trim_end_matches('/').split('/');
    let host = segments.next()?.to_ascii_lowercase();
    let is_of = |site: &str| {
        host == site || host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'))
    };
    // A game from the side of a player: `lichess.org/ID/black`.
    let last =
        segments.rfind(|segment| !segment.is_empty() && !["white", "black"].contains(segment))?;
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
    (is_of("lichess.org") || is_of("chess.com") && is_number).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_games() {
        for (url, expected) in [
            ("https://lichess.org/abcdEFGH", Some("abcdEFGH")),
            ("lichess.org/abcdEFGH/black#12", Some("abcdEFGH")),
            ("https://www.chess.com/game/live/12345?username=x", Some("12345")),
            ("https://www.chess.com/member/someone", None),
            ("Chess.com", None),
            ("https://lichess.org/", None),
            ("https://notlichess.org/abcdefgh", None),
            ("https://example.org/lichess.org/abc", None),
            ("Paris", None),
            ("", None),
        ] {
            assert_eq!(game_id(url), expected, "{url}");
        }
    }

    #[test]
    fn of_several_pairs_with_one_name_the_last_counts() {
        let text = b"[B \"1\"]\n[A \"2\"]\n; x\n[ECO \"B1\"]\n[B \"3\"]\n[ECO \"C\\\"2\"]\n";
        let mut tags = TagValues::default();
        tags.read(text, 0..text.len(), true);
        assert_eq!(tags.get(text, TagColumn::Eco).as_deref(), Some("C\"2"));
        let others: Vec<_> = tags.others(text).collect();
        assert_eq!(others, [("A".into(), "2".into()), ("B".into(), "3".into())]);
    }
}
