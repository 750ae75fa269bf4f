//! Tokens in the place of a move that are not canonical: how they are read, and the reason where they are not.
//!
//! In: every legal move of positions that are difficult to read in, as the one move of a game, in other spellings. The
//! expected result follows from the legal moves.

use crate::common::Dice;
use crate::common::games::{HARD, Moment, position, registered, walk};
use pgnmill_core::chess::{Move, Position, Role};
use pgnmill_core::engine::Rejects;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_laws::support::{Ledger, ledger_of, to_san};

/// The hard positions, and those of short walks from them.
fn positions() -> Vec<Position> {
    let mut random = Dice::new(9);
    // Pawns of one file that capture on another.
    let pawns = [
        "4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1",
        "4k3/2p5/3p4/2pPp3/2P1P3/3P4/8/4K3 w - e6 0 1",
        "4k3/8/2p5/2pPp3/3PP3/3P4/8/4K3 b - d3 0 1",
    ];
    let starts = HARD.iter().chain(&pawns);
    let walks = starts.flat_map(|fen| walk(position(fen), 5, &mut random));
    walks.map(|moment| moment.position).collect()
}

/// A game of one move that begins with this position.
fn game(position: &Position, word: &str) -> String {
    let variant = if position.is_chess960() { "[Variant \"Chess960\"]\n" } else { "" };
    let dots = if position.turn() == pgnmill_core::chess::Color::White { "." } else { "..." };
    let (fen, number) = (position.to_fen(), position.fullmove_number());
    format!("{variant}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{number}{dots} {word} *\n\n")
}

/// The ledger of games, with one more deviation allowed.
fn read(text: &str, allowed: Option<Deviation>) -> Ledger {
    let mut how = to_san(Rejects::Apart);
    allowed.into_iter().for_each(|deviation| assert!(how.profile.allow(deviation)));
    ledger_of(&how, text.as_bytes())
}

fn san(position: &Position, mv: Move) -> String {
    Moment::start(*position).write(registered("san"), mv)
}

#[test]
fn promotions_are_read_in_every_spelling() {
    let (mut spelt, mut expected, mut bare, mut queens) = (vec![], vec![], vec![], vec![]);
    for position in positions() {
        for &mv in position.legal_moves().iter().filter(|mv| mv.promoted().is_some()) {
            let canonical = san(&position, mv);
            let (step, promoted) = canonical.split_once('=').expect("a promotion");
            let (letter, check) = promoted.split_at(1);
            let texts = [
                format!("{step}{letter}{check}"),
                format!("{step}/{letter}{check}"),
                format!("{step}={}{check}", letter.to_lowercase()),
                format!("{step}({letter}){check}"),
            ];
            for text in texts {
                spelt.push(game(&position, &text));
                expected.push(game(&position, &canonical));
            }
            if mv.promoted() == Some(Role::Queen) {
                bare.push(game(&position, &format!("{step}{check}")));
                queens.push(game(&position, &canonical));
            }
        }
    }
    assert!(queens.len() > 40, "{} promotions", queens.len());
    let count = spelt.len() as u64;
    let ledger = read(&spelt.concat(), None);
    assert_eq!(ledger.verdicts(), (0, count, 0), "{:?}", ledger.faults.first());
    let out = String::from_utf8_lossy(&ledger.out);
    for ((spelt, expected), found) in spelt.iter().zip(&expected).zip(out.split_inclusive("*\n\n"))
    {
        assert_eq!(expected, found, "{spelt}");
    }
    // Without a piece it is a queen's where that is allowed, and else a fault.
    let count = bare.len() as u64;
    let ledger = read(&bare.concat(), None);
    assert_eq!(ledger.verdicts(), (0, 0, count));
    assert!(ledger.faults.iter().all(|fault| fault.kind == "promotion-piece-missing"));
    let ledger = read(&bare.concat(), Some(Deviation::PromotionPieceMissing));
    assert_eq!(ledger.verdicts(), (0, count, 0), "{:?}", ledger.faults.first());
    assert_eq!(String::from_utf8_lossy(&ledger.out), queens.concat());
}

