//! The moves that were played in a position, and in the positions after them.
//!
//! In: a table, a position, how many plies, the least share of the games. Out: moves. Invariants: a level is read in
//! one pass through the table; there are at most so many moves as requested, those of the first plies; a move that the
//! table names and that is not legal has none after it. Cost: a look-up for each ply; the replay of each move.

use std::sync::atomic::AtomicBool;

use pgnmill_columns::{PositionRow, PositionTable};
use pgnmill_core::chess::Square;
use pgnmill_core::chess::rules::AnyPosition;
use pgnmill_core::notation::{Check, MoveText, Notation, Ply, SAN, UCI};
use pgnmill_core::tasks::positions::record_of;
use pgnmill_io::error::Result;

use super::requested_position::{after_move, wanted};

/// How much of the tree is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeRequest {
    /// Plies.
    pub(super) depth: u32,
    /// The least share of the games of the first position, in percent.
    pub(super) share_min: f64,
    /// Moves, at most.
    pub(super) moves_max: usize,
}

/// A move that was played.
#[derive(Debug)]
pub struct ExploredMove {
    /// What the table has of it.
    pub row: PositionRow,
    /// The position in which it was played.
    pub before: AnyPosition,
    /// The indexes of the moves after it.
    children: Vec<usize>,
}

impl ExploredMove {
    /// The record of the position in which it was played, without the move clocks.
    pub fn record(&self) -> String {
        record_of(&self.before)
    }

    /// The move in the usual notation, or as a table has it.
    pub fn text(&self) -> &str {
        if self.row.san.is_empty() { &self.row.uci } else { &self.row.san }
    }
}

/// The moves of a position, and of those after it.
#[derive(Debug, Default)]
pub struct MoveTree {
    moves: Vec<ExploredMove>,
    /// The indexes of the moves in the first position.
    first: Vec<usize>,
    /// All rows of the first position, also those of few games.
    pub rows: Vec<PositionRow>,
    /// Their games, in a book their weights.
    pub games: u64,
    /// Are moves left out because there are too many?
    pub is_cut: bool,
}

/// The games of a row, in a book its weight.
pub fn games_of(row: &PositionRow) -> u64 {
    row.games.or(row.weight.map(u64::from)).unwrap_or(0)
}

impl MoveTree {
    /// Reads the moves of a position.
    ///
    /// # Errors
    /// As [`PositionTable::rows_of_unless`].
    pub(super) fn read(
        table: &PositionTable,
        position: &AnyPosition,
        request: TreeRequest,
        stop: &AtomicBool,
    ) -> Result<MoveTree> {
        let mut tree = MoveTree::default();
        let mut level: Vec<(Option<usize>, AnyPosition)> = vec![(None, *position)];
        for depth in 0..request.depth {
            if level.is_empty() || tree.is_cut {
                break;
            }
            let wanted: Vec<_> = level.iter().map(|(_, position)| wanted(position)).collect();
            let found = table.rows_of_unless(stop, &wanted)?;
            let mut next = Vec::new();
            for ((parent, position), mut rows) in level.into_iter().zip(found) {
                rows.iter_mut().for_each(|row| complete(row, &position));
                if depth == 0 {
                    tree.games = rows.iter().fold(0, |sum, row| games_of(row).saturating_add(sum));
                    tree.rows.clone_from(&rows);
                }
                for row in rows {
                    tree.add(parent, position, row, request, &mut next);
                }
            }
            level = next;
        }
        Ok(tree)
    }

    /// Adds a move that enough games play, and the position after it to those of the next level.
    fn add(
        &mut self,
        parent: Option<usize>,
        position: AnyPosition,
        row: PositionRow,
        request: TreeRequest,
        next: &mut Vec<(Option<usize>, AnyPosition)>,
    ) {
        let share = games_of(&row) as f64 * 100.0;
        if share < request.share_min * self.games as f64 {
            return;
        }
        if self.moves.len() >= request.moves_max {
            self.is_cut = true;
            return;
        }
        let index = self.moves.len();
        if request.depth > 1
            && let Some(after) = after_move(&position, &row.uci)
        {
            next.push((Some(index), after));
        }
        match parent {
            Some(parent) => self.moves[parent].children.push(index),
            None => self.first.push(index),
        }
        self.moves.push(ExploredMove { row, before: position, children: Vec::new() });
    }

    /// How many moves there are.
    pub fn moves_count(&self) -> usize {
        self.moves.len()
    }

    /// Calls `visit` with each move and those before it, in the order of a tree that is read from its root.
    pub fn visit<'t>(&'t self, mut visit: impl FnMut(&'t ExploredMove, &[&'t ExploredMove])) {
        let mut waiting: Vec<(usize, usize)> =
            self.first.iter().rev().map(|&index| (index, 0)).collect();
        let mut line: Vec<&ExploredMove> = Vec::new();
        while let Some((index, depth)) = waiting.pop() {
            let node = &self.moves[index];
            line.truncate(depth);
            visit(node, &line);
            line.push(node);
            waiting.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
}

/// Adds the texts of a book's move: those of a legal move, or the squares of one that is not.
fn complete(row: &mut PositionRow, position: &AnyPosition) {
    let (Some(code), Some(position)) = (row.book_move, position.chess()) else { return };
    let moves = position.legal_moves();
    let Some(&mv) = moves.iter().find(|mv| position.polyglot_move(**mv) == code) else {
        row.uci = squares_of(code);
        return;
    };
    let after = position.play(mv);
    let ply = Ply::new(position, mv, &after, Check::of(&after));
    let text = |notation: &dyn Notation| {
        let mut text = MoveText::default();
        notation.encode_ply(&ply, &mut text);
        text.to_string()
    };
    (row.uci, row.san) = (text(UCI), text(SAN));
}

/// The squares of a move in Polyglot's 16 bits, and what a pawn becomes.
fn squares_of(code: u16) -> String {
    let square = |shift: u16| Square::new((code >> shift & 63) as u8);
    let promoted = ["", "n", "b", "r", "q"].get(usize::from(code >> 12 & 7)).unwrap_or(&"?");
    format!("{}{}{promoted}", square(6), square(0))
}
