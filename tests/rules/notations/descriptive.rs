//! Descriptive notation in three languages, against its rules written a second time over shakmaty's legal moves.
//!
//! The rules are those of `../shared/spec/algebraic.md`: of all texts of a move take the first that no other legal move
//! has, in the order of effort (that of the piece and that of the goal added up); of equal efforts the one that
//! specifies the goal first. Here a move has a list of texts, as strings; the one that is written must be the first in
//! that order that is on no other move's list. `notation/descriptive.rs` decides the same by sets of squares.

use std::collections::HashMap;

use pgnmill_core::notation::Lineage;
use pgnmill_core::pgn::deviation::Deviation;
use shakmaty::{CastlingSide, Chess, Color, Move, Position as _, Role, Square};

use super::reference::{key, moments, their_key};
use crate::common::games::{Moment, position, registered, uci};
use crate::common::{here, trials};

/// A language: how it calls pawn, knight, bishop, rook, queen and king, and whether what it names comes first.
struct Language {
    letters: &'static str,
    name_first: bool,
    passing: &'static str,
    check: [&'static str; 2],
}

const ENGLISH: Language =
    Language { letters: "PNBRQK", name_first: false, passing: "e.p.", check: ["ch", "mate"] };
const SPANISH: Language =
    Language { letters: "PCATDR", name_first: true, passing: "a.p.", check: ["+", "#"] };
const FRENCH: Language =
    Language { letters: "PCFTDR", name_first: true, passing: "e.p.", check: ["+", "#"] };

impl Language {
    fn letter(&self, role: Role) -> char {
        self.letters.chars().nth(role as usize - Role::Pawn as usize).unwrap()
    }

    /// The pieces behind it, from the queen's rook on: the one that begins there, and its wing.
    fn file(&self, square: Square, full: bool) -> String {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let file = square.file() as usize;
        let begins = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook][file];
        let wing = if file < 4 { Queen } else { King };
        match full && begins != wing {
            true => self.owned(self.letter(begins).to_string(), self.letter(wing)),
            false => self.letter(begins).to_string(),
        }
    }

    /// `KR` is `TR`: the rook of the king.
    fn owned(&self, piece: String, owner: impl std::fmt::Display) -> String {
        if self.name_first { format!("{piece}{owner}") } else { format!("{owner}{piece}") }
    }

    /// A square, its rank counted from the side to move.
    fn name(&self, square: Square, turn: Color, full: bool) -> String {
        let rank = square.rank() as u8;
        let counted = if turn.is_white() { rank + 1 } else { 8 - rank };
        let file = self.file(square, full);
        if self.name_first { format!("{counted}{file}") } else { format!("{file}{counted}") }
    }
}

/// The names of a piece, each with its effort.
fn piece(
    language: &Language,
    role: Role,
    square: Square,
    turn: Color,
    sides: Option<&Lineage>,
) -> Vec<(u8, String)> {
    let letter = language.letter(role).to_string();
    let owned = |owner: String| language.owned(letter.clone(), owner);
    let mut names = vec![(0, letter.clone())];
    match role {
        Role::Pawn => {
            names.push((1, owned(language.file(square, false))));
            names.push((2, owned(language.file(square, true))));
        }
        Role::Knight | Role::Bishop | Role::Rook => {
            let began = sides.map(|lineage| {
                lineage
                    .file(pgnmill_core::chess::Square::at(square.file() as u8, square.rank() as u8))
            });
            let wing = began.map(|began| if began < 4 { Role::Queen } else { Role::King });
            names.extend(wing.map(|wing| (2, owned(language.letter(wing).to_string()))));
        }
        _ => {}
    }
    names.push((3, format!("{letter}/{}", language.name(square, turn, false))));
    names.push((4, format!("{letter}/{}", language.name(square, turn, true))));
    names
}

/// All texts of a move without check suffix, in the order in which they are preferred.
fn texts(language: &Language, chess: &Chess, mv: Move, sides: Option<&Lineage>) -> Vec<String> {
    let turn = chess.turn();
    match mv.castling_side() {
        Some(CastlingSide::KingSide) => return vec!["O-O".to_owned()],
        Some(CastlingSide::QueenSide) => return vec!["O-O-O".to_owned()],
        None => {}
    }
    let (from, to) = (mv.from().unwrap(), mv.to());
    let goals: Vec<(u8, String)> = match mv.capture() {
        Some(victim) => {
            let at =
                if mv.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
            let names = piece(language, victim, at, turn, sides);
            names.into_iter().map(|(effort, name)| (effort, format!("x{name}"))).collect()
        }
        None => {
            let hyphen = if language.name_first { "" } else { "-" };
            [false, true]
                .map(|full| (u8::from(full), format!("{hyphen}{}", language.name(to, turn, full))))
                .to_vec()
        }
    };
    let promotion =
        mv.promotion().map_or(String::new(), |role| format!("={}", language.letter(role)));
    let passing = if mv.is_en_passant() { language.passing } else { "" };
    let mut found = Vec::new();
    for (effort, piece) in piece(language, mv.role(), from, turn, sides) {
        for (more, goal) in &goals {
            let text = format!("{piece}{goal}{promotion}{passing}");
            // The goal that is specified further comes first.
            found.push((effort + more, u8::MAX - more, text));
        }
    }
    found.sort();
    found.into_iter().map(|(_, _, text)| text).collect()
}

