//! Games by their results, as a bar and as percentages.
//!
//! In: games that White won, drawn ones, games that Black won. Out: a bar of so many cells in three patterns, which
//! differ without colour too; whole percentages that are 100 together. Invariant: the parts are those of
//! [`result_shares`]. Cost: a few divisions.

use pgnmill_core::tasks::positions::result_shares;
use pgnmill_run::Ink;
use pgnmill_run::host::Screen;

/// White's wins, draws, Black's wins.
pub(super) const PATTERNS: [char; 3] = ['█', '▒', '░'];
const INKS: [Ink; 3] = [Ink::White, Ink::Yellow, Ink::Grey];

/// Games by their results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GameShares(pub(super) [u64; 3]);

impl GameShares {
    /// A bar of so many cells; spaces if there are no games with a result.
    pub(super) fn bar(self, cells: usize, screen: Screen) -> String {
        let Some(parts) = result_shares(self.0, cells as u64) else { return " ".repeat(cells) };
        let part = |index: usize| {
            let text: String =
                std::iter::repeat_n(PATTERNS[index], parts[index] as usize).collect();
            screen.paint(INKS[index], &text)
        };
        [0, 1, 2].map(part).concat()
    }

    /// The percentages; dashes if there are no games with a result.
    pub(super) fn percents(self) -> [String; 3] {
        match result_shares(self.0, 100) {
            Some(parts) => parts.map(|part| part.to_string()),
            None => [(); 3].map(|()| "-".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_all_its_cells() {
        assert_eq!(GameShares([1, 2, 1]).bar(4, Screen::default()), "█▒▒░");
        assert_eq!(GameShares([0; 3]).bar(4, Screen::default()), "    ");
    }
}
