//! Groups of rows: what is encoded and written at once.
//!
//! In: the rows of jobs, in order. Out: [`Group`]s. Invariant: where a group ends depends on the games alone, on their
//! number, their bytes and their rows, never on the jobs; so a file is the same for any number of threads and any
//! container. Cost: one step per game; rows are shared, not copied.

use std::ops::Range;
use std::sync::Arc;

use pgnmill_state::{Loader, State, state};

use super::buffer::Buffer;
use super::column::Column;
use super::kind::Kind;
use super::rows::{GamePart, PlacedRows};
use super::values::TextRuns;

/// Games in a group, at most.
pub const GROUP_GAMES_MAX: usize = 16_384;
/// Bytes of the text of a group's games, unless it is one game: bounds the memory.
pub const GROUP_TEXT_BYTES_MAX: u64 = 16 << 20;
/// Rows in a group, at most: a game of more rows is in several.
pub const GROUP_ROWS_MAX: usize = 1 << 17;

/// Some rows of a job.
#[derive(Clone, Debug)]
struct Slice {
    rows: Arc<PlacedRows>,
    range: Range<usize>,
}

/// Rows that are encoded and written at once.
#[derive(Clone, Debug, Default)]
pub struct Group {
    slices: Vec<Slice>,
    rows_count: usize,
}

impl Group {
    /// The number of rows.
    pub fn rows_count(&self) -> usize {
        self.rows_count
    }

    /// The memory of the rows, about.
    pub fn bytes(&self) -> u64 {
        let bytes = |Slice { rows, range }: &Slice| {
            let rows_count = rows.rows.rows_count().max(1) as u64;
            rows.rows.bytes() * range.len() as u64 / rows_count
        };
        self.slices.iter().map(bytes).sum()
    }

    /// Adds all rows of a part of a table whose rows are no games.
    pub fn extend(&mut self, rows: PlacedRows) {
        let rows_count = rows.rows.rows_count();
        self.add(&Arc::new(rows), 0..rows_count);
    }

    /// Divides it into groups of so many rows, and the rest.
    #[must_use]
    pub fn divided(self, rows_max: usize) -> Vec<Group> {
        let mut groups = vec![Group::default()];
        for Slice { rows, range } in self.slices {
            let mut start = range.start;
            while start < range.end {
                if groups.last().is_none_or(|last| last.rows_count == rows_max) {
                    groups.push(Group::default());
                }
                let Some(last) = groups.last_mut() else { break };
                let end = range.end.min(start + rows_max - last.rows_count);
                last.add(&rows, start..end);
                start = end;
            }
        }
        groups
    }

    /// The values of a column.
    pub fn column(&self, index: usize, column: &Column) -> Buffer {
        let mut buffer = Buffer::new(column.kind);
        buffer.reserve(self.rows_count, self.elements_count(index, column));
        for slice in &self.slices {
            slice.rows.append(index, column, slice.range.clone(), &mut buffer);
        }
        buffer
    }

    /// The texts of a column, if it has texts of which some are those of several rows.
    pub fn text_runs(&self, index: usize, column: &Column) -> Option<TextRuns> {
        let is_repeated = |slice: &Slice| slice.rows.is_repeated(column);
        if column.kind != Kind::Text || !self.slices.iter().any(is_repeated) {
            return None;
        }
        let mut runs = TextRuns::default();
        for slice in &self.slices {
            slice.rows.append_runs(index, column, slice.range.clone(), &mut runs);
        }
        Some(runs)
    }

    /// Bytes of texts, or elements of lists, of a column of rows; 0 where it is not known.
    fn elements_count(&self, index: usize, column: &Column) -> usize {
        let slices = self.slices.iter();
        slices.map(|slice| slice.rows.elements_count(index, column, &slice.range)).sum()
    }

    fn add(&mut self, rows: &Arc<PlacedRows>, range: Range<usize>) {
        self.rows_count += range.len();
        match self.slices.last_mut() {
            Some(last) if Arc::ptr_eq(&last.rows, rows) && last.range.end == range.start => {
                last.range.end = range.end;
            }
            _ if range.is_empty() => {}
            _ => self.slices.push(Slice { rows: Arc::clone(rows), range }),
        }
    }
}

