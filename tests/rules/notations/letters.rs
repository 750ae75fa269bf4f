//! Notations with a piece letter and an arrival square: nothing is guessed, tested for every text of that form.
//!
//! In: all texts `LETTER [file | rank | square] SQUARE` in many positions; what must leave is decided by
//! shakmaty's legal moves alone: the one that fits, `move-illegal` for none, `move-ambiguous` for several.

use crate::common::trials;
use pgnmill_core::notation::Notation;
use pgnmill_core::pgn::deviation::Deviation;
use shakmaty::{Move, Position as _, Role, Square};

use super::reference::{key, moments, prefixes, their_key};
use crate::common::games::registered;

#[test]
fn a_piece_and_a_square_that_fit_two_legal_moves_are_ambiguous() {
    let notations: Vec<&dyn Notation> =
        ["san", "long", "fan-white", "san-de", "eco", "economical-letters"]
            .map(registered)
            .to_vec();
    let letters = |name: &str| match name {
        "fan-white" => ["♘", "♗", "♖", "♕", "♔"],
        "san-de" => ["S", "L", "T", "D", "K"],
        _ => ["N", "B", "R", "Q", "K"],
    };
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let (prefixes, mut counts) = (prefixes(), [0u64; 3]);
    for (moment, chess) in &moments(trials(1, 3, 30), 0x0bad_cafe_1234_5678, 17) {
        let legal = chess.legal_moves();
        let steps: Vec<&Move> = legal.iter().filter(|mv| mv.castling_side().is_none()).collect();
        for (role, index) in roles.into_iter().zip(0..) {
            for to in Square::ALL {
                let arriving: Vec<&&Move> =
                    steps.iter().filter(|mv| mv.role() == role && mv.to() == to).collect();
                // Where nothing arrives, every sixteenth prefix will do.
                let step = if arriving.is_empty() { 16 } else { 1 };
                for (prefix, origins) in prefixes.iter().step_by(step) {
                    let fits = |mv: &&&&Move| origins.contains(mv.from().unwrap());
                    let expected = match arriving.iter().filter(fits).collect::<Vec<_>>()[..] {
                        [] => Err(Deviation::MoveIllegal),
                        [one] => Ok(their_key(***one)),
                        _ => Err(Deviation::MoveAmbiguous),
                    };
                    for &notation in &notations {
                        let name = notation.info().name;
                        let text = format!("{}{prefix}{to}", letters(name)[index]);
                        let read = notation.read(text.as_bytes(), &moment.position);
                        let read = read.map(|reading| key(reading.mv));
                        assert_eq!(read, expected, "{name}: {}: {text}", moment.position.to_fen());
                    }
                    counts[match expected {
                        Ok(_) => 0,
                        Err(Deviation::MoveIllegal) => 1,
                        Err(_) => 2,
                    }] += 1;
                }
            }
        }
    }
    let [read, illegal, ambiguous] = counts;
    println!("{read} texts read, {illegal} illegal, {ambiguous} ambiguous");
    assert!(read > 5_000 && illegal > 5_000 && ambiguous > 100);
}
