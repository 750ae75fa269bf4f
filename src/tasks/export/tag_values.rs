//! The tag pairs of a game that have a column, and the values that are numbers, dates and times.
//!
//! In: the text of a game's tag pairs. Out: the spans of values by [`TagColumn`]; numbers, or why there is none.
//! Invariants: of several pairs with one name the last counts, as for the seven tag roster; any bytes have a result.
//! Cost: the tag section once.

use std::borrow::Cow;
use std::ops::Range;

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

/// A value of a tag pair that is to be a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read<T> {
    /// It is one.
    Value(T),
    /// It is unknown, and the value is one of those that mean so: empty, `-`, or with question marks only in the place
    /// of digits (PGN standard 8.1.1).
    Unknown,
    /// It is none.
    Unreadable,
}

impl<T> Read<T> {
    /// The number, if there is one.
    pub(super) fn value(self) -> Option<T> {
        match self {
            Read::Value(value) => Some(value),
            Read::Unknown | Read::Unreadable => None,
        }
    }
}

/// Is it empty, `-`, or question marks?
fn is_unknown(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte == b'?') || text == b"-"
}

/// Reads a rating, or a difference of ratings with its sign.
pub(super) fn rating(text: &[u8]) -> Read<i16> {
    let text = text.trim_ascii();
    if is_unknown(text) {
        return Read::Unknown;
    }
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    match number(digits).map(|number| i16::try_from(sign * i64::from(number))) {
        Some(Ok(rating)) => Read::Value(rating),
        _ => Read::Unreadable,
    }
}

/// One to nine digits.
fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

/// Reads `YYYY.MM.DD`, also with hyphens or slashes, as days since 1970-01-01 in the Gregorian calendar.
pub(super) fn date(text: &[u8]) -> Read<i32> {
    let text = text.trim_ascii();
    let mut fields = text.split(|byte| matches!(byte, b'.' | b'-' | b'/'));
    let fields: [Option<&[u8]>; 4] = std::array::from_fn(|_| fields.next());
    let unknown = |field: &&[u8]| field.contains(&b'?');
    if is_unknown(text) || fields.iter().flatten().any(unknown) {
        let is_date = |field: &&[u8]| field.iter().all(|byte| b"?0123456789".contains(byte));
        let all = fields.iter().flatten().all(is_date) || is_unknown(text);
        return if all { Read::Unknown } else { Read::Unreadable };
    }
    let [Some(year), Some(month), Some(day), None] = fields else { return Read::Unreadable };
    let days = match (year.len(), number(year), number(month), number(day)) {
        // The calendar has no year 0, and neither have Python's dates.
        (4, Some(year @ 1..), Some(month), Some(day)) => days_since_1970(year, month, day),
        _ => None,
    };
    days.map_or(Read::Unreadable, Read::Value)
}

/// The days from 1970-01-01 to a date of the Gregorian calendar, if there is such a date.
fn days_since_1970(year: u32, month: u32, day: u32) -> Option<i32> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    // Years begin with March, so that the day of a leap year is their last.
    let (year, month) = (i64::from(year) - i64::from(month < 3), i64::from((month + 9) % 12));
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    i32::try_from(days).ok()
}

/// Year and month of a day since 1970-01-01.
pub(super) fn year_and_month(days: i32) -> (i32, i32) {
    let (year, month, _) = civil(days.into());
    (year as i32, month as i32)
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar.
pub(super) fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Years begin with March.
    let month = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + i64::from(month < 3), month, day)
}

/// Reads `HH:MM:SS`, as seconds since midnight.
pub(super) fn time(text: &[u8]) -> Read<i32> {
    let text = text.trim_ascii();
    if text.iter().all(|byte| b"?:".contains(byte)) || text == b"-" {
        return Read::Unknown;
    }
    let &[h1, h2, b':', m1, m2, b':', s1, s2] = text else { return Read::Unreadable };
    match [[h1, h2], [m1, m2], [s1, s2]].map(|field| number(&field)) {
        [Some(hours @ 0..24), Some(minutes @ 0..60), Some(seconds @ 0..60)] => {
            Read::Value((hours * 3600 + minutes * 60 + seconds) as i32)
        }
        _ => Read::Unreadable,
    }
}

