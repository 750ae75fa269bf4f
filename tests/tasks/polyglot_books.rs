//! A book is, byte for byte, what `polyglot make-book` writes, where both count alike and moves have different weights:
//! the order of equal ones is that of a sort of the C library there, and that of the moves here.
//!
//! In: random games of chess by shakmaty that have a result, repeat no position, and in which a pawn that passes another
//! can be captured wherever one is beside it: what the two programs count differently otherwise is listed in
//! `docs/positions.md`. Cost: some thousand games; skipped without the program.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

use pgnmill_needs::needs;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

use crate::common::{Dice, Scratch, errors_of, run_in, trials};

/// The program, where Debian has it.
const POLYGLOT: &str = "PATH=$PATH:/usr/games exec polyglot";

/// The movetext of a game that both programs count alike.
fn movetext(dice: &mut Dice) -> String {
    let (mut position, mut text, mut known) = (Chess::default(), String::new(), HashSet::new());
    for ply in 0..10 + dice.below(40) {
        let key = |mode| position.zobrist_hash::<Zobrist64>(mode).0;
        let is_alike = key(EnPassantMode::Legal) == key(EnPassantMode::PseudoLegal);
        let moves = position.legal_moves();
        if !is_alike || moves.is_empty() || !known.insert(key(EnPassantMode::Legal)) {
            break;
        }
        if ply % 2 == 0 {
            let _ = write!(text, "{}. ", ply / 2 + 1);
        }
        // Among few at first, so that games meet; promotions and castling come from the rest.
        let choices = if ply < 6 { 3 } else { moves.len() };
        let mv = moves[dice.below(choices.min(moves.len()))];
        let _ = write!(text, "{} ", SanPlus::from_move(position.clone(), mv));
        position.play_unchecked(mv);
    }
    text
}

/// The entries of a book, those of one key and weight in the order of the moves.
fn in_order(book: &[u8]) -> Vec<u8> {
    let (entries, rest) = book.as_chunks::<16>();
    assert!(rest.is_empty());
    let rank = |entry: &&[u8; 16]| {
        let weight = u16::from_be_bytes([entry[10], entry[11]]);
        (entry[..8].to_vec(), Reverse(weight), entry[8..10].to_vec())
    };
    assert!(entries.iter().is_sorted_by_key(|entry| {
        let (key, weight, _) = rank(&entry);
        (key, weight)
    }));
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| rank(&entry));
    entries.into_flattened()
}

#[needs("polyglot", command = "PATH=$PATH:/usr/games command -v polyglot")]
#[test]
fn polyglot_makes_the_same_books() {
    let mut dice = Dice::new(11);
    let mut entries_count = 0;
    for round in 0..trials(1, 2, 12) {
        let mut text = String::new();
        for _ in 0..trials(600, 2_000, 6_000) {
            let result = ["1-0", "0-1", "1/2-1/2"][dice.below(3)];
            let _ = writeln!(text, "[Result \"{result}\"]\n\n{}{result}\n", movetext(&mut dice));
        }
        let folder = Scratch::new();
        fs::write(folder.path().join("a.pgn"), text).unwrap();
        for (ours, theirs) in [
            ("--max-ply 0 --min-games 1", "-min-game 1"),
            ("--max-ply 9 --min-games 3", "-max-ply 9 -min-game 3"),
            ("--min-games 2 --max-ply 12 --only white", "-min-game 2 -max-ply 12 -only-white"),
            ("--min-games 2 --max-ply 12 --only black", "-min-game 2 -max-ply 12 -only-black"),
            ("--min-games 2 --max-ply 12 --uniform", "-min-game 2 -max-ply 12 -uniform"),
        ] {
            let words = format!("positions -q --overwrite -o ours.bin {ours} a.pgn");
            let words: Vec<&str> = words.split_whitespace().collect();
            let output = run_in(folder.path(), &words, b"");
            assert!(output.status.success(), "{}", errors_of(&output));
            let command = format!("{POLYGLOT} make-book -pgn a.pgn -bin theirs.bin {theirs}");
            let status = Command::new("sh")
                .args(["-c", &command])
                .current_dir(folder.path())
                .stdout(Stdio::null())
                .status();
            assert!(status.unwrap().success(), "{theirs}");
            let [own, other] =
                ["ours.bin", "theirs.bin"].map(|name| fs::read(folder.join(name)).unwrap());
            entries_count += own.len() / 16;
            let other = in_order(&other);
            assert!(own == other, "{round} {ours}: {} and {} bytes", own.len(), other.len());
        }
    }
    assert!(entries_count > 5_000, "{entries_count}");
}
