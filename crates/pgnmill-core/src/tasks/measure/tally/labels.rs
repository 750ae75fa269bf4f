//! The groups of a game, from its tag pairs and its opening: one small number for each dimension.
//!
//! Input: values of tag pairs, as they are in the archive, and the opening; output: codes, which have names in the
//! tables. Invariants: every value has a group, `unknown` if it cannot be read; there are never more than some
//! thousand groups, whatever archives contain, because values out of range are unknown. Cost: the values are read once
//! per game, and only for dimensions that are requested.
//!
//! ```
//! use pgnmill_core::tasks::measure::tally::{GameTags, Dimension, Dimensions, Labels};
//! let tags = GameTags { time_control: Some(b"180+2"), ..GameTags::default() };
//! let labels = Labels::of(&tags, Dimensions::ALL);
//! assert_eq!(labels.name(Dimension::Speed), "blitz");
//! assert_eq!(labels.name(Dimension::Eco), "unknown");
//! ```

use crate::chess::rules::RulesKind;
use crate::openings::Opening;
use crate::pgn::tag_numbers::{self, speed};
use crate::tables::groups::{
    DIFFERENCE_BAND, DIFFERENCE_MAX, RATING_BAND, RATINGS, RESULTS, UNKNOWN, UNKNOWN_CODE, YEARS,
    name_of,
};
use crate::tables::{Dimension, Dimensions};

// The groups are those of the years that tag pairs give.
const _: () = assert!(
    *YEARS.start() == *tag_numbers::YEARS.start() && *YEARS.end() == *tag_numbers::YEARS.end()
);

/// The dimensions of games, in the order of their codes.
pub(super) const GAME_KEYS: [Dimension; 12] = [
    Dimension::Rating,
    Dimension::RatingDifference,
    Dimension::Speed,
    Dimension::Year,
    Dimension::Month,
    Dimension::EcoLetter,
    Dimension::Eco,
    Dimension::Result,
    Dimension::Title,
    Dimension::EcoComputed,
    Dimension::OpeningName,
    Dimension::Rules,
];

/// What gives the groups of a game: tag pairs as they are written, the result in its canonical form, the opening.
#[derive(Clone, Copy, Default, Debug)]
pub struct GameTags<'t> {
    /// `WhiteElo` and `BlackElo`.
    pub ratings: [Option<&'t [u8]>; 2],
    /// `WhiteTitle` and `BlackTitle`.
    pub titles: [Option<&'t [u8]>; 2],
    /// `TimeControl`.
    pub time_control: Option<&'t [u8]>,
    /// `Date`.
    pub date: Option<&'t [u8]>,
    /// `UTCDate`, which is used where the year of `Date` is unknown.
    pub utc_date: Option<&'t [u8]>,
    /// `ECO`.
    pub eco: Option<&'t [u8]>,
    /// The result, in its canonical form.
    pub result: Option<&'static str>,
    /// The opening that the moves reach.
    pub opening: Option<&'static Opening>,
    /// The ruleset.
    pub rules: RulesKind,
}

/// The groups of one game, by dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    codes: [u32; GAME_KEYS.len()],
    /// The characters of the result token.
    pub(super) result_characters: u8,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels { codes: [UNKNOWN_CODE; GAME_KEYS.len()], result_characters: 1 }
    }
}

