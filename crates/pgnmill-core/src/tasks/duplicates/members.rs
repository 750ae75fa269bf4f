//! The members of groups, in the order of the games.
//!
//! In: the games of classes with several games, in order, and the links of classes. Out: for each member, in order: its
//! group's number, what it is, and which game it duplicates. Invariant: groups are numbered from 1, in the order of
//! their first games. Memory: a quarter of a byte per game of the archives.

use std::iter::Peekable;

use pgnmill_io::error::Result;

use crate::tasks::sorter::Sorted;

use super::classes::Joined;
use super::links::Links;
use super::records::ClassMember;

/// What a member of a group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// The game of its group that is kept.
    Kept,
    /// It has the moves of an earlier game.
    Exact,
    /// It is the first one with its moves, which are a prefix of another game's, or begin with them.
    Near,
}

impl MemberKind {
    /// The name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            MemberKind::Kept => "kept",
            MemberKind::Exact => "exact",
            MemberKind::Near => "near",
        }
    }
}

/// A member of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// The game.
    pub id: u64,
    /// The number of the group, from 1.
    pub group: u64,
    /// What it is.
    pub kind: MemberKind,
    /// The game that it duplicates; itself if it is kept.
    pub of: u64,
}

/// The members of all groups, in order.
#[derive(Debug)]
pub struct Members {
    sorted: Peekable<Sorted<ClassMember>>,
    joined: Joined,
    links: Links,
    numbers: GroupNumbers,
}

impl Members {
    /// The members. A class with near duplicates is a member too, also if it has one game.
    pub fn new(sorted: Sorted<ClassMember>, joined: Joined, links: Links) -> Members {
        Members { sorted: sorted.peekable(), joined, links, numbers: GroupNumbers::default() }
    }

    /// How many groups were returned so far.
    pub fn groups_count(&self) -> u64 {
        self.numbers.count
    }

    /// The game as a member of its group; `None` if it is none. The games are taken in order.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn take(&mut self, id: u64) -> Result<Option<Member>> {
        let is_it = |next: &Result<ClassMember>| !matches!(next, Ok(next) if next.id != id);
        let Some(next) = self.sorted.next_if(is_it) else { return Ok(None) };
        let ClassMember { leader, .. } = next?;
        let leader = self.joined.leader(leader);
        // The first game of a class with near duplicates can be here several times.
        while self.sorted.next_if(|next| matches!(next, Ok(next) if next.id == id)).is_some() {}
        let linked = self.links.get(leader);
        let first = linked.map_or(leader, |linked| linked.first);
        let kept = linked.map_or(leader, |linked| linked.kept);
        let (kind, of) = match () {
            () if id == kept => (MemberKind::Kept, id),
            () if id != leader => (MemberKind::Exact, leader),
            () => (MemberKind::Near, linked.map_or(leader, |linked| linked.to)),
        };
        Ok(Some(Member { id, group: self.numbers.of(id, first), kind, of }))
    }
}

/// The numbers of groups: a bit for the first game of each, and how many are before each 64 games.
#[derive(Debug, Default)]
struct GroupNumbers {
    count: u64,
    words: Vec<(u64, u64)>,
}

impl GroupNumbers {
    /// The number of the group whose first game is `first`; the groups begin in order.
    fn of(&mut self, id: u64, first: u64) -> u64 {
        let (word, bit) = ((first / 64) as usize, first % 64);
        if id == first {
            if self.words.len() <= word {
                self.words.resize(word + 1, (0, self.count));
            }
            self.words[word].0 |= 1 << bit;
            self.count += 1;
        }
        let (bits, before) = self.words.get(word).copied().unwrap_or_default();
        before + u64::from((bits & (u64::MAX >> (63 - bit))).count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_numbered_in_the_order_of_their_first_games() {
        let mut numbers = GroupNumbers::default();
        let firsts: Vec<u64> = (0..1_000).map(|at| at * at % 977 + at * 70).collect();
        let mut sorted = firsts.clone();
        sorted.sort_unstable();
        sorted.dedup();
        for (at, &first) in sorted.iter().enumerate() {
            assert_eq!(numbers.of(first, first), at as u64 + 1);
            let earlier = at / 3;
            assert_eq!(numbers.of(first + 1, sorted[earlier]), earlier as u64 + 1);
        }
        assert_eq!(numbers.count, sorted.len() as u64);
    }
}
