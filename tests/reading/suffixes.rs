//! Suffixes, attached to moves or not: what the canonical text contains is left out, everything else is kept, and what
//! is written is accepted with nothing left to repair. The table is that of `docs/reference/suffixes.md`.
//! `PGNMILL_SEED` begins
//! other random games.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::common::{SOURCES, corpus, here, trials};
use pgnmill_core::chess::{Move, MoveKind, Position};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{Notation, Ply, find, write};
use pgnmill_core::pgn::deviation::{Class, Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_io::archive::games::Games;
use pgnmill_io::error::Result;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Task, run, run_of};

/// Check suffixes.
const CHECK: &[&str] = &[
    "+", "#", "++", "##", "+#", "†", "‡", "ch", "ch.", "check", "mate", "dblch", "dblch.",
    "dbl.ch", "dbl.ch.", "disch", "dis.ch", "dis.ch.",
];
const EN_PASSANT: &[&str] = &["e.p.", "e.p", "ep", "ep.", "a.p.", "a.p", "ap", "ap."];
const PUNCTUATION: &[&str] = &[",", "."];
/// Kept, and may be attached.
const GLYPHS: &[&str] = &[
    "!", "?", "!!", "??", "!?", "?!", "!!!", "‼", "⁇", "⁈", "⁉", "±", "∓", "⩲", "⩱", "∞", "□", "△",
    "∆", "⌓",
];
/// Kept, and a word of their own.
const WORDS: &[&str] = &[
    "N",
    "TN",
    "D",
    "RR",
    "only move",
    "inf",
    "=",
    "+-",
    "-+",
    "+−",
    "−+",
    "+/-",
    "-/+",
    "+=",
    "=+",
    "=/+",
    "+/=",
    "(=)",
    "$1",
    "$146",
    "{a comment}",
];
/// Left out, and a word of their own.
const CHECK_WORDS: &[&str] = &["dbl ch", "dis ch", "dbl. ch.", "mate.", "ch,"];

const NOTATIONS: &[&str] = &[
    "san",
    "long",
    "fan",
    "san-de",
    "san-ja",
    "eco",
    "uci",
    "iccf",
    "smith",
    "reversible",
    "lalg",
    "xlalg",
    "chess99",
    "geographical",
    "uedemann",
    "stamma",
    "descriptive",
    "economical-letters",
    "economical-squares",
    "economical-priority-legal",
];

/// Converts texts, each an archive of its own; rejected games stay in their place.
fn convert(folder: &Scratch, to: &str, texts: &[Vec<u8>]) -> Vec<Ledger> {
    try_convert(folder, to, texts).unwrap()
}

/// The same, or what ends the run: what begins like another format is refused.
fn try_convert(folder: &Scratch, to: &str, texts: &[Vec<u8>]) -> Result<Vec<Ledger>> {
    let inputs: Vec<_> =
        texts.iter().enumerate().map(|(i, text)| folder.put(&format!("{i}"), text)).collect();
    let task = Task::convert(find(to).unwrap());
    run(&run_of(task, Rejects::Kept), &inputs)
}

/// The repairs of a run that are of moves, not of tag pairs or of where games begin, which conversion keeps.
fn repairs(deviations: &[u64]) -> Vec<&'static str> {
    let profile = Profile::lenient();
    let met = Deviation::ALL.iter().filter(|odd| deviations[**odd as usize] > 0);
    let names = met.filter(|odd| profile.class(**odd) == Class::Repair).map(|odd| odd.name());
    names.filter(|name| !name.starts_with("tag-") && *name != "games-run-together").collect()
}

/// A random suffix, and what is kept of it. Attached if it can be.
fn suffix(dice: &mut Dice, notation: &str, mv: Move) -> (String, String, bool) {
    let passes = mv.kind() == MoveKind::EnPassant;
    let (text, kept, attaches) = match dice.below(8) {
        0..3 => (dice.one(CHECK), "", true),
        // In descriptive notation it disambiguates captures.
        3 if passes || notation != "descriptive" => (dice.one(EN_PASSANT), "", true),
        // `7163.` is a number.
        3 | 4 if notation == "iccf" => (",", "", true),
        3 | 4 => (dice.one(PUNCTUATION), "", true),
        5 => (dice.one(CHECK_WORDS), "", false),
        6 => {
            let glyph = dice.one(GLYPHS);
            (glyph, glyph, true)
        }
        _ => {
            let word = dice.one(WORDS);
            (word, word, false)
        }
    };
    (text.to_string(), kept.to_string(), attaches)
}

