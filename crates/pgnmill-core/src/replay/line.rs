//! The line of play that is replayed, and the lines around it.
//!
//! In: a starting position, then legal moves, null moves, and the beginnings and ends of variations. Out: the positions
//! before and after each ply. Generic over the ruleset. Cost: a move writes the other of two positions, so that none is
//! copied; a variation copies one [`Line`]. Variations are a stack, never a recursion.

use crate::notation::Notation;

use super::ruleset::Ruleset;

/// A line of play: the main line or a variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<R: Ruleset> {
    /// The position before the next move, and the one before the last move, where a variation on it begins. They swap
    /// at every move.
    positions: [R::Position; 2],
    /// The history of the game up to each position, where a notation requires it and the game has one.
    lineages: [R::Lineage; 2],
    has_lineage: bool,
    /// Index of the position before the next move.
    now: bool,
    /// Has a move been made in this line?
    pub moved: bool,
    /// Plies from the beginning of the game.
    pub ply: u32,
    /// The rest of the line is not replayed: it is kept as it is, or skipped.
    pub dead: bool,
    /// Has the number of the next move been read?
    pub numbered: bool,
}

/// A position and its history, where a line keeps them.
pub(super) struct PositionSlot<'p, R: Ruleset> {
    /// The position.
    pub position: &'p mut R::Position,
    /// The history of the game up to it; without meaning where the game has none.
    pub lineage: &'p mut R::Lineage,
}

impl<R: Ruleset> Line<R> {
    #[inline(always)]
    pub(super) fn new(position: &R::Position, lineage: Option<&R::Lineage>) -> Line<R> {
        Line {
            positions: [*position; 2],
            lineages: [*lineage.unwrap_or(&R::NO_LINEAGE); 2],
            has_lineage: lineage.is_some(),
            now: false,
            moved: false,
            ply: 0,
            dead: false,
            numbered: false,
        }
    }

    /// The position before the next move.
    #[inline(always)]
    pub(super) fn position(&self) -> &R::Position {
        &self.positions[usize::from(self.now)]
    }

    /// Was the last move a capture en passant?
    pub(super) fn took_en_passant(&self) -> bool {
        R::is_en_passant(&self.positions[usize::from(!self.now)], self.position())
    }

    /// The history of the game up to here.
    #[inline(always)]
    pub(super) fn lineage(&self) -> Option<&R::Lineage> {
        if self.has_lineage { Some(&self.lineages[usize::from(self.now)]) } else { None }
    }

    /// Writes the history that belongs to the other position.
    #[inline(always)]
    pub(super) fn advance_lineage(&mut self, mv: R::Move) {
        if self.has_lineage {
            let now = usize::from(self.now);
            self.lineages[1 - now] = R::lineage_after(&self.lineages[now], mv);
        }
    }

    /// Plays a legal move into the other position, which [`Line::advance`] then makes the current one.
    #[inline(always)]
    pub(super) fn play(
        &mut self,
        mv: R::Move,
    ) -> (&R::Position, &R::Position, Option<&R::Lineage>) {
        let [first, second] = &mut self.positions;
        let (before, next) = if self.now { (second, first) } else { (first, second) };
        R::play_into(before, mv, next);
        let lineage =
            if self.has_lineage { Some(&self.lineages[usize::from(self.now)]) } else { None };
        (before, next, lineage)
    }

    /// Has the number of the next move been read?
    #[inline(always)]
    pub(super) fn is_numbered(&self) -> bool {
        self.numbered
    }

    /// Is a history of the game kept?
    pub(super) fn has_lineage(&self) -> bool {
        self.has_lineage
    }

    /// The current position and the other, to be played into by turns; then [`Line::advance_by`].
    #[inline(always)]
    pub(super) fn slots(&mut self) -> (PositionSlot<'_, R>, PositionSlot<'_, R>) {
        let ([first, second], [elder, younger]) = (&mut self.positions, &mut self.lineages);
        let first = PositionSlot { position: first, lineage: elder };
        let second = PositionSlot { position: second, lineage: younger };
        if self.now { (second, first) } else { (first, second) }
    }

    /// So many plies were played by turns in the two slots. `numbered`: the number of the next move has been read.
    #[inline(always)]
    pub(super) fn advance_by(&mut self, plies: u32, numbered: bool) {
        self.now ^= !plies.is_multiple_of(2);
        self.moved |= plies > 0;
        self.ply += plies;
        self.numbered = numbered;
    }

    /// Makes the other position the current one.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.now = !self.now;
        self.moved = true;
        self.numbered = false;
        self.ply += 1;
    }

    /// Replaces the current position.
    pub(super) fn replace(&mut self, position: R::Position) {
        self.positions[usize::from(self.now)] = position;
    }

    /// Begins at another position, before any move.
    pub(super) fn begin_at(&mut self, position: R::Position) {
        self.positions = [position; 2];
    }

    /// Plays a null move, after which the position is `passed`.
    pub(super) fn pass(&mut self, passed: R::Position) {
        let other = usize::from(!self.now);
        self.positions[other] = passed;
        self.lineages[other] = self.lineages[1 - other];
        self.advance();
    }

    /// The line that replaces the last move.
    fn variation(&self) -> Line<R> {
        let other = usize::from(!self.now);
        let lineage = self.has_lineage.then_some(&self.lineages[other]);
        let line = Line::new(&self.positions[other], lineage);
        Line { dead: self.dead, ply: self.ply.saturating_sub(1), ..line }
    }
}

/// The current line, the lines that it is a variation in, and the notation that they are written in.
#[derive(Debug)]
pub(super) struct LineStack<R: Ruleset> {
    pub line: Line<R>,
    outer: Vec<Line<R>>,
    pub notation: &'static dyn Notation,
}

impl<R: Ruleset> LineStack<R> {
    /// The main line from a position. `buffer` is memory of an earlier game, so that none is allocated.
    #[inline(always)]
    pub(super) fn new(
        line: Line<R>,
        notation: &'static dyn Notation,
        mut buffer: Vec<Line<R>>,
    ) -> LineStack<R> {
        buffer.clear();
        LineStack { line, outer: buffer, notation }
    }

    /// The memory of the stack, for the next game.
    pub(super) fn into_buffer(self) -> Vec<Line<R>> {
        self.outer
    }

    /// Begins again, perhaps in another notation.
    pub(super) fn restart(&mut self, line: Line<R>, notation: &'static dyn Notation) {
        self.outer.clear();
        (self.line, self.notation) = (line, notation);
    }

    /// How deep in variations the current line is; 0 is the main line.
    #[inline(always)]
    pub(super) fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Begins a variation that replaces the last move of the current line.
    pub(super) fn open(&mut self) {
        self.outer.push(self.line);
        self.line = self.line.variation();
    }

    /// Ends the current variation; returns whether there was one.
    pub(super) fn close(&mut self) -> bool {
        let outer = self.outer.pop();
        if let Some(outer) = outer {
            self.line = outer;
        }
        outer.is_some()
    }

    /// Leaves the current variation, but keeps the position of the current line, at which a fault was found.
    pub(super) fn drop_outer(&mut self) {
        self.outer.pop();
    }
}
