//! Games by their results, as a bar and as percentages.
//!
//! In: games that White won, drawn ones, games that Black won. Out: a bar of so many cells in three patterns, which
//! differ without colour too; whole percentages that are 100 together. Invariant: a part differs from its share by
//! less than one. Cost: a few divisions.

use pgnmill_run::Ink;
use pgnmill_run::host::Screen;

/// White's wins, draws, Black's wins.
pub(super) const PATTERNS: [char; 3] = ['█', '▒', '░'];
const INKS: [Ink; 3] = [Ink::White, Ink::Yellow, Ink::Grey];

/// Games by their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameShares(pub(super) [u64; 3]);

impl GameShares {
    /// Divides a whole in proportion, by largest remainders; `None` if there are no games with a result.
    pub(super) fn divide(self, whole: u64) -> Option<[u64; 3]> {
        let games: u128 = self.0.iter().map(|count| u128::from(*count)).sum();
        if games == 0 {
            return None;
        }
        let exact = self.0.map(|count| u128::from(count) * u128::from(whole));
        let mut parts = exact.map(|part| (part / games) as u64);
        let mut order = [0, 1, 2];
        order.sort_by_key(|&index| std::cmp::Reverse(exact[index] % games));
        let missing = whole - parts.iter().sum::<u64>();
        order.into_iter().take(missing as usize).for_each(|index| parts[index] += 1);
        Some(parts)
    }

    /// A bar of so many cells; spaces if there are no games with a result.
    pub(super) fn bar(self, cells: usize, screen: Screen) -> String {
        let Some(parts) = self.divide(cells as u64) else { return " ".repeat(cells) };
        let part = |index: usize| {
            let text: String =
                std::iter::repeat_n(PATTERNS[index], parts[index] as usize).collect();
            screen.paint(INKS[index], &text)
        };
        [0, 1, 2].map(part).concat()
    }

    /// The percentages; dashes if there are no games with a result.
    pub(super) fn percents(self) -> [String; 3] {
        match self.divide(100) {
            Some(parts) => parts.map(|part| part.to_string()),
            None => [(); 3].map(|()| "-".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_and_near_their_share() {
        for games in [[1, 1, 1], [0, 0, 1], [7, 2, 91], [u64::MAX; 3], [999, 1, 0]] {
            for whole in [0, 1, 20, 100] {
                let parts = GameShares(games).divide(whole).unwrap();
                assert_eq!(parts.iter().sum::<u64>(), whole);
                let sum: f64 = games.iter().map(|count| *count as f64).sum();
                for (part, count) in parts.iter().zip(games) {
                    assert!((*part as f64 - whole as f64 * count as f64 / sum).abs() < 1.0);
                }
            }
        }
        assert_eq!(GameShares([0; 3]).divide(20), None);
        assert_eq!(GameShares([1, 2, 1]).bar(4, Screen::default()), "█▒▒░");
    }
}