#[test]
fn the_text_is_the_first_by_effort_that_no_other_legal_move_has() {
    let (mut texts_count, mut ties_count, mut sides_count) = (0u64, 0u64, 0u64);
    for (moment, chess) in &moments(trials(10, 30, 100), 0x1234_5678_9abc_def1, 3) {
        let legal = chess.legal_moves();
        for (notation, language, sides) in [
            ("descriptive", &ENGLISH, None),
            ("descriptive-sides", &ENGLISH, moment.lineage.as_ref()),
            ("descriptive-es", &SPANISH, None),
            ("descriptive-fr", &FRENCH, None),
        ] {
            let lists: Vec<Vec<String>> =
                legal.iter().map(|mv| texts(language, chess, *mv, sides)).collect();
            let mut holders: HashMap<&str, usize> = HashMap::new();
            for list in &lists {
                let mut own: Vec<&str> = list.iter().map(String::as_str).collect();
                own.sort_unstable();
                own.dedup();
                own.into_iter().for_each(|text| *holders.entry(text).or_default() += 1);
            }
            for (theirs, list) in legal.iter().zip(&lists) {
                let free = || list.iter().filter(|text| holders[text.as_str()] == 1);
                let chosen = free().next().expect("a text of its own");
                let after = chess.clone().play(*theirs).unwrap();
                let suffix = match (after.is_checkmate(), after.is_check()) {
                    (true, _) => language.check[1],
                    (_, true) => language.check[0],
                    _ => "",
                };
                let moves = moment.position.legal_moves();
                let ours =
                    moves.iter().find(|mv| key(**mv) == their_key(*theirs)).expect("legal here");
                let written = moment.write(registered(notation), *ours);
                let fen = moment.position.to_fen();
                assert_eq!(written, format!("{chosen}{suffix}"), "{notation}: {fen}: {list:?}");
                texts_count += 1;
                ties_count += u64::from(chosen != &list[0] && free().nth(1).is_some());
                sides_count += u64::from(sides.is_some() && chosen != &list[0]);
            }
        }
    }
    println!(
        "{texts_count} texts, {ties_count} chosen among several, {sides_count} with a history"
    );
    let least = trials(10_000, 50_000, 50_000);
    assert!(texts_count > least && ties_count > least / 10 && sides_count > least / 50);
}

/// Every text of every move, the suffix left out: one move that fits is read. Of several those that give no check, as
/// none is written; if that leaves one it is read, else the text is ambiguous.
#[test]
fn a_text_that_two_legal_moves_have_is_not_guessed() {
    let (mut read_count, mut ambiguous_count) = (0u64, 0u64);
    for (moment, chess) in &moments(4, 0x7f4a_7c15_9e37_79b9, 7) {
        for (notation, language) in
            [("descriptive", &ENGLISH), ("descriptive-es", &SPANISH), ("descriptive-fr", &FRENCH)]
        {
            let mut holders: HashMap<String, Vec<Move>> = HashMap::new();
            for mv in &chess.legal_moves() {
                for text in texts(language, chess, *mv, None) {
                    let held = holders.entry(text).or_default();
                    if held.last() != Some(mv) {
                        held.push(*mv);
                    }
                }
            }
            for (text, mut held) in holders {
                if held.len() > 1 {
                    held.retain(|mv| !chess.clone().play(*mv).unwrap().is_check());
                }
                let expected = match held[..] {
                    [one] => Ok(their_key(one)),
                    _ => Err(Deviation::MoveAmbiguous),
                };
                let read = registered(notation).read(text.as_bytes(), &moment.position);
                let read = read.map(|reading| key(reading.mv));
                assert_eq!(read, expected, "{notation}: {}: {text}", moment.position.to_fen());
                read_count += u64::from(expected.is_ok());
                ambiguous_count += u64::from(expected.is_err());
            }
        }
    }
    println!("{read_count} texts read, {ambiguous_count} ambiguous");
    assert!(read_count > 5_000 && ambiguous_count > 500);
}

/// What docs/reference/notations.md says of the letters and the files, and its examples.
#[test]
fn the_page_says_what_is_written() {
    let page = std::fs::read_to_string(here("docs/reference/notations.md")).unwrap();
    let initial = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let initial = Moment::start(initial);
    for (name, language) in [("descriptive-es", &SPANISH), ("descriptive-fr", &FRENCH)] {
        // All pawns can move, so that each file has its full name.
        let files = ('a'..='h').map(|file| {
            let mv = uci(&initial.position, &format!("{file}2{file}3"));
            initial.write(registered(name), mv).split_off(2)
        });
        let files = files.collect::<Vec<_>>().join(" ");
        let letters: Vec<String> = language.letters.chars().rev().map(String::from).collect();
        let letters = letters.join(" ");
        let row = format!("| `{name}` | `{letters}` | `{files}` | `{}` |", language.passing);
        assert!(page.lines().any(|line| line == row), "{row}");
    }
    let examples = [
        (initial.position.to_fen(), "e2e4"),
        (initial.position.to_fen(), "g1f3"),
        ("4k3/8/8/4p3/3P1P2/8/8/4K3 w - - 0 1".to_string(), "f4e5"),
        ("4k3/8/8/8/R7/8/8/3RK3 w - - 0 1".to_string(), "d1d4"),
        ("8/1P6/8/8/8/4k3/8/4K3 w - - 0 1".to_string(), "b7b8q"),
    ];
    let examples = examples.map(|(fen, mv)| {
        let moment = Moment::start(position(&fen));
        let mv = uci(&moment.position, mv);
        let [spanish, english] =
            ["descriptive-es", "descriptive"].map(|name| moment.write(registered(name), mv));
        format!("`{spanish}` is {english}")
    });
    let line = format!("* {}. ", examples.join(", "));
    assert!(page.contains(&line), "{line}");
}
