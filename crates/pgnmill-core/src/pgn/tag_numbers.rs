//! Values of tag pairs that are numbers, dates and times of day.
//!
//! In: the bytes of a value. Out: a number, or why there is none. Invariant: any bytes have a result, and the same one
//! for the columns of an export, the groups of a measurement and the fields of a selection. Cost: the bytes once;
//! nothing is allocated.

use std::ops::RangeInclusive;

/// A value of a tag pair that is to be a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read<T> {
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
    pub fn value(self) -> Option<T> {
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
pub fn rating(text: &[u8]) -> Read<i16> {
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
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

/// Reads `YYYY.MM.DD`, also with hyphens or slashes, as days since 1970-01-01 in the Gregorian calendar.
pub fn date(text: &[u8]) -> Read<i32> {
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

/// The first and the last day that a date can be, as days since 1970-01-01: `2024.05.??` and `2024.05` are a day of
/// May, `2024.??.??`, `2024.??.07` and `2024` a day of the year; a day or a month that the calendar does not have is
/// unknown: `2023.02.29` is a day of February. `None` if its year is not known or it is no date.
pub(crate) fn date_interval(text: &[u8]) -> Option<(i32, i32)> {
    if let Read::Value(day) = date(text) {
        return Some((day, day));
    }
    let mut fields = text.trim_ascii().split(|byte| matches!(byte, b'.' | b'-' | b'/'));
    let [year, month, day, None] = std::array::from_fn(|_| fields.next()) else { return None };
    let (year, month, day) = (year?, month.unwrap_or(b"??"), day.unwrap_or(b"??"));
    let is_unknown = |field: &[u8]| {
        field.contains(&b'?') && field.iter().all(|byte| b"?0123456789".contains(byte))
    };
    let year = number(year).filter(|_| year.len() == 4 && year != b"0000")?;
    if !(is_unknown(month) || number(month).is_some())
        || !(is_unknown(day) || number(day).is_some())
    {
        return None;
    }
    match number(month).filter(|month| (1..=12).contains(month)) {
        Some(month) => {
            let last = (28..=31).rev().find_map(|day| days_since_1970(year, month, day))?;
            Some((days_since_1970(year, month, 1)?, last))
        }
        None => Some((days_since_1970(year, 1, 1)?, days_since_1970(year, 12, 31)?)),
    }
}

/// Games of other years are not known: what is written there is another number.
pub(crate) const YEARS: RangeInclusive<u32> = 1400..=2100;

/// The year of the first of several dates whose year is known, one of `YEARS`, and its month if that is known.
pub fn year_and_month<'t>(
    dates: impl IntoIterator<Item = Option<&'t [u8]>>,
) -> Option<(i32, Option<i32>)> {
    let (from, to) =
        (days_since_1970(*YEARS.start(), 1, 1)?, days_since_1970(*YEARS.end(), 12, 31)?);
    let is_known = |(first, last): &(i32, i32)| from <= *first && *last <= to;
    let mut intervals = dates.into_iter().flatten().filter_map(date_interval);
    let (first, last) = intervals.find(is_known)?;
    let [(year, month, _), (_, end, _)] = [first, last].map(|days| civil(days.into()));
    Some((year as i32, (month == end).then_some(month as i32)))
}

/// The days from 1970-01-01 to a date of the Gregorian calendar, if there is such a date.
pub(crate) fn days_since_1970(year: u32, month: u32, day: u32) -> Option<i32> {
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

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar.
pub fn civil(days: i64) -> (i64, i64, i64) {
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
pub fn time(text: &[u8]) -> Read<i32> {
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

/// Seconds, perhaps with decimals, in thousandths.
pub(super) fn milliseconds(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    let point = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let whole = u64::from(number(text[..point].trim_ascii())?);
    let mut thousandths = 0;
    let decimals = text.get(point + 1..).unwrap_or_default();
    for place in 0..decimals.len().max(3) {
        let digit = decimals.get(place).copied().unwrap_or(b'0');
        if !digit.is_ascii_digit() {
            return None;
        }
        if place < 3 {
            thousandths = thousandths * 10 + u64::from(digit - b'0');
        }
    }
    Some(whole * 1000 + thousandths)
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
    fn times_of_day() {
        assert_eq!(time(b"23:59:59"), Read::Value(86_399));
        assert_eq!(time(b"??:??:??"), Read::Unknown);
        for text in ["24:00:00", "1:02:03", "12:34", "12:34:56.7", "12:34:60", "noon"] {
            assert_eq!(time(text.as_bytes()), Read::Unreadable, "{text}");
        }
    }

    #[test]
    fn years_are_known_from_the_first_to_the_last_of_them() {
        for (date, expected) in [
            ("1399.12.31", None),
            ("1400.01.01", Some((1400, Some(1)))),
            ("1400.??.??", Some((1400, None))),
            ("2100.12.31", Some((2100, Some(12)))),
            ("2100.??.??", Some((2100, None))),
            ("2101.01.01", None),
        ] {
            assert_eq!(year_and_month([Some(date.as_bytes())]), expected, "{date}");
            let second = [date, "2024.05.??"].map(|date| Some(date.as_bytes()));
            let expected = expected.or(Some((2024, Some(5))));
            assert_eq!(year_and_month(second), expected, "{date}");
        }
    }

    #[test]
    fn dates_that_are_not_complete_are_intervals() {
        let days = |year, month, day| days_since_1970(year, month, day).unwrap();
        for (text, expected) in [
            ("2024.05.07", Some((days(2024, 5, 7), days(2024, 5, 7)))),
            ("2024.02.??", Some((days(2024, 2, 1), days(2024, 2, 29)))),
            ("2024.??.??", Some((days(2024, 1, 1), days(2024, 12, 31)))),
            ("2024.??.07", Some((days(2024, 1, 1), days(2024, 12, 31)))),
            ("2024.13.??", Some((days(2024, 1, 1), days(2024, 12, 31)))),
            ("2024.??.99", Some((days(2024, 1, 1), days(2024, 12, 31)))),
            ("2023.02.29", Some((days(2023, 2, 1), days(2023, 2, 28)))),
            ("2023.02.x", None),
            ("????.05.07", None),
            ("202?.05.07", None),
            ("0000.??.??", None),
            ("2024.05", Some((days(2024, 5, 1), days(2024, 5, 31)))),
            ("2024", Some((days(2024, 1, 1), days(2024, 12, 31)))),
            ("2024.", None),
            ("24.05.07", None),
            ("?", None),
        ] {
            assert_eq!(date_interval(text.as_bytes()), expected, "{text}");
        }
    }
}