#[test]
fn both_squares_are_read_in_a_game() {
    let (mut spelt, mut expected) = (Vec::new(), Vec::new());
    for position in positions() {
        for &mv in position.legal_moves().iter().filter(|mv| mv.castling_side().is_none()) {
            let canonical = san(&position, mv);
            let end =
                canonical.trim_start_matches(|sign| sign != '=' && sign != '+' && sign != '#');
            let letter = if mv.role() == Role::Pawn { ' ' } else { char::from(mv.role().letter()) };
            let (from, to) = (mv.origin(), mv.target());
            for text in [format!("{letter}{from}{to}{end}"), format!("{letter}{from}-{to}{end}")] {
                if text.trim() != canonical {
                    spelt.push(game(&position, text.trim()));
                    expected.push(game(&position, &canonical));
                }
            }
        }
    }
    let count = spelt.len() as u64;
    let ledger = read(&spelt.concat(), None);
    let out = String::from_utf8_lossy(&ledger.out);
    for ((spelt, expected), found) in spelt.iter().zip(&expected).zip(out.split_inclusive("*\n\n"))
    {
        assert_eq!(expected, found, "{spelt}");
    }
    assert_eq!(ledger.verdicts(), (0, count, 0), "{:?}", ledger.faults.first());
    assert!(count > 3_000, "{count} texts");
}

#[test]
fn an_ambiguous_move_names_every_piece_that_it_fits() {
    let mut ambiguous = 0;
    for position in positions() {
        let moves = position.legal_moves();
        let mut texts: Vec<(String, Vec<Move>)> = Vec::new();
        for &mv in moves.iter().filter(|mv| mv.castling_side().is_none()) {
            let cross = if position.is_capture(mv) { "x" } else { "" };
            let (text, fits): (String, Vec<Move>) = match mv.role() {
                Role::King => continue,
                // `exd` does not give the rank.
                Role::Pawn if !cross.is_empty() && mv.promoted().is_none() => {
                    let letter = |file: u8| char::from(b'a' + file);
                    let files = |mv: &Move| (mv.origin().file(), mv.target().file());
                    let fits = moves
                        .iter()
                        .filter(|other| other.role() == Role::Pawn && files(other) == files(&mv));
                    let (from, to) = files(&mv);
                    (format!("{}x{}", letter(from), letter(to)), fits.copied().collect())
                }
                Role::Pawn => continue,
                role => {
                    let fits = moves.iter().filter(|other| {
                        (other.role(), other.target()) == (mv.role(), mv.target())
                            && other.castling_side().is_none()
                    });
                    let letter = char::from(role.letter());
                    (format!("{letter}{cross}{}", mv.target()), fits.copied().collect())
                }
            };
            if fits.len() > 1 && fits.iter().all(|mv| mv.promoted().is_none()) {
                texts.push((text, fits));
            }
        }
        texts.dedup_by(|one, other| one.0 == other.0);
        for (text, fits) in texts {
            let ledger = read(&game(&position, &text), None);
            let fault = ledger.faults.first().unwrap_or_else(|| panic!("{text} is read"));
            let mut origins: Vec<String> = fits.iter().map(|mv| mv.origin().to_string()).collect();
            origins.sort();
            origins.dedup();
            let (_, named) = fault.detail.split_once("is ambiguous: ").unwrap_or_default();
            let mut named: Vec<&str> = named.split(", ").collect();
            named.sort_unstable();
            assert_eq!(fault.kind, "move-ambiguous", "{}: {text}", position.to_fen());
            assert_eq!(named, origins, "{}: {text}: {}", position.to_fen(), fault.detail);
            ambiguous += 1;
        }
    }
    assert!(ambiguous > 100, "{ambiguous} texts");
}

