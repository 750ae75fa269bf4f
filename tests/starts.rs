//! Every notation over games from every kind of start: there and back, or the fault that says why not.
//!
//! In: random games from the starting position, from FENs and from starts of Chess960. A notation that names pieces by where
//! they began cannot write a game that begins elsewhere; every other notation writes every game, and what it wrote
//! is read as the same game.

#[path = "notations/common.rs"]
#[allow(dead_code, reason = "the walks are needed, and little else")]
mod common;
mod support;

use std::fmt::Write;

use common::{HARD, Random, position, registered, walk};
use pgnmill::board::Position;
use pgnmill::notation::NOTATIONS;
use pgnmill::pipeline::{Rejects, Task};
use support::{Folder, Ledger, run, run_of, to_san};

/// A game from this start, as an archive holds it.
fn game(number: usize, start: Position, random: &mut Random) -> String {
    let mut text = format!("[Event \"{number}\"]\n[Result \"*\"]\n");
    if start.to_fen() != Position::initial().to_fen() {
        if start.is_chess960() {
            text.push_str("[Variant \"Chess960\"]\n");
        }
        write!(text, "[SetUp \"1\"]\n[FEN \"{}\"]\n", start.to_fen()).unwrap();
    }
    text.push('\n');
    let moments = walk(start, 12, random);
    for (index, pair) in moments.windows(2).enumerate() {
        let moves = pair[0].position.legal_moves();
        let next = |mv: &&_| pair[0].position.play(**mv).to_fen() == pair[1].position.to_fen();
        let mv = moves.iter().find(next).expect("the walk is of legal moves");
        let number = pair[0].position.fullmove_number();
        match pair[0].position.turn() {
            pgnmill::board::Color::White => write!(text, "{number}. ").unwrap(),
            _ if index == 0 => write!(text, "{number}... ").unwrap(),
            _ => {}
        }
        write!(text, "{} ", pair[0].write(registered("san"), *mv)).unwrap();
    }
    text.push_str("*\n\n");
    text
}

/// The ledger of one archive.
fn ledger(how: &pgnmill::pipeline::Run, text: &str) -> Ledger {
    let folder = Folder::new();
    let input = folder.put("games.pgn", text.as_bytes());
    run(how, &[input]).expect("an archive that can be read").remove(0)
}

#[test]
fn every_notation_writes_every_game_or_says_why_not() {
    let mut random = Random(14);
    let at_home = |number: usize, random: &mut Random| game(number, Position::initial(), random);
    let homes: Vec<String> = (0..4).map(|number| at_home(number, &mut random)).collect();
    let elsewhere = HARD.iter().enumerate().map(|(n, fen)| game(n, position(fen), &mut random));
    let elsewhere: Vec<String> = elsewhere.collect();
    let interleaved = homes[..2].iter().chain(&elsewhere).chain(&homes[2..]);
    let archive: String = interleaved.cloned().collect();
    let (all, home) = ((homes.len() + elsewhere.len()) as u64, homes.len() as u64);
    assert_eq!(ledger(&to_san(Rejects::Apart), &archive).verdicts(), (all, 0, 0));
    for notation in NOTATIONS {
        let name = notation.info().name;
        let to = run_of(Task::Convert { to: *notation, to_utf8: false }, Rejects::Apart);
        let there = ledger(&to, &archive);
        let written = String::from_utf8(there.out.clone()).expect("UTF-8");
        let back = ledger(&to_san(Rejects::Apart), &written);
        let back_text = String::from_utf8(back.out.clone()).expect("UTF-8");
        if notation.needs_lineage() {
            assert_eq!(there.verdicts(), (home, 0, all - home), "{name}");
            let because = |kind: &str| kind == "notation-needs-initial-array";
            assert!(there.faults.iter().all(|fault| because(fault.kind)), "{name}");
            assert_eq!(there.rejects, elsewhere.concat().as_bytes(), "{name}");
            assert_eq!(back_text, homes.concat(), "{name}");
            // The same where such a text is read.
            let fen = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n", HARD[0]);
            let claimed = written.replace("\n\n1.", &format!("\n{fen}1."));
            let read = ledger(&to_san(Rejects::Apart), &claimed);
            assert_eq!(read.verdicts(), (0, 0, home), "{name}: {claimed}");
            assert!(read.faults.iter().all(|fault| because(fault.kind)), "{name}");
        } else {
            assert_eq!(there.verdicts(), (all, 0, 0), "{name}: {:?}", there.faults.first());
            assert_eq!(back_text, archive, "{name}");
        }
        assert_eq!(back.verdicts(), (there.verdicts().0, 0, 0), "{name}");
    }
}
