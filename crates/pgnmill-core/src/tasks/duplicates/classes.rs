//! Classes of exact duplicates, and the classes whose moves must be compared.
//!
//! In: the keys of games, in order: by moves, players, tag pairs. Out: the members of classes with several games; which
//! classes are one; the classes by players, date and result, of which those with equal keys are candidates for near
//! duplicates. Invariant: a class is named by its first game, its leader. Cost: one pass over each sorted list; memory
//! that of the sorts, however large a class is, and 16 bytes per class that is joined with another.

use pgnmill_io::error::Result;

use crate::tasks::sorter::{Sorted, Sorter, Spill};

use super::descriptions::{DESCRIPTIONS_MAX, Description, united};
use super::records::{Candidate, ClassMember, GameKey, NearKey};

/// Classes that are one game, though their tag pairs differ: of each its first game, and that of the class it is in.
#[derive(Debug, Default)]
pub struct Joined(Vec<(u64, u64)>);

impl Joined {
    /// The first game of the class of a game that is the first one with its tag pairs.
    pub fn leader(&self, first: u64) -> u64 {
        let at = self.0.binary_search_by_key(&first, |(first, _)| *first);
        at.map_or(first, |at| self.0[at].1)
    }
}

/// How many games have duplicates, by each rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactCounts {
    /// By the rule of the run.
    pub removed: u64,
    /// By the moves alone.
    pub by_moves: u64,
    /// Exact duplicates whose players are not those of the first game of their class.
    pub other_players: u64,
}

/// The classes of a run.
#[derive(Debug)]
pub struct Classes {
    /// The games of classes with several games.
    pub members: Sorter<ClassMember>,
    /// The keys of all classes that may have near duplicates.
    pub near: Sorter<NearKey>,
    /// Which classes are one.
    pub joined: Joined,
    /// The games that have exact duplicates before them.
    pub counts: ExactCounts,
    /// The descriptions of the games of equal moves and initials that were met last, as far as they are compared.
    descriptions: Vec<(Description, u64)>,
}

/// The class that is being collected.
#[derive(Clone, Copy, Debug)]
struct Class {
    first: GameKey,
    is_single: bool,
    /// The near key of its last game.
    last_near: u128,
}

impl Classes {
    /// The classes of games with these keys.
    ///
    /// # Errors
    /// A temporary file that cannot be read or written.
    pub fn of(keys: Sorted<GameKey>, spill: &Spill) -> Result<Classes> {
        let (members, near) = (Sorter::new(spill), Sorter::new(spill));
        let (joined, counts, descriptions) = Default::default();
        let mut classes = Classes { members, near, joined, counts, descriptions };
        let mut class: Option<Class> = None;
        for key in keys {
            let key = key?;
            let before = class.map(|class| class.first);
            let has_moves = before.is_some_and(|first| first.moves == key.moves);
            classes.counts.by_moves += u64::from(has_moves && key.by_moves);
            if !has_moves || before.is_some_and(|first| first.initials != key.initials) {
                classes.unite()?;
            }
            let is_equal = |class: &Class| {
                let Class { first, .. } = class;
                let known = (first.moves, first.initials, first.description);
                key.has_duplicates && known == (key.moves, key.initials, key.description)
            };
            class = Some(match class.filter(is_equal) {
                None => classes.begin(key)?,
                Some(class) => classes.add(class, key)?,
            });
        }
        classes.unite()?;
        classes.joined.0.sort_unstable();
        Ok(classes)
    }

    /// A class begins.
    fn begin(&mut self, first: GameKey) -> Result<Class> {
        if first.has_duplicates && self.descriptions.len() <= DESCRIPTIONS_MAX {
            self.descriptions.push((first.description, first.id));
        }
        let class = Class { first, is_single: true, last_near: 0 };
        self.add_near(class, first)
    }

    /// The next game of a class.
    fn add(&mut self, class: Class, key: GameKey) -> Result<Class> {
        let leader = class.first.id;
        if class.is_single {
            self.members.push(ClassMember { id: leader, leader })?;
        }
        self.members.push(ClassMember { id: key.id, leader })?;
        self.counts.removed += 1;
        self.counts.other_players += u64::from(key.players != class.first.players);
        self.add_near(Class { is_single: false, ..class }, key)
    }

    /// Games of a class can have different tag pairs, and with them different near duplicates.
    fn add_near(&mut self, class: Class, key: GameKey) -> Result<Class> {
        if key.near != 0 && key.near != class.last_near {
            self.near.push(NearKey { near: key.near, head: key.head, node: class.first.id })?;
        }
        Ok(Class { last_near: key.near, ..class })
    }

    /// Joins the classes of equal moves and initials that are one game.
    fn unite(&mut self) -> Result<()> {
        for (first, leader) in united(&self.descriptions) {
            for id in [first, leader] {
                self.members.push(ClassMember { id, leader: id })?;
            }
            self.joined.0.push((first, leader));
            self.counts.removed += 1;
        }
        self.descriptions.clear();
        Ok(())
    }
}

