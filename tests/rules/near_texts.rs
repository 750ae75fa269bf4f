//! Texts near to SAN: a text that is read but is not SAN differs from it in the ways that its deviations name, and in
//! no other.
//!
//! In: positions of random games; for each legal move its SAN as shakmaty writes it, every text that is one edit away,
//! and in each position every square alone and after every piece letter. What is read here and not by shakmaty must be
//! the move that is left when the named deviations are removed. Where both read, they read the same move.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::collections::{BTreeMap, BTreeSet};

use pgnmill_core::chess::Position as Ours;
use pgnmill_core::notation::{self, Check, NOTATIONS, Notation, san::San};
use pgnmill_core::pgn::deviation::{Class, Deviation, DeviationSet, Profile};
use pgnmill_laws::dice::Dice;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role, Square};

const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
];
/// Plies played from each start.
const PLIES: usize = 12;
/// Characters that are inserted, or replace another.
const CHARACTERS: &str = "abcdefgh12345678NBRQKPnqXx:=-+#O0o(/)";

/// Positions of random games.
fn positions() -> Vec<Chess> {
    let mut dice = Dice::new(14);
    let mut all = Vec::new();
    for fen in STARTS {
        let fen: Fen = fen.parse().unwrap();
        let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        for _ in 0..PLIES {
            all.push(position.clone());
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position = position.play(legal[dice.below(legal.len())]).unwrap();
        }
    }
    all
}

/// Every text that is one edit away from one of these.
fn near(texts: &[String]) -> BTreeSet<String> {
    let mut near: BTreeSet<String> = texts.iter().cloned().collect();
    for text in texts {
        for at in 0..=text.len() {
            let (front, back) = text.split_at(at);
            for character in CHARACTERS.chars() {
                near.insert(format!("{front}{character}{back}"));
                near.insert(format!("{front}{character}{}", back.get(1..).unwrap_or("")));
            }
            near.insert(format!("{front}{}", back.get(1..).unwrap_or("")));
            if back.len() > 1 {
                near.insert(format!("{front}{}{}{}", &back[1..2], &back[..1], &back[2..]));
            }
        }
    }
    for square in Square::ALL {
        near.extend(["", "N", "B", "R", "Q", "K", "P"].map(|letter| format!("{letter}{square}")));
    }
    near.remove("");
    near
}

fn is_capture_character(character: char) -> bool {
    matches!(character, 'x' | 'X' | ':')
}

/// Is a text, with these deviations named, a way to write castling?
fn explains_castling(text: &str, mv: Move, odd: DeviationSet) -> bool {
    if odd.has(Deviation::LongForm) {
        let to = if mv.to().file() > mv.from().unwrap().file() { "g" } else { "c" };
        let squares: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        let rank = mv.to().rank();
        return squares.trim_start_matches('K') == format!("{}{to}{rank}", mv.from().unwrap());
    }
    if odd.has(Deviation::CastlingTakesRook) {
        // In shakmaty castling goes to the square of the rook.
        let plain = text.trim_end_matches(['+', '#']).trim_start_matches('K');
        let squares: String = plain
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() && !is_capture_character(*c))
            .collect();
        return squares == format!("{}{}", mv.from().unwrap(), mv.to());
    }
    let body = text.trim_end_matches(['+', '#']);
    let spelled = body.replace(['0', 'o'], "O");
    let expected = if mv.to().file() > mv.from().unwrap().file() { "O-O" } else { "O-O-O" };
    spelled == expected
        && odd.has(Deviation::CastlingZeros) == body.contains('0')
        && odd.has(Deviation::CastlingLowerCase) == body.contains('o')
}

