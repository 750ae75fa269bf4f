//! Laws of the rulesets that are given by a table: Gliński's hexagonal chess and Raumschach.
//!
//! In: the starting positions, positions of random play, random records and texts. Oracle: `boards/perft.py`, a
//! generator in Python that was written from `../shared/spec/boards.md` alone; for texts the writer (a text that is
//! read is written again).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::process::Command;

use crate::common::{self, Dice, trials};
use pgnmill_core::chess::rules::{
    AnyPosition, BoardKind, Cell, GameEnd, Rules, RulesKind, TablePosition, TableRules,
};
use pgnmill_core::chess::{Color, FenError};
use pgnmill_core::notation::{self, Notation, OtherPly, Ply};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_needs::needs;

/// The notations that have texts for these games.
fn notations() -> [&'static dyn Notation; 4] {
    ["san", "long", "uci", "geographical"].map(|name| notation::find(name).expect(name))
}

fn position_of(record: &str, kind: BoardKind) -> TablePosition {
    match AnyPosition::from_fen(record.as_bytes(), RulesKind::Board(kind)) {
        Ok((AnyPosition::Table(position), _)) => position,
        other => panic!("{record}: {other:?}"),
    }
}

fn leaves(position: &TablePosition, depth: usize) -> u64 {
    let moves = position.legal_moves();
    match depth {
        1 => moves.len() as u64,
        _ => moves.into_iter().map(|mv| leaves(&position.play(mv), depth - 1)).sum(),
    }
}

/// The counts from the array; those of the last depth are for more time.
const COUNTS: [(BoardKind, &[u64], usize); 2] = [
    (BoardKind::Glinski, &[51, 2_586, 137_858, GLINSKI_4], 3),
    (BoardKind::Raumschach, &[61, 3_615, RAUMSCHACH_3], 2),
];
const GLINSKI_4: u64 = 7_282_418;
const RAUMSCHACH_3: u64 = 237_316;

#[test]
fn leaves_from_the_array_are_those_of_the_oracle() {
    for (kind, counts, short) in COUNTS {
        let depth = trials(short, counts.len(), counts.len());
        let position = TablePosition::initial(kind);
        for (depth, &count) in (1..).zip(&counts[..depth]) {
            assert_eq!(leaves(&position, depth), count, "{kind:?} at depth {depth}");
        }
    }
}

