//! The groups of a game: one small number for each dimension.
//!
//! Input: a game that was read; output: codes, which have names in the tables. Invariants: every value has a group,
//! `unknown` if the fact is missing; there are never more than some thousand groups, whatever archives contain. Cost:
//! one call per dimension that is requested.
//!
//! ```
//! use pgnmill_core::facts::ReadGame;
//! use pgnmill_core::pgn::TagIndex;
//! use pgnmill_core::tasks::measure::tally::{Dimension, Dimensions, Labels};
//! let text = b"[TimeControl \"180+2\"]";
//! let index = TagIndex::of(text, 0..text.len());
//! let game = ReadGame { tags: index.values(text), archive: "", text_bytes: 0, played: None };
//! let labels = Labels::of(&game, Dimensions::ALL);
//! assert_eq!(labels.name(Dimension::Speed), "blitz");
//! assert_eq!(labels.name(Dimension::Eco), "unknown");
//! ```

use crate::facts::ReadGame;
use crate::pgn::Outcome;
use crate::tables::groups::{UNKNOWN, UNKNOWN_CODE, name_of};
use crate::tables::{Dimension, Dimensions};

use super::random_group::random_groups;

/// The dimensions of games whose groups have codes, in the order of their codes.
pub(super) const GAME_KEYS: [Dimension; count()] = {
    let (mut keys, mut count, mut at) = ([Dimension::Source; count()], 0, 0);
    while at < Dimension::ALL.len() {
        if Dimension::ALL[at].is_coded() {
            keys[count] = Dimension::ALL[at];
            count += 1;
        }
        at += 1;
    }
    keys
};

const fn count() -> usize {
    let (mut count, mut at) = (0, 0);
    while at < Dimension::ALL.len() {
        count += Dimension::ALL[at].is_coded() as usize;
        at += 1;
    }
    count
}

/// The groups of one game, by dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    codes: [u32; GAME_KEYS.len()],
    /// The characters of the result token.
    pub(super) result_characters: u8,
    /// The random groups of its event and its players, if they are requested.
    pub(super) clusters: [u8; 3],
}

impl Default for Labels {
    fn default() -> Labels {
        Labels { codes: [UNKNOWN_CODE; GAME_KEYS.len()], result_characters: 1, clusters: [0; 3] }
    }
}

impl Labels {
    /// The groups of a game in the requested dimensions; in others it is unknown.
    pub fn of(game: &ReadGame<'_>, keys: Dimensions) -> Labels {
        // The export format has an asterisk where no result is known.
        let outcome = game.played.as_ref().map_or(Outcome::Unknown, |played| played.outcome);
        let result_characters = outcome.canonical().len() as u8;
        let mut labels = Labels { result_characters, ..Labels::default() };
        for (code, key) in labels.codes.iter_mut().zip(GAME_KEYS) {
            if keys.has(key)
                && let Some(groups) = key.groups()
            {
                *code = (groups.code)(game).unwrap_or(UNKNOWN_CODE);
            }
        }
        labels
    }

    /// These labels with the random groups of the event and the players.
    #[must_use]
    pub fn with_clusters(self, game: &ReadGame<'_>) -> Labels {
        Labels { clusters: random_groups(game.tags), ..self }
    }

    pub(super) fn code(&self, place: usize) -> u32 {
        self.codes[place]
    }

    /// The name of the game's group in a dimension of games.
    pub fn name(&self, key: Dimension) -> String {
        let place = GAME_KEYS.iter().position(|&other| other == key);
        place.map_or_else(|| UNKNOWN.to_string(), |place| name_of(key, self.codes[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::TagIndex;

    /// The group of a game with these tag pairs.
    fn name(key: Dimension, pairs: &[(&str, &str)]) -> String {
        let pairs = pairs.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        let text = pairs.collect::<String>().into_bytes();
        let index = TagIndex::of(&text, 0..text.len());
        let tags = index.values(&text);
        let game = ReadGame { tags, archive: "", text_bytes: text.len(), played: None };
        Labels::of(&game, Dimensions::ALL).name(key)
    }

    #[test]
    fn speeds_are_those_of_lichess() {
        let cases = [
            ("15+0", "ultrabullet"),
            ("29+0", "ultrabullet"),
            ("30+0", "bullet"),
            ("60+0", "bullet"),
            ("120+1", "bullet"),
            ("179+0", "bullet"),
            ("180+0", "blitz"),
            ("300", "blitz"),
            ("300+4", "blitz"),
            ("300+5", "rapid"),
            ("600+0", "rapid"),
            ("1500+0", "classical"),
            ("900+15", "classical"),
            ("-", "correspondence"),
            ("1/86400", "correspondence"),
            ("10+0.1", "ultrabullet"),
            ("40/5400+30:1800+30", "classical"),
            ("?", "unknown"),
            ("*180", "unknown"),
            ("", "unknown"),
        ];
        for (control, expected) in cases {
            assert_eq!(name(Dimension::Speed, &[("TimeControl", control)]), expected, "{control}");
        }
    }

    #[test]
    fn values_out_of_range_are_unknown() {
        for (date, year, month) in [
            ("1851.06.21", "1851", "1851-06"),
            ("1851.??.??", "1851", "unknown"),
            ("????.??.??", "unknown", "unknown"),
            ("9999.01.01", "unknown", "unknown"),
            ("2020.13.01", "2020", "unknown"),
        ] {
            assert_eq!(name(Dimension::Year, &[("Date", date)]), year, "{date}");
            assert_eq!(name(Dimension::Month, &[("Date", date)]), month, "{date}");
        }
        let dates = [("Date", "????.??.??"), ("UTCDate", "2013.01.31")];
        assert_eq!(name(Dimension::Month, &dates), "2013-01");
        for (code, expected) in [
            ("B07", "B07"),
            ("E99a", "E99"),
            ("A00/01", "A00"),
            ("F00", "unknown"),
            ("B7", "unknown"),
            ("B077", "unknown"),
            ("?", "unknown"),
        ] {
            assert_eq!(name(Dimension::Eco, &[("ECO", code)]), expected);
            let letter = if expected == "unknown" { expected } else { &expected[..1] };
            assert_eq!(name(Dimension::EcoLetter, &[("ECO", code)]), letter);
        }
    }

    #[test]
    fn ratings_fall_into_bands() {
        let rated = |key, white, black| name(key, &[("WhiteElo", white), ("BlackElo", black)]);
        assert_eq!(rated(Dimension::Rating, "1500", "1700"), "1600-1799");
        assert_eq!(rated(Dimension::Rating, "1500", "1699"), "1400-1599");
        assert_eq!(rated(Dimension::RatingDifference, "1500", "1700"), "200-299");
        assert_eq!(rated(Dimension::RatingDifference, "3000", "700"), "1000+");
        assert_eq!(rated(Dimension::Rating, "1500", "?"), "unknown");
        assert_eq!(rated(Dimension::Rating, "1500", "0"), "unknown");
    }

    #[test]
    fn titles_have_groups() {
        let titled =
            |white, black| name(Dimension::Title, &[("WhiteTitle", white), ("BlackTitle", black)]);
        assert_eq!(titled("GM", "WFM"), "both");
        assert_eq!(titled("-", "?"), "none");
        assert_eq!(titled("GM", "BOT"), "bot");
        assert_eq!(name(Dimension::Title, &[("WhiteTitle", "GM")]), "one");
        assert_eq!(name(Dimension::Result, &[]), "unknown");
    }
}
