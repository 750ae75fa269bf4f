//! A ply of any ruleset, for tables: what a column can contain of it.
//!
//! In: a ply of chess or of other rules. Out: texts, positions, pieces; `None` where the ruleset has no such value.
//! Cost:
//! one branch per question.

use crate::chess::rules::{AnyPosition, Role99};
use crate::chess::{Board, Move, Role};
use crate::pgn::deviation::Deviation;

use super::{Check, MoveText, Notation, OtherPly, Ply};

/// A ply of any ruleset.
#[derive(Clone, Copy, Debug)]
pub enum AnyPly<'a> {
    /// Of chess or Chess960.
    Chess(&'a Ply<'a>),
    /// Of other rules.
    Other(&'a OtherPly<'a>),
}

/// The role of the same name on the board of chess; the paladin has none.
fn role_of(role: Role99) -> Option<Role> {
    match role {
        Role99::Pawn => Some(Role::Pawn),
        Role99::Knight => Some(Role::Knight),
        Role99::Bishop => Some(Role::Bishop),
        Role99::Rook => Some(Role::Rook),
        Role99::Paladin => None,
        Role99::Queen => Some(Role::Queen),
        Role99::King => Some(Role::King),
    }
}

impl AnyPly<'_> {
    /// Adds the canonical text in a notation to `text`.
    ///
    /// # Errors
    /// The fault, where the notation has no text for the ply, or requires a history that the game does not have.
    pub fn encode(&self, notation: &dyn Notation, text: &mut MoveText) -> Result<(), Deviation> {
        match self {
            AnyPly::Chess(ply) if notation.needs_lineage() && ply.lineage().is_none() => {
                Err(Deviation::NotationNeedsInitialArray)
            }
            AnyPly::Chess(ply) => {
                notation.encode(ply, text);
                Ok(())
            }
            AnyPly::Other(ply) => ply.encode(notation, text),
        }
    }

    /// Appends the record of the position before the move.
    pub fn write_fen(&self, out: &mut Vec<u8>) {
        match self {
            AnyPly::Chess(ply) => ply.before().write_fen(out),
            AnyPly::Other(OtherPly::Variant(ply)) => ply.before().write_fen(out),
            AnyPly::Other(ply) => out.extend_from_slice(ply.before().to_fen().as_bytes()),
        }
    }

    /// The squares before the move, as [`crate::chess::Position::board_nibbles`]; `None` on another board.
    pub fn board_nibbles(&self) -> Option<[u8; 32]> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before().board_nibbles()),
            AnyPly::Other(OtherPly::Variant(ply)) => Some(ply.before().board().board_nibbles()),
            AnyPly::Other(OtherPly::Chess99(_)) => None,
        }
    }

    /// The key of the position before the move, which only chess has.
    pub fn polyglot_key(&self) -> Option<u64> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before().polyglot_key()),
            AnyPly::Other(_) => None,
        }
    }

    /// The move as 16 bits, which only chess has.
    pub fn polyglot_move(&self) -> Option<u16> {
        match self {
            AnyPly::Chess(ply) => Some(ply.before().polyglot_move(ply.mv())),
            AnyPly::Other(_) => None,
        }
    }

    /// How many moves are legal before it.
    pub fn legal_moves_count(&self) -> usize {
        match self {
            AnyPly::Chess(ply) => ply.before().legal_moves().len(),
            AnyPly::Other(ply) => ply.legal_moves_count(),
        }
    }

    /// The move, on the board of chess.
    fn mv(&self) -> Option<Move> {
        match self {
            AnyPly::Chess(ply) => Some(ply.mv()),
            AnyPly::Other(OtherPly::Variant(ply)) => Some(ply.mv()),
            AnyPly::Other(OtherPly::Chess99(_)) => None,
        }
    }

    /// The piece that moves or is dropped; `None` for a paladin.
    pub fn role(&self) -> Option<Role> {
        match self {
            AnyPly::Other(OtherPly::Chess99(ply)) => role_of(ply.role()),
            _ => self.mv().map(Move::role),
        }
    }

    /// The piece that is captured; `None` for a paladin, too.
    pub fn captured_role(&self) -> Option<Role> {
        match self {
            AnyPly::Chess(ply) => ply.before().captured_role(ply.mv()),
            AnyPly::Other(OtherPly::Variant(ply)) => Board::captured_role(ply.before(), ply.mv()),
            AnyPly::Other(OtherPly::Chess99(ply)) => ply.captured_role().and_then(role_of),
        }
    }

    /// The piece that a pawn becomes.
    pub fn promoted(&self) -> Option<Role> {
        match self {
            AnyPly::Other(OtherPly::Chess99(ply)) => ply.play().promotion().and_then(role_of),
            _ => self.mv().and_then(Move::promoted),
        }
    }

    /// What the move does to the other side. In Chess 99, which has no mate, a captured king is a win.
    pub fn check(&self) -> Check {
        match self {
            AnyPly::Chess(ply) => ply.check(),
            AnyPly::Other(ply) => ply.check(),
        }
    }

    /// The position before the move.
    pub fn before(&self) -> AnyPosition {
        match self {
            AnyPly::Chess(ply) => AnyPosition::Chess(*ply.before()),
            AnyPly::Other(ply) => ply.before(),
        }
    }

    /// The position after the move.
    pub fn after(&self) -> AnyPosition {
        match self {
            AnyPly::Chess(ply) => AnyPosition::Chess(*ply.after()),
            AnyPly::Other(ply) => ply.after(),
        }
    }
}
