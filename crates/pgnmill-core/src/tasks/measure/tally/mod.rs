//! What each notation costs: plies and their texts become counts.
//!
//! Input: the text lengths of one game and its groups; output: counts that add up, and tables of them. Invariants:
//! integers only, so that merging is exact and in any order; the groups of a dimension sum to the whole; every ply of
//! the main line of every game that is not rejected is counted once for each notation that can write the game, and
//! nothing else is. Variations are validated and converted, but not measured: a table of a game's length counts the
//! game.
//!
//! Plies after the [`PLIES_MAX`]th are one group, and of a longer game only a limited number of plies is kept, so that
//! neither memory nor tables grow with the longest game.
//!
//! Notations that differ from SAN only in their letters are not written out: their counts follow from SAN's and from
//! the frequency of each letter, so that fifty languages cost hardly more than one. Cost: one addition of rows per game
//! and dimension of games, one per ply if there are dimensions of plies. Memory does not grow with the archive, because
//! every dimension has a bounded number of groups.
//!
//! ```
//! use pgnmill_core::tasks::measure::tally::Tally;
//! let (mut a, b) = (Tally::default(), Tally::default());
//! a.merge(&b);
//! assert_eq!(a, b);
//! ```

mod add;
mod archives;
mod cost;
mod counts;
mod crossed;
mod crossed_of_game;
mod game;
mod game_row;
mod grids;
mod groups;
mod labels;
mod later;
mod layout;
mod non_moves;
mod other_rules;
mod pairs;
mod ply_record;
mod random_group;
mod row;
mod selection;
mod sources;
mod spread;
mod spread_of_game;
mod sums;
mod traits;

pub use crate::tables::groups::PLIES_MAX;
pub use crate::tables::{Dimension, Dimensions, Product, Products};

pub use archives::{ArchiveFacts, Archives};
pub use cost::Cost;
pub use counts::Tally;
pub use game::GameLengths;
pub use game_row::GameRow;
pub use labels::Labels;
pub use other_rules::OtherGame;
pub use selection::{Selection, SelectionError};
pub use spread::Clusters;