/// What the oracle prints.
fn oracle(args: &[&str]) -> Vec<String> {
    let script = common::here("tests/rules/boards/perft.py");
    let output = Command::new("python3").arg(script).args(args).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

#[needs("Python", command = "python3 -c 'import random'")]
#[test]
fn leaves_are_those_of_a_generator_in_python() {
    for (kind, counts, _) in COUNTS {
        let depth = if kind == BoardKind::Glinski { trials(2, 3, 3) } else { 2 };
        let printed = oracle(&[kind.name(), &depth.to_string()]);
        assert_eq!(printed, counts[..depth].iter().map(u64::to_string).collect::<Vec<_>>());
        for seed in 0..trials(2, 3, 200) {
            let plies = (seed * 43 + 7) % 120;
            let depth = trials(1, 2, 2).to_string();
            let printed = oracle(&[kind.name(), &depth, &plies.to_string(), &seed.to_string()]);
            let position = position_of(&printed[0], kind);
            assert_eq!(position.to_string(), printed[0], "{seed}");
            for (depth, count) in (1..).zip(&printed[1..]) {
                assert_eq!(leaves(&position, depth).to_string(), *count, "{}", printed[0]);
            }
        }
    }
}

/// The last position of a random game of some plies in which there is a move.
fn random_position(kind: BoardKind, dice: &mut Dice, plies_max: usize) -> TablePosition {
    let mut position = TablePosition::initial(kind);
    for _ in 0..dice.below(plies_max) {
        let moves = position.legal_moves();
        let next = position.play(dice.one(&moves));
        if !next.has_legal_move() {
            break;
        }
        position = next;
    }
    position
}

/// A position with few pieces, where pawns promote and several pieces of a kind reach one cell.
fn sparse_position(kind: BoardKind, dice: &mut Dice) -> TablePosition {
    let table = kind.table();
    let cells: Vec<_> = table.cells().collect();
    let letters: Vec<u8> = table.letters().collect();
    loop {
        let mut pieces = HashMap::new();
        for king in [b'K', b'k'] {
            pieces.insert(dice.one(&cells), king);
        }
        let chosen: Vec<u8> = (0..3).map(|_| dice.one(&letters)).filter(|it| *it != b'K').collect();
        for _ in 0..dice.below(16) {
            let letter = if chosen.is_empty() { b'P' } else { dice.one(&chosen) };
            let letter = if dice.below(2) == 0 { letter } else { letter.to_ascii_lowercase() };
            pieces.entry(dice.one(&cells)).or_insert(letter);
        }
        let record = record_of(kind, &pieces, dice.one(b"wb") as char);
        let read = AnyPosition::from_fen(record.as_bytes(), RulesKind::Board(kind));
        if let Ok((AnyPosition::Table(position), notes)) = read {
            assert!(notes.is_clean(), "{record}");
            assert_eq!(position.to_string(), record);
            if position.has_legal_move() {
                return position;
            }
        }
    }
}

/// The record of a position with these pieces, by the specification.
fn record_of(kind: BoardKind, pieces: &HashMap<Cell, u8>, side: char) -> String {
    let (levels, lines) = if kind == BoardKind::Glinski { (1, 11) } else { (5, 5) };
    let mut text = String::new();
    for (level, line) in (0..levels).flat_map(|level| (0..lines).map(move |line| (level, line))) {
        text.push_str(match (level, line) {
            (0, 0) => "",
            (_, 0) => "|",
            _ => "/",
        });
        let mut gap = 0;
        for name in order_of(kind, level, line) {
            let cell = kind.table().cell_named(name.as_bytes()).expect(&name);
            let Some(&letter) = pieces.get(&cell) else {
                gap += 1;
                continue;
            };
            let number = if gap > 0 { gap.to_string() } else { String::new() };
            let _ = write!(text, "{number}{}", char::from(letter));
            gap = 0;
        }
        if gap > 0 {
            let _ = write!(text, "{gap}");
        }
    }
    format!("{text} {side}{} 3 9", if kind == BoardKind::Glinski { " -" } else { "" })
}

/// The names of the cells of a line of a record, by the specification.
fn order_of(kind: BoardKind, level: usize, line: usize) -> Vec<String> {
    match kind {
        BoardKind::Glinski => {
            let file = char::from(b"abcdefghikl"[line]);
            (1..=11 - 5_i32.abs_diff(line as i32))
                .rev()
                .map(|rank| format!("{file}{rank}"))
                .collect()
        }
        BoardKind::Raumschach => {
            let level = char::from(b"EDCBA"[level]);
            ('a'..='e').map(|file| format!("{level}{file}{}", 5 - line)).collect()
        }
    }
}

/// No two moves of a position share a text, a text is read as the move that it was written for, a record as its
/// position.
#[test]
fn every_move_has_a_text_of_its_own() {
    let mut dice = Dice::new(0xb0a2d);
    for &kind in BoardKind::ALL {
        for round in 0..trials(30, 300, 3_000) {
            let position = match round % 3 {
                0 => sparse_position(kind, &mut dice),
                _ => random_position(kind, &mut dice, 160),
            };
            let record = position.to_string();
            assert_eq!(position_of(&record, kind), position, "{record}");
            let moves = position.legal_moves();
            for notation in notations() {
                let mut texts = HashMap::new();
                for &mv in &moves {
                    let text = notation::write_on_board(notation, &position, mv).unwrap();
                    let text = text.to_string();
                    assert!(text.len() <= 12 && text.is_ascii(), "{text}");
                    assert!(!text.starts_with(|it: char| it.is_ascii_digit()), "{text}");
                    let body = text.trim_end_matches(['+', '#']).to_string();
                    let other = texts.insert(body, mv);
                    assert_eq!(other, None, "{record}: {text} is also {mv:?}");
                    let reading = notation.read_table(text.as_bytes(), &position);
                    let reading =
                        reading.unwrap_or_else(|kind| panic!("{record}: {text}: {kind:?}"));
                    assert_eq!(reading.mv, mv, "{record}: {text}");
                    assert!(reading.deviations.is_empty(), "{record}: {text}");
                }
            }
            let refused = notation::NOTATIONS.iter().filter(|notation| {
                !notations().iter().any(|able| notation::is_same(*able, **notation))
            });
            for notation in refused {
                let text = notation::write_on_board(*notation, &position, moves[0]);
                assert_eq!(text.err(), Some(Deviation::NotationNotForBoard));
            }
        }
    }
}

/// SAN names as little of the origin as is needed: no text with a smaller part is that of one legal move.
#[test]
fn san_names_no_more_of_the_origin_than_is_needed() {
    let mut dice = Dice::new(0xb0a2e);
    for &kind in BoardKind::ALL {
        for _ in 0..trials(40, 400, 2_000) {
            let position = sparse_position(kind, &mut dice);
            let san = notation::find("san").unwrap();
            for mv in position.legal_moves() {
                let text = notation::write_on_board(san, &position, mv).unwrap().to_string();
                let target = position.table().name_of(mv.target());
                let (front, _) = text.split_once(&target).unwrap();
                let Some(letter) = front.chars().next().filter(|_| front.len() > 1) else {
                    continue;
                };
                let (_, own) = position.piece(mv.origin()).unwrap();
                if own == b'P' {
                    continue;
                }
                let bare = format!("{letter}{}{target}", if text.contains('x') { "x" } else { "" });
                let reading = san.read_table(bare.as_bytes(), &position);
                let is_named = front.trim_end_matches('x').len() > 1;
                if is_named {
                    assert_eq!(reading.err(), Some(Deviation::MoveAmbiguous), "{position}: {text}");
                }
            }
        }
    }
}

/// Any bytes are read as a move or refused; what is read has the meaning of what is then written.
#[test]
fn any_bytes_are_read_or_refused() {
    const BYTES: &[u8] = b"ABCDEabcdefghikl12345910KQRBNUPx-=+#/.unswd\xc5\x84\xff";
    let mut dice = Dice::new(0xb0a2f);
    let mut read = 0;
    for &kind in BoardKind::ALL {
        for round in 0..trials(100, 1_500, 10_000) {
            let position = random_position(kind, &mut dice, 20);
            let notation = dice.one(&notations());
            let mut text: Vec<u8> = (0..dice.below(12)).map(|_| dice.one(BYTES)).collect();
            if round % 2 == 0 {
                let mv = dice.one(&position.legal_moves());
                let written = notation::write_on_board(notation, &position, mv).unwrap();
                text = written.as_bytes().to_vec();
                let at = dice.below(text.len());
                match dice.below(4) {
                    0 => text[at] = dice.one(BYTES),
                    1 => text[at] = text[at].to_ascii_uppercase(),
                    2 => text.insert(at, dice.one(BYTES)),
                    _ => drop(text.remove(at)),
                }
            }
            if let Ok(reading) = notation.read_table(&text, &position) {
                read += 1;
                assert!(position.legal_moves().contains(&reading.mv));
                let written = notation::write_on_board(notation, &position, reading.mv).unwrap();
                if reading.deviations.is_empty() {
                    let body = |text: &[u8]| {
                        let text = String::from_utf8_lossy(text).into_owned();
                        text.trim_end_matches(['+', '#']).to_string()
                    };
                    assert_eq!(body(written.as_bytes()), body(&text), "{position}");
                }
            }
        }
    }
    assert!(read > 20, "{read} texts are moves");
}

/// Any bytes as a record are a position or a fault, and the fault has words.
#[test]
fn any_record_is_read_or_refused() {
    let mut dice = Dice::new(0xb0a30);
    let mut read = 0;
    for &kind in BoardKind::ALL {
        for _ in 0..trials(200, 4_000, 20_000) {
            let mut record = random_position(kind, &mut dice, 12).to_string().into_bytes();
            for _ in 0..=dice.below(2) {
                let at = dice.below(record.len());
                let byte = dice.one(b"KQRBNUPkqrbnup0123456789/|wb - \xc5\xff");
                match dice.below(4) {
                    0 => record.insert(at, byte),
                    1 => drop(record.remove(at)),
                    2 => record.truncate(at + 1),
                    _ => record[at] = byte,
                }
            }
            match AnyPosition::from_fen(&record, RulesKind::Board(kind)) {
                Ok((AnyPosition::Table(position), _)) => {
                    read += 1;
                    let again = position_of(&position.to_string(), kind);
                    assert_eq!(again.to_string(), position.to_string());
                    let _ = (TableRules::end(&position), position.legal_moves().len());
                }
                Ok(other) => panic!("{other:?}"),
                Err(_) => {
                    let value: String =
                        String::from_utf8_lossy(&record).chars().filter(|it| *it != '"').collect();
                    let (delivered, _) = replayed(kind, &fen(&value), "*");
                    assert_eq!(delivered.verdict, Some(Verdict::Rejected), "{value}");
                    assert!(!delivered.detail.is_empty(), "{value}");
                }
            }
        }
    }
    assert!(read > 20, "{read} records are positions");
}

/// What a replay delivered.
#[derive(Default)]
struct Delivered {
    moves: Vec<String>,
    fault: Option<Deviation>,
    detail: String,
    verdict: Option<Verdict>,
}

impl ReplayVisitor for Delivered {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.moves.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let mut text = notation::MoveText::default();
        ply.encode(notation::SAN, &mut text)?;
        self.moves.push(format!("{}{text}", "(".repeat(depth)));
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.verdict = Some(game.verdict);
        self.fault = game.fault.map(|fault| fault.kind);
        self.detail = game.fault.map_or(String::new(), |fault| fault.detail.clone());
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Replays a game: what was delivered, and the deviations that are no matter of tag pairs.
fn replayed(kind: BoardKind, tags: &str, movetext: &str) -> (Delivered, Vec<Deviation>) {
    let text = format!("[Variant \"{}\"]\n{tags}\n{movetext}\n", kind.title());
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    let mut delivered = Delivered::default();
    replayer.replay(text.as_bytes(), &mut delivered);
    let found = Deviation::ALL.iter().copied().filter(|&kind| {
        let is_of_tags = matches!(kind, Deviation::RosterIncomplete | Deviation::FenWithoutSetup);
        replayer.counts.deviations[kind as usize] > 0 && !is_of_tags
    });
    let found = found.collect();
    (delivered, found)
}

/// A record in a FEN tag.
fn fen(record: &str) -> String {
    format!("[SetUp \"1\"]\n[FEN \"{record}\"]\n")
}

/// `boards.md`, "Texts": the move by its text in UCI; in SAN, long algebraic and Geographical notation.
#[test]
fn texts_are_those_of_the_specification() {
    use BoardKind::{Glinski, Raumschach};
    let promotes = "1P4/7/8/9/10/k10/10/9/8/7/K5 w - 0 1";
    let passed = "6/7/3P4/4p4/10/k10/10/9/8/7/K5 w d6 0 1";
    let pawns = "k4/5/5/5/5|5/5/5/5/5|5/5/5/2P2/5|5/5/2P2/5/5|5/5/5/5/4K w 0 1";
    let rooks = "4k/5/5/5/5|5/5/5/5/5|5/5/5/5/R4|5/5/5/5/5|5/5/5/5/R3K w 0 1";
    // The other rook could go there, too, but is pinned.
    let pinned = "4k/5/5/5/5|5/5/5/5/5|5/5/5/5/5|5/5/1R3/5/5|5/5/5/5/KR2r w 0 1";
    for (kind, record, uci, expected) in [
        (Raumschach, pinned, "Bb3Ab3", ["RAb3", "RBb3-Ab3", "R1-d"]),
        (Glinski, "", "f5f6", ["f6", "f5-f6", "P5-a"]),
        (Glinski, "", "b1b3", ["b3", "b1-b3", "P1-a2"]),
        (Glinski, "", "f3d2", ["Bd2", "Bf3-d2", "B1-ef"]),
        (Glinski, "", "f2d4", ["Bd4", "Bf2-d4", "B2-af2"]),
        (Glinski, "", "d1f4", ["Ndf4", "Nd1-f4", "N1-abb"]),
        (Glinski, promotes, "a5a6q", ["a6=Q+", "a5-a6Q+", "P-a=Q+"]),
        (Glinski, promotes, "a5a6n", ["a6=N", "a5-a6N", "P-a=N"]),
        (Glinski, passed, "c5d6", ["cxd6", "c5xd6", "PxP"]),
        (Raumschach, "", "Bc2Bc3", ["Bc3", "Bc2-Bc3", "P5-n"]),
        (Raumschach, "", "Bc2Cc2", ["Cc2", "Bc2-Cc2", "P5-u"]),
        (Raumschach, "", "Ab1Ac3", ["NbAc3", "NAb1-Ac3", "N1-nne"]),
        (Raumschach, "", "Ab1Bb3", ["NBb3", "NAb1-Bb3", "N1-nnu"]),
        (Raumschach, "", "Ab1Cb2", ["NCb2", "NAb1-Cb2", "N1-nuu"]),
        (Raumschach, "", "Ba1Da3", ["BDa3", "BBa1-Da3", "B1-nu2"]),
        (Raumschach, "", "Bb1Cc2", ["UCc2", "UBb1-Cc2", "U1-neu"]),
        (Raumschach, pawns, "Cc2Cc3", ["c2Cc3", "Cc2-Cc3", "P2-n"]),
        (Raumschach, pawns, "Bc3Cc3", ["c3Cc3", "Bc3-Cc3", "P1-u"]),
        (Raumschach, rooks, "Aa1Ba1", ["RABa1", "RAa1-Ba1", "R2-u"]),
    ] {
        let position = match record {
            "" => TablePosition::initial(kind),
            record => position_of(record, kind),
        };
        let reading = notation::UCI.read_table(uci.as_bytes(), &position).expect(uci);
        let texts = ["san", "long", "geographical"].map(|name| {
            let notation = notation::find(name).unwrap();
            notation::write_on_board(notation, &position, reading.mv).unwrap().to_string()
        });
        assert_eq!(texts, expected, "{uci} in {position}");
    }
}

/// Other spellings with one reading are read, by the names of their deviations; the others are refused by name.
#[test]
fn other_spellings_have_their_names() {
    use BoardKind::{Glinski, Raumschach};
    use Deviation::*;
    let takes = fen("6/7/8/3p5/2R1P5/k10/10/9/8/7/K5 w - 0 1");
    let promotes = fen("1P4/7/8/9/10/k10/10/9/8/7/K5 w - 0 1");
    for (kind, tags, text, san, deviation) in [
        (Glinski, "", "Nd1f4", "Ndf4", DisambiguationExtra),
        (Glinski, "", "Qexe2", "Qe2", CaptureMarkExtra),
        (Glinski, &promotes, "a6Q+", "a6=Q+", PromotionMark),
        (Glinski, &promotes, "a6=q+", "a6=Q+", NotationVariant),
        (Glinski, &promotes, "a6=Q", "a6=Q+", CheckMarkMissing),
        (Raumschach, "", "NAb1Bb3", "NBb3", DisambiguationExtra),
        (Raumschach, "", "Bc3+", "Bc3", CheckMarkExtra),
    ] {
        let (delivered, found) = replayed(kind, tags, &format!("1. {text} *"));
        assert_eq!(delivered.fault, None, "{text}: {}", delivered.detail);
        assert_eq!(delivered.moves, [san], "{text}");
        assert!(found.contains(&deviation), "{text}: {found:?}");
    }
    for (kind, tags, text, fault, words) in [
        (Glinski, "", "Nf4", MoveAmbiguous, "several legal moves of White"),
        (Glinski, "", "Nf5", MoveIllegal, "no legal move of White"),
        (Glinski, "", "Nj5", MoveUnreadable, "cannot be read"),
        (Glinski, "", "Nf12", MoveIllegal, "no legal move"),
        (Glinski, &promotes, "a6", PromotionPieceMissing, "does not name the piece"),
        (Raumschach, "", "e4", MoveUnreadable, "cannot be read"),
        (Raumschach, "", "UEe5", MoveIllegal, "no legal move of White"),
    ] {
        let (delivered, _) = replayed(kind, tags, &format!("1. {text} *"));
        assert_eq!(delivered.fault, Some(fault), "{text}: {}", delivered.detail);
        assert!(delivered.detail.contains(words), "{text}: {}", delivered.detail);
    }
    let _ = takes;
}

/// The fault of a record names what is wrong, and where.
#[test]
fn faults_of_records_name_their_place() {
    use BoardKind::{Glinski, Raumschach};
    let hexagons = "6/p5P/rp4PR/n1p3P1N/q2p2P2Q/bbb1p1P1BBB/k2p2P2K/n1p3P1N/rp4PR/p5P/6";
    let cube = "rnknr/ppppp/5/5/5|ubqub/ppppp/5/5/5|5/5/5/5/5|5/5/5/PPPPP/BUQBU|5/5/5/PPPPP/RNKNR";
    for (kind, record, words) in [
        (Glinski, hexagons.replace("rp4PR/p5P/6", "rp4PR/p5P"), "10 files instead of 11"),
        (Glinski, hexagons.replacen("p5P", "p4P", 1), "file b, `p4P`, has 6 cells instead of 7"),
        (Glinski, hexagons.replacen("p5P", "p99999999999999999999P", 1), "file b"),
        (Glinski, hexagons.replacen("p5P", "p05P", 1), "begins with 0"),
        (Glinski, hexagons.replacen("p5P", "z5P", 1), "`z` on file b is no piece"),
        (Glinski, hexagons.replacen("p5P", "\u{144}5P", 1), "file b is no piece"),
        (Glinski, hexagons.replace("k2p2", "3p2"), "Black has no king"),
        (Glinski, hexagons.replace('Q', "K"), "White has 2 kings"),
        (Glinski, hexagons.replacen('6', "p5", 1) + " w m9 0 1", "`m9` is no cell"),
        (Glinski, format!("{hexagons} w - x 1"), "`x` is no number"),
        (Glinski, format!("{hexagons} x - 0 1"), "neither w nor b"),
        (Glinski, hexagons.replacen('6', "P5", 1), "promotes"),
        (Raumschach, cube.replace("|5/5/5/5/5", ""), "4 levels instead of 5"),
        (Raumschach, cube.replacen("rnknr", "rnkn", 1), "rank 5 on level E, `rnkn`, has 4 cells"),
        (Raumschach, cube.replacen("|5/", "|", 1), "4 ranks on level C instead of 5"),
        (Raumschach, String::new(), "empty"),
    ] {
        let (delivered, _) = replayed(kind, &fen(&record), "*");
        assert!(delivered.detail.contains(words), "{record}: {}", delivered.detail);
    }
    // A castling field, and a cell that no pawn has passed.
    let (delivered, found) = replayed(Glinski, &fen(&format!("{hexagons} w - - 0 1")), "1. f6 *");
    assert_eq!((delivered.fault, found), (None, vec![]));
    let (_, found) = replayed(Glinski, &fen(&format!("{hexagons} w d6 0 1")), "1. f6 *");
    assert_eq!(found, [Deviation::FenEnPassantImpossible]);
    let (_, found) = replayed(Raumschach, &fen(&format!("{cube} w - - 0 1")), "1. Bc3 *");
    assert_eq!(found, []);
}

/// A double step may be made from each cell on which a pawn begins, also by a pawn that has come there.
#[test]
fn a_pawn_on_the_cell_of_another_may_make_a_double_step() {
    // A white pawn comes from b1 to c2 by a capture.
    let record = fen("6/6P/6p1/9/10/k10/10/9/8/7/K5 w - 0 1");
    let (delivered, found) = replayed(BoardKind::Glinski, &record, "1. bxc2 Kf10 2. c4 *");
    assert_eq!((delivered.fault, found), (None, vec![]), "{}", delivered.detail);
    // Over an occupied cell there is none.
    let record = fen("6/5pP/8/9/10/k10/10/9/8/7/K5 w - 0 1");
    let (delivered, _) = replayed(BoardKind::Glinski, &record, "1. b3 *");
    assert_eq!(delivered.fault, Some(Deviation::MoveIllegal));
}

/// A null move passes the turn, and nothing else is left of the move before: the pieces stay, no pawn can be captured
/// in passing, the clock goes on. There is none in check.
#[test]
fn a_null_move_passes_the_turn_and_forgets_the_pawn_that_passed() {
    let mut dice = Dice::new(0x9A55);
    let (mut passed_count, mut refused_count) = (0, 0);
    for &kind in BoardKind::ALL {
        let games = (0..trials(60, 400, 4_000)).map(|_| random_position(kind, &mut dice, 60));
        let mut positions: Vec<TablePosition> = games.collect();
        // After a first move of each: double steps among them.
        let first = TablePosition::initial(kind);
        positions.extend(first.legal_moves().into_iter().map(|mv| first.play(mv)));
        for position in positions {
            let Some(next) = TableRules::pass(&position) else {
                assert!(TableRules::in_check(&position), "{position}");
                refused_count += 1;
                continue;
            };
            assert!(!TableRules::in_check(&position), "{position}");
            let [before, after] = [&position, &next].map(|it| {
                let record = it.to_string();
                record.split(' ').map(String::from).collect::<Vec<_>>()
            });
            let is_black = before[1] == "b";
            assert_eq!(after[0], before[0], "{position}");
            assert_eq!(after[1], if is_black { "w" } else { "b" }, "{position}");
            let number = |field: &String| field.parse::<u32>().unwrap();
            let [.., clock_before, number_before] = &before[..] else { unreachable!() };
            let [.., clock_after, number_after] = &after[..] else { unreachable!() };
            assert_eq!(number(clock_after), number(clock_before) + 1, "{position}");
            assert_eq!(number(number_after), number(number_before) + u32::from(is_black));
            assert_eq!(next.passed(), None, "{position}");
            let (read, notes) = TablePosition::from_fen(next.to_string().as_bytes(), kind).unwrap();
            assert_eq!((read.to_string(), notes.en_passant_impossible), (next.to_string(), false));
            passed_count += usize::from(position.passed().is_some());
        }
    }
    assert!(passed_count > 5 && refused_count > 0, "{passed_count} {refused_count}");
}

/// The cell in a record is one over which a pawn can have passed, or it is dropped with a note.
#[test]
fn a_cell_of_a_record_that_no_pawn_passed_is_dropped() {
    for (file, is_possible) in [("4p4", true), ("3np4", false), ("2n1p4", false), ("9", false)] {
        let record = format!("6/7/3P4/{file}/10/k10/10/9/8/7/K5 w d6 0 1");
        let (position, notes) =
            AnyPosition::from_fen(record.as_bytes(), RulesKind::Board(BoardKind::Glinski)).unwrap();
        let AnyPosition::Table(position) = position else { panic!("{record}") };
        assert_eq!(position.passed().is_some(), is_possible, "{record}");
        assert_eq!(notes.en_passant_impossible, !is_possible, "{record}");
    }
}

/// The clock of a record counts the plies since a pawn moved or a piece was captured; and a position whose waiting
/// king can be captured is refused.
#[test]
fn records_have_the_clock_of_their_game_and_no_king_to_capture() {
    let mut dice = Dice::new(0xc10c);
    let (mut captures, mut checks) = (0, 0);
    for &kind in BoardKind::ALL {
        for _ in 0..trials(60, 300, 3_000) {
            let mut position = TablePosition::initial(kind);
            let mut clock = 0;
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = dice.one(&moves);
                let is_capture = position.captured(mv).is_some();
                let is_pawn = position.piece(mv.origin()).is_some_and(|(_, letter)| letter == b'P');
                captures += usize::from(is_capture && !is_pawn);
                clock = if is_capture || is_pawn { 0 } else { clock + 1 };
                position = position.play(mv);
                let record = position.to_string();
                let field = record.split(' ').rev().nth(1);
                assert_eq!(field, Some(clock.to_string().as_str()), "{record}");
                if position.is_in_check(position.turn()) {
                    checks += 1;
                    let (placement, rest) = record.split_once(' ').unwrap();
                    let side = if rest.starts_with('w') { 'b' } else { 'w' };
                    let read = AnyPosition::from_fen(
                        format!("{placement} {side}").as_bytes(),
                        RulesKind::Board(kind),
                    );
                    assert!(matches!(read, Err(FenError::SideNotToMoveInCheck)), "{record}");
                }
            }
        }
    }
    assert!(captures > 100 && checks > 100, "{captures} captures, {checks} checks");
}

/// The ends: mate wins; stalemate draws in Raumschach and has no result in Gliński's chess, where any is accepted.
#[test]
fn mate_and_stalemate_end_a_game() {
    use BoardKind::{Glinski, Raumschach};
    let mate = "1. Qc3 Qc6 2. b2 b6 3. Bb1 e6 4. Qxf9#";
    let (delivered, found) = replayed(Glinski, "", &format!("{mate} 1-0"));
    assert_eq!((delivered.fault, found), (None, vec![]), "{}", delivered.detail);
    let (_, found) = replayed(Glinski, "", &format!("{mate} 0-1"));
    assert_eq!(found, [Deviation::ResultContradictsBoard]);
    let (delivered, _) = replayed(Glinski, "", &format!("{mate} Kg9 1-0"));
    assert_eq!(delivered.fault, Some(Deviation::MovesAfterEnd));
    assert!(delivered.detail.contains("White has won"), "{}", delivered.detail);
    let mut dice = Dice::new(0xb0a31);
    let mut found = HashMap::new();
    for kind in [Glinski, Raumschach] {
        for _ in 0..trials(1_500, 6_000, 30_000) {
            let position = cornered(kind, &mut dice);
            let Some(end) = position.as_ref().and_then(TableRules::end) else { continue };
            let position = position.unwrap();
            let is_mate = position.is_in_check(position.turn());
            let expected = match (kind, is_mate) {
                (_, true) => GameEnd::Win(position.turn().other()),
                (Glinski, false) => GameEnd::Unscored,
                (Raumschach, false) => GameEnd::Draw,
            };
            assert_eq!(end, expected, "{position}");
            assert!(position.legal_moves().is_empty(), "{position}");
            let expected = match (kind, is_mate, position.turn()) {
                (Glinski, false, _) => ["1-0", "0-1", "1/2-1/2"].to_vec(),
                (Raumschach, false, _) => vec!["1/2-1/2"],
                (_, true, Color::Black) => vec!["1-0"],
                (_, true, Color::White) => vec!["0-1"],
            };
            for result in ["1-0", "0-1", "1/2-1/2"] {
                let (_, deviations) = replayed(kind, &fen(&position.to_string()), result);
                let is_refused = deviations.contains(&Deviation::ResultContradictsBoard);
                assert_eq!(is_refused, !expected.contains(&result), "{position} {result}");
            }
            *found.entry((kind.name(), is_mate)).or_insert(0) += 1;
        }
    }
    assert!(found.len() >= 3, "{found:?}");
}

/// A king alone against a king and three queens.
fn cornered(kind: BoardKind, dice: &mut Dice) -> Option<TablePosition> {
    let cells: Vec<_> = kind.table().cells().collect();
    let letters = if kind == BoardKind::Glinski { &b"KkQQ"[..] } else { b"KkQQQ" };
    let pieces = letters.iter().map(|&letter| (dice.one(&cells), letter)).collect();
    let record = record_of(kind, &pieces, 'b');
    match AnyPosition::from_fen(record.as_bytes(), RulesKind::Board(kind)) {
        Ok((AnyPosition::Table(position), _)) => Some(position),
        _ => None,
    }
}
