//! How a piece comes from one cell to another: in a line, by a leap, or on a circle.
//!
//! In: a board's table, a piece's row, two cells, and which cells are occupied. Out: the one [`Path`] by which texts
//! name the move. Invariant: of several paths to a cell the shortest counts, and of those on circles the first,
//! clockwise before counter-clockwise. Cost: one comparison per vector of the row, and the cells between.

use super::cell::{Cell, Vector, plus, steps_along, times};
use super::table::{BoardTable, PieceRow};

/// The sense of a circular rider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Clockwise.
    Clockwise,
    /// Counter-clockwise.
    Counter,
}

/// A way from a cell: a first step, how often, and whether each step turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    /// The first step.
    pub vector: Vector,
    /// How many steps, at least 1.
    pub steps: u8,
    /// The sense in which later steps turn; `None` if they do not, or if there is one step.
    pub turn: Option<Turn>,
}

/// The most steps on a circle: one more leads back.
const CIRCLE_STEPS_MAX: usize = 7;

/// The path of a piece other than a pawn between two cells, if it has one; `is_vacant` decides which cells it can pass.
pub(crate) fn path(
    table: &BoardTable,
    row: &PieceRow,
    (from, to): (Cell, Cell),
    is_vacant: &dyn Fn(Cell) -> bool,
) -> Option<Path> {
    let (origin, target) = (table.coordinates(from), table.coordinates(to));
    let distance = plus(target, times(origin, -1));
    if row.leaps.iter().copied().flatten().any(|&vector| vector == distance) {
        return Some(Path { vector: distance, steps: 1, turn: None });
    }
    for &vector in row.rides.iter().copied().flatten() {
        let Some(steps) = steps_along(vector, distance) else { continue };
        let between = (1..steps).map(|step| plus(origin, times(vector, step)));
        if between.into_iter().all(|cell| table.cell(cell).is_some_and(is_vacant)) {
            return Some(Path { vector, steps: steps as u8, turn: None });
        }
    }
    (1..=CIRCLE_STEPS_MAX).find_map(|steps| {
        (0..row.circles.len()).find_map(|first| {
            [Turn::Clockwise, Turn::Counter].into_iter().find_map(|turn| {
                let reached = circle(table, row, (from, first), turn, is_vacant);
                (reached.get(steps - 1)?.as_ref() == Some(&to)).then(|| Path {
                    vector: row.circles[first],
                    steps: steps as u8,
                    turn: Some(turn).filter(|_| steps > 1),
                })
            })
        })
    })
}

/// The cells that a circular rider reaches from a cell, beginning with a vector of its circle, as far as it can go.
pub(super) fn circle(
    table: &BoardTable,
    row: &PieceRow,
    (from, first): (Cell, usize),
    turn: Turn,
    is_vacant: &dyn Fn(Cell) -> bool,
) -> [Option<Cell>; CIRCLE_STEPS_MAX] {
    let count = row.circles.len();
    let (mut reached, mut cell, mut index) = ([None; CIRCLE_STEPS_MAX], from, first);
    for slot in &mut reached {
        let Some(next) = table.step(cell, row.circles[index]) else { break };
        *slot = Some(next);
        if !is_vacant(next) {
            break;
        }
        cell = next;
        index = match turn {
            Turn::Clockwise => (index + 1) % count,
            Turn::Counter => (index + count - 1) % count,
        };
    }
    reached
}
