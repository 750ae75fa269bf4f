//! FEN records that others sorted into sound and unsound ones, and the same records with a byte
//! changed.
//!
//! In: the lists of the shared folder; shakmaty gives the meaning of each record. Read
//! without a note is only what shakmaty can play on from. A record that no game leads to, but that
//! can be played on from (more pieces than there can be, a check that no last move gives), is
//! accepted: archives hold such studies and odds games.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::collections::BTreeMap;
use std::fs;

use crate::common;
use pgnmill_core::chess::{CastlingSide, Color, FenNotes, MoveKind, Position};
use pgnmill_needs::needs;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, PositionError, PositionErrorKinds};

fn records(name: &str) -> String {
    let path = common::here("../shared/corpora/chess960").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A record that must be read without a note.
fn read_cleanly(text: &str) -> Position {
    match Position::from_fen(text.as_bytes()) {
        Ok((position, notes)) if notes.is_clean() => position,
        other => panic!("{text}: {other:?}"),
    }
}

/// What is wrong with a record that can still be played on from.
const UNREACHABLE: PositionErrorKinds =
    PositionErrorKinds::IMPOSSIBLE_CHECK.union(PositionErrorKinds::TOO_MUCH_MATERIAL);
/// What can be dropped from a record: it is then noted.
const DROPPED: PositionErrorKinds =
    PositionErrorKinds::INVALID_CASTLING_RIGHTS.union(PositionErrorKinds::INVALID_EP_SQUARE);

/// What shakmaty finds wrong with a record; an error where it cannot be read at all.
fn kinds(fen: &Fen) -> PositionErrorKinds {
    let position: Result<Chess, _> = fen.clone().into_position(CastlingMode::Chess960);
    position.err().map_or(PositionErrorKinds::empty(), |error| error.kinds())
}

/// The record as shakmaty writes it, with an en passant square only where a legal capture exists.
fn written_by_shakmaty(fen: Fen) -> String {
    let position: Chess = fen
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .unwrap_or_else(|error| panic!("{error}"));
    Fen::from_position(&position, EnPassantMode::Legal).to_string()
}

/// Castling rights as the files of the rooks, in the order of the lists: `HAha`.
fn shredder_rights(position: &Position) -> String {
    let mut text = String::new();
    for color in [Color::White, Color::Black] {
        for side in [CastlingSide::Short, CastlingSide::Long] {
            let Some(rook) = position.castling_rook(color, side) else { continue };
            let letter = rook.file_letter() as char;
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Reads a sound record and writes it: X-FEN, the same as shakmaty's; reads that again: the same position but for an
/// en passant square without a legal capture. With this square and Shredder's castling letters the record is the input.
fn check_sound(text: &str) {
    let position = read_cleanly(text);
    let written = position.to_fen();
    assert_eq!(read_cleanly(&written).to_fen(), written, "{text}");
    if position.en_passant_square() == position.legal_en_passant_square() {
        assert_eq!(read_cleanly(&written), position, "{text} | {written}");
    }
    let theirs = written_by_shakmaty(Fen::from_ascii(text.as_bytes()).expect("a FEN record"));
    assert_eq!(written, theirs, "{text}");
    let mut fields: Vec<&str> = written.split(' ').collect();
    let rights = shredder_rights(&position);
    fields[2] = &rights;
    let passed = position.en_passant_square().map(|square| square.to_string());
    fields[3] = passed.as_deref().unwrap_or("-");
    assert_eq!(read_cleanly(&fields.join(" ")), position, "{text}");
    assert_eq!(fields.join(" "), text);
}

#[needs("../shared/corpora/chess960")]
#[test]
fn sound_records_are_read_without_a_note_and_written_as_they_came() {
    let text = records("valid.sfens");
    text.lines().for_each(check_sound);
    println!("{} sound records", text.lines().count());
    assert_eq!(text.lines().count(), 10_000);
}

/// The legal captures are found by the list of legal moves, not by the test that the writer makes.
#[test]
fn an_en_passant_square_is_written_only_where_a_legal_capture_exists() {
    for (text, square) in [
        ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "d3"),
        // The pawn is pinned on its file; both pawns leave the rank between king and rook.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "-"),
        // The capture removes the pawn that gives check; it does not answer the check of a knight.
        ("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "d6"),
        ("7k/8/8/3pP3/8/3n4/8/4K3 w - d6 0 1", "-"),
    ] {
        let position = read_cleanly(text);
        assert!(position.en_passant_square().is_some(), "{text}");
        let is_legal = position.legal_moves().iter().any(|mv| mv.kind() == MoveKind::EnPassant);
        assert_eq!(is_legal, square != "-", "{text}");
        assert_eq!(position.to_fen().split(' ').nth(3), Some(square), "{text}");
    }
}

#[needs("../shared/corpora/chess960")]
#[test]
fn the_960_starts_are_read() {
    let text = records("chess960_start_positions.sfens");
    let (mut starts, mut as_in_chess) = (Vec::new(), 0);
    for line in text.lines() {
        check_sound(line);
        let position = read_cleanly(line);
        as_in_chess += usize::from(!position.is_chess960());
        assert_eq!(position.castling_rooks().count(), 4, "{line}");
        starts.push(position.to_fen());
    }
    starts.sort_unstable();
    starts.dedup();
    assert_eq!(starts.len(), 960);
    // King and rooks where chess has them, the others anyhow: a record alone does not disambiguate these
    // from chess.
    assert_eq!(as_in_chess, 18);
}

/// What became of a record.
fn verdict(text: &[u8]) -> &'static str {
    match Position::from_fen(text) {
        Err(error) => error.name(),
        Ok((_, notes)) if notes.is_clean() => "accepted",
        Ok((_, FenNotes { rights_impossible: true, .. })) => "noted: rights",
        Ok((_, FenNotes { en_passant_impossible: true, .. })) => "noted: en passant",
        Ok(_) => "noted: form",
    }
}

/// Does our verdict on a record follow from what shakmaty finds?
fn follows(verdict: &str, found: PositionErrorKinds) -> bool {
    match verdict {
        "accepted" => UNREACHABLE.contains(found),
        "noted: form" => UNREACHABLE.contains(found),
        "noted: rights" => found.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS),
        "noted: en passant" => found.contains(PositionErrorKinds::INVALID_EP_SQUARE),
        "fen-no-king" => {
            found.intersects(PositionErrorKinds::MISSING_KING | PositionErrorKinds::TOO_MANY_KINGS)
        }
        "fen-pawn-on-back-rank" => found.contains(PositionErrorKinds::PAWNS_ON_BACKRANK),
        "fen-side-not-to-move-in-check" => found.contains(PositionErrorKinds::OPPOSITE_CHECK),
        _ => false,
    }
}

/// The list's own rules (those of cozy-chess) are narrower than ours in two ways only, both of them
/// positions that no game leads to but any game can go on from:
/// * 1,618 with more pieces than promotions can have made (nine pawns and queens …);
/// * 37 with a check that no last move can have given (three checkers, two aligned, or an en
///   passant square though the check does not come from the pawn's step);
/// * 16 with both.
#[needs("../shared/corpora/chess960")]
#[test]
fn unsound_records_are_refused_or_noted_unless_they_can_be_played_on_from() {
    let text = records("invalid.sfens");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut accepted: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let fen = Fen::from_ascii(line.as_bytes()).expect("a FEN record");
        let (verdict, found) = (verdict(line.as_bytes()), kinds(&fen));
        assert!(!found.is_empty() && follows(verdict, found), "{line}: {verdict}, {found:?}");
        *counts.entry(verdict).or_default() += 1;
        if verdict == "accepted" {
            *accepted.entry(format!("{found:?}")).or_default() += 1;
            assert_eq!(read_cleanly(line).to_fen(), written_by_shakmaty(fen), "{line}");
        }
    }
    println!("{counts:?}\naccepted: {accepted:?}");
    let expected = [
        ("accepted", 1_671),
        ("fen-no-king", 6_191),
        ("fen-pawn-on-back-rank", 1_055),
        ("fen-side-not-to-move-in-check", 1_004),
        ("noted: en passant", 71),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(accepted.into_values().collect::<Vec<_>>(), [16, 37, 1_618]);
}

/// What only one of the two takes. We take `W` and `B`, fields after the sixth, more than two
/// rights a side and `-` for a number, and read a number beyond 65,535 as that; shakmaty takes a
/// slash after the last rank.
fn is_taken_by_one_alone(text: &str) -> bool {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or("-");
    let rights_of = |white: bool| {
        field(2).chars().filter(|letter| letter.is_ascii_uppercase() == white).count()
    };
    fields.len() > 6
        || field(0).ends_with('/')
        || matches!(field(1), "W" | "B")
        || rights_of(true) > 2
        || rights_of(false) > 2
        || fields.iter().skip(4).any(|number| number.len() > 4 || *number == "-")
}

/// One byte replaced, dropped or put in, or two adjacent bytes exchanged; half of the time after
/// the piece placement.
fn mutant(text: &str, dice: &mut common::Dice) -> String {
    const BYTES: &[u8] = b"pnbrqkPNBRQK12345678/ -wbHAhaKQkqabcdefgh09x";
    let mut bytes = text.as_bytes().to_vec();
    let behind_the_men = bytes.len() - 1 - dice.below(15);
    let index = if dice.below(2) == 0 { dice.below(bytes.len()) } else { behind_the_men };
    let byte = BYTES[dice.below(BYTES.len())];
    match dice.below(4) {
        0 => drop(bytes.remove(index)),
        1 => bytes.insert(index, byte),
        2 => bytes[index] = byte,
        _ => bytes.swap(index, index.saturating_sub(1)),
    }
    String::from_utf8(bytes).expect("ASCII")
}

#[needs("../shared/corpora/chess960")]
#[test]
fn records_with_a_byte_changed_are_understood_as_shakmaty_does() {
    let text = records("valid.sfens");
    let mut dice = common::Dice::new(0x9E37_79B9_7F4A_7C15);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut alone = 0;
    for line in text.lines() {
        for _ in 0..30 {
            let changed = mutant(line, &mut dice);
            if is_taken_by_one_alone(&changed) {
                alone += 1;
                continue;
            }
            let verdict = verdict(changed.as_bytes());
            *counts.entry(verdict).or_default() += 1;
            match Fen::from_ascii(changed.as_bytes()) {
                Err(_) => assert!(verdict.starts_with("fen-"), "{changed}: {verdict}"),
                Ok(fen) => {
                    let found = kinds(&fen);
                    assert!(follows(verdict, found), "{changed}: {verdict}, {found:?}");
                    if let Ok((position, _)) = Position::from_fen(changed.as_bytes()) {
                        assert!((UNREACHABLE | DROPPED).contains(found), "{changed}: {found:?}");
                        assert_eq!(position.to_fen(), written_by_shakmaty(fen), "{changed}");
                    }
                }
            }
        }
    }
    println!("{counts:?}, {alone} not compared");
}
