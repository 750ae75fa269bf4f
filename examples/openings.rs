//! Counts games by their first two plies, on all processors: `cargo run --release --example openings -- ARCHIVE…`.
//!
//! A visitor is asked for what it needs of a game and nothing else; each job of the archive has one, and the counts of all are
//! added in the order of the archive.

#![allow(clippy::print_stdout, reason = "a program prints")]

use std::collections::BTreeMap;

use pgnmill::{Game, PlayedMove, Reader, SAN, Visitor};

/// Games by opening.
#[derive(Default)]
struct Openings {
    games: BTreeMap<String, u64>,
    opening: String,
    plies: u32,
}

impl Visitor for Openings {
    fn ply(&mut self, ply: &PlayedMove<'_>) {
        if ply.depth == 0 && self.plies < 2 {
            self.plies += 1;
            self.opening.push_str(&format!("{} ", ply.text_in(SAN)));
        }
    }

    fn game_end(&mut self, _: &Game<'_>) {
        let opening = std::mem::take(&mut self.opening);
        *self.games.entry(opening).or_default() += 1;
        self.plies = 0;
    }
}

impl Openings {
    fn add(&mut self, other: Openings) {
        for (opening, games) in other.games {
            *self.games.entry(opening).or_default() += games;
        }
    }
}

fn count(path: impl AsRef<std::path::Path>, threads: usize) -> pgnmill::Result<Openings> {
    let mut all = Openings::default();
    let reader = Reader::open(path)?.threads(threads);
    reader.par_visit(Openings::default, |_, part| all.add(part))?;
    Ok(all)
}

fn main() -> pgnmill::Result<()> {
    let mut all = Openings::default();
    for path in std::env::args_os().skip(1) {
        all.add(count(path, 0)?);
    }
    let mut rows: Vec<_> = all.games.into_iter().collect();
    rows.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    rows.iter().take(20).for_each(|(opening, games)| println!("{games:>8} {opening}"));
    Ok(())
}

#[test]
fn openings_are_the_same_for_any_number_of_threads() {
    let archive = "tests/generated/lichess-sample.pgn.zst";
    let one = count(archive, 1).unwrap().games;
    assert_eq!(one.values().sum::<u64>(), 10_000);
    assert!([2, 7].into_iter().all(|threads| count(archive, threads).unwrap().games == one));
}