impl State for Slice {
    fn save(&self, out: &mut Vec<u8>) {
        self.rows.save(out);
        (self.range.start, self.range.end).save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<Slice> {
        let rows: PlacedRows = from.value()?;
        let (start, end) = from.value()?;
        let is_within = start <= end && end <= rows.rows.rows_count();
        is_within.then(|| Slice { rows: Arc::new(rows), range: start..end })
    }
}
state!(Group { slices, rows_count });
state!(Cutter { group, games, games_before, text_bytes, waiting_bytes });

/// Divides rows into groups.
#[derive(Debug, Default)]
pub struct Cutter {
    group: Group,
    games: usize,
    /// Of the file, in this group and those before it.
    games_before: u64,
    text_bytes: u64,
    waiting_bytes: u64,
}

impl Cutter {
    /// Adds the rows of the next job; `ready` receives the groups that are complete.
    pub fn push(&mut self, mut rows: PlacedRows, ready: &mut Vec<Group>) {
        rows.games_before = self.games_before;
        self.games_before += rows.rows.games_ended() as u64;
        let (rows, bytes_before) = (Arc::new(rows), self.waiting_bytes);
        let groups_before = ready.len();
        let mut start = 0;
        for (&end, &bytes) in rows.rows.game_ends.iter().zip(&rows.rows.game_bytes) {
            let (end, bytes) = (end as usize, u64::from(bytes));
            let whole = GamePart { rows_before: 0, rows_count: end - start };
            let GamePart { rows_before: mut at, rows_count } = rows.rows.part.unwrap_or(whole);
            let is_full = self.games == GROUP_GAMES_MAX
                || self.text_bytes + bytes > GROUP_TEXT_BYTES_MAX
                || self.group.rows_count + rows_count > GROUP_ROWS_MAX;
            if at == 0 && self.games > 0 && is_full {
                ready.extend(self.finish());
            }
            // A game of more rows than a group has begins with a group.
            while start < end {
                let full_at = (at / GROUP_ROWS_MAX + 1) * GROUP_ROWS_MAX;
                let count = (end - start).min(full_at - at);
                self.group.add(&rows, start..start + count);
                (start, at) = (start + count, at + count);
                if at == full_at && at < rows_count {
                    ready.extend(self.finish());
                }
            }
            if at == rows_count {
                self.games += 1;
                self.text_bytes += bytes;
            }
        }
        // Rows are kept as long as one of their job waits.
        let kept = if ready.len() == groups_before { bytes_before } else { 0 };
        self.waiting_bytes = kept + rows.rows.bytes();
    }

