//! Prints the games of an archive in an economical notation: `cargo run --example games -- data/lichess.pgn.zst`.

#![allow(clippy::print_stdout, reason = "a program prints")]

use pgnmill::{Reader, find_notation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let economical = find_notation("economical-priority").ok_or("no such notation")?;
    for path in std::env::args_os().skip(1) {
        let mut games = Reader::open(path)?.games();
        while let Some(game) = games.next()? {
            let player = |color| game.tag(color).unwrap_or("?".into());
            println!("{} - {}: {}", player("White"), player("Black"), game.movetext(economical));
        }
    }
    Ok(())
}
