//! The position of Chess 99, and the effect of a play.
//!
//! In: a play. Out: the position after it. Invariant: a square is passed over only until the next play. Cost: 88 bytes,
//! copied.

use super::play::{Play99, Special};
use super::square::{Role99, SIDE, SQUARES, Square99};
use crate::chess::Color;

/// A position of Chess 99.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Position99 {
    squares: [Option<(Color, Role99)>; SQUARES],
    pub(super) turn: Color,
    /// The square that the last play passed over.
    pub(super) passed: Option<Square99>,
    /// The number of the move.
    pub(super) number: u32,
    /// Has the side to move resigned?
    pub(super) resigned: bool,
}

impl Position99 {
    /// No piece, White to move.
    pub(super) fn empty() -> Position99 {
        Position99 {
            squares: [None; SQUARES],
            turn: Color::White,
            passed: None,
            number: 1,
            resigned: false,
        }
    }

    /// The starting position.
    pub fn initial() -> Position99 {
        let mut position = Position99::empty();
        let ranks = [b"RNBQKABNR", b"PPPPPPPPP", b"ppppppppp", b"rnbakqbnr"];
        for (letters, rank) in ranks.into_iter().zip([0, 1, 7, 8]) {
            for (file, &letter) in letters.iter().enumerate() {
                let color = if letter < b'a' { Color::White } else { Color::Black };
                let square = Square99::at(file as i8, rank);
                let role = Role99::from_letter(letter.to_ascii_uppercase());
                if let (Some(square), Some(role)) = (square, role) {
                    position.put(square, Some((color, role)));
                }
            }
        }
        position
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece(&self, square: Square99) -> Option<(Color, Role99)> {
        self.squares[square.index()]
    }

    /// This position with the side to move having resigned.
    pub fn resign(mut self) -> Position99 {
        self.resigned = true;
        self
    }

    /// The starting position with Black to move, if this is the starting position.
    pub fn with_black_first(mut self) -> Option<Position99> {
        let is_initial = self == Position99::initial();
        self.turn = Color::Black;
        is_initial.then_some(self)
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The square that the last play passed over.
    pub fn passed(&self) -> Option<Square99> {
        self.passed
    }

    pub(super) fn put(&mut self, square: Square99, piece: Option<(Color, Role99)>) {
        self.squares[square.index()] = piece;
    }

    /// The king of a side, unless it was captured.
    pub fn king(&self, color: Color) -> Option<Square99> {
        Square99::all().find(|&square| self.piece(square) == Some((color, Role99::King)))
    }

    /// The pieces, a1 to i9.
    pub fn pieces(&self) -> impl Iterator<Item = (Square99, Color, Role99)> + '_ {
        Square99::all().filter_map(|square| {
            let (color, role) = self.piece(square)?;
            Some((square, color, role))
        })
    }

    /// The piece that may be captured en passant: beyond the square that it passed over.
    pub(crate) fn passer(&self) -> Option<Square99> {
        self.passed?.step((0, ahead(self.turn.other())))
    }

    /// The piece that a legal play moves; the king in castling.
    pub fn mover(&self, play: Play99) -> Role99 {
        self.piece(play.origin).map_or(Role99::Pawn, |(_, role)| role)
    }

    /// The piece that a legal play captures.
    pub fn captured(&self, play: Play99) -> Option<Role99> {
        if play.is_castling() || play.origin == play.target {
            return None;
        }
        let square = if play.is_en_passant() { self.passer()? } else { play.target };
        self.piece(square).map(|(_, role)| role)
    }

    /// Makes a legal play.
    pub(super) fn make(&mut self, play: Play99) {
        let piece = self.piece(play.origin);
        let Some((color, role)) = piece else { return };
        let passer = self.passer();
        self.passed = None;
        match play.special {
            Special::Castling => {
                let step = if play.target.file() > play.origin.file() { 1 } else { -1 };
                let partner = self.piece(play.target);
                if let Some(beside) = play.origin.step((step, 0)) {
                    self.put(play.target, None);
                    self.put(play.origin, partner);
                    self.put(beside, piece);
                }
            }
            Special::None | Special::EnPassant => {
                if play.special == Special::EnPassant
                    && let Some(passer) = passer
                {
                    self.put(passer, None);
                }
                self.put(play.origin, None);
                self.put(play.target, Some((color, play.promotion.unwrap_or(role))));
                if role == Role99::Pawn && play.origin.rank().abs_diff(play.target.rank()) == 2 {
                    let is_straight = play.origin.file() == play.target.file();
                    self.passed = play.origin.step((0, ahead(color))).filter(|_| is_straight);
                }
            }
        }
        self.number = self.number.saturating_add(u32::from(color == Color::Black));
        self.turn = color.other();
    }
}

/// One rank forward.
pub(super) fn ahead(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// The last rank of a side's pawns.
pub(super) fn last_rank(color: Color) -> u8 {
    if color == Color::White { SIDE - 1 } else { 0 }
}

/// The rank on which a side's pieces begin.
pub(super) fn first_rank(color: Color) -> u8 {
    last_rank(color.other())
}