#[test]
fn castling_by_its_squares_is_refused_for_the_reason_of_castling() {
    let mut refused = 0;
    let homes = ["r3k2r/pppq1ppp/2n2n2/8/8/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1", HARD[3], HARD[0]];
    let mut random = Dice::new(77);
    let starts = homes.iter().cycle().take(20);
    let walks: Vec<_> = starts.flat_map(|fen| walk(position(fen), 12, &mut random)).collect();
    for position in walks.iter().map(|moment| &moment.position) {
        let king = position.king(position.turn());
        if king.file() != 4 || king.rank() != position.turn().rank(0) {
            continue;
        }
        for (castling, file) in [("O-O", 'g'), ("O-O-O", 'c')] {
            let target = format!("{file}{}", king.rank() + 1);
            let reason = |word: &str| {
                let ledger = read(&game(position, word), None);
                let fault = ledger.faults.first()?;
                fault.detail.split_once(": ").map(|(_, reason)| reason.to_string())
            };
            let Some(expected) = reason(castling) else { continue };
            let occupied = position.us().into_iter().any(|square| square.to_string() == target);
            let text = format!("K{king}-{target}");
            let found = reason(&text).unwrap_or_else(|| panic!("{text} is read"));
            let fen = position.to_fen();
            assert!(found == expected || occupied, "{fen}: {text}: {found}: {expected}");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused} texts");
}

#[test]
fn after_a_variation_a_move_may_have_its_number_or_not() {
    let mut random = Dice::new(5);
    for _ in 0..10 {
        let moments = walk(Position::initial(), 14, &mut random);
        for at in 1..moments.len() - 1 {
            for numbered in [false, true] {
                let mut text = String::from("[Event \"a\"]\n\n");
                for (index, pair) in moments.windows(2).enumerate() {
                    let (before, after) = (&pair[0].position, &pair[1].position);
                    let number = before.fullmove_number();
                    let is_white = index % 2 == 0;
                    match (is_white, index == at, numbered) {
                        (_, true, false) => {}
                        (true, ..) => text.push_str(&format!("{number}. ")),
                        (false, true, true) => text.push_str(&format!("{number}... ")),
                        (false, ..) => {}
                    }
                    let moves = before.legal_moves();
                    let made = moves.iter().find(|mv| before.play(**mv).to_fen() == after.to_fen());
                    let made = *made.expect("the walk is of legal moves");
                    text.push_str(&format!("{} ", san(before, made)));
                    if index + 1 == at {
                        let dots = if is_white { "." } else { "..." };
                        text.push_str(&format!("({number}{dots} {}) ", san(before, moves[0])));
                    }
                }
                text.push_str("*\n");
                let deviations = read(&text, None).deviations();
                assert_eq!(deviations, ["roster-incomplete"], "{text}");
            }
        }
    }
}

#[test]
fn an_illegal_variation_is_counted_once_whatever_follows_in_it() {
    for rest in ["", "e5", "Nf3 Nc6", "Qxh8 Kxa1 foo", "(d4 Qh9) e5", "{c} d5 $1 e5"] {
        for count in 1..4 {
            let variations = format!("(1. Ke5 {rest}) ").repeat(count);
            let text = format!("[Event \"a\"]\n\n1. e4 {variations}1... e5 2. Nf3 *\n");
            let ledger = read(&text, Some(Deviation::VariationIllegal));
            assert_eq!(ledger.verdicts().2, 0, "{text}: {:?}", ledger.faults);
            let met = ledger.counts.deviations[Deviation::VariationIllegal as usize];
            assert_eq!(met, count as u64, "{text}");
            assert_eq!(ledger.counts.plies - ledger.counts.variation_plies, 3, "{text}");
        }
    }
}

#[test]
fn a_text_that_is_ambiguous_in_any_notation_has_that_fault() {
    let mut ambiguous = 0;
    for name in ["economical-squares", "descriptive", "uedemann", "chess99"] {
        for position in positions().iter().step_by(5) {
            let canonical = |mv: &Move| Moment::start(*position).write(registered(name), *mv);
            let texts: Vec<String> = position.legal_moves().iter().map(canonical).collect();
            // The ends of texts, which give the destination only.
            let ends = texts.iter().flat_map(|text| (1..text.len()).map(move |at| text.get(at..)));
            for end in ends.flatten() {
                let found = registered(name).read(end.as_bytes(), position);
                if found.err() != Some(Deviation::MoveAmbiguous) {
                    continue;
                }
                // What follows a text does not make one move of several.
                let suffix = ["", "‼", ",", "⩲"][ambiguous % 4];
                let text = game(position, &format!("{end}{suffix}"));
                let tag = format!("[MoveNotation \"{name}\"]\n{text}");
                let ledger = read(&tag, None);
                let fault = ledger.faults.first().unwrap_or_else(|| panic!("{tag} is read"));
                if fault.kind == "move-ambiguous" {
                    let detail = &fault.detail;
                    let says =
                        detail.contains("several legal moves") || detail.contains("ambiguous");
                    assert!(says, "{name}: {tag}: {detail}");
                    ambiguous += 1;
                }
            }
        }
    }
    assert!(ambiguous > 100, "{ambiguous} texts");
}
