//! Classes of exact duplicates, and the classes whose moves must be compared.
//!
//! In: the keys of games, in order. Out: the members of classes with several games; the classes by players, date and
//! result, of which those with equal keys are candidates for near duplicates. Invariant: a class is named by its first
//! game, its leader. Cost: one pass over each sorted list; memory that of the sorts, however large a class is.

use pgnmill_io::error::Result;

use super::records::{Candidate, ClassMember, GameKey, NearKey};
use super::sorter::{Sorted, Sorter, Spill};

/// The classes of a run.
#[derive(Debug)]
pub struct Classes {
    /// The games of classes with several games.
    pub members: Sorter<ClassMember>,
    /// The keys of all classes that may have near duplicates.
    pub near: Sorter<NearKey>,
    /// Exact duplicates whose players are not those of the first game of their class.
    pub other_players_count: u64,
}

impl Classes {
    /// The classes of games with these keys.
    ///
    /// # Errors
    /// A temporary file that cannot be read or written.
    pub fn of(keys: Sorted<GameKey>, spill: &Spill) -> Result<Classes> {
        let (members, near) = (Sorter::new(spill), Sorter::new(spill));
        let mut classes = Classes { members, near, other_players_count: 0 };
        let mut leader: Option<GameKey> = None;
        // The near key of the last game of the class, and whether the class has several games.
        let (mut last_near, mut is_single) = (0, true);
        for key in keys {
            let key = key?;
            match leader.filter(|leader| leader.exact == key.exact) {
                None => {
                    leader = Some(key);
                    (last_near, is_single) = (0, true);
                }
                Some(GameKey { id: leader, players, .. }) => {
                    if is_single {
                        classes.members.push(ClassMember { id: leader, leader })?;
                    }
                    is_single = false;
                    classes.members.push(ClassMember { id: key.id, leader })?;
                    classes.other_players_count += u64::from(key.players != players);
                }
            }
            // Games of a class can have different tag pairs, and with them different near duplicates.
            if key.near != 0 && key.near != last_near {
                let node = leader.map_or(key.id, |leader| leader.id);
                classes.near.push(NearKey { near: key.near, head: key.head, node })?;
            }
            last_near = key.near;
        }
        Ok(classes)
    }
}

/// The classes whose moves are required: those with a near key in common, if their beginnings are equal or too short to
/// have a hash. Most games that the same players play on one day are excluded here, before their moves are read.
///
/// # Errors
/// A temporary file that cannot be read or written.
pub fn candidates(near: Sorted<NearKey>, spill: &Spill) -> Result<Sorter<Candidate>> {
    let mut found = Sorter::new(spill);
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
                    found.push(Candidate { node: last.node, group })?;
                }
                is_added = true;
                found.push(Candidate { node: key.node, group })?;
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
        Spill { directory: std::env::temp_dir(), bytes_max }
    }

    #[test]
    fn classes_are_named_by_their_first_game_and_have_every_near_key_once() {
        for bytes_max in [0, 1 << 20] {
            let spill = spill(bytes_max);
            let mut keys = Sorter::new(&spill);
            for (exact, id, near) in
                [(7, 0, 1), (5, 1, 1), (7, 2, 1), (7, 3, 2), (9, 4, 0), (7, 5, 2), (5, 6, 0)]
            {
                keys.push(GameKey { exact, id, near, head: 3, players: near as u32 }).unwrap();
            }
            let classes = Classes::of(keys.finish().unwrap(), &spill).unwrap();
            let members = classes.members.finish().unwrap().map(|member| member.unwrap());
            let members: Vec<(u64, u64)> = members.map(|one| (one.id, one.leader)).collect();
            assert_eq!(members, [(0, 0), (1, 1), (2, 0), (3, 0), (5, 0), (6, 1)]);
            assert_eq!(classes.other_players_count, 3);
            let near = classes.near.finish().unwrap().map(|near| near.unwrap());
            let near: Vec<(u128, u64)> = near.map(|one| (one.near, one.node)).collect();
            assert_eq!(near, [(1, 0), (1, 1), (2, 0)]);
        }
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
        let found = candidates(near.finish().unwrap(), &spill).unwrap().finish().unwrap();
        let nodes: Vec<u64> = found.map(|candidate| candidate.unwrap().node).collect();
        assert_eq!(nodes, [1, 2, 4, 5, 6, 8, 9]);
    }
}
