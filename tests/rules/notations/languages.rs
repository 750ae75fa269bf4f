//! The table of letters against the shared one, and SAN texts through every language and back.

use std::collections::{BTreeMap, HashSet};

use pgnmill_core::chess::{Move, Position};
use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_needs::needs;

use crate::common::Dice;
use crate::common::games::{HARD, Moment, position, registered, shared, uci, walk};

fn languages() -> impl Iterator<Item = &'static dyn Notation> {
    NOTATIONS.iter().copied().filter(|notation| notation.info().name.starts_with("san-"))
}

/// The rows of the shared table by column name.
fn rows() -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(shared("spec/languages.tsv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<_> = lines.next().unwrap().split('\t').map(str::to_string).collect();
    lines
        .map(|line| names.iter().cloned().zip(line.split('\t').map(str::to_string)).collect())
        .collect()
}

/// How each role is written in a notation: found by writing moves.
fn letters(notation: &dyn Notation) -> BTreeMap<&'static str, String> {
    let moves = [
        ("K", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1"),
        ("Q", "4k3/8/8/8/8/8/8/K2Q4 w - - 0 1", "d1d2"),
        ("R", "4k3/8/8/8/8/8/8/K2R4 w - - 0 1", "d1d2"),
        ("B", "4k3/8/8/8/8/8/8/K2B4 w - - 0 1", "d1e2"),
        ("N", "4k3/8/8/8/8/8/8/K2N4 w - - 0 1", "d1e3"),
    ];
    let letter = |(role, fen, mv): (&'static str, &str, &str)| {
        let moment = Moment::start(position(fen));
        let text = moment.write(notation, uci(&moment.position, mv));
        (
            role,
            text.trim_end_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
                .to_string(),
        )
    };
    moves.into_iter().map(letter).collect()
}

#[needs("../shared/spec/languages.tsv")]
#[test]
fn the_table_is_the_shared_table() {
    let rows = rows();
    let usable: Vec<_> =
        rows.iter().filter(|row| row["bcp47"] != "zxx" && !row["K"].is_empty()).collect();
    let names: Vec<_> =
        usable.iter().map(|row| format!("san-{}", row["bcp47"].to_lowercase())).collect();
    assert_eq!(names, languages().map(|n| n.info().name.to_string()).collect::<Vec<_>>());
    for (row, notation) in usable.iter().zip(languages()) {
        assert_eq!(notation.info().title, format!("SAN, {}", row["language"]));
        for (role, letter) in letters(notation) {
            assert_eq!(letter, row[role], "{} of {}", role, row["language"]);
        }
        // The pawn's letter is read where it means nothing else.
        let start = Moment::start(Position::initial());
        if !row["P"].is_empty() {
            let text = format!("{}e4", row["P"]);
            let reading = notation.read(text.as_bytes(), &start.position);
            assert_eq!(reading.unwrap().mv, uci(&start.position, "e2e4"), "{text}");
        }
    }
    println!("{} languages are as the shared table has them", usable.len());
    assert_eq!(usable.len(), 46);
}

#[needs("../shared/spec/languages.tsv")]
#[test]
fn figurines_are_those_of_the_shared_table() {
    let rows = rows();
    let white = letters(registered("fan"));
    for role in ["K", "Q", "R", "B", "N"] {
        assert_eq!(rows[0][role], white[role]);
        assert_eq!(letters(registered("fan-white"))[role], white[role]);
    }
    let moment = Moment::start(position("4k3/8/8/8/8/8/8/K7 b - - 0 1"));
    let text = moment.write(registered("fan"), uci(&moment.position, "e8e7"));
    assert_eq!(text, format!("{}e7", rows[1]["K"]));
}

/// Moves of random games whose SAN texts all differ.
fn distinct_texts(wanted: usize) -> Vec<(Moment, Move, String)> {
    let (san, mut random) = (registered("san"), Dice::new(20_240_101));
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut starts = vec![Position::initial(); 4];
    starts.extend(HARD.iter().map(|fen| position(fen)));
    for round in 0.. {
        assert!(round < 2_000, "only {} texts", found.len());
        for moment in walk(starts[round % starts.len()], 120, &mut random) {
            for mv in moment.position.legal_moves() {
                let text = moment.write(san, mv);
                if seen.insert(text.clone()) {
                    found.push((moment, mv, text));
                }
            }
        }
        if found.len() >= wanted {
            return found;
        }
    }
    unreachable!()
}

#[test]
fn five_thousand_texts_go_through_every_language_and_back() {
    let texts = distinct_texts(5_000);
    let figurines = ["fan", "fan-white"].map(registered);
    let san = registered("san");
    for notation in languages().chain(figurines) {
        for (moment, mv, text) in &texts {
            let written = moment.write(notation, *mv);
            let back = notation.decode(&moment.position, written.as_bytes());
            assert_eq!(back, Ok(*mv), "{}: {written} for {text}", notation.info().name);
            assert_eq!(&moment.write(san, back.unwrap()), text);
        }
    }
    println!("{} SAN texts through {} notations", texts.len(), languages().count() + 2);
}
