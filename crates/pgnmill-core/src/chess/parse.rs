//! Squares, colours, roles and positions as text: `FromStr` and `Display`, each the inverse of the other.
//!
//! ```
//! use pgnmill_core::chess::Color;
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::chess::Role;
//! use pgnmill_core::chess::Square;
//! let square: Square = "e4".parse()?;
//! assert_eq!((square.to_string(), square.file(), square.rank()), ("e4".to_string(), 4, 3));
//! assert_eq!("N".parse::<Role>()?.to_string(), "N");
//! assert_eq!("black".parse::<Color>()?, Color::Black);
//! let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
//! assert_eq!(fen.parse::<Position>()?.to_string(), fen);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Color, FenError, Position, Role, Square};

/// The text that could not be read is not one of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseError {
    /// A square, `a1` to `h8`.
    Square,
    /// A piece letter, one of `PNBRQK`.
    Role,
    /// A colour, `white` or `black`.
    Color,
    /// A move in UCI notation, such as `e2e4` or `e7e8q`.
    Move,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseError::Square => "not a square, a1 to h8",
            ParseError::Role => "not a piece letter, one of PNBRQK",
            ParseError::Color => "not a colour, white or black",
            ParseError::Move => "not a move in UCI notation",
        })
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Square {
    type Err = ParseError;

    /// Reads a lower-case file letter and a rank digit.
    fn from_str(text: &str) -> Result<Square, ParseError> {
        match *text.as_bytes() {
            [file, rank] => Square::from_ascii(file, rank).ok_or(ParseError::Square),
            _ => Err(ParseError::Square),
        }
    }
}

impl FromStr for Role {
    type Err = ParseError;

    /// Reads an English capital letter, `P` for the pawn.
    fn from_str(text: &str) -> Result<Role, ParseError> {
        match *text.as_bytes() {
            [letter] => Role::from_letter(letter).ok_or(ParseError::Role),
            _ => Err(ParseError::Role),
        }
    }
}

/// The English capital letter, as [`Role::letter`].
impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(self.letter()))
    }
}

impl FromStr for Color {
    type Err = ParseError;

    /// Reads `white` or `black`.
    fn from_str(text: &str) -> Result<Color, ParseError> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            _ => Err(ParseError::Color),
        }
    }
}

/// `white` or `black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN record as [`Position::from_fen`] does, without its notes.
    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text.as_bytes()).map(|(position, _)| position)
    }
}

/// The FEN record, as [`Position::to_fen`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_displayed_is_parsed_back() {
        for square in (0..64).map(Square::new) {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        for color in [Color::White, Color::Black] {
            assert_eq!(color.to_string().parse(), Ok(color));
        }
        let position = Position::initial();
        assert_eq!(position.to_string().parse(), Ok(position));
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "e", "e9", "i1", "E4", "e44", "é"] {
            assert_eq!(text.parse::<Square>(), Err(ParseError::Square), "{text}");
        }
        for text in ["", "n", "NN", "X", "♘"] {
            assert_eq!(text.parse::<Role>(), Err(ParseError::Role), "{text}");
        }
        for text in ["", "w", "White", "grey"] {
            assert_eq!(text.parse::<Color>(), Err(ParseError::Color), "{text}");
        }
        assert_eq!("8/8".parse::<Position>(), Err(FenError::Board));
    }
}