/// Is this text what the deviations that are named make of the SAN of the move?
fn explains(text: &str, canonical: &str, mv: Move, odd: DeviationSet) -> bool {
    if mv.is_castle() {
        return explains_castling(text, mv, odd);
    }
    let core = |text: &str| -> String {
        let end = text.trim_end_matches(['+', '#']);
        end.chars().filter(|c| c.is_ascii_alphanumeric() && !is_capture_character(*c)).collect()
    };
    let (mut rest, mut expected) = (core(text), core(canonical));
    if let Some(role) = mv.promotion() {
        let letter = rest.pop().unwrap_or(' ');
        let is_plain = text.contains(&format!("={}", role.upper_char()));
        if letter.to_ascii_uppercase() != role.upper_char()
            || odd.has(Deviation::PromotionMark) == is_plain
        {
            return false;
        }
        expected.pop();
    }
    let (from, is_long) = (mv.from().unwrap(), odd.has(Deviation::LongForm));
    let is_pawn = mv.role() == Role::Pawn;
    let letter = mv.role().upper_char();
    let has_letter = rest.starts_with(letter);
    if has_letter {
        rest.remove(0);
    }
    if is_pawn && has_letter != odd.has(Deviation::PawnLetter)
        || !is_pawn && !has_letter && !is_long
    {
        return false;
    }
    if !is_pawn {
        expected.remove(0);
    }
    let writes_capture = text.contains(is_capture_character);
    let is_short = odd.has(Deviation::PawnCaptureShort);
    // `ed`, `exd`: both files, no more.
    if is_short && rest == format!("{}{}", from.file(), mv.to().file()) {
        return is_pawn && mv.is_capture();
    }
    let Some(hints) = rest.strip_suffix(&mv.to().to_string()) else { return false };
    let (file, rank) = (from.file().to_string(), from.rank().to_string());
    let are_true = hints.is_empty() || hints == file || hints == rank || hints == from.to_string();
    // A capture by a pawn has its file.
    if !are_true || is_pawn && mv.is_capture() && !hints.starts_with(&file) {
        return false;
    }
    let needed = expected.strip_suffix(&mv.to().to_string()).unwrap_or(&expected);
    let as_marked = text.ends_with(['+', '#']) || !odd.has(Deviation::CheckMarkStyle);
    let as_needed = hints == needed || is_long || odd.has(Deviation::DisambiguationExtra);
    let as_captured = match (writes_capture, mv.is_capture()) {
        (true, false) => odd.has(Deviation::CaptureMarkExtra),
        (false, true) if is_pawn => is_short,
        (false, true) => odd.has(Deviation::CaptureMarkMissing),
        _ => true,
    };
    as_marked
        && as_needed
        && as_captured
        && (!is_short || is_pawn && mv.is_capture() && !writes_capture)
}

fn theirs_of(position: &Chess, text: &str) -> Option<Move> {
    text.parse::<SanPlus>().ok()?.san.to_move(position).ok()
}

#[test]
fn a_text_beyond_san_differs_from_it_as_its_deviations_name() {
    let profile = Profile::lenient();
    let uci = notation::find("uci").unwrap();
    let (mut texts, mut read, mut beyond) = (0u64, 0u64, BTreeMap::<_, u64>::new());
    let mut broken = Vec::new();
    for position in positions() {
        let fen = Fen::from_position(&position, EnPassantMode::Always).to_string();
        let (ours, _) = Ours::from_fen(fen.as_bytes()).unwrap();
        let legal = position.legal_moves();
        let san = |&mv: &Move| SanPlus::from_move(position.clone(), mv).to_string();
        let canonical: Vec<String> = legal.iter().map(san).collect();
        for text in near(&canonical) {
            texts += 1;
            let Ok(reading) = San.read(text.as_bytes(), &ours) else { continue };
            let mut odd = reading.deviations;
            let check = Check::of(&ours.play(reading.mv));
            reading.check_suffix.deviation(check).iter().for_each(|mark| odd.add(*mark));
            if odd.iter().any(|odd| profile.class(odd) == Class::Fault) {
                continue;
            }
            read += 1;
            let written = notation::write(uci, &ours, reading.mv).to_string();
            let found =
                legal.iter().position(|mv| UciMove::from_standard(*mv).to_string() == written);
            let index = found.unwrap_or_else(|| panic!("{fen}: {text}: {written} is not legal"));
            let names: Vec<_> = odd.iter().map(Deviation::name).collect();
            match theirs_of(&position, &text) {
                Some(theirs) if theirs == legal[index] => continue,
                Some(theirs) => broken.push(format!("{fen}: {text}: {written}, not {theirs:?}")),
                None => *beyond.entry(names.join("+")).or_default() += 1,
            }
            if odd.is_empty() || !explains(&text, &canonical[index], legal[index], odd) {
                broken.push(format!("{fen}: {text} read as {written}: {names:?}"));
            }
        }
    }
    println!("{texts} texts, {read} read, of which shakmaty does not: {beyond:#?}");
    let shown = &broken[..broken.len().min(30)];
    assert!(broken.is_empty(), "{} are not explained:\n{}", broken.len(), shown.join("\n"));
    assert!(texts > 100_000 && read > 10_000);
}

/// A square alone means a capture only where a notation's text is a square: those without a start symbol.
#[test]
fn a_square_alone_is_no_capture_by_a_pawn() {
    let is_by_squares = |name: &str| {
        name.starts_with("economical-squares") || name.starts_with("economical-priority")
    };
    let (mut read, mut broken) = (0, Vec::new());
    for position in positions() {
        let fen = Fen::from_position(&position, EnPassantMode::Always).to_string();
        let (ours, _) = Ours::from_fen(fen.as_bytes()).unwrap();
        for notation in NOTATIONS.iter().filter(|notation| !is_by_squares(notation.info().name)) {
            for square in Square::ALL {
                let Ok(reading) = notation.read(square.to_string().as_bytes(), &ours) else {
                    continue;
                };
                read += 1;
                if ours.is_capture(reading.mv) {
                    broken.push(format!("{}: {fen}: {square}", notation.info().name));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} read:\n{}",
        broken.len(),
        broken[..broken.len().min(20)].join("\n")
    );
    assert!(read > 1_000, "only {read}");
}
