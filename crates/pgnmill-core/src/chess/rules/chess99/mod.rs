//! Chess 99: nine by nine squares, a paladin, capture of the king (`docs/reference/chess99.md`).
//!
//! In: a record, then plays. Out: positions, plays, ends. Nothing is shared with the board of chess. A play is legal
//! whatever it does to the own king; a king that is captured ends the game. Cost: a position is 88 bytes; plays are
//! generated from the squares, without bitboards.
//!
//! ```
//! use pgnmill_core::chess::Color;
//! use pgnmill_core::chess::rules::{Chess99, Rules, Start};
//! let (position, _) = Chess99::from_fen(b"4k4/9/9/9/9/9/9/9/4K4 w - 1", false).unwrap();
//! let mut plays = 0;
//! Chess99::visit_legal(&position, &mut |_| { plays += 1; false });
//! assert_eq!(plays, 5);
//! ```

mod board;
mod play;
mod plays;
mod record;
mod square;

use super::{GameEnd, Rules, Start};
use crate::chess::{Color, FenError, FenNotes};

pub use board::Position99;
pub use play::Play99;
pub use square::{Role99, Square99};

/// The rules of Chess 99.
#[derive(Clone, Copy, Debug)]
pub struct Chess99;

impl Rules for Chess99 {
    type Position = Position99;
    type Move = Play99;

    fn turn(position: &Position99) -> Color {
        position.turn
    }

    fn fullmove_number(position: &Position99) -> u32 {
        position.number
    }

    fn visit_legal(position: &Position99, visit: &mut impl FnMut(Play99) -> bool) -> bool {
        !position.is_over() && plays::visit(position, visit)
    }

    fn play_into(position: &Position99, play: Play99, next: &mut Position99) {
        *next = *position;
        next.make(play);
    }

    fn pass(_: &Position99) -> Option<Position99> {
        None
    }

    fn in_check(position: &Position99) -> bool {
        position.is_in_check(position.turn)
    }

    fn end(position: &Position99) -> Option<GameEnd> {
        for color in [Color::White, Color::Black] {
            if position.king(color).is_none() {
                let winner = color.other();
                return Some(match position.is_in_check(winner) {
                    true => GameEnd::Draw,
                    false => GameEnd::Win(winner),
                });
            }
        }
        if position.resigned {
            return Some(GameEnd::Win(position.turn.other()));
        }
        (!plays::visit(position, &mut |_| true)).then_some(GameEnd::Draw)
    }
}

impl Position99 {
    /// Was a king captured, or has a side resigned?
    fn is_over(&self) -> bool {
        self.king(Color::White).is_none() || self.king(Color::Black).is_none() || self.resigned
    }

    /// Is the side to move not in check, and no play possible, although the game is not over for another reason?
    pub fn is_stalemate(&self) -> bool {
        !self.is_over() && !self.is_in_check(self.turn) && !plays::visit(self, &mut |_| true)
    }
}

impl Start for Chess99 {
    fn initial(_: bool) -> Position99 {
        Position99::initial()
    }

    fn from_fen(record: &[u8], _: bool) -> Result<(Position99, FenNotes), FenError> {
        record::read(record)
    }
}