impl Labels {
    /// The groups of a game in the requested dimensions; in others it is unknown.
    pub fn of(tags: &GameTags<'_>, keys: Dimensions) -> Labels {
        // The export format has an asterisk where no result is known.
        let result_characters = tags.result.map_or(1, |result| result.len() as u8);
        let mut labels = Labels { result_characters, ..Labels::default() };
        for (code, key) in labels.codes.iter_mut().zip(GAME_KEYS) {
            if keys.has(key) {
                *code = code_of(key, tags).unwrap_or(UNKNOWN_CODE);
            }
        }
        labels
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

fn code_of(key: Dimension, tags: &GameTags<'_>) -> Option<u32> {
    match key {
        Dimension::Rating => {
            let [white, black] = ratings(tags)?;
            Some((white + black) / 2 / RATING_BAND * RATING_BAND)
        }
        Dimension::RatingDifference => {
            let [white, black] = ratings(tags)?;
            Some((white.abs_diff(black) / DIFFERENCE_BAND * DIFFERENCE_BAND).min(DIFFERENCE_MAX))
        }
        Dimension::Speed => speed(tags.time_control?),
        Dimension::Year => date(tags).map(|(year, _)| year),
        Dimension::Month => {
            let (year, month) = date(tags)?;
            Some(year * 100 + month?)
        }
        Dimension::EcoLetter => eco(tags.eco?).map(|code| code / 100),
        Dimension::Eco => eco(tags.eco?),
        Dimension::Result => {
            let result = tags.result?;
            RESULTS.iter().position(|&other| other == result).map(|place| place as u32)
        }
        Dimension::Title => Some(title(tags)),
        Dimension::EcoComputed => eco(tags.opening?.eco.as_bytes()),
        Dimension::OpeningName => Some(tags.opening?.name_index),
        Dimension::Rules => Some(tags.rules.index() as u32),
        _ => None,
    }
}

fn ratings(tags: &GameTags<'_>) -> Option<[u32; 2]> {
    let rating = |text: Option<&[u8]>| {
        let rating = u32::try_from(tag_numbers::rating(text?).value()?).ok();
        rating.filter(|rating| RATINGS.contains(rating))
    };
    Some([rating(tags.ratings[0])?, rating(tags.ratings[1])?])
}

/// Year and month of the first of the two dates whose year is known.
fn date(tags: &GameTags<'_>) -> Option<(u32, Option<u32>)> {
    let (year, month) = tag_numbers::year_and_month([tags.date, tags.utc_date])?;
    Some((u32::try_from(year).ok()?, month.and_then(|month| u32::try_from(month).ok())))
}

/// A letter and two digits, and nothing after them but a subdivision: `B07`, `B07a`, `B07/02`.
fn eco(text: &[u8]) -> Option<u32> {
    match *text.trim_ascii() {
        [letter @ b'A'..=b'E', ten @ b'0'..=b'9', one @ b'0'..=b'9', ref rest @ ..]
            if matches!(rest.first(), None | Some(b'a'..=b'z' | b'/')) =>
        {
            let [letter, ten, one] = [letter - b'A', ten - b'0', one - b'0'].map(u32::from);
            Some(letter * 100 + ten * 10 + one)
        }
        _ => None,
    }
}

fn title(tags: &GameTags<'_>) -> u32 {
    let titles = tags.titles.map(|title| title.unwrap_or_default().trim_ascii());
    if titles.contains(&b"BOT".as_slice()) {
        return 3;
    }
    let untitled = titles.iter().filter(|title| matches!(**title, b"" | b"-" | b"?")).count();
    untitled as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(key: Dimension, tags: &GameTags<'_>) -> String {
        Labels::of(tags, Dimensions::ALL).name(key)
    }

    #[test]
    fn speeds_are_those_of_lichess() {
        let speed = |control: &[u8]| {
            let tags = GameTags { time_control: Some(control), ..GameTags::default() };
            name(Dimension::Speed, &tags)
        };
        let cases: [(&[u8], &str); 20] = [
            (b"15+0", "ultrabullet"),
            (b"29+0", "ultrabullet"),
            (b"30+0", "bullet"),
            (b"60+0", "bullet"),
            (b"120+1", "bullet"),
            (b"179+0", "bullet"),
            (b"180+0", "blitz"),
            (b"300", "blitz"),
            (b"300+4", "blitz"),
            (b"300+5", "rapid"),
            (b"600+0", "rapid"),
            (b"1500+0", "classical"),
            (b"900+15", "classical"),
            (b"-", "correspondence"),
            (b"1/86400", "correspondence"),
            (b"10+0.1", "ultrabullet"),
            (b"40/5400+30:1800+30", "classical"),
            (b"?", "unknown"),
            (b"*180", "unknown"),
            (b"", "unknown"),
        ];
        for (control, expected) in cases {
            assert_eq!(speed(control), expected, "{}", String::from_utf8_lossy(control));
        }
    }

    #[test]
    fn values_out_of_range_are_unknown() {
        let dated = |date: &'static [u8]| GameTags { date: Some(date), ..GameTags::default() };
        assert_eq!(name(Dimension::Year, &dated(b"1851.06.21")), "1851");
        assert_eq!(name(Dimension::Month, &dated(b"1851.06.21")), "1851-06");
        assert_eq!(name(Dimension::Month, &dated(b"1851.??.??")), "unknown");
        assert_eq!(name(Dimension::Year, &dated(b"1851.??.??")), "1851");
        assert_eq!(name(Dimension::Year, &dated(b"????.??.??")), "unknown");
        assert_eq!(name(Dimension::Year, &dated(b"9999.01.01")), "unknown");
        assert_eq!(name(Dimension::Month, &dated(b"2020.13.01")), "unknown");
        let utc = GameTags { utc_date: Some(b"2013.01.31"), ..dated(b"????.??.??") };
        assert_eq!(name(Dimension::Month, &utc), "2013-01");
        let eco = |eco: &'static [u8]| GameTags { eco: Some(eco), ..GameTags::default() };
        for (code, expected) in [
            (b"B07".as_slice(), "B07"),
            (b"E99a", "E99"),
            (b"A00/01", "A00"),
            (b"F00", "unknown"),
            (b"B7", "unknown"),
            (b"B077", "unknown"),
            (b"?", "unknown"),
        ] {
            assert_eq!(name(Dimension::Eco, &eco(code)), expected);
            assert_eq!(
                name(Dimension::EcoLetter, &eco(code)),
                expected
                    .get(..1)
                    .map_or("", |first| { if first == "u" { "unknown" } else { first } })
            );
        }
    }

    #[test]
    fn ratings_fall_into_bands() {
        let rated = |white: &'static [u8], black: &'static [u8]| GameTags {
            ratings: [Some(white), Some(black)],
            ..GameTags::default()
        };
        assert_eq!(name(Dimension::Rating, &rated(b"1500", b"1700")), "1600-1799");
        assert_eq!(name(Dimension::Rating, &rated(b"1500", b"1699")), "1400-1599");
        assert_eq!(name(Dimension::RatingDifference, &rated(b"1500", b"1700")), "200-299");
        assert_eq!(name(Dimension::RatingDifference, &rated(b"3000", b"700")), "1000+");
        assert_eq!(name(Dimension::Rating, &rated(b"1500", b"?")), "unknown");
        assert_eq!(name(Dimension::Rating, &rated(b"1500", b"0")), "unknown");
    }

    #[test]
    fn titles_and_results_have_groups() {
        let titled = |white: Option<&'static [u8]>, black: Option<&'static [u8]>| {
            name(Dimension::Title, &GameTags { titles: [white, black], ..GameTags::default() })
        };
        assert_eq!(titled(Some(b"GM"), Some(b"WFM")), "both");
        assert_eq!(titled(Some(b"GM"), None), "one");
        assert_eq!(titled(Some(b"-"), None), "none");
        assert_eq!(titled(Some(b"GM"), Some(b"BOT")), "bot");
        let drawn = GameTags { result: Some("1/2-1/2"), ..GameTags::default() };
        assert_eq!(name(Dimension::Result, &drawn), "1/2-1/2");
        assert_eq!(name(Dimension::Result, &GameTags::default()), "unknown");
    }
}
