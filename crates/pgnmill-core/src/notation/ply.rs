//! One ply: a legal move between two positions, and what notations derive from it. For all notations at once,
//! [`super::Facts`] computes it first.

use crate::chess::rules::VariantPosition;
use crate::chess::{Bitboard, Board, Color, Effect, Move, Position, Role, Square};

use super::Lineage;

/// The effect of a move on the other king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// No check.
    None,
    /// Check that can be met.
    Check,
    /// Checkmate.
    Mate,
}

impl Check {
    /// The check that the side to move of `after` is in.
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

impl From<Effect> for Check {
    fn from(effect: Effect) -> Check {
        match effect {
            Effect::None => Check::None,
            Effect::Check => Check::Check,
            Effect::Win => Check::Mate,
        }
    }
}

/// The part of the origin that a text must contain to fit only one legal move of that role (PGN standard 8.2.3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disambiguation {
    /// Nothing.
    None,
    /// The origin's file.
    File,
    /// The origin's rank, because the file is not enough.
    Rank,
    /// The whole square, because neither is enough.
    Square,
}

/// One ply of a game, its positions borrowed: of chess, or of a variant (`VariantPly`).
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a, B = Position> {
    before: &'a B,
    after: &'a B,
    mv: Move,
    check: Check,
    lineage: Option<&'a Lineage>,
}

/// One ply of a game of a variant on the board of chess.
pub type VariantPly<'a> = Ply<'a, VariantPosition>;

impl<'a, B: Board> Ply<'a, B> {
    /// The ply in which `mv`, legal in `before`, leads to `after`, which it puts in `check`.
    #[inline(always)]
    pub fn new(before: &'a B, mv: Move, after: &'a B, check: Check) -> Ply<'a, B> {
        Ply { before, after, mv, check, lineage: None }
    }

    /// The same ply with the history of the game before it, for the notations that require it.
    #[inline(always)]
    pub fn with_lineage(mut self, lineage: Option<&'a Lineage>) -> Ply<'a, B> {
        self.lineage = lineage;
        self
    }

    /// The file on which each piece began, before the move; `None` if it was not kept or is not known.
    #[inline(always)]
    pub fn lineage(&self) -> Option<&'a Lineage> {
        self.lineage
    }

    /// The position before the move.
    #[inline(always)]
    pub fn before(&self) -> &'a B {
        self.before
    }

    /// The position after the move.
    #[inline(always)]
    pub fn after(&self) -> &'a B {
        self.after
    }

    /// The move.
    #[inline(always)]
    pub fn mv(&self) -> Move {
        self.mv
    }

    /// The side that moves.
    #[inline(always)]
    pub fn color(&self) -> Color {
        self.before.turn()
    }

    /// The effect of the move on the other king.
    #[inline(always)]
    pub fn check(&self) -> Check {
        self.check
    }

    /// Is it a capture?
    #[inline(always)]
    pub fn is_capture(&self) -> bool {
        self.before.is_capture(self.mv)
    }

    /// The disambiguation; none for pawns, drops, castling, and a king that is the only one.
    #[inline(always)]
    pub fn disambiguation(&self) -> Disambiguation {
        disambiguation(self.before, self.mv)
    }
}

/// The disambiguation of a legal move; none for pawns, drops, castling, and a king that is the only one.
#[inline(always)]
pub(super) fn disambiguation<B: Board>(before: &B, mv: Move) -> Disambiguation {
    let (role, origin, target) = (mv.role(), mv.origin(), mv.target());
    if role == Role::Pawn || B::IS_STANDARD && role == Role::King {
        return Disambiguation::None;
    }
    if !B::IS_STANDARD && (mv.is_drop() || mv.castling_side().is_some()) {
        return Disambiguation::None;
    }
    let others = before.own_attackers(role, target) ^ Bitboard::of(origin);
    if others.is_empty() {
        return Disambiguation::None;
    }
    disambiguate(origin, legal_among(before, role, others, target))
}

/// Those of `pieces` (of one role, not pawns) whose move to `target` is legal.
pub(super) fn legal_among<B: Board>(
    before: &B,
    role: Role,
    pieces: Bitboard,
    target: Square,
) -> Bitboard {
    let mut legal = Bitboard::EMPTY;
    for piece in pieces {
        if before.is_legal(Move::normal(role, piece, target)) {
            legal |= Bitboard::of(piece);
        }
    }
    legal
}

/// The disambiguation of `origin` against `others`, which could make the same move: file first, then rank, then square.
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
