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

fn main() -> pgnmill::Result<()> {
    let mut all = Openings::default();
    for path in std::env::args_os().skip(1) {
        Reader::open(path)?.par_visit(Openings::default, |_, part| all.add(part))?;
    }
    let mut rows: Vec<_> = all.games.into_iter().collect();
    rows.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    rows.iter().take(20).for_each(|(opening, games)| println!("{games:>8} {opening}"));
    Ok(())
}
