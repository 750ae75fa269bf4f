//! Writes one move in every notation: `cargo run --example one_move -- FEN SAN`.

#![allow(clippy::print_stdout, reason = "a program prints")]

use pgnmill::{NOTATIONS, Position, SAN, write_move};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next();
    let fen = fen
        .as_deref()
        .unwrap_or("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let san = arguments.next();
    let san = san.as_deref().unwrap_or("Nf6");
    let (position, _) = Position::from_fen(fen.as_bytes())?;
    let mv = SAN.decode(&position, san.as_bytes())?;
    for notation in NOTATIONS.iter().filter(|notation| !notation.needs_lineage()) {
        println!("{:<28} {}", notation.info().name, write_move(*notation, &position, mv));
    }
    Ok(())
}
