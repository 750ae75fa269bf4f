//! The cells of a board that is given by a table, and the vectors between them.
//!
//! In: coordinates and names. Out: a [`Cell`], which is a byte. A cell has three coordinates: the file from west to
//! east, the rank from south to north, and the level from the lowest to the highest, each from 0. On a hexagonal board
//! the second coordinate is not the rank but oblique, so that a step over one edge is the same vector everywhere.
//! Invariant: a cell is a number below [`CELLS_MAX`]; which numbers are cells of a board its table decides. Cost: one
//! division per coordinate.
//!
//! ```
//! use pgnmill_core::chess::rules::BoardKind;
//! let table = BoardKind::Raumschach.table();
//! let cell = table.cell([2, 0, 0]).unwrap();
//! assert_eq!((table.name_of(cell).as_str(), table.coordinates(cell)), ("Ac1", [2, 0, 0]));
//! ```

/// A vector between two cells, or the coordinates of one: to the east, to the north, up.
pub type Vector = [i8; 3];

/// The most cells of a board, those of a box around it counted.
pub const CELLS_MAX: usize = 125;

/// A cell of a board, as a number below [`CELLS_MAX`]: the file plus the number of files times the second coordinate,
/// and so on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// The number, below [`CELLS_MAX`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0) % CELLS_MAX
    }
}

/// So many times a vector.
pub(super) fn times([x, y, z]: Vector, steps: i8) -> Vector {
    [x * steps, y * steps, z * steps]
}

/// The sum of two vectors.
pub(super) fn plus([x, y, z]: Vector, [dx, dy, dz]: Vector) -> Vector {
    [x + dx, y + dy, z + dz]
}

/// How often a vector leads along `distance`: the number of steps, at least 1, or `None` if it never does.
pub(super) fn steps_along(vector: Vector, distance: Vector) -> Option<i8> {
    let signs = |[x, y, z]: Vector| [x.signum(), y.signum(), z.signum()];
    // Nearly all vectors lead elsewhere.
    if signs(vector) != signs(distance) {
        return None;
    }
    let longest = |[x, y, z]: Vector| x.abs().max(y.abs()).max(z.abs());
    let (unit, whole) = (longest(vector), longest(distance));
    if unit == 0 || whole == 0 || whole % unit != 0 {
        return None;
    }
    let steps = whole / unit;
    (times(vector, steps) == distance).then_some(steps)
}
