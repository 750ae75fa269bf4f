//! What each notation costs: plies and their texts become counts.
//!
//! What enters are the lengths of the texts of one game and the groups that it belongs to; what leaves are counts that add
//! up, and tables of them. Invariants: integers only, so that merging is exact and in any order; the groups of a dimension
//! sum to the whole; every ply of the main line of every game that was not rejected is
//! counted once for each notation that can write the game, and nothing else is. Variations are proved and converted,
//! but not measured: a table of a game's length counts the game.
//!
//! Plies after the [`PLIES_MAX`]th are one group, and of a game that is longer only a stretch is held, so that neither
//! memory nor tables grow with the longest game.
//!
//! Notations that are SAN but for their letters are not written out: their counts follow from SAN's and from how often
//! each letter stands, so that fifty languages cost hardly more than one. Dimensions of games cost one addition of rows a
//! game, those of plies one a ply; memory does not grow with the archive, since every dimension has a bounded number of
//! groups.
//!
//! ```
//! use pgnmill::tasks::measure::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod add;
mod cost;
mod counts;
mod game;
mod game_row;
mod grids;
mod groups;
mod labels;
mod later;
mod layout;
mod non_moves;
mod pairs;
mod ply_record;
mod selection;
mod sources;
mod sums;
mod traits;

pub use crate::tables::groups::PLIES_MAX;
pub use crate::tables::{Dimension, Dimensions};

pub use cost::Cost;
pub use counts::Tally;
pub use game::GameLengths;
pub use game_row::GameRow;
pub use labels::{GameTags, Labels};
pub use selection::{Selection, SelectionError};
