//! Prints the games of an archive in an economical notation: `cargo run --example games -- data/lichess.pgn.zst`.

#![allow(clippy::print_stdout, reason = "a program prints")]

use pgnmill::{ECONOMICAL_PRIORITY, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args_os().skip(1) {
        for game in Reader::open(path)? {
            let game = game?;
            let game = game.game();
            let player = |color| game.tag(color).unwrap_or("?".into());
            let moves = game.movetext(ECONOMICAL_PRIORITY);
            println!("{} - {}: {moves}", player("White"), player("Black"));
        }
    }
    Ok(())
}
