//! The position of a game of a Lichess variant: the board of chess, with what the variants add.
//!
//! In: a move that the ruleset allows. Out: the position after it, but for what only that ruleset changes. A side may
//! have no king, or several: the ruleset decides what that means, and where the king is safe. Cost: 112 bytes, copied.
//!
//! ```
//! use pgnmill_core::chess::rules::{Crazyhouse, Start};
//! use pgnmill_core::chess::Color;
//! use pgnmill_core::chess::Role;
//! let record = b"rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[P] b KQkq - 0 2";
//! let (position, _) = Crazyhouse::from_fen(record, false).unwrap();
//! assert_eq!(position.in_pocket(Color::White, Role::Pawn), 1);
//! ```

use super::kind::VariantKind;

use crate::chess::{Bitboard, Color, Move, Position, Role, Square};

/// The most checks that count.
pub(super) const CHECKS_MAX: u8 = 3;

/// A position of a Lichess variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct VariantPosition {
    /// The board, the side to move, rights and clocks. Its checkers are those in the sense of the ruleset.
    pub(super) base: Position,
    /// Crazyhouse: the pieces that were promoted, which go to a pocket as pawns.
    pub(super) promoted: Bitboard,
    /// Crazyhouse: the pieces in the pockets, by colour and role.
    pub(super) pockets: [[u8; 5]; 2],
    /// Three-check: the checks that each side has given, by colour.
    pub(super) checks: [u8; 2],
    /// The ruleset of the game.
    pub(super) kind: VariantKind,
}

/// What a variant adds to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extras {
    promoted: Bitboard,
    pockets: [[u8; 5]; 2],
    checks: [u8; 2],
    kind: VariantKind,
}

impl Extras {
    /// The position with this board.
    pub(crate) fn with(self, base: Position) -> VariantPosition {
        let Extras { promoted, pockets, checks, kind } = self;
        VariantPosition { base, promoted, pockets, checks, kind }
    }
}

impl VariantPosition {
    /// What is not on the board.
    pub(crate) fn extras(&self) -> Extras {
        let VariantPosition { promoted, pockets, checks, kind, .. } = *self;
        Extras { promoted, pockets, checks, kind }
    }

    /// A board without anything that a variant adds.
    pub(super) fn of(base: Position, kind: VariantKind) -> VariantPosition {
        let (pockets, checks) = ([[0; 5]; 2], [0; 2]);
        VariantPosition { base, promoted: Bitboard::EMPTY, pockets, checks, kind }
    }

    /// The ruleset of the game.
    #[inline(always)]
    pub fn kind(&self) -> VariantKind {
        self.kind
    }

    /// The board, the side to move, castling rights, the en passant square and the clocks. Methods of [`Position`] that
    /// concern legality, kings or checks are those of chess, and have no meaning here.
    #[inline(always)]
    pub fn board(&self) -> &Position {
        &self.base
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.base.turn
    }

    /// The king of a colour, where it has exactly one.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings(color).single()
    }

    /// The kings of a colour.
    #[inline(always)]
    pub fn kings(&self, color: Color) -> Bitboard {
        self.base.role(Role::King) & self.base.color(color)
    }

    /// Are the pockets, the promoted pieces and the checks those of the beginning of a game?
    pub(crate) fn has_initial_extras(&self) -> bool {
        self.promoted.is_empty() && self.pockets == [[0; 5]; 2] && self.checks == [0; 2]
    }

    /// How many pieces of a role a pocket holds; none outside Crazyhouse.
    pub fn in_pocket(&self, color: Color, role: Role) -> u8 {
        self.pockets[color.index()].get(role.index()).copied().unwrap_or(0)
    }

    /// The pieces that were promoted; none outside Crazyhouse.
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// The checks that a side has given; none outside Three-check.
    pub fn checks_given(&self, color: Color) -> u8 {
        self.checks[color.index()]
    }

    /// The pieces that give check to the side to move, in the sense of the ruleset.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.base.checkers
    }

    /// Makes `next` the position after a move on the board; what is not on the board stays, and the checkers are those
    /// of before.
    #[inline(always)]
    pub(super) fn play_board(&self, mv: Move, next: &mut VariantPosition) {
        *next = *self;
        self.base.play_board(mv, &mut next.base);
    }

    /// Removes pieces from the board, with the castling rights of their rooks.
    pub(super) fn remove(&mut self, pieces: Bitboard) {
        self.base.boards.iter_mut().for_each(|board| *board &= !pieces.0);
        self.base.castling &= !pieces;
    }
}
