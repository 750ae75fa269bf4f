//! Comparisons, and those of dates that are not complete.
//!
//! In: days as intervals. Out: true if the comparison holds for every day that is meant, false if for none, else
//! missing.

use super::lexer::Days;
use super::parser::Comparison;
use super::truth::Known;

/// Compares two values of one type.
pub(super) fn compare<T: PartialOrd>(comparison: Comparison, one: T, other: T) -> bool {
    match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::LessOrEqual => one <= other,
        Comparison::Greater => one > other,
        Comparison::GreaterOrEqual => one >= other,
    }
}

/// True if every day of the value satisfies it, false if none does, else missing.
pub(super) fn certain(always: bool, never: bool) -> Known<bool> {
    match (always, never) {
        (true, _) => Known::Value(true),
        (_, true) => Known::Value(false),
        _ => Known::Missing,
    }
}

/// A day that is one of an interval, compared with a day, a month or a year.
pub(super) fn date_is(
    comparison: Comparison,
    (first, last): (i32, i32),
    days: Days,
) -> Known<bool> {
    match comparison {
        Comparison::Equal => certain(
            days.first <= first && last <= days.last,
            last < days.first || days.last < first,
        ),
        Comparison::NotEqual => date_is(Comparison::Equal, (first, last), days).map(|equal| !equal),
        Comparison::Less => certain(last < days.first, first >= days.first),
        Comparison::GreaterOrEqual => certain(first >= days.first, last < days.first),
        Comparison::Greater => certain(first > days.last, last <= days.last),
        Comparison::LessOrEqual => certain(last <= days.last, first > days.last),
    }
}

/// Two days, each one of an interval.
pub(super) fn dates(comparison: Comparison, one: (i32, i32), other: (i32, i32)) -> Known<bool> {
    match comparison {
        Comparison::Equal => {
            certain(one == other && one.0 == one.1, one.1 < other.0 || other.1 < one.0)
        }
        Comparison::NotEqual => dates(Comparison::Equal, one, other).map(|equal| !equal),
        Comparison::Less => certain(one.1 < other.0, one.0 >= other.1),
        Comparison::LessOrEqual => certain(one.1 <= other.0, one.0 > other.1),
        Comparison::Greater | Comparison::GreaterOrEqual => {
            dates(comparison.exchanged(), other, one)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each comparison of intervals holds for all days, for none, or is missing.
    #[test]
    fn comparisons_of_dates_are_those_of_all_their_days() {
        use Comparison::*;
        let verdict = |days: &mut dyn Iterator<Item = bool>| {
            let all: Vec<bool> = days.collect();
            certain(all.iter().all(|is| *is), !all.iter().any(|is| *is))
        };
        for comparison in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
            for [a, b, c, d] in (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]) {
                if a > b || c > d {
                    continue;
                }
                let literal = |day: i32| match comparison {
                    Equal => (c..=d).contains(&day),
                    NotEqual => !(c..=d).contains(&day),
                    Less => day < c,
                    LessOrEqual => day <= d,
                    Greater => day > d,
                    GreaterOrEqual => day >= c,
                };
                let days = Days { first: c, last: d };
                let expected = verdict(&mut (a..=b).map(literal));
                assert_eq!(date_is(comparison, (a, b), days), expected);
                let mut pairs = (a..=b)
                    .flat_map(|one| (c..=d).map(move |other| compare(comparison, one, other)));
                let expected = verdict(&mut pairs);
                assert_eq!(dates(comparison, (a, b), (c, d)), expected, "{a} {b} {c} {d}");
            }
        }
    }
}
