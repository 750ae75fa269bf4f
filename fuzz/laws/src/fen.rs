//! FEN records: what is read is written and read again as the same position, and so is every position after it; what is
//! read without a note is written so; the legal moves are those of another library.

use crate::rules;
use pgnmill_core::chess::{Move, Position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup as _, Position as _, Setup};

/// A record's larger number is taken as this one.
const CLOCK_MAX: u32 = 1_000_000_000;

/// All bytes are a record.
pub fn hold(bytes: &[u8]) {
    rules::records(bytes);
    let Ok((position, notes)) = Position::from_fen(bytes) else { return };
    let text = is_written_as_read(&position);
    let is_kept = is_written_so(bytes, &position, &text);
    assert!(!notes.is_clean() || is_kept, "{}: {text}", bytes.escape_ascii());
    let legal = position.legal_moves();
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "{text}");
    for (index, &mv) in legal.iter().enumerate() {
        assert!(!legal[..index].contains(&mv), "{text}: {mv:?} twice");
        // The counters are read up to a limit only, which nothing keeps a game from passing.
        if position.halfmove_clock().max(position.fullmove_number()) < CLOCK_MAX {
            is_written_as_read(&position.play(mv));
        }
    }
    if let Some(theirs) = theirs(&text) {
        let mut theirs: Vec<String> = theirs.legal_moves().into_iter().map(their_squares).collect();
        let mut ours: Vec<String> = legal.iter().map(|&mv| our_squares(mv)).collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs, "{text}");
    }
}

/// Is a record the one that is written, but for whitespace, Shredder's letters of castling rights, and an en passant
/// square on which no pawn can legally capture?
fn is_written_so(record: &[u8], position: &Position, written: &str) -> bool {
    let record = String::from_utf8_lossy(record).into_owned();
    let mut read: Vec<&str> = record.split_ascii_whitespace().collect();
    let mut fields: Vec<&str> = written.split(' ').collect();
    let passed = position.en_passant_square().map(|square| square.to_string());
    if position.legal_en_passant_square().is_none() {
        fields[3] = passed.as_deref().unwrap_or("-");
    }
    let [_, _, rights, ..] = &mut read[..] else { return false };
    let has_file = rights.bytes().any(|sign| matches!(sign, b'a'..=b'h' | b'A'..=b'H'));
    let white_first = rights.bytes().is_sorted_by_key(|sign| sign.is_ascii_lowercase());
    if has_file && white_first && rights.len() == fields[2].len() {
        *rights = fields[2];
    }
    fields.truncate(6);
    read == fields
}

/// A position's record gives the position back, without anything odd; returns the record.
fn is_written_as_read(position: &Position) -> String {
    let text = position.to_fen();
    let (again, notes) = match Position::from_fen(text.as_bytes()) {
        Ok(read) => read,
        Err(error) => panic!("{text}: {error}"),
    };
    assert!(notes.is_clean(), "{text}: {notes:?}");
    assert_eq!(again.to_fen(), text);
    // A record without castling rights does not show whether a game is of Chess960.
    let again = again.with_chess960(position.is_chess960());
    let passed = position.en_passant_square();
    if passed == position.legal_en_passant_square() {
        assert_eq!(again, *position, "{text}");
    } else {
        // A square on which no pawn can legally capture is not written.
        let legal = |position: &Position| position.legal_moves();
        assert_eq!((again.en_passant_square(), legal(&again)), (None, legal(position)), "{text}");
        let square = passed.map(|square| square.to_string()).unwrap_or_default();
        let mut fields: Vec<&str> = text.split(' ').collect();
        fields[3] = &square;
        let (whole, _) = Position::from_fen(fields.join(" ").as_bytes()).expect("a square passed");
        assert_eq!(whole.with_chess960(position.is_chess960()), *position, "{text}");
    }
    text
}

/// Their position, if they play on from it; squares that cannot be en passant are not their business.
fn theirs(text: &str) -> Option<Chess> {
    let setup: Setup = text.parse::<Fen>().ok()?.into_setup();
    match Chess::from_setup(setup, CastlingMode::Chess960) {
        Ok(position) => Some(position),
        Err(error) => error.ignore_too_much_material().ok(),
    }
}

fn our_squares(mv: Move) -> String {
    let role = mv.promoted().map_or("-".to_string(), |role| (role.letter() as char).to_string());
    format!("{}{}{role}", mv.origin(), mv.target())
}

/// Castling is king to rook, as ours.
fn their_squares(mv: shakmaty::Move) -> String {
    let role = mv.promotion().map_or('-', |role| role.upper_char());
    let origin = mv.from().map_or_else(String::new, |square| square.to_string());
    format!("{origin}{}{role}", mv.to())
}
