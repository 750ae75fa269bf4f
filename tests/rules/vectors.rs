//! Texts that others wrote or reckoned: every row of the shared vectors whose notation is offered,
//! both ways, and the game that the 'Economical' page prints in its three modes.
//!
//! What is not registered yet is counted, so that the figure shows when a notation arrives without
//! its vectors.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::collections::BTreeMap;
use std::fs;

use crate::common;
use pgnmill_core::chess::{Move, Position};
use pgnmill_core::notation::{self, Check, Notation};
use pgnmill_needs::needs;

const HEADER: &str = "notation\torigin\tfen\tuci\ttext\tnote";
/// The note of rows that a book wrote in another form than ours: they are read, not written.
const READ_ONLY: &str = "read only";

/// One row: a move, its text, and the source.
struct Row<'a> {
    line: usize,
    notation: &'a str,
    fen: &'a str,
    uci: &'a str,
    text: &'a str,
    note: &'a str,
}

impl Row<'_> {
    /// Must our writer give this very text? Not where the source's form has spaces or brackets,
    /// which no text in movetext may hold.
    fn is_written(&self) -> bool {
        self.note != READ_ONLY && !self.text.contains([' ', '(', ')'])
    }

    /// A board of nine by nine is for another ruleset.
    fn is_of_eight_ranks(&self) -> bool {
        self.fen.split(' ').next().is_some_and(|men| men.split('/').count() == 8)
    }

    /// The position and the move of the row.
    fn ply(&self) -> Result<(Position, Move), String> {
        let (position, notes) =
            Position::from_fen(self.fen.as_bytes()).map_err(|error| error.to_string())?;
        if !notes.is_clean() {
            return Err(format!("{notes:?}"));
        }
        let uci = notation::find("uci").expect("uci is registered");
        let reading = uci.read(self.uci.as_bytes(), &position);
        Ok((position, reading.map_err(|fault| format!("{}: {}", self.uci, fault.name()))?.mv))
    }

    /// Writes and reads the row; an error gives what differs.
    fn check(&self, notation: &dyn Notation) -> Result<(), String> {
        let (position, mv) = self.ply()?;
        let written = notation::write(notation, &position, mv);
        let canonical = written.as_bytes() == self.text.as_bytes();
        if !canonical && self.is_written() {
            return Err(format!("we write {written}"));
        }
        match notation.read(self.text.as_bytes(), &position) {
            Ok(reading) if reading.mv != mv => Err(format!("we read {:?}", reading.mv)),
            Err(fault) => Err(format!("we read {}", fault.name())),
            Ok(reading) if !canonical => {
                let check = Check::of(&position.play(mv));
                let named = !reading.deviations.is_empty()
                    || reading.check_suffix.deviation(check).is_some();
                if named { Ok(()) } else { Err("read without a deviation".to_owned()) }
            }
            Ok(_) => match notation.decode(&position, self.text.as_bytes()) {
                Ok(decoded) if decoded == mv => Ok(()),
                other => Err(format!("we decode {other:?}")),
            },
        }
    }
}

fn rows(table: &str) -> Vec<Row<'_>> {
    let mut lines = table.lines().zip(1..);
    assert_eq!(lines.next().map(|(line, _)| line), Some(HEADER));
    lines
        .map(|(fields, line)| {
            let fields: Vec<&str> = fields.split('\t').collect();
            let [notation, _, fen, uci, text, note] = fields[..] else {
                panic!("line {line} has {} fields", fields.len());
            };
            Row { line, notation, fen, uci, text, note }
        })
        .collect()
}

#[needs("../shared/spec/vectors.tsv")]
#[test]
fn shared_vectors_hold_both_ways() {
    let table = fs::read_to_string(common::here("../shared/spec/vectors.tsv")).unwrap();
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut later, mut failures) = (BTreeMap::<&str, usize>::new(), Vec::new());
    for row in rows(&table) {
        // Rows that need their game are tested in `tests/rules/notations`.
        let offered =
            |notation: &&dyn Notation| row.is_of_eight_ranks() && !notation.needs_lineage();
        let Some(notation) = notation::find(row.notation).filter(offered) else {
            *later.entry(row.notation).or_default() += 1;
            continue;
        };
        match row.check(notation) {
            Ok(()) => *held.entry(row.notation).or_default() += 1,
            Err(said) => failures.push(format!(
                "line {}: {} | {} | {} | {} | {said}",
                row.line, row.notation, row.fen, row.uci, row.text
            )),
        }
    }
    for (notation, count) in &held {
        println!("{notation}: {count} rows hold");
    }
    for (notation, count) in &later {
        println!("{notation}: {count} rows, not offered yet");
    }
    println!("{} rows hold, {} wait", held.values().sum::<usize>(), later.values().sum::<usize>());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    for notation in ["san", "long", "uci", "economical-letters", "economical-squares"] {
        assert!(held.contains_key(notation), "no vector of {notation} was tried");
    }
}

/// The games of the page: runs of lines of which the first begins with the first move.
fn printed_games(page: &str) -> Vec<Vec<&str>> {
    let mut games: Vec<Vec<&str>> = Vec::new();
    let mut inside = false;
    for line in page.lines().map(str::trim) {
        if line.starts_with("1 e4 ") {
            games.push(Vec::new());
            inside = true;
        }
        inside = inside && !line.is_empty();
        if inside && let Some(game) = games.last_mut() {
            let words = line.split_whitespace();
            // Move numbers have no full stop; `1-0` ends the game.
            game.extend(
                words.filter(|word| !word.bytes().all(|b| b.is_ascii_digit() || b == b'-')),
            );
        }
    }
    games
}

#[needs("../shared/sources")]
#[test]
fn the_game_of_the_economical_page_is_written_as_it_is_printed() {
    let page = common::games::shared_text("sources", "002");
    let games = printed_games(&page);
    let names = ["economical-letters", "economical-squares", "economical-priority"];
    assert_eq!(games.len(), names.len());
    let mut last: Option<Position> = None;
    for (name, texts) in names.into_iter().zip(&games) {
        let notation = notation::find(name).expect("registered");
        assert_eq!(texts.len(), 37, "{name}");
        let mut position = Position::initial();
        for (text, ply) in texts.iter().zip(1..) {
            let place = format!("{name}, ply {ply}, {text}, {}", position.to_fen());
            let mv = notation.decode(&position, text.as_bytes());
            let mv = mv.unwrap_or_else(|error| panic!("{place}: {error:?}"));
            let written = notation::write(notation, &position, mv);
            assert_eq!(written.as_bytes(), text.as_bytes(), "{place}");
            position = position.play(mv);
        }
        println!("{name}: {} plies equal the page's", texts.len());
        assert_eq!(*last.get_or_insert(position), position, "{name} is another game");
    }
    let end = last.expect("three games").to_fen();
    assert_eq!(end, "r1k4r/p2nb1p1/2b4p/1p1n1p2/2PP4/3Q1NB1/1P3PPP/R5K1 b - - 0 19");
}
