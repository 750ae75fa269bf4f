//! The random groups of the event and of the players of a game; see `tables/clusters.rs`.
//!
//! Input: tag pairs; output: numbers below 256. Invariant: the group of a name is the same on all machines and in all
//! versions.

use crate::pgn::{Tag, TagValues};
use crate::select::share::{mixed, with};
use crate::tables::clusters::CLUSTERS;

/// The random groups of the event and of both players of a game.
pub(super) fn random_groups(tags: TagValues<'_>) -> [u8; 3] {
    let year = tags.year_and_month().map_or(0, |(year, _)| year as u64);
    let event = tags.known_text(Tag::Event).or_else(|| tags.known_text(Tag::Site));
    [
        group(event.as_deref(), year),
        group(tags.known_text(Tag::White).as_deref(), 0),
        group(tags.known_text(Tag::Black).as_deref(), 0),
    ]
}

/// The group of a name. Games without one are one cluster.
fn group(name: Option<&[u8]>, year: u64) -> u8 {
    let hash = name.unwrap_or_default().iter().fold(year, |hash, &byte| with(hash, byte.into()));
    // The number of groups is a power of two.
    (mixed(hash) % CLUSTERS as u64) as u8
}