    /// The memory of the rows of the group that is not complete.
    pub fn waiting_bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// The rows that are left, if there are any.
    pub fn finish(&mut self) -> Option<Group> {
        (self.games, self.text_bytes, self.waiting_bytes) = (0, 0, 0);
        let group = std::mem::take(&mut self.group);
        (group.rows_count > 0).then_some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::Rows;
    use super::*;
    use crate::engine::Base;

    /// Jobs of these games, as (rows, bytes).
    fn groups(jobs: &[Vec<(u32, u32)>]) -> Vec<usize> {
        let (mut cutter, mut ready) = (Cutter::default(), Vec::new());
        for job in jobs {
            let mut rows = Rows::default();
            for &(count, bytes) in job {
                rows.game_ends.push(rows.game_ends.last().unwrap_or(&0) + count);
                rows.game_bytes.push(bytes);
            }
            cutter.push(PlacedRows::new(String::new(), Base::default(), rows), &mut ready);
        }
        ready.extend(cutter.finish());
        ready.iter().map(Group::rows_count).collect()
    }

    /// The groups of games of which each is added in parts of so many rows.
    fn groups_of_parts(games: &[(u32, u32)], part_rows: u32) -> Vec<(usize, Vec<u64>)> {
        let (mut cutter, mut ready) = (Cutter::default(), Vec::new());
        for &(count, bytes) in games {
            let starts = (0..count.max(1)).step_by(part_rows as usize);
            for start in starts {
                let rows_count = part_rows.min(count - start);
                let mut rows = Rows { game_ends: vec![rows_count], ..Rows::default() };
                rows.game_bytes.push(bytes);
                rows.part =
                    Some(GamePart { rows_before: start as usize, rows_count: count as usize });
                assert_eq!(rows.games_ended(), usize::from(start + rows_count == count));
                cutter.push(PlacedRows::new(String::new(), Base::default(), rows), &mut ready);
            }
        }
        ready.extend(cutter.finish());
        let numbers = |group: &Group| {
            let mut numbers: Vec<u64> =
                group.slices.iter().map(|slice| slice.rows.games_before).collect();
            numbers.dedup();
            (group.rows_count, numbers)
        };
        ready.iter().map(numbers).collect()
    }

    /// Any division of games into parts gives the same groups, with the same numbers of games.
    #[test]
    fn groups_do_not_depend_on_parts() {
        let max = GROUP_ROWS_MAX as u32;
        let sizes = [1, max - 1, max, max + 1, 2 * max, 2 * max + 1, 0, 5, 3 * max - 7, 3, max / 2];
        for shift in 0..sizes.len() {
            let games: Vec<(u32, u32)> =
                sizes.iter().cycle().skip(shift).take(9).map(|&rows| (rows, 9 << 20)).collect();
            let whole = groups_of_parts(&games, u32::MAX);
            let counts: Vec<usize> = whole.iter().map(|(count, _)| *count).collect();
            assert_eq!(counts, groups(std::slice::from_ref(&games)));
            for part_rows in [max / 4, max / 4 + 1, 1_000, max - 1, max + 1] {
                assert_eq!(groups_of_parts(&games, part_rows), whole, "{part_rows}");
            }
        }
        // A game that fills a group is of that one: its text is not counted in the next.
        for full in [max, 2 * max] {
            let games = vec![(full, 9 << 20), (5, 6 << 20), (5, 6 << 20)];
            assert_eq!(groups(&[games]).last(), Some(&10));
        }
    }

    /// A group that is divided has its rows, in their order.
    #[test]
    fn divided_groups_are_their_group() {
        for (count, rows_max) in [(0, 3), (1, 3), (3, 3), (10, 3), (7, 1), (7, 100)] {
            let mut group = Group::default();
            for (game, from) in (0..count).step_by(2).enumerate() {
                let mut rows = Rows::default();
                rows.game_ends.push(2);
                let rows = PlacedRows { games_before: game as u64, ..placed(rows) };
                group.add(&Arc::new(rows), 0..2.min(count - from));
            }
            let spans = |groups: &[Group]| {
                let slices = groups.iter().flat_map(|group| &group.slices);
                slices
                    .flat_map(|Slice { rows, range }| {
                        range.clone().map(|row| (rows.games_before, row))
                    })
                    .collect::<Vec<_>>()
            };
            let whole = spans(std::slice::from_ref(&group));
            assert_eq!(whole.len(), count);
            let parts = group.divided(rows_max);
            assert_eq!(spans(&parts), whole);
            let full = parts.split_last().map_or(&[][..], |(_, full)| full);
            assert!(full.iter().all(|part| part.rows_count == rows_max));
            assert!(parts.iter().all(|part| part.rows_count <= rows_max));
        }
    }

    fn placed(rows: Rows) -> PlacedRows {
        PlacedRows::new(String::new(), Base::default(), rows)
    }

    /// Any division into jobs gives the same groups.
    #[test]
    fn groups_depend_on_the_games_alone() {
        let mut random = 1_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..20 {
            let size = [3, 3_000, 900_000][next(3) as usize];
            let games: Vec<(u32, u32)> = (0..40_000)
                .map(|_| {
                    let rows = if next(20_000) == 0 { 600_000 } else { next(size / 100 + 2) };
                    (rows as u32, next(size / 10 + 2) as u32)
                })
                .collect();
            let whole = groups(std::slice::from_ref(&games));
            let rows: usize = games.iter().map(|game| game.0 as usize).sum();
            assert_eq!(whole.iter().sum::<usize>(), rows);
            assert!(whole.iter().all(|&rows| (1..=GROUP_ROWS_MAX).contains(&rows)));
            let mut jobs = Vec::new();
            let mut rest = &games[..];
            while !rest.is_empty() {
                let (job, others) = rest.split_at((1 + next(9_000) as usize).min(rest.len()));
                jobs.push(job.to_vec());
                rest = others;
            }
            assert_eq!(groups(&jobs), whole);
        }
    }

    #[test]
    fn a_group_has_a_number_of_games() {
        assert_eq!(groups(&[vec![(1, 10); 40_000]]), [16_384, 16_384, 7_232]);
        assert_eq!(groups(&[vec![(1, 8 << 20); 5]]), [2, 2, 1]);
        assert_eq!(groups(&[vec![(1, 20 << 20); 2]]), [1, 1]);
        assert_eq!(groups(&[vec![(0, 20 << 20); 2]]), [0_usize; 0]);
    }
}
