//! The laws, for every notation, over random games with their history.

use std::collections::{HashMap, HashSet};

use pgnmill_core::chess::Position;
use pgnmill_core::notation::{NOTATIONS, Notation, TCN, oracle};

use crate::common::games::{HARD, Moment, position, registered, shared, walk};
use crate::common::{Dice, trials};

/// Dice games from the starting position, from hard positions and from Chess960 arrays.
fn moments(games: usize) -> Vec<Moment> {
    let mut random = Dice::new(0x9e37_79b9_7f4a_7c15);
    let mut moments = Vec::new();
    for _ in 0..games {
        moments.extend(walk(Position::initial(), 220, &mut random));
    }
    for fen in HARD {
        for _ in 0..games.div_ceil(8) {
            moments.extend(walk(position(fen), 30, &mut random));
        }
    }
    for fen in arrays() {
        if random.below(16) < games.div_ceil(4) {
            moments.extend(walk(position(&fen), 40, &mut random));
        }
    }
    moments
}

fn arrays() -> Vec<String> {
    let path = shared("corpora/chess960/chess960_start_positions.sfens");
    // Without this file the test uses the other starts.
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let fens = text.lines().map(str::trim).filter(|line| line.contains('/'));
    fens.map(|line| line.to_string()).collect()
}

/// The notations of movetext, and the one of games.
fn all() -> impl Iterator<Item = &'static dyn Notation> {
    NOTATIONS.iter().copied().chain([TCN])
}

/// The languages differ in their letters only: they are tested in fewer positions.
fn is_language(notation: &dyn Notation) -> bool {
    notation.info().name.starts_with("san-")
}

fn texts(notation: &dyn Notation, moment: &Moment) -> Vec<(String, pgnmill_core::chess::Move)> {
    let moves = moment.position.legal_moves();
    moves.iter().map(|&mv| (moment.write(notation, mv), mv)).collect()
}

#[test]
fn injective_round_trip_canonical_bounded() {
    let moments = moments(24);
    // At every depth: with them each character of each alphabet is written.
    let hard: Vec<_> = HARD.iter().map(|fen| Moment::start(position(fen))).collect();
    let (mut texts_count, mut positions_count) = (0, 0);
    for notation in all() {
        let info = notation.info();
        let (mut met, mut longest) = (HashSet::new(), (0, 0));
        let step = if is_language(notation) { trials(97, 31, 16) } else { trials(37, 13, 1) };
        for moment in hard.iter().chain(moments.iter().step_by(step)) {
            if notation.needs_lineage() && moment.lineage.is_none() {
                continue;
            }
            let (fen, lineage) = (moment.position.to_fen(), moment.lineage.as_ref());
            let mut seen = HashMap::new();
            positions_count += 1;
            for (text, mv) in texts(notation, moment) {
                texts_count += 1;
                let read = notation.read_in(text.as_bytes(), &moment.position, lineage);
                let reading = read.unwrap_or_else(|e| {
                    panic!("{}: {fen}: {text} for {mv:?}: {}", info.name, e.name())
                });
                assert_eq!(reading.mv, mv, "{}: {fen}: {text}", info.name);
                let check = pgnmill_core::notation::Check::of(&moment.position.play(mv));
                let odd = (reading.deviations.iter().next(), reading.check_suffix.deviation(check));
                assert_eq!(odd, (None, None), "{}: {fen}: {text}", info.name);
                assert!(text.len() <= info.bytes_max, "{}: {fen}: {text}", info.name);
                assert!(text.chars().count() <= info.characters_max, "{}: {text}", info.name);
                met.extend(text.chars());
                longest.0 = longest.0.max(text.chars().count());
                longest.1 = longest.1.max(text.len());
                if let Some(other) = seen.insert(text.clone(), mv) {
                    panic!("{}: {fen}: {other:?} and {mv:?} are both {text}", info.name);
                }
            }
        }
        let stated: HashSet<char> = info.alphabet.chars().collect();
        assert_eq!(stated.len(), info.alphabet.chars().count(), "{} repeats", info.name);
        let strange: Vec<_> = met.difference(&stated).collect();
        assert!(strange.is_empty(), "{} writes {strange:?}", info.name);
        let idle: String = stated.difference(&met).collect();
        assert!(idle.is_empty(), "{} never writes {idle:?}", info.name);
        if longest < (info.characters_max, info.bytes_max) {
            println!("{}: longest text met {longest:?}, stated {}", info.name, info.characters_max);
        }
    }
    println!("{} notations, {} moments", NOTATIONS.len(), moments.len());
    println!("{positions_count} positions, {texts_count} texts");
    assert!(moments.len() >= 5_000);
}

