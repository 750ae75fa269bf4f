//! One ply: a legal move between two positions, and what notations ask about it. Who asks for all notations at once finds
//! the answers first, in [`super::Facts`].

use crate::chess::{Bitboard, Color, Move, Position, Role, Square};

use super::Lineage;

/// What a move does to the other king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Nothing.
    None,
    /// Check that can be answered.
    Check,
    /// Checkmate.
    Mate,
}

impl Check {
    /// What the side to move of `after` faces.
    #[inline(always)]
    pub fn of(after: &Position) -> Check {
        if !after.in_check() {
            Check::None
        } else if after.has_legal_move() {
            Check::Check
        } else {
            Check::Mate
        }
    }
}

/// What must be said of the origin so that the text fits one legal move of that role (PGN standard 8.2.3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disambiguation {
    /// Nothing.
    None,
    /// The origin's file.
    File,
    /// The origin's rank, because the file does not tell.
    Rank,
    /// The whole square, because neither tells.
    Square,
}

/// One ply of a game, its positions borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
    check: Check,
    lineage: Option<&'a Lineage>,
}

impl<'a> Ply<'a> {
    /// The ply in which `mv`, legal in `before`, leads to `after`, which it puts in `check`.
    #[inline(always)]
    pub fn new(before: &'a Position, mv: Move, after: &'a Position, check: Check) -> Ply<'a> {
        Ply { before, after, mv, check, lineage: None }
    }

    /// The same ply with the history of the game before it, for the notations that ask for it.
    #[inline(always)]
    pub fn with_lineage(mut self, lineage: Option<&'a Lineage>) -> Ply<'a> {
        self.lineage = lineage;
        self
    }

    /// On which file each man began, before the move; `None` if nobody kept it or it is not known.
    #[inline(always)]
    pub fn lineage(&self) -> Option<&'a Lineage> {
        self.lineage
    }

    /// The position before the move.
    #[inline(always)]
    pub fn before(&self) -> &'a Position {
        self.before
    }

    /// The position after the move.
    #[inline(always)]
    pub fn after(&self) -> &'a Position {
        self.after
    }

    /// The move.
    #[inline(always)]
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// Who moves.
    #[inline(always)]
    pub fn color(&self) -> Color {
        self.before.turn()
    }

    /// What the move does to the other king.
    #[inline(always)]
    pub fn check(&self) -> Check {
        self.check
    }

    /// Is it a capture?
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        self.before.is_capture(self.mv)
    }

    /// What has to be said of the origin; pawns and kings never need it, castling neither.
    #[inline(always)]
    pub fn disambiguation(&self) -> Disambiguation {
        let (role, origin, target) = (self.mv.role(), self.mv.origin(), self.mv.target());
        if matches!(role, Role::Pawn | Role::King) {
            return Disambiguation::None;
        }
        let others = self.before.own_attackers(role, target) ^ Bitboard::of(origin);
        if others.is_empty() {
            return Disambiguation::None;
        }
        disambiguate(origin, legal_among(self.before, role, others, target))
    }
}

/// Those of `men` (of one role, not pawns) whose move to `target` is legal.
pub(super) fn legal_among(
    before: &Position,
    role: Role,
    pieces: Bitboard,
    target: Square,
) -> Bitboard {
    let mut legal = Bitboard::EMPTY;
    for piece in pieces {
        if before.is_safe(Move::normal(role, piece, target)) {
            legal |= Bitboard::of(piece);
        }
    }
    legal
}

/// How `origin` is told from `others`, which could make the same move: file first, then rank, then square.
#[inline(always)]
pub(super) fn disambiguate(origin: Square, others: Bitboard) -> Disambiguation {
    if others.is_empty() {
        Disambiguation::None
    } else if (others & Bitboard::file(origin.file())).is_empty() {
        Disambiguation::File
    } else if (others & Bitboard::rank(origin.rank())).is_empty() {
        Disambiguation::Rank
    } else {
        Disambiguation::Square
    }
}
