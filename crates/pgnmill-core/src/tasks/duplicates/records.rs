//! The items that the search sorts.
//!
//! Invariant: the order of each type is that of its fields. Numbers of games (`id`) count the games of all archives
//! in the order of the inputs. Sizes on disk: 120 bytes per game, 28 per game with known players, 16 per member of a
//! group.

use pgnmill_state::state;

use crate::tasks::sorter::Stored;

use super::descriptions::Description;

/// The keys of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct GameKey {
    /// The hash of the moves.
    pub moves: u128,
    /// The hash of what compatible players have in common; 0 if players are not compared.
    pub initials: u64,
    /// What the tag pairs state; nothing if they are not compared.
    pub description: Description,
    /// The game.
    pub id: u64,
    /// The hash of players, date, time and result; 0 if the game has no near duplicates.
    pub near: u128,
    /// The hash of the first plies; 0 if there are fewer.
    pub head: u32,
    /// The hash of the players: those of two exact duplicates can differ.
    pub players: u32,
    /// Whether games of equal moves are duplicates, whatever their players.
    pub by_moves: bool,
    /// Whether the game can have exact duplicates.
    pub has_duplicates: bool,
}

/// A class of exact duplicates, as one that may have near duplicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NearKey {
    /// See [`GameKey::near`].
    pub near: u128,
    /// See [`GameKey::head`].
    pub head: u32,
    /// The first game of the class.
    pub node: u64,
}

/// A class whose moves are required: see [`candidates`](super::candidates).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// The first game of the class.
    pub node: u64,
    /// The number of the games with which it is compared.
    pub group: u64,
}

/// The moves of a candidate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CandidateLine {
    /// See [`Candidate::group`].
    pub group: u64,
    /// The starting position, hashed, and two bytes per ply.
    pub moves: Vec<u8>,
    /// The first game of the class.
    pub node: u64,
}

/// A game that has duplicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClassMember {
    /// The game.
    pub id: u64,
    /// The first game of its class.
    pub leader: u64,
}

/// A row of the table of groups.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GroupRow {
    /// The number of the group.
    pub group: u64,
    /// The game.
    pub id: u64,
    /// The fields.
    pub fields: Vec<String>,
}

state!(GameKey { moves, initials, description, id, near, head, players, by_moves, has_duplicates });
state!(NearKey { near, head, node });
state!(Candidate { node, group });
state!(CandidateLine { group, moves, node });
state!(ClassMember { id, leader });
state!(GroupRow { group, id, fields });

impl Stored for GameKey {}
impl Stored for NearKey {}
impl Stored for Candidate {}
impl Stored for ClassMember {}

impl Stored for CandidateLine {
    fn memory_bytes(&self) -> usize {
        size_of::<CandidateLine>() + self.moves.capacity()
    }
}

impl Stored for GroupRow {
    fn memory_bytes(&self) -> usize {
        let fields = self.fields.iter().map(|field| size_of::<String>() + field.capacity());
        size_of::<GroupRow>() + fields.sum::<usize>()
    }
}
