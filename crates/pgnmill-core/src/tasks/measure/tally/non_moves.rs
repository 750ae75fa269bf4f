//! The text between the moves of movetext: numbers, results, and separators.
//!
//! Input: a game; output: counts that add up, and that with the moves make the whole movetext in the export format of
//! the PGN standard (8.2): a number with a full stop before every move of White, with three before a first move of
//! Black, the result at the end (`*` where none is known), one space or line end after every token. No comments,
//! variations or tag pairs. They are the same for every notation. Cost: a loop over the digits of numbers.

use pgnmill_state::state;

use crate::chess::Color;

/// The text between the moves of some games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct NonMoves {
    /// Move numbers.
    pub(super) numbers: u64,
    /// Their characters.
    pub(super) number_characters: u64,
    /// The characters of the results.
    pub(super) result_characters: u64,
}

state!(NonMoves { numbers, number_characters, result_characters });

impl NonMoves {
    /// Of a game with this first side to move, number of its first move, plies and characters of its result.
    pub(super) fn of(first: (Color, u32), plies: usize, result_characters: u8) -> NonMoves {
        let ((turn, number), mut plies) = (first, plies as u64);
        let mut counted =
            NonMoves { result_characters: u64::from(result_characters), ..NonMoves::default() };
        let mut first = u64::from(number);
        if turn == Color::Black && plies > 0 {
            counted.numbers += 1;
            counted.number_characters += digits(first, first) + 3;
            (first, plies) = (first + 1, plies - 1);
        }
        let numbers = plies.div_ceil(2);
        if numbers > 0 {
            counted.numbers += numbers;
            counted.number_characters += digits(first, first + numbers - 1) + numbers;
        }
        counted
    }

    pub(super) fn merge(&mut self, other: &NonMoves) {
        self.numbers += other.numbers;
        self.number_characters += other.number_characters;
        self.result_characters += other.result_characters;
    }
}

/// The digits of all numbers from `first` to `last`.
fn digits(first: u64, last: u64) -> u64 {
    let (mut sum, mut least) = (0, 1);
    // Every number has one digit, those of ten and more another …
    while least <= last {
        sum += last + 1 - least.max(first);
        least *= 10;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::notation::{Check, Ply};
    use crate::tasks::measure::tally::GameLengths;

    #[test]
    fn digits_are_those_of_the_numbers() {
        for (first, last) in [(1, 1), (1, 9), (1, 10), (7, 123), (98, 1002), (500, 500)] {
            let written: usize = (first..=last).map(|number| number.to_string().len()).sum();
            assert_eq!(digits(first, last), written as u64, "{first} to {last}");
        }
    }

    /// The text itself, for games of all lengths that begin with either side.
    #[test]
    fn frames_are_those_of_the_text() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k2r/8/8/8/8/8/8/4K2R b - - 0 8",
            "4k2r/8/8/8/8/8/8/4K2R w - - 0 99",
        ];
        for fen in fens {
            let (mut position, _) = Position::from_fen(fen.as_bytes()).unwrap();
            let (mut game, mut text) = (GameLengths::default(), String::new());
            for ply in 0..260 {
                let counted = NonMoves::of(game.first(), game.plies_count(), 1);
                let numbers: usize = text.split_whitespace().map(str::len).sum();
                assert_eq!(counted.number_characters, numbers as u64, "{fen}, {ply} plies");
                assert_eq!(counted.numbers, text.split_whitespace().count() as u64);
                assert_eq!(counted.result_characters, 1);
                let number = position.fullmove_number();
                match position.turn() {
                    Color::White => text.push_str(&format!("{number}. ")),
                    Color::Black if ply == 0 => text.push_str(&format!("{number}... ")),
                    Color::Black => {}
                }
                let mv = *position.legal_moves().last().unwrap();
                let after = position.play(mv);
                game.observe(&Ply::new(&position, mv, &after, Check::of(&after)));
                position = after;
            }
        }
    }
}
