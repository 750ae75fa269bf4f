//! The order of the rows of a table, from their keys alone: tables that were added have the order of those that were
//! measured together.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::facts::GroupNames;
use crate::notation::{NOTATIONS, TCN};

use super::dimension::Dimension;
use super::groups::{self, OTHERS, UNKNOWN};

/// Which values a key column can have, and their order. `unknown` is the last one in every order but for what has no
/// group of its own.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// Notations, as in the registry.
    Registry,
    /// The same, and the one of games after them.
    RegistryAndGames,
    /// The groups of a dimension: as listed, or numbers within texts as numbers and the rest by bytes.
    Groups(Dimension),
    /// Numbers below this.
    Below(usize),
    /// As listed.
    Listed(&'static [&'static str]),
    /// Single characters.
    Character,
    /// Any text; the writer of the table orders the rows.
    Any,
}

static PLACES: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let names = NOTATIONS.iter().chain([&TCN]).map(|notation| notation.info().name);
    names.enumerate().map(|(place, name)| (name, place)).collect()
});

impl Order {
    /// The list of the values, if there is one.
    fn list(self) -> Option<&'static [&'static str]> {
        match self {
            Order::Listed(values) => Some(values),
            Order::Groups(Dimension::Phase) => Some(&groups::PHASES),
            Order::Groups(Dimension::Side) => Some(&groups::SIDES),
            Order::Groups(Dimension::Role) => Some(&groups::ROLES),
            Order::Groups(Dimension::Kind) => Some(&groups::KINDS),
            Order::Groups(Dimension::Check) => Some(&groups::CHECKS),
            Order::Groups(dimension) => match dimension.groups()?.names {
                GroupNames::Listed(names) => Some(names),
                GroupNames::Written { .. } | GroupNames::Any => None,
            },
            _ => None,
        }
    }

    /// Compares two values. Only equal values compare equal.
    pub fn compare(self, left: &str, right: &str) -> Ordering {
        let list = self.list();
        let rank = |value: &str| match (self, list) {
            _ if value == OTHERS => usize::MAX,
            _ if value == UNKNOWN => usize::MAX - 1,
            (Order::Registry | Order::RegistryAndGames, _) => {
                PLACES.get(value).copied().unwrap_or(usize::MAX - 2)
            }
            (_, Some(values)) => {
                values.iter().position(|other| *other == value).unwrap_or(usize::MAX - 2)
            }
            _ => 0,
        };
        rank(left).cmp(&rank(right)).then_with(|| natural(left, right))
    }

    /// Can a measurement have this value?
    pub(super) fn admits(self, value: &str) -> bool {
        match (self, self.list()) {
            (_, Some(values)) => value == UNKNOWN || values.contains(&value),
            (Order::Registry, _) => PLACES.get(value).is_some_and(|&place| place < NOTATIONS.len()),
            (Order::RegistryAndGames, _) => PLACES.contains_key(value),
            (Order::Groups(Dimension::Source) | Order::Any, _) => true,
            (Order::Groups(dimension), _) => GROUPS[dimension.index()].contains(value),
            (Order::Below(end), _) => value.parse::<usize>().is_ok_and(|number| number < end),
            (Order::Character, _) => value.chars().count() == 1,
            (Order::Listed(_), None) => false,
        }
    }
}

/// The groups of each dimension that has no list of them.
static GROUPS: LazyLock<Vec<HashSet<String>>> = LazyLock::new(|| {
    let all_of = |dimension| groups::all_of(dimension).into_iter().collect();
    Dimension::ALL.into_iter().map(all_of).collect()
});

/// Runs of digits by their value, everything else byte by byte.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left.as_bytes(), right.as_bytes());
    loop {
        let (digits_a, digits_b) = (digits(a), digits(b));
        let order = if digits_a > 0 && digits_b > 0 {
            let (value_a, value_b) = (without_zeros(&a[..digits_a]), without_zeros(&b[..digits_b]));
            (a, b) = (&a[digits_a..], &b[digits_b..]);
            value_a.len().cmp(&value_b.len()).then_with(|| value_a.cmp(value_b))
        } else {
            match (a.split_first(), b.split_first()) {
                (Some((first_a, rest_a)), Some((first_b, rest_b))) => {
                    (a, b) = (rest_a, rest_b);
                    first_a.cmp(first_b)
                }
                // Equal but for leading zeros: byte by byte.
                (None, None) => return left.cmp(right),
                _ => a.len().cmp(&b.len()),
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Digits without the leading zeros.
fn without_zeros(digits: &[u8]) -> &[u8] {
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
        // The code of a game is in one table alone.
        for (order, has_code) in [(Order::Registry, false), (Order::RegistryAndGames, true)] {
            assert_eq!(order.admits("tcn"), has_code, "{order:?}");
            assert!(
                NOTATIONS.iter().all(|it| order.admits(it.info().name)) && !order.admits("san2")
            );
        }
        sorted(Order::RegistryAndGames, &["san", "san-zh-hant", "tcn", "no notation", "unknown"]);
        sorted(Order::Registry, &["san", "uci", "san-de", "no notation", "unknown"]);
        sorted(Order::Listed(&["pawn", "king"]), &["pawn", "king", "bishop", "unknown"]);
        sorted(Order::Groups(Dimension::Role), &["pawn", "king", "bishop", "unknown"][..2]);
    }
}
