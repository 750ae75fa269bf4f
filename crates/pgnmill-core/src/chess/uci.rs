//! Moves as UCI text: origin, target, promotion letter (Universal Chess Interface, 2006, "move format").
//!
//! Text → [`UciMove`] → with a position, a legal [`Move`]; and back. Castling is the king's move of two squares in
//! chess (`e1g1`) and "king takes rook" in Chess960 (`e1h1`); both are read in both. Nothing allocates.
//!
//! ```
//! use pgnmill_core::chess::Move;
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::chess::UciMove;
//! let position = Position::initial();
//! let mv = Move::from_uci(&position, "g1f3")?;
//! assert_eq!(UciMove::of(&position, mv).to_string(), "g1f3");
//! # Ok::<(), pgnmill_core::chess::UciError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Board, CastlingSide, Move, ParseError, Position, Role, Square};

/// The text of a move: two squares and a promotion. Whether it is a legal move is for a position to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct UciMove {
    /// The square that the piece leaves.
    pub origin: Square,
    /// The square where it arrives; for castling, the king's arrival square or the square of the castling rook.
    pub target: Square,
    /// The piece that a pawn becomes: knight, bishop, rook or queen.
    pub promoted: Option<Role>,
}

/// Why a UCI text is no move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not two squares and at most a promotion letter.
    Unreadable,
    /// No legal move of the position has this text.
    Illegal,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciError::Unreadable => "not a move in UCI notation",
            UciError::Illegal => "not a legal move of the position",
        })
    }
}

impl std::error::Error for UciError {}

impl From<ParseError> for UciError {
    fn from(_: ParseError) -> UciError {
        UciError::Unreadable
    }
}

impl UciMove {
    /// The text of a legal move of `position`.
    pub fn of(position: &Position, mv: Move) -> UciMove {
        UciMove { origin: mv.origin(), target: arrival(position, mv), promoted: mv.promoted() }
    }

    /// The legal move of `position` that has this text, in the castling of chess or of Chess960.
    ///
    /// # Errors
    /// [`UciError::Illegal`] if there is none.
    pub fn to_move(self, position: &Position) -> Result<Move, UciError> {
        find(position, self.origin, self.target, self.promoted).ok_or(UciError::Illegal)
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.target)?;
        match self.promoted {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase() as char),
            None => Ok(()),
        }
    }
}

impl FromStr for UciMove {
    type Err = ParseError;

    /// Reads `e2e4` or `e7e8q`, in lower case.
    fn from_str(text: &str) -> Result<UciMove, ParseError> {
        let (squares, promoted) = match *text.as_bytes() {
            [ref squares @ .., letter] if squares.len() == 4 && letter.is_ascii_lowercase() => {
                let role = Role::from_letter(letter.to_ascii_uppercase())
                    .filter(|role| Role::PROMOTIONS.contains(role));
                (squares, Some(role.ok_or(ParseError::Move)?))
            }
            ref squares => (squares, None),
        };
        let [from_file, from_rank, to_file, to_rank] = *squares else {
            return Err(ParseError::Move);
        };
        let origin = Square::from_ascii(from_file, from_rank).ok_or(ParseError::Move)?;
        let target = Square::from_ascii(to_file, to_rank).ok_or(ParseError::Move)?;
        Ok(UciMove { origin, target, promoted })
    }
}

impl Move {
    /// The legal move of `position` with this UCI text.
    ///
    /// ```
    /// use pgnmill_core::chess::Move;
    /// use pgnmill_core::chess::Position;
    /// use pgnmill_core::chess::UciError;
    /// let position = Position::initial();
    /// assert_eq!(Move::from_uci(&position, "e2e4")?.target().to_string(), "e4");
    /// assert_eq!(Move::from_uci(&position, "e2e5"), Err(UciError::Illegal));
    /// assert_eq!(Move::from_uci(&position, "e4"), Err(UciError::Unreadable));
    /// # Ok::<(), UciError>(())
    /// ```
    ///
    /// # Errors
    /// [`UciError`]: the text cannot be read, or no legal move has it.
    pub fn from_uci(position: &Position, text: &str) -> Result<Move, UciError> {
        text.parse::<UciMove>()?.to_move(position)
    }
}

/// The second square of a UCI text: the arrival, but for castling in Chess960 the square of the rook, because the
/// king's arrival may be the target of another of its moves.
#[inline(always)]
pub(crate) fn arrival(position: &impl Board, mv: Move) -> Square {
    if position.pieces().is_chess960() { mv.target() } else { mv.arrival() }
}

/// The legal move between two squares. A king's move of two or more squares, or onto its own rook, is castling.
pub(crate) fn find<B: Board>(
    position: &B,
    origin: Square,
    target: Square,
    promoted: Option<Role>,
) -> Option<Move> {
    if let Some(mv) = position.legal_move(origin, target, promoted) {
        return Some(mv);
    }
    let is_king = position.ours(Role::King).has(origin);
    if !is_king || promoted.is_some() {
        return None;
    }
    [CastlingSide::Short, CastlingSide::Long]
        .into_iter()
        .filter_map(|side| position.castle(side))
        .find(|mv| {
            let is_far = origin.file().abs_diff(target.file()) > 1;
            mv.origin() == origin && mv.arrival() == target && is_far
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_legal_moves_are_read_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n3k3/1P6/8/3pP3/8/8/7K/8 w - d6 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NR1K2RN w KQkq - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            for mv in position.legal_moves() {
                let text = UciMove::of(&position, mv).to_string();
                assert_eq!(text.parse::<UciMove>().unwrap().to_string(), text);
                assert_eq!(Move::from_uci(&position, &text), Ok(mv), "{fen}: {text}");
                assert_eq!(Move::from_uci(&position, &mv.to_string()), Ok(mv), "{fen}: {mv}");
            }
        }
    }

    #[test]
    fn other_texts_are_unreadable() {
        for text in ["", "e2", "e2e", "e2e9", "e7e8Q", "e7e8k", "e7e8p", "e2e4e5", "é2e4", "0000"]
        {
            assert_eq!(text.parse::<UciMove>(), Err(ParseError::Move), "{text}");
        }
    }
}
