//! The order of the rows of a table, told from their keys alone, so that tables that were added up stand in the order of
//! those that were measured together.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::notation::NOTATIONS;

use super::labels::{self, OTHERS, UNKNOWN};
use super::{Dimension, MOVE_BAND_PLIES, PLIES_MAX, later};

/// How the values of a key column follow each other, and which there can be. `unknown` comes last in every order, behind it
/// only what has no group of its own.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// Notations, as in the registry.
    Registry,
    /// The groups of a dimension: numbers within texts as numbers, the rest by its characters.
    Groups(Dimension),
    /// Numbers below this.
    Below(usize),
    /// As listed.
    Listed(&'static [&'static str]),
}

static PLACES: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    NOTATIONS.iter().enumerate().map(|(place, notation)| (notation.info().name, place)).collect()
});

impl Order {
    /// Compares two values. Only equal values compare equal.
    pub fn compare(self, left: &str, right: &str) -> Ordering {
        let rank = |value: &str| match self {
            _ if value == OTHERS => usize::MAX,
            _ if value == UNKNOWN => usize::MAX - 1,
            Order::Registry => PLACES.get(value).copied().unwrap_or(usize::MAX - 2),
            Order::Groups(_) | Order::Below(_) => 0,
            Order::Listed(values) => {
                values.iter().position(|other| *other == value).unwrap_or(usize::MAX - 2)
            }
        };
        rank(left).cmp(&rank(right)).then_with(|| natural(left, right))
    }
}

impl Order {
    /// Can a measurement have this value?
    pub(super) fn admits(self, value: &str) -> bool {
        match self {
            Order::Registry => PLACES.contains_key(value),
            Order::Groups(Dimension::Source) => true,
            Order::Groups(key) => GROUPS[key as usize].contains(value),
            Order::Below(end) => value.parse::<usize>().is_ok_and(|number| number < end),
            Order::Listed(values) => value == UNKNOWN || values.contains(&value),
        }
    }
}

/// The groups of each dimension, those that are listed apart.
static GROUPS: LazyLock<Vec<HashSet<String>>> = LazyLock::new(|| {
    let of = |key| match key {
        Dimension::Ply => (0..=PLIES_MAX).map(later::name_of_ply).collect(),
        Dimension::Move => (0..=PLIES_MAX / MOVE_BAND_PLIES).map(later::name_of_band).collect(),
        _ => labels::groups_of(key).collect(),
    };
    Dimension::ALL.into_iter().map(of).collect()
});

/// Runs of digits by their worth, everything else byte by byte.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left.as_bytes(), right.as_bytes());
    loop {
        let (digits_a, digits_b) = (digits(a), digits(b));
        let order = if digits_a > 0 && digits_b > 0 {
            let (worth_a, worth_b) = (worth(&a[..digits_a]), worth(&b[..digits_b]));
            (a, b) = (&a[digits_a..], &b[digits_b..]);
            worth_a.len().cmp(&worth_b.len()).then_with(|| worth_a.cmp(worth_b))
        } else {
            match (a.split_first(), b.split_first()) {
                (Some((first_a, rest_a)), Some((first_b, rest_b))) => {
                    (a, b) = (rest_a, rest_b);
                    first_a.cmp(first_b)
                }
                // The same but for zeros before numbers: byte by byte.
                (None, None) => return left.cmp(right),
                _ => a.len().cmp(&b.len()),
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// A number without the zeros before it.
fn worth(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[zeros..]
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_that_people_expect() {
        let sorted = |order: Order, expected: &[&str]| {
            for (place, left) in expected.iter().enumerate() {
                for (other, right) in expected.iter().enumerate() {
                    assert_eq!(order.compare(left, right), place.cmp(&other), "{left}, {right}");
                }
            }
        };
        let archives = Order::Groups(Dimension::Source);
        sorted(archives, &["", "1-10", "11-20", "101-110", "1000+", "A00", "B2", "B10", "a"]);
        sorted(archives, &["a/01.pgn", "a/2.pgn", "a/10.pgn", "unknown", OTHERS]);
        sorted(archives, &["a.pgn", "unknowm", "unknown.pgn", "z.pgn", "unknown"]);
        sorted(Order::Groups(Dimension::Ply), &["1", "2", "10", "600", "601+"]);
        sorted(Order::Registry, &["san", "uci", "san-de", "no notation", "unknown"]);
        sorted(Order::Listed(&["pawn", "king"]), &["pawn", "king", "bishop", "unknown"]);
    }
}