#[test]
fn decoding_agrees_with_the_oracle_on_every_mutation() {
    const BYTES: &[u8] = b"abch18xeNBRQKPO0-=+#/.&*57q!ECsn \xc3\xd0\xe2\x98\x94\x97\x80\x00\xff";
    let (mut random, mut mutations_count) = (Dice::new(77), 0u64);
    let mut moments = moments(4);
    let one_in = trials(1_500, 300, 40);
    moments.retain(|_| random.below(one_in) == 0);
    moments.extend(HARD.iter().map(|fen| Moment::start(position(fen))));
    moments.push(Moment::start(Position::initial()));
    for notation in all() {
        let step = if is_language(notation) { 17 } else { 1 };
        for moment in moments.iter().step_by(step) {
            let lineage = moment.lineage.as_ref();
            if notation.needs_lineage() && lineage.is_none() {
                continue;
            }
            let known: HashMap<Vec<u8>, _> = texts(notation, moment)
                .into_iter()
                .map(|(text, mv)| (text.into_bytes(), mv))
                .collect();
            for text in known.keys() {
                for at in 0..text.len() {
                    for &byte in BYTES {
                        let mut text = text.clone();
                        text[at] = byte;
                        let said = notation.decode_in(&text, &moment.position, lineage).ok();
                        let (name, fen) = (notation.info().name, moment.position.to_fen());
                        let shown = String::from_utf8_lossy(&text);
                        assert_eq!(said, known.get(&text).copied(), "{name}: {fen}: {shown}");
                        mutations_count += 1;
                    }
                }
            }
        }
    }
    println!("{} positions, {mutations_count} mutations", moments.len());
}

#[test]
fn the_oracle_itself_agrees() {
    let mut random = Dice::new(5);
    for moment in walk(Position::initial(), 160, &mut random).iter().step_by(8) {
        for notation in all() {
            let lineage = moment.lineage.as_ref();
            for (text, mv) in texts(notation, moment) {
                let bytes = text.as_bytes();
                let slow = oracle::decode_in(notation, bytes, &moment.position, lineage);
                assert_eq!(slow, Ok(mv), "{}: {text}", notation.info().name);
            }
        }
    }
}

#[test]
fn any_bytes_are_answered() {
    let mut random = Dice::new(123_456_789);
    let pieces: &[&[u8]] = &[
        b"K",
        b"QN",
        b"P",
        b"x",
        b"-",
        b"/",
        b"(",
        b")",
        b"=",
        b"e.p.",
        b"ch",
        b"mate",
        b"a",
        b"h",
        b"1",
        b"8",
        b"O-O",
        b"0-0",
        b"+",
        b"#",
        b"&R",
        b"*",
        b" ",
        "×".as_bytes(),
        "♞".as_bytes(),
        "Кр".as_bytes(),
        b"99",
        b"nne",
        b"sw7",
        b"Castles",
        b"Kt",
        b"\xff",
        b"\xd0",
        b"99999999999",
    ];
    for round in 0..4_000 {
        let moment = Moment::start(position(HARD[round % HARD.len()]));
        let mut text = Vec::new();
        for _ in 0..random.below(9) {
            text.extend_from_slice(pieces[random.below(pieces.len())]);
        }
        for notation in all() {
            // Whatever is read must be legal; that it returns at all is the law.
            if let Ok(reading) = notation.read(&text, &moment.position) {
                assert!(moment.position.legal_moves().contains(&reading.mv));
            }
        }
    }
}

#[test]
fn a_notation_that_needs_the_game_refuses_to_do_without() {
    let stamma = registered("stamma");
    let start = Position::initial();
    assert!(stamma.needs_lineage());
    assert_eq!(
        stamma.read(b"pe4", &start).err(),
        Some(pgnmill_core::pgn::deviation::Deviation::NotationNeedsInitialArray)
    );
    assert!(oracle::decode(stamma, b"", &start).is_err());
    let names = NOTATIONS.iter().filter(|n| n.needs_lineage()).map(|n| n.info().name);
    assert_eq!(names.collect::<Vec<_>>(), ["stamma"]);
    let said = NOTATIONS.iter().filter(|n| !n.info().exceptions.is_empty());
    assert_eq!(said.map(|n| n.info().name).collect::<Vec<_>>(), ["stamma"]);
}

#[test]
fn names_are_unique_and_found_in_capitals_too() {
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let name = notation.info().name;
        assert!(NOTATIONS[..index].iter().all(|n| !n.info().name.eq_ignore_ascii_case(name)));
        assert_eq!(registered(&name.to_ascii_uppercase()).info().name, name);
    }
    assert_eq!(NOTATIONS[0].info().name, "san");
}

#[test]
fn the_examples_hold() {
    for notation in all() {
        let info = notation.info();
        assert!(!info.examples.is_empty(), "{}", info.name);
        for &(fen, uci, text) in info.examples {
            let moment = Moment::start(position(fen));
            assert_eq!(
                moment.write(notation, crate::common::games::uci(&moment.position, uci)),
                text
            );
        }
    }
}
