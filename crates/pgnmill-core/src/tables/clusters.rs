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

/// How many random groups there are. The error of a standard error is about 1/√(2·256), 4 %, if they are of equal size.
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

/// The standard error of the ratio of two sums over random groups, from the two sums of each.
pub fn of_groups(groups: &[[u64; 2]]) -> Option<f64> {
    let m = groups.iter().filter(|[_, below]| *below > 0).count() as f64;
    let sum = |place: usize| groups.iter().map(|group| group[place] as f64).sum::<f64>();
    let (above, below) = (sum(0), sum(1));
    if m < 2.0 || below == 0.0 {
        return None;
    }
    let residual = |[a, b]: &[u64; 2]| (*a as f64 - above / below * *b as f64).powi(2);
    let residuals = groups.iter().map(residual).sum::<f64>();
    Some((m / (m - 1.0) * residuals).sqrt() / below)
}

/// The standard error with players as clusters. A game is in the groups of both: what is of single games is counted
/// twice, and the sums are twice as large.
pub fn of_players(groups: &[[u64; 2]], by_game: f64) -> Option<f64> {
    // Both sums are twice those of the games.
    let both = 2.0 * of_groups(groups)?;
    Some((both * both - by_game * by_game).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many groups as games: the error is that of the games; and that of players who meet once.
    #[test]
    fn clusters_of_one_game_have_the_error_of_games() {
        let games: Vec<[u64; 2]> = (0..97).map(|at| [250 + at * at % 37, 80 + at % 13]).collect();
        let by_game = of_groups(&games).unwrap();
        let squares = |a: usize, b: usize| games.iter().map(|game| game[a] * game[b]).sum::<u64>();
        let sums = [0, 1].map(|place| games.iter().map(|game| game[place]).sum::<u64>());
        let squares = [squares(0, 0), squares(0, 1), squares(1, 1)];
        let expected = super::super::se::of_ratio(97, sums, squares).unwrap();
        assert!((by_game - expected).abs() < 1e-12, "{by_game} {expected}");
        let players: Vec<[u64; 2]> = games.iter().chain(&games).copied().collect();
        let by_player = of_players(&players, by_game).unwrap();
        assert!((by_player / by_game - 1.0).abs() < 0.01, "{by_player} {by_game}");
        assert_eq!(of_groups(&games[..1]), None);
    }
}
