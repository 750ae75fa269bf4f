//! The laws of `fuzz/` on its seeds and on every input that once broke one, with any toolchain.
//!
//! In: the files of `fuzz/seeds/TARGET` and `fuzz/regressions/TARGET`. Out: the name of the file
//! that breaks its law. The same functions run under libFuzzer: see `docs/development/robustness.md`.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;

use crate::common::{here, trials};
use pgnmill_core::chess::{Color, Position};
use pgnmill_core::notation::{Notation, find, write_in};
use pgnmill_laws as laws;
use pgnmill_laws::dice::Dice;

/// The files kept for a target, in order.
fn inputs(kind: &str, target: &str) -> Vec<PathBuf> {
    let folder = here("fuzz").join(kind).join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_kept_input_keeps_its_law() {
    let mut broken = Vec::new();
    for &(target, hold) in laws::LAWS {
        let seeds = inputs("seeds", target);
        assert!(!seeds.is_empty(), "fuzz/seeds/{target} holds nothing");
        let regressions = inputs("regressions", target);
        for path in seeds.iter().chain(&regressions) {
            let bytes = fs::read(path).unwrap();
            if catch_unwind(|| hold(&bytes)).is_err() {
                broken.push(path.display().to_string());
            }
        }
        println!("{target}: {} seeds, {} regressions", seeds.len(), regressions.len());
    }
    assert!(broken.is_empty(), "laws broken by {broken:#?}");
}

/// Random archives of many frames, damaged at random; a fuzzer finds more ways, this needs none.
#[test]
fn random_damage_keeps_the_law_of_salvage() {
    let archives = trials(90, 150, 1_500);
    let mut dice = Dice::new(0x9E37_79B9_7F4A_7C15);
    let mut roll = || dice.below(256) as u8;
    for _ in 0..archives {
        let recipe: Vec<u8> = (0..3 + 4 * (1 + usize::from(roll() % 4))).map(|_| roll()).collect();
        if catch_unwind(|| laws::salvage::hold(&recipe)).is_err() {
            panic!("broken by {recipe:?}");
        }
    }
    println!("{archives} archives");
}

/// Optional text between moves: comments, glyphs, numbers, words.
const BETWEEN: &[&str] = &[
    " {c}",
    "{c}",
    " { 1. e4 }",
    " {a {b} c}",
    "  ",
    "\r\n",
    "\n",
    " $14",
    "$1",
    "!",
    " ?!",
    " ; c\n",
    "\n% x\n",
    " N",
    " 7",
    " 1.",
    " 12...",
    " …",
    " ...",
    " 0.",
    " 1999.",
    " +",
    "+",
    "++",
    " \u{2020}",
    "\u{2020}",
    " ch",
    "ch.",
    " mate",
    " e.p.",
    "ep",
    ",",
    " ,",
    ".",
    "\u{203c}",
    " \u{2a72}",
    "\u{2a72}",
    "+\u{2a72}",
    " +,",
    " TN",
    " (=)",
    "(=)",
    " +-",
    " 4+",
    " =",
    " only move",
    " \\$14",
    "\\$14",
    "\\",
];
/// Words in the place of a move.
const ODD_WORDS: &[&str] = &[
    " 5254",
    " 00",
    " 000",
    " 0000",
    " 00+",
    " 1999",
    " 12345",
    " 1000",
    " 5254+",
    " 1999Nf3",
    " 525",
    " 7Nf3",
    " --",
    " Z0",
    " (1. e4)",
    " ()",
    " }",
    " *",
    " 1-0",
    " White resigns",
    " Black wins",
    " draw agreed",
    " 1)",
    " [A\n\"b\"]",
    " [A \"b\"]",
    " 5*",
    " e8(Q)",
    " 17",
];

/// A line of legal moves, each perhaps with its number in one of the ways to write it, and other text between them.
fn movetext(dice: &mut Dice, position: &Position, to: &dyn Notation, depth: usize) -> String {
    let (mut position, mut text) = (*position, String::new());
    let odd = dice.below(8);
    for _ in 0..1 + dice.below(if depth == 0 { 24 } else { 5 }) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let (mv, number) = (legal[dice.below(legal.len())], position.fullmove_number());
        let white = position.turn() == Color::White;
        let wrong = if dice.below(40) == 0 { number + 1 } else { number };
        if depth > 0 && !position.in_check() && dice.below(6) == 0 {
            text.push_str(dice.one(&[" --", " 7... Z0", " 0000"]));
            position = position.play_null();
            continue;
        }
        match dice.below(if white { 9 } else { 12 }) {
            0 => text.push_str(&format!(" {wrong} ")),
            1 if dice.below(4) == 0 => text.push_str(&format!("\n{wrong}...")),
            1 | 3 if !white => text.push_str(&format!(" {wrong}... ")),
            2 => text.push_str(&format!(" {wrong}.")),
            4 if odd == 3 => text.push_str(&format!(" {wrong})")),
            3 | 5 if odd == 0 => text.push(' '),
            4 if odd == 1 => text.push_str(&format!(" {wrong}")),
            _ if white => text.push_str(&format!(" {wrong}. ")),
            _ => text.push(' '),
        }
        text.push_str(&String::from_utf8_lossy(write_in(to, &position, mv, None).as_bytes()));
        if dice.below(5) == 0 {
            text.push_str(dice.one(BETWEEN));
        }
        if odd == 2 && dice.below(8) == 0 {
            text.push_str(dice.one(ODD_WORDS));
        }
        if depth < 2 && dice.below(12) == 0 {
            text.push_str(&format!(" ({} )", movetext(dice, &position, to, depth + 1)));
        }
        position = position.play(mv);
    }
    text
}