/// A random game of a notation with suffixes after its moves; and its SAN with those that are kept, without spaces.
fn game(dice: &mut Dice, notation: &'static dyn Notation) -> (Vec<u8>, String) {
    let name = notation.info().name;
    let mut position = Position::initial();
    let mut lineage = pgnmill_core::notation::Lineage::of(&position);
    let mut text = format!("[Event \"a\"]\n[MoveNotation \"{name}\"]\n\n");
    let mut kept = "[Event\"a\"]".to_string();
    if name == "san" {
        text = "[Event \"a\"]\n\n".to_string();
    }
    for ply in 0..10 + dice.below(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        // En passant and captures are rare otherwise.
        let passing = legal.iter().copied().find(|mv| mv.kind() == MoveKind::EnPassant);
        let mv = passing.unwrap_or_else(|| legal[dice.below(legal.len())]);
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
            kept += &format!("{}.", ply / 2 + 1);
        }
        let written = pgnmill_core::notation::write_in(notation, &position, mv, lineage.as_ref());
        text += &written.to_string();
        kept += &write(find("san").unwrap(), &position, mv).to_string();
        let mut attached = true;
        for _ in 0..dice.below(4) {
            let (suffix, stays, attaches) = suffix(dice, name, mv);
            // Two of them could be read as one, or one with a letter before it as another.
            attached = attached && attaches && dice.below(2) == 0;
            let is_stop = text.ends_with('.') || suffix.starts_with('.');
            let is_glyph = |text: &str| text.ends_with(['!', '?']);
            if attached && !is_stop && !(is_glyph(&text) && is_glyph(&suffix)) {
                text += &suffix;
            } else {
                attached = false;
                text += [" ", "\n", "  ", " {c} "][if suffix == "." { 0 } else { dice.below(4) }];
                kept += if text.ends_with("{c} ") { "{c}" } else { "" };
                text += &suffix;
            }
            // A separate full stop continues a number, as in `1. ... e5`, and is kept.
            kept += if !attached && suffix == "." { "." } else { &stays };
            attached &= attaches;
        }
        text += if dice.below(6) == 0 { "\n" } else { " " };
        lineage = lineage.map(|lineage| lineage.after(mv));
        position = position.play(mv);
    }
    text += "*\n\n";
    kept += "*";
    (text.into_bytes(), kept.replace(' ', ""))
}

