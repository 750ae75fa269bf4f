//! Near duplicates: classes of which one is a prefix of another, and the groups that follow from them.
//!
//! In: the moves of candidates, in order. Out: for each class with a near duplicate its group. Invariant: a group is
//! everything that can be reached by links, whatever their direction. Cost: in sorted order the prefixes of a line are
//! a stack, so that each line is compared with one other; no time is quadratic in the games of a key. Memory: about 150
//! bytes per class that has a near duplicate, and the longest line.

use std::collections::VecDeque;

use pgnmill_io::error::Result;

use crate::tasks::sorter::Sorted;

use super::keys::{PLY_BYTES, START_BYTES};
use super::records::CandidateLine;

/// Which game of a group is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// The first one in the order of the inputs.
    First,
    /// The one with the most plies in its main line; of several the first.
    Longest,
}

/// A class with near duplicates: its group, and how it is linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Linked {
    /// The first game of the group.
    pub(super) first: u64,
    /// The game of the group that is kept.
    pub(super) kept: u64,
    /// The next class on the way to the kept game; itself for the class of that game.
    pub(super) to: u64,
}

/// The groups of near duplicates.
#[derive(Debug, Default)]
pub struct Links {
    /// Classes in order, by their first games.
    nodes: Vec<u64>,
    linked: Vec<Linked>,
}

/// A class on the stack of prefixes.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    node: u64,
    bytes: usize,
}

/// The links of lines.
#[derive(Debug, Default)]
struct PrefixLinks {
    /// A class, and one whose moves begin with its moves.
    edges: Vec<[u64; 2]>,
    /// The linked classes in order, with the bytes of their lines.
    lengths: Vec<(u64, u64)>,
}

/// The links of lines: from each line to the longest other one that is a prefix of it. `plies_min`: of the shorter one.
fn prefixes(lines: Sorted<CandidateLine>, plies_min: usize) -> Result<PrefixLinks> {
    let bytes_min = START_BYTES.saturating_add(plies_min.saturating_mul(PLY_BYTES));
    let PrefixLinks { mut edges, mut lengths } = PrefixLinks::default();
    let mut stack: Vec<Prefix> = Vec::new();
    let mut last = CandidateLine { group: 0, moves: Vec::new(), node: 0 };
    for line in lines {
        let line = line?;
        if line.group == last.group {
            let pairs = last.moves.iter().zip(&line.moves);
            let common = pairs.take_while(|(a, b)| a == b).count();
            while stack.last().is_some_and(|prefix| prefix.bytes > common) {
                stack.pop();
            }
        } else {
            stack.clear();
        }
        let bytes = line.moves.len();
        if let Some(prefix) = stack.last().filter(|prefix| prefix.node != line.node) {
            edges.push([prefix.node, line.node]);
            lengths.push((prefix.node, prefix.bytes as u64));
            lengths.push((line.node, bytes as u64));
        }
        if bytes >= bytes_min {
            stack.push(Prefix { node: line.node, bytes });
        }
        last = line;
    }
    lengths.sort_unstable();
    lengths.dedup_by_key(|(node, _)| *node);
    Ok(PrefixLinks { edges, lengths })
}

/// The neighbours of each node, as indexes.
#[derive(Debug)]
struct Neighbours {
    ends: Vec<usize>,
    nodes: Vec<usize>,
}

impl Neighbours {
    fn of(edges: &[[u64; 2]], nodes: &[u64]) -> Neighbours {
        let index = |node: &u64| nodes.partition_point(|other| other < node);
        let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(2 * edges.len());
        for [one, other] in edges {
            let (one, other) = (index(one), index(other));
            pairs.extend([(one, other), (other, one)]);
        }
        pairs.sort_unstable();
        pairs.dedup();
        let ends = (0..nodes.len()).map(|node| pairs.partition_point(|pair| pair.0 <= node));
        let ends = ends.collect();
        Neighbours { ends, nodes: pairs.into_iter().map(|pair| pair.1).collect() }
    }

    fn get(&self, node: usize) -> &[usize] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.nodes[start..self.ends[node]]
    }

    /// Visits everything that can be reached from a node, and not yet was, nearest first: a node, and the one from
    /// which it was reached.
    fn visit(&self, from: usize, seen: &mut [bool], mut visit: impl FnMut(usize, usize)) {
        let mut queue = VecDeque::from([(from, from)]);
        seen[from] = true;
        while let Some((node, before)) = queue.pop_front() {
            visit(node, before);
            for &next in self.get(node) {
                if !std::mem::replace(&mut seen[next], true) {
                    queue.push_back((next, node));
                }
            }
        }
    }
}

