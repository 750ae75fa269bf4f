//! `clusters_by.csv`: sums over random groups of events within the groups of a dimension, for standard errors by event.
//!
//! What `clusters.csv` is for all games, this is for each group of the dimensions that have few: a phase of the game, a
//! speed, a result. With C, P the sums of a group and cₖ, pₖ those of its games (or of its plies) in the k-th random
//! group of events, the error is that of `clusters.csv`. So the change of a group has no error borrowed from all
//! games: where events are of one group, as of one speed, and where every game has plies in each group, as of phases,
//! it is another.

use crate::notation::MAIN;

use super::clusters::CLUSTER;
use super::columns::PLIES;
use super::dimension::Dimension;
use super::groups::groups_count;
use super::order::Order;
use super::schema::{Column, Schema, Written};

/// Dimensions with more groups have no rows: with some hundred groups few events would be left in each.
pub const GROUPS_MAX: usize = 32;

/// The dimension.
pub const DIMENSION: Column = Column::key(
    "dimension",
    Order::Any,
    "the dimension, one of `--by` with at most 32 groups, but for move and rules",
);
/// The group.
pub const KEY: Column = Column::key("key", Order::Any, "the group");

/// The characters in each of the notations of `MAIN`, in their order.
pub const CHARACTERS: [Column; MAIN.len()] = [
    Column::sum("characters_san", "characters", "of the plies in `san`"),
    in_notation("characters_long"),
    in_notation("characters_uci"),
    in_notation("characters_economical_letters"),
    in_notation("characters_economical_squares"),
    in_notation("characters_economical_priority"),
    in_notation("characters_economical_squares_legal"),
    in_notation("characters_economical_priority_legal"),
];

const fn in_notation(name: &'static str) -> Column {
    Column::sum(name, "characters", "in this one")
}

/// One row per group and random group of events.
pub static SCHEMA: Schema = Schema {
    written: Written::ClusterEvents,
    ..Schema::added(
        "clusters_by.csv",
        "One row per group of a dimension and random group of events: characters in the notations of `--notations main`, \
         whichever are measured.",
        &[
            DIMENSION,
            KEY,
            CLUSTER,
            PLIES.with_doc("plies in the group, of games in the random group"),
            CHARACTERS[0],
            CHARACTERS[1],
            CHARACTERS[2],
            CHARACTERS[3],
            CHARACTERS[4],
            CHARACTERS[5],
            CHARACTERS[6],
            CHARACTERS[7],
        ],
    )
};

impl Dimension {
    /// Has it few enough groups for the sums of events in each?
    pub fn has_clusters(self) -> bool {
        !matches!(self, Dimension::Ply | Dimension::Move | Dimension::Rules)
            && groups_count(self).is_some_and(|count| count <= GROUPS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_main_notations() {
        for (column, notation) in CHARACTERS.iter().zip(MAIN) {
            let name = format!("characters_{}", notation.info().name.replace('-', "_"));
            assert_eq!(column.name, name);
        }
    }

    /// The limit is between them: a dimension of 32 groups would have rows, one of 33 none.
    #[test]
    fn dimensions_with_few_groups_have_clusters() {
        let mut with = Vec::new();
        for dimension in Dimension::ALL {
            let is_few = groups_count(dimension).is_some_and(|count| (1..33).contains(&count));
            let is_apart = ["ply", "move", "rules"].contains(&dimension.name());
            assert_eq!(dimension.has_clusters(), is_few && !is_apart, "{}", dimension.name());
            with.extend(dimension.has_clusters().then(|| dimension.name()));
        }
        let names = ["phase", "side", "role", "kind", "check", "rating", "speed", "result"];
        assert!(names.iter().all(|name| with.contains(name)), "{with:?}");
        assert!(!with.contains(&"eco") && !with.contains(&"source"), "{with:?}");
    }
}