/// Reads `base+increment`, in seconds; `None` for every other time control (PGN standard 9.6.1 has six forms).
pub(super) fn time_control(text: &[u8]) -> Option<(i32, i32)> {
    let text = text.trim_ascii();
    let plus = text.iter().position(|&byte| byte == b'+')?;
    let (base, increment) = (number(&text[..plus])?, number(&text[plus + 1..])?);
    Some((base as i32, increment as i32))
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
    fn ratings_are_numbers_of_16_bits() {
        for (text, expected) in [
            ("2400", Read::Value(2400)),
            (" 0900 ", Read::Value(900)),
            ("+12", Read::Value(12)),
            ("-7", Read::Value(-7)),
            ("0", Read::Value(0)),
            ("32767", Read::Value(32767)),
            ("?", Read::Unknown),
            ("-", Read::Unknown),
            ("", Read::Unknown),
            ("2400?", Read::Unreadable),
            ("32768", Read::Unreadable),
            ("99999999999999999999", Read::Unreadable),
            ("2 400", Read::Unreadable),
            ("+", Read::Unreadable),
            ("--3", Read::Unreadable),
            ("２４００", Read::Unreadable),
        ] {
            assert_eq!(rating(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (text, expected) in [
            ("1970.01.01", Read::Value(0)),
            ("1969.12.31", Read::Value(-1)),
            ("2000.02.29", Read::Value(11_016)),
            ("2024-02-29", Read::Value(19_782)),
            ("2100.02.28", Read::Value(47_540)),
            ("2100.03.01", Read::Value(47_541)),
            ("0001.01.01", Read::Value(-719_162)),
            ("0000.01.01", Read::Unreadable),
            ("2100.02.29", Read::Unreadable),
            ("2024.13.99", Read::Unreadable),
            ("2024.00.10", Read::Unreadable),
            ("2024.01", Read::Unreadable),
            ("24.01.02", Read::Unreadable),
            ("2024.01.02.03", Read::Unreadable),
            ("01/02/2024", Read::Unreadable),
            ("2024.??.??", Read::Unknown),
            ("????.??.??", Read::Unknown),
            ("", Read::Unknown),
            ("May 2024?", Read::Unreadable),
        ] {
            assert_eq!(date(text.as_bytes()), expected, "{text}");
        }
    }

    /// Days follow each other over four centuries.
    #[test]
    fn days_are_consecutive() {
        let mut expected = days_since_1970(1600, 1, 1).unwrap();
        for year in 1600..2001 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(days) = days_since_1970(year, month, day) {
                        assert_eq!(days, expected);
                        assert_eq!(civil(days.into()), (year.into(), month.into(), day.into()));
                        expected += 1;
                    }
                }
            }
        }
        assert_eq!(expected, days_since_1970(2001, 1, 1).unwrap());
    }

    #[test]
    fn times_and_time_controls() {
        assert_eq!(time(b"23:59:59"), Read::Value(86_399));
        assert_eq!(time(b"??:??:??"), Read::Unknown);
        for text in ["24:00:00", "1:02:03", "12:34", "12:34:56.7", "12:34:60", "noon"] {
            assert_eq!(time(text.as_bytes()), Read::Unreadable, "{text}");
        }
        assert_eq!(time_control(b"180+2"), Some((180, 2)));
        for text in
            ["-", "?", "600", "40/7200:3600", "1/86400", "*60", "180+", "+2", "9999999999+1"]
        {
            assert_eq!(time_control(text.as_bytes()), None, "{text}");
        }
    }

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
