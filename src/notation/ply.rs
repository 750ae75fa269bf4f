//! One ply: a legal move between two positions, and what notations ask about it, each answered once.

use std::cell::Cell;

use crate::board::{Bitboard, Color, Move, Position, Role, Square};

use super::Lineage;
use super::arrivals::Arrivals;

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

/// One ply of a game. Borrowed positions; the answers that several notations want are kept.
#[derive(Debug)]
pub struct Ply<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
    check: Check,
    lineage: Option<&'a Lineage>,
    disambiguation: Cell<Option<Disambiguation>>,
    arrivals: Cell<Option<Arrivals>>,
    legal_arrivals: Cell<Option<Arrivals>>,
}

impl<'a> Ply<'a> {
    /// The ply in which `mv`, legal in `before`, leads to `after`, which it puts in `check`.
    #[inline(always)]
    pub fn new(before: &'a Position, mv: Move, after: &'a Position, check: Check) -> Ply<'a> {
        Ply {
            before,
            after,
            mv,
            check,
            lineage: None,
            disambiguation: Cell::new(None),
            arrivals: Cell::new(None),
            legal_arrivals: Cell::new(None),
        }
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
        if let Some(known) = self.disambiguation.get() {
            return known;
        }
        let found = self.find_disambiguation();
        self.disambiguation.set(Some(found));
        found
    }

    #[inline(always)]
    fn find_disambiguation(&self) -> Disambiguation {
        let (role, origin, target) = (self.mv.role(), self.mv.origin(), self.mv.target());
        if matches!(role, Role::Pawn | Role::King) {
            return Disambiguation::None;
        }
        let others = self.before.men_attacking(role, target) ^ Bitboard::of(origin);
        if others.is_empty() {
            return Disambiguation::None;
        }
        disambiguate(origin, legal_among(self.before, role, others, target))
    }

    /// The men that could arrive where this move arrives, as the economical notations count arrivals.
    #[inline(always)]
    pub fn arrivals(&self) -> Arrivals {
        if let Some(known) = self.arrivals.get() {
            return known;
        }
        let found = Arrivals::of(self.before, super::arrivals::code(self.before, self.mv));
        self.arrivals.set(Some(found));
        found
    }

    /// Those of [`Ply::arrivals`] whose move is legal.
    #[inline(always)]
    pub fn legal_arrivals(&self) -> Arrivals {
        if let Some(known) = self.legal_arrivals.get() {
            return known;
        }
        let found = self.arrivals().legal(self.before);
        self.legal_arrivals.set(Some(found));
        found
    }
}

/// Those of `men` (of one role, not pawns) whose move to `target` is legal.
pub(super) fn legal_among(
    before: &Position,
    role: Role,
    men: Bitboard,
    target: Square,
) -> Bitboard {
    let mut legal = Bitboard::EMPTY;
    for man in men {
        if before.is_safe(Move::normal(role, man, target)) {
            legal |= Bitboard::of(man);
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