impl Links {
    /// The groups of these lines, which are in order. `plies_min`: the plies of the shorter one of two near duplicates.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn of(lines: Sorted<CandidateLine>, plies_min: usize, keep: Keep) -> Result<Links> {
        let PrefixLinks { edges, lengths } = prefixes(lines, plies_min)?;
        let (nodes, lengths): (Vec<u64>, Vec<u64>) = lengths.into_iter().unzip();
        let neighbours = Neighbours::of(&edges, &nodes);
        drop(edges);
        let mut linked = vec![Linked { first: 0, kept: 0, to: 0 }; nodes.len()];
        let (mut seen, mut reached) = (vec![false; nodes.len()], vec![false; nodes.len()]);
        for first in 0..nodes.len() {
            if seen[first] {
                continue;
            }
            let mut kept = first;
            neighbours.visit(first, &mut seen, |node, _| {
                let is_longer = (lengths[node], kept) > (lengths[kept], node);
                if keep == Keep::Longest && is_longer {
                    kept = node;
                }
            });
            neighbours.visit(kept, &mut reached, |node, before| {
                let (first, kept, to) = (nodes[first], nodes[kept], nodes[before]);
                linked[node] = Linked { first, kept, to };
            });
        }
        Ok(Links { nodes, linked })
    }

    /// The classes that have near duplicates, in order, by their first games.
    pub fn nodes(&self) -> &[u64] {
        &self.nodes
    }

    /// How many classes are not kept for what they have in common with others.
    pub fn removed_count(&self) -> u64 {
        self.nodes.iter().zip(&self.linked).filter(|(node, linked)| **node != linked.kept).count()
            as u64
    }

    /// How the class with this first game is linked.
    pub(super) fn get(&self, leader: u64) -> Option<&Linked> {
        self.nodes.binary_search(&leader).ok().map(|index| &self.linked[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::sorter::{Sorter, Spill};

    /// The links of lines: group, moves, node.
    fn links(lines: &[(u64, &str, u64)], plies_min: usize, keep: Keep) -> Vec<(u64, Linked)> {
        let spill = Spill { directory: std::env::temp_dir(), name: "g".into(), bytes_max: 100 };
        let mut sorter = Sorter::new(&spill);
        for &(group, text, node) in lines {
            let mut moves = vec![0; START_BYTES];
            text.bytes().for_each(|byte| moves.extend([byte, 1]));
            sorter.push(CandidateLine { group, moves, node }).unwrap();
        }
        let links = Links::of(sorter.finish().unwrap(), plies_min, keep).unwrap();
        links.nodes.iter().copied().zip(links.linked).collect()
    }

    fn linked(first: u64, kept: u64, to: u64) -> Linked {
        Linked { first, kept, to }
    }

    #[test]
    fn prefixes_are_linked_and_other_games_of_the_same_players_are_not() {
        let lines =
            [(1, "abcd", 5), (1, "ab", 3), (1, "abce", 7), (1, "b", 1), (2, "a", 2), (3, "ab", 9)];
        let first = linked(3, 3, 3);
        let expected = [(3, first), (5, first), (7, first)];
        assert_eq!(links(&lines, 1, Keep::First), expected);
        let kept = |to| linked(3, 5, to);
        let expected = [(3, kept(5)), (5, kept(5)), (7, kept(3))];
        assert_eq!(links(&lines, 1, Keep::Longest), expected);
        assert_eq!(links(&lines, 3, Keep::First), []);
    }

    #[test]
    fn a_class_of_several_keys_joins_their_groups() {
        let lines =
            [(1, "ab", 1), (1, "a", 2), (2, "ab", 1), (2, "abc", 3), (4, "abc", 3), (4, "ab", 8)];
        let found = links(&lines, 1, Keep::Longest);
        assert_eq!(found.iter().map(|(_, linked)| linked.kept).collect::<Vec<_>>(), [3, 3, 3, 3]);
        assert!(found.iter().all(|(_, linked)| linked.first == 1));
    }

    /// A line of 3,000 games, each a prefix of the next, and a thousand games that differ in their last ply: not
    /// quadratic, and without recursion.
    #[test]
    fn chains_may_be_long() {
        let text = "x".repeat(3_000);
        let mut lines: Vec<(u64, &str, u64)> =
            (1..3_000).map(|plies| (1, &text[..plies], 9_000 - plies as u64)).collect();
        let others: Vec<String> = (33..120_u8).map(|c| format!("{}{}", &text, c as char)).collect();
        lines.extend((10..).zip(&others).map(|(node, text)| (1, text.as_str(), node)));
        let found = links(&lines, 1, Keep::First);
        assert_eq!(found.len(), 2_999 + others.len());
        assert!(found.iter().all(|(_, linked)| linked.first == 10 && linked.kept == 10));
    }
}