/// Games as people and programs write them: no word is passed over, numbers are counted, the fast path decides nothing.
#[test]
fn random_movetext_keeps_the_law_of_replay() {
    let archives = trials(1_000, 3_000, 60_000);
    let mut dice = Dice::new(archives);
    for _ in 0..archives {
        let mut text = vec![dice.below(20) as u8 / 19, 0];
        for _ in 0..1 + dice.below(3) {
            let name =
                dice.one(&["san", "san", "san", "iccf", "san-de", "uci", "fan", "long", "eco"]);
            let notation = find(name).expect("it is in the registry");
            let named = dice.below(3) == 0;
            text.extend(b"[Event \"x\"]\n");
            if named && name != "san" {
                text.extend(format!("[MoveNotation \"{name}\"]\n").bytes());
            }
            let starts =
                ["", "8/P6k/8/8/8/8/p6K/8 w - - 0 255", "r3k2r/p7/8/8/8/8/P7/R3K2R b KQkq - 0 998"];
            let mut position = Position::initial();
            if let fen @ [_, ..] = dice.one(&starts).as_bytes() {
                position = Position::from_fen(fen).expect("a record").0;
                let fen = String::from_utf8_lossy(fen);
                text.extend(format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n").bytes());
            }
            text.push(b'\n');
            text.extend(movetext(&mut dice, &position, notation, 0).bytes());
            text.extend(dice.one(&[" 1-0\n\n", " *\n\n", "\n\n", " 1/2-1/2 {c}\n\n"]).bytes());
        }
        for _ in 0..dice.below(3).saturating_sub(1) {
            let at = 2 + dice.below(text.len() - 2);
            text[at] = dice.one(b" 0123.(){};$![]*-KNabc\r\n");
        }
        if let Err(panic) = catch_unwind(|| laws::replay::hold(&text)) {
            let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            panic!("{why}\nbroken by {}", text.escape_ascii());
        }
    }
    println!("{archives} archives");
}

/// Sound records with some bytes changed; a record without a note is the one that is written.
#[test]
fn random_records_keep_the_law_of_fen() {
    const RECORDS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 12",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "4k3/8/8/4PpP1/8/8/8/4K3 w - f6 0 40",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR b KBkb - 10 20",
    ];
    let mut dice = Dice::new(9);
    for _ in 0..20_000 {
        let mut record = dice.one(RECORDS).as_bytes().to_vec();
        for _ in 0..1 + dice.below(3) {
            let at = (if dice.below(2) == 0 { 0 } else { record.len() / 2 })
                .max(dice.below(record.len()));
            let byte = dice.one(b"pnbrqkPNBRQK12345678/ -wbWBHAhaKQkqabcdefgh0019");
            match dice.below(4) {
                0 => drop(record.remove(at)),
                1 => record.insert(at, byte),
                2 => record[at] = byte,
                _ => record.swap(at, at.saturating_sub(1)),
            }
        }
        if let Err(panic) = catch_unwind(|| laws::fen::hold(&record)) {
            let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            panic!("{why}\nbroken by {}", record.escape_ascii());
        }
    }
}

#[test]
fn every_target_is_declared_and_has_a_law() {
    let fuzz = here("fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let mut targets: Vec<String> = fs::read_dir(fuzz.join("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    let laws: Vec<&str> = laws::LAWS.iter().map(|law| law.0).collect();
    assert_eq!(targets, laws);
    for target in targets {
        assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
    }
    for kind in ["seeds", "regressions"] {
        let Ok(entries) = fs::read_dir(fuzz.join(kind)) else { continue };
        for entry in entries {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(laws.contains(&name.as_str()), "fuzz/{kind}/{name} is read by no target");
        }
    }
}