fn without_spaces(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn nothing_but_needless_suffixes_is_left_out() {
    let games_each = trials(6, 16, 40);
    let (mut dice, folder, mut games) = (Dice::new(10), Scratch::new(), 0);
    for name in NOTATIONS {
        let notation = find(name).unwrap();
        let (texts, kept): (Vec<_>, Vec<_>) =
            (0..games_each).map(|_| game(&mut dice, notation)).unzip();
        let san = convert(&folder, "san", &texts);
        for ((text, kept), ledger) in texts.iter().zip(&kept).zip(&san) {
            let what = || format!("{name}: {}", String::from_utf8_lossy(text));
            assert_eq!(ledger.counts.rejected, 0, "{:?}\n{}", ledger.faults, what());
            assert_eq!(without_spaces(&ledger.out), *kept, "{}", what());
        }
        // What is written is accepted, and comes back from any notation.
        let outs: Vec<_> = san.iter().map(|ledger| ledger.out.clone()).collect();
        let other = NOTATIONS[dice.below(NOTATIONS.len())];
        for to in ["san", *name, other, "iccf"] {
            let there = convert(&folder, to, &outs);
            let theres: Vec<_> = there.iter().map(|ledger| ledger.out.clone()).collect();
            let back = convert(&folder, "san", &theres);
            for (index, out) in outs.iter().enumerate() {
                let what = || format!("{to}: {}", String::from_utf8_lossy(&theres[index]));
                for ledger in [&there[index], &back[index]] {
                    let verdicts = ledger.verdicts();
                    assert_eq!(
                        verdicts,
                        (1, 0, 0),
                        "{:?} {:?}\n{}",
                        ledger.deviations(),
                        ledger.faults,
                        what()
                    );
                }
                assert!(back[index].out == *out, "{}\n{}", String::from_utf8_lossy(out), what());
            }
        }
        games += games_each;
    }
    println!("{games} games");
}

/// A suffix means the same whether it is attached to its move or not.
#[test]
fn attached_or_not_a_suffix_departs_by_the_same_name() {
    let folder = Scratch::new();
    // Quiet, check, mate, en passant.
    let games = [
        ("1. e4 e5 2. Nf3", "Nc6 *"),
        ("1. e4 e5 2. Bc4 Nc6 3. Bxf7", "Kxf7 *"),
        ("1. f3 e5 2. g4 Qh4", "0-1"),
        ("1. e4 a6 2. e5 d5 3. exd6", "exd6 *"),
    ];
    let attachable = CHECK[2..].iter().chain(EN_PASSANT).chain(GLYPHS).chain(&[","]);
    for suffix in attachable {
        for (front, back) in games {
            let texts = ["", " ", " {c} ", "\n"]
                .map(|gap| format!("{front}{gap}{suffix} {back}\n").into_bytes());
            let ledgers = convert(&folder, "san", &texts);
            for (ledger, text) in ledgers.iter().zip(&texts) {
                let text = String::from_utf8_lossy(text);
                assert_eq!(ledger.deviations(), ledgers[0].deviations(), "{text}");
                assert_eq!(ledger.counts.rejected, 0, "{text}");
            }
        }
    }
}

/// A check mark is one wherever it is among what follows its move: behind annotations and comments, too.
#[test]
fn a_check_mark_departs_by_the_same_name_behind_annotations() {
    let folder = Scratch::new();
    let games = [
        ("1. e4 e5 2. Bc4 Nc6 3. Bxf7", "Kxf7 *"),
        ("1. f3 e5 2. g4 Qh4", "0-1"),
        ("1. e4 d5 2. Bb5", "c6 *"),
    ];
    for mark in CHECK {
        for (front, back) in games {
            let gaps = [" ", " $1 ", "! ", " ?! ", " $2 {c} $3 ", "!! {c} ", " {c} $14 {d} "];
            let texts = gaps.map(|gap| format!("{front}{gap}{mark} {back}\n").into_bytes());
            let ledgers = convert(&folder, "san", &texts);
            for (ledger, text) in ledgers.iter().zip(&texts) {
                let text = String::from_utf8_lossy(text);
                assert_eq!(ledger.deviations(), ledgers[0].deviations(), "{text}");
                assert_eq!(ledger.verdicts(), (0, 1, 0), "{text}");
            }
        }
    }
}

/// Each line: what is read, what is written.
#[test]
fn rows_of_the_table() {
    let rows = [
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. exd6 *", "1. e4 a6 2. e5 d5 3. exd6 exd6 *"),
        ("1. e4 d5 2. Bb5 + c6 *", "1. e4 d5 2. Bb5+ c6 *"),
        ("1. e4 d5 2. Bb5!?+ c6 *", "1. e4 d5 2. Bb5+!? c6 *"),
        ("1. e4 d5 2. Bb5 † c6 *", "1. e4 d5 2. Bb5+ c6 *"),
        ("1. e4 d5 2. Bb5+, c6. 3. Ba4, *", "1. e4 d5 2. Bb5+ c6 3. Ba4 *"),
        ("1. e4 d5 2. Bb5‼ c6 ⁇ 3. Ba4⁉ ⁈ *", "1. e4 d5 2. Bb5+‼ c6 ⁇ 3. Ba4⁉ ⁈ *"),
        ("1. f3 e5 2. g4 Qh4 mate 0-1", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("1. f3 e5 2. g4 Qh4!+! 0-1", "1. f3 e5 2. g4 Qh4#! ! 0-1"),
        ("1. e4 d5 2. Bb5 dbl ch N (2. d4 +) c6 (=) *", "1. e4 d5 2. Bb5+ N (2. d4) c6 (=) *"),
        ("1. e4 d5 2. Bb5\n+\nc6 *", "1. e4 d5 2. Bb5+\nc6 *"),
        // After a comment that takes its whole line nothing is taken away.
        ("1. e4 d5 2. Bb5 ;c\n+ c6 *", "1. e4 d5 2. Bb5+ ;c\n+ c6 *"),
    ];
    let folder = Scratch::new();
    for (text, expected) in rows {
        let once = &convert(&folder, "san", &[text.as_bytes().to_vec()])[0];
        assert_eq!(String::from_utf8_lossy(&once.out), expected);
        assert_eq!(once.counts.repaired, u64::from(text != expected), "{text}");
        let twice = &convert(&folder, "san", std::slice::from_ref(&once.out))[0];
        assert!(twice.out == once.out && twice.counts.accepted == 1, "{:?}", twice.deviations());
    }
    // A word of check suffixes and evaluation signs is ambiguous.
    for text in ["1. e4 d5 2. Bb5+=+ c6 *", "1. e4 d5 2. Nf3N *", "1. e4 d5 2. Nf3+- *"] {
        let ledger = &convert(&folder, "san", &[text.as_bytes().to_vec()])[0];
        assert_eq!(ledger.counts.rejected, 1, "{text}");
    }
}

/// A visitor that does nothing.
struct Ignore;

impl ReplayVisitor for Ignore {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}
    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
    fn end(&mut self, _: &[u8], _: &Game<'_>) {}
    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Archives of third parties of at most this size, and the project's own.
fn archives() -> Vec<PathBuf> {
    const BYTES_MAX: u64 = 300_000;
    let mut found = corpus("");
    found.retain(|path| {
        let is_plain = path.extension().is_some_and(|end| end == "pgn");
        is_plain && fs::metadata(path).unwrap().len() <= BYTES_MAX
    });
    found.push(here(SOURCES));
    found
}

/// Puts random suffixes after words of an archive.
fn mutated(dice: &mut Dice, path: &Path) -> Vec<u8> {
    let text = fs::read(path).unwrap();
    let mut new = Vec::new();
    for (at, &byte) in text.iter().enumerate() {
        let ends_word = byte <= b' ' && at > 0 && text[at - 1] > b' ';
        if ends_word && dice.below(40) == 0 {
            let list = [CHECK, EN_PASSANT, PUNCTUATION, GLYPHS, WORDS, CHECK_WORDS][dice.below(6)];
            new.extend_from_slice(["", " ", "\n"][dice.below(3)].as_bytes());
            new.extend_from_slice(dice.one(list).as_bytes());
        }
        new.push(byte);
    }
    new
}

#[test]
fn mutated_archives_are_written_once_for_all() {
    let (mut dice, folder) = (Dice::new(3), Scratch::new());
    let (mut games, mut repaired) = (0, 0);
    for path in archives() {
        let texts = [mutated(&mut dice, &path), mutated(&mut dice, &path)];
        let Ok(once) = try_convert(&folder, "san", &texts) else { continue };
        let outs: Vec<_> = once.iter().map(|ledger| ledger.out.clone()).collect();
        let twice = convert(&folder, "san", &outs);
        for (out, ledger) in outs.iter().zip(&twice) {
            if let Some(at) = out.iter().zip(&ledger.out).position(|(a, b)| a != b) {
                let near = |text: &[u8]| {
                    text[at.saturating_sub(60)..text.len().min(at + 40)].escape_ascii().to_string()
                };
                panic!("{}: {} became {}", path.display(), near(out), near(&ledger.out));
            }
            assert_eq!(out.len(), ledger.out.len(), "{}", path.display());
            for (_, game) in Games::new(out) {
                let profile = Profile::lenient();
                let mut replayer = Replayer::new(&profile, None, History::Ignored);
                replayer.replay(game, &mut Ignore);
                games += 1;
                let left = repairs(&replayer.counts.deviations);
                let is_read = replayer.counts.rejected == 0;
                assert!(!is_read || left.is_empty(), "{left:?} {}", game.escape_ascii());
            }
        }
        repaired += once.iter().map(|ledger| ledger.counts.repaired).sum::<u64>();
    }
    println!("{games} games, {repaired} repaired");
    assert!(repaired > 0);
}
