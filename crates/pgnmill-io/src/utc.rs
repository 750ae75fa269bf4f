//! Instants as messages show them: the date and the time of day in UTC.
//!
//! In: nanoseconds since 1970. Out: a text. Invariants: different instants have different texts; the texts of two
//! instants are in the order of the instants. Cost: some divisions.
//!
//! Source: the Gregorian calendar, whose leap years repeat after 400 years of 146,097 days; seconds as POSIX counts
//! them, without leap seconds.
//!
//! ```
//! use pgnmill_io::utc::utc;
//! assert_eq!(utc(1_700_000_000_000_000_007), "2023-11-14 22:13:20.000000007 UTC");
//! ```

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;
/// Seconds of a day.
const DAY: u64 = 86_400;
/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: u64 = 719_468;

/// The date and the time of an instant, which is given in nanoseconds since 1970-01-01.
pub fn utc(instant_ns: u64) -> String {
    let (seconds, nanos) = (instant_ns / SECOND, instant_ns % SECOND);
    let (year, month, day) = civil(seconds / DAY);
    let second = seconds % DAY;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanos:09} UTC")
}

/// Year, month and day of a day since 1970. Years begin with March, so that the day of a leap year is the last one.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_TO_1970;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    (era * 400 + year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every day from 1970 to the last that can be stated, counted by the rule of leap years.
    #[test]
    fn days_follow_each_other() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..=u64::MAX / SECOND / DAY {
            assert_eq!(civil(days), (year, month, day), "{days}");
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + u64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (day, month) = if day == last { (1, month + 1) } else { (day + 1, month) };
            (month, year) = if month == 13 { (1, year + 1) } else { (month, year) };
        }
    }

    #[test]
    fn texts_are_in_the_order_of_instants() {
        let instants = [0, 1, SECOND - 1, SECOND, 60 * SECOND, DAY * SECOND - 1, DAY * SECOND];
        let instants = instants.into_iter().chain([1_700_000_000_000_000_007, u64::MAX]);
        let texts: Vec<String> = instants.map(utc).collect();
        assert!(texts.is_sorted_by(|one, next| one < next), "{texts:?}");
        assert_eq!(texts[0], "1970-01-01 00:00:00.000000000 UTC");
    }
}
