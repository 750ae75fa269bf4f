//! A position of any ruleset.
//!
//! In: the position in which a game begins, or one before a fault. Out: its record, for people and tables. Cost: the
//! largest of its kinds, copied; used once per game, not per ply.
//!
//! ```
//! use pgnmill_core::chess::rules::{AnyPosition, RulesKind};
//! let position = AnyPosition::initial(RulesKind::Chess99);
//! assert!(position.to_fen().starts_with("rnbakqbnr/"));
//! ```

use super::{
    AnyVariant, Chess99, Position99, Rules, RulesKind, Standard, Start, TablePosition,
    VariantPosition,
};
use crate::chess::{Color, FenError, FenNotes, Position};

/// A position of any ruleset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AnyPosition {
    /// Of chess or Chess960.
    Chess(Position),
    /// Of a variant on the same board.
    Variant(VariantPosition),
    /// Of Chess 99.
    Chess99(Position99),
    /// Of a ruleset on another board that is given by a table.
    Table(TablePosition),
}

impl AnyPosition {
    /// The position of a game without a FEN record.
    pub fn initial(rules: RulesKind) -> AnyPosition {
        match rules {
            RulesKind::Chess => AnyPosition::Chess(Position::initial()),
            RulesKind::Chess960 => AnyPosition::Chess(Standard::initial(true)),
            RulesKind::Variant { kind, chess960 } => AnyPosition::Variant(kind.initial(chess960)),
            RulesKind::Chess99 => AnyPosition::Chess99(Position99::initial()),
            RulesKind::Board(kind) => AnyPosition::Table(TablePosition::initial(kind)),
        }
    }

    /// The position of a FEN record, and how the record departs from the canonical one.
    ///
    /// # Errors
    /// The record cannot be read, or no game of these rules can continue from it.
    pub fn from_fen(record: &[u8], rules: RulesKind) -> Result<(AnyPosition, FenNotes), FenError> {
        Ok(match rules {
            RulesKind::Chess | RulesKind::Chess960 => {
                let (position, notes) = Standard::from_fen(record, rules == RulesKind::Chess960)?;
                (AnyPosition::Chess(position), notes)
            }
            RulesKind::Variant { kind, chess960 } => {
                let (position, notes) = kind.from_fen(record, chess960)?;
                (AnyPosition::Variant(position), notes)
            }
            RulesKind::Chess99 => {
                let (position, notes) = Chess99::from_fen(record, false)?;
                (AnyPosition::Chess99(position), notes)
            }
            RulesKind::Board(kind) => {
                let (position, notes) = TablePosition::from_fen(record, kind)?;
                (AnyPosition::Table(position), notes)
            }
        })
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        match self {
            AnyPosition::Chess(position) => position.turn(),
            AnyPosition::Variant(position) => position.turn(),
            AnyPosition::Chess99(position) => position.turn(),
            AnyPosition::Table(position) => position.turn(),
        }
    }

    /// The number of the next move.
    pub fn fullmove_number(&self) -> u32 {
        match self {
            AnyPosition::Chess(position) => position.fullmove_number(),
            AnyPosition::Variant(position) => position.board().fullmove_number(),
            AnyPosition::Chess99(position) => Chess99::fullmove_number(position),
            AnyPosition::Table(position) => position.fullmove_number(),
        }
    }

    /// Is the side to move in check, in the sense of the ruleset?
    pub fn in_check(&self) -> bool {
        match self {
            AnyPosition::Chess(position) => position.in_check(),
            AnyPosition::Variant(position) => AnyVariant::in_check(position),
            AnyPosition::Chess99(position) => Chess99::in_check(position),
            AnyPosition::Table(position) => position.is_in_check(position.turn()),
        }
    }

    /// Is the side to move in check, and no move legal, be it because the game is over? Never in Chess 99, where the
    /// king is captured instead.
    pub fn is_checkmate(&self) -> bool {
        match self {
            AnyPosition::Chess(position) => position.is_checkmate(),
            AnyPosition::Variant(position) => position.is_checkmate(),
            AnyPosition::Chess99(_) => false,
            AnyPosition::Table(position) => position.is_checkmate(),
        }
    }

    /// Is the side to move not in check, and no move legal, although the game is not over for another reason?
    pub fn is_stalemate(&self) -> bool {
        match self {
            AnyPosition::Chess(position) => position.is_stalemate(),
            AnyPosition::Variant(position) => position.is_stalemate(),
            AnyPosition::Chess99(position) => position.is_stalemate(),
            AnyPosition::Table(position) => position.is_stalemate(),
        }
    }

    /// The ruleset.
    pub fn rules(&self) -> RulesKind {
        match self {
            AnyPosition::Chess(position) if position.is_chess960() => RulesKind::Chess960,
            AnyPosition::Chess(_) => RulesKind::Chess,
            AnyPosition::Variant(position) => {
                let (kind, chess960) = (position.kind(), position.board().is_chess960());
                RulesKind::Variant { kind, chess960 }
            }
            AnyPosition::Chess99(_) => RulesKind::Chess99,
            AnyPosition::Table(position) => RulesKind::Board(position.table().kind()),
        }
    }

    /// The FEN record, or the record of Chess 99.
    pub fn to_fen(&self) -> String {
        match self {
            AnyPosition::Chess(position) => position.to_fen(),
            AnyPosition::Variant(position) => position.to_fen(),
            AnyPosition::Chess99(position) => position.to_string(),
            AnyPosition::Table(position) => position.to_string(),
        }
    }

    /// The position, if it is one of chess.
    pub fn chess(&self) -> Option<&Position> {
        match self {
            AnyPosition::Chess(position) => Some(position),
            _ => None,
        }
    }
}