/// The classes whose moves are required: those with a near key in common, if their beginnings are equal or too short to
/// have a hash. Most games that the same players play on one day are excluded here, before their moves are read.
///
/// # Errors
/// A temporary file that cannot be read or written.
pub fn candidates(
    near: Sorted<NearKey>,
    joined: &Joined,
    spill: &Spill,
) -> Result<Sorter<Candidate>> {
    let mut found = Sorter::new(spill);
    let candidate = |node, group| Candidate { node: joined.leader(node), group };
    let mut last: Option<NearKey> = None;
    let (mut group, mut has_short, mut is_added) = (0, false, false);
    for key in near {
        let key = key?;
        if last == Some(key) {
            continue;
        }
        let in_group =
            last.filter(|last| last.near == key.near && (has_short || last.head == key.head));
        match in_group {
            None => {
                // In order: short games are before all others with the same near key.
                has_short = key.head == 0;
                (group, is_added) = (group + 1, false);
            }
            Some(last) => {
                if !is_added {
                    found.push(candidate(last.node, group))?;
                }
                is_added = true;
                found.push(candidate(key.node, group))?;
            }
        }
        last = Some(key);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spill(bytes_max: usize) -> Spill {
        Spill { directory: std::env::temp_dir(), name: "g".into(), bytes_max }
    }

    #[test]
    fn classes_are_named_by_their_first_game_and_have_every_near_key_once() {
        for bytes_max in [0, 1 << 20] {
            let spill = spill(bytes_max);
            let mut keys = Sorter::new(&spill);
            for (moves, id, near) in
                [(7, 0, 1), (5, 1, 1), (7, 2, 1), (7, 3, 2), (9, 4, 0), (7, 5, 2), (5, 6, 0)]
            {
                let (by_moves, has_duplicates, players) = (true, true, near as u32);
                let head = 3;
                let key = GameKey {
                    moves,
                    id,
                    near,
                    head,
                    players,
                    by_moves,
                    has_duplicates,
                    ..GameKey::default()
                };
                keys.push(key).unwrap();
            }
            let classes = Classes::of(keys.finish().unwrap(), &spill).unwrap();
            let members = classes.members.finish().unwrap().map(|member| member.unwrap());
            let members: Vec<(u64, u64)> = members.map(|one| (one.id, one.leader)).collect();
            assert_eq!(members, [(0, 0), (1, 1), (2, 0), (3, 0), (5, 0), (6, 1)]);
            assert_eq!(classes.counts, ExactCounts { removed: 4, by_moves: 4, other_players: 3 });
            let near = classes.near.finish().unwrap().map(|near| near.unwrap());
            let near: Vec<(u128, u64)> = near.map(|one| (one.near, one.node)).collect();
            assert_eq!(near, [(1, 0), (1, 1), (2, 0)]);
        }
    }

    #[test]
    fn games_of_equal_moves_are_one_if_nothing_contradicts_it() {
        let spill = spill(100);
        let key = |initials, days, id, has_duplicates| {
            let description = Description { days, ..Description::default() };
            let default = GameKey::default();
            GameKey { moves: 1, initials, description, id, has_duplicates, ..default }
        };
        let mut keys = Sorter::new(&spill);
        for key in [
            key(1, [5, 5], 4, true),
            key(1, [0, 9], 2, true),
            key(1, [0, 9], 7, true),
            key(2, [5, 5], 5, true),
            key(3, [5, 5], 6, false),
            key(3, [5, 5], 8, false),
        ] {
            keys.push(key).unwrap();
        }
        let classes = Classes::of(keys.finish().unwrap(), &spill).unwrap();
        assert_eq!(classes.counts, ExactCounts { removed: 2, by_moves: 0, other_players: 0 });
        assert_eq!([2, 4, 5, 7].map(|id| classes.joined.leader(id)), [2, 2, 5, 7]);
        let members = classes.members.finish().unwrap().map(|member| member.unwrap());
        let members: Vec<(u64, u64)> = members.map(|one| (one.id, one.leader)).collect();
        assert_eq!(members, [(2, 2), (2, 2), (4, 4), (7, 2)]);
    }

    #[test]
    fn candidates_have_the_same_beginning_or_a_short_one() {
        let spill = spill(1 << 20);
        let mut near = Sorter::new(&spill);
        for (near_key, head, node) in [
            (1, 4, 0),
            (1, 5, 1),
            (1, 5, 2),
            (1, 5, 2),
            (1, 6, 3),
            (2, 0, 4),
            (2, 5, 5),
            (2, 6, 6),
            (3, 0, 7),
            (4, 0, 8),
            (4, 0, 9),
            (5, 1, 10),
            (5, 1, 10),
        ] {
            near.push(NearKey { near: near_key, head, node }).unwrap();
        }
        let found = candidates(near.finish().unwrap(), &Joined::default(), &spill)
            .unwrap()
            .finish()
            .unwrap();
        let nodes: Vec<u64> = found.map(|candidate| candidate.unwrap().node).collect();
        assert_eq!(nodes, [1, 2, 4, 5, 6, 8, 9]);
    }
}
