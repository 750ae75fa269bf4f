//! `clusters.csv`: sums over random groups of events and of players, for standard errors with these as clusters.
//!
//! Games of one event, or of one player, are not independent of each other. What a run of any size and any split can
//! count exactly are not sums by event or player, of which there are too many, but sums over groups of them: the
//! method of random groups (Wolter, *Introduction to Variance Estimation*, 2). The event or the player is hashed to one
//! of [`CLUSTERS`] groups, all games of it together; with C, P the sums of all and cₖ, pₖ those of group k,
//!
//! ```text
//! se² = m/(m−1) · Σₖ (cₖ − (C/P)·pₖ)² / P²,   m the groups that have a game.
//! ```
//!
//! A game is in the groups of both its players: this counts what is of single games twice, and the error by games is
//! subtracted once (Aronow, Samii, Assenova 2015, for pairs).

use super::columns::{CHARACTERS, GAMES, NOTATION, PLIES};
use super::order::Order;
use super::schema::{Column, Schema, Written};

/// How many random groups there are. The error of a standard error is about 1/√(2·256), 4 %.
pub const CLUSTERS: usize = 256;
/// What is clustered, besides games.
pub const KINDS: [&str; 2] = ["event", "player"];

/// What is clustered.
pub const BY: Column = Column::key(
    "by",
    Order::Listed(&KINDS),
    "`event`: the tag `Event` and the year of `Date`, of `Site` where there is no event; `player`: White and Black, so \
     that a game is in two groups",
);
/// The group.
pub const CLUSTER: Column = Column::number(
    "cluster",
    Order::Below(CLUSTERS),
    "",
    "the random group, from 0: the hash of the name, modulo 256",
);

/// One row per kind, group and notation.
pub static SCHEMA: Schema = Schema {
    written: Written::Cluster,
    ..Schema::added(
        "clusters.csv",
        "One row per random group of events or players and notation of `--notations main`, with `--cluster event` or \
         `player`.",
        &[BY, CLUSTER, NOTATION, GAMES.with_doc("games with a ply"), PLIES, CHARACTERS],
    )
};
