//! Notations: any bytes in any position are answered, and honestly.
//!
//! * What is read is a legal move; read without a deviation and with the right check mark, the text is the one that is
//!   written for it.
//! * The fast decoder returns the result of the oracle, which writes every legal move and compares.
//! * What is read at once, from the beginning of a longer text, is what is read, without a deviation; of the texts that
//!   are written all are read so that are short enough.
//! * A square alone is no capture by a pawn, but in the notations whose texts are squares.

use pgnmill_core::chess::{Position, Role};
use pgnmill_core::notation::{self, Check, Lineage, NOTATIONS, Notation, oracle};

use crate::{Choices, rules};

/// Difficult positions: promotions, many pieces of a type, castling, en passant, pins.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1b1q1n1/PPPPPPPP/8/4k3/8/4K3/pppppppp/R1B1Q1N1 w - - 0 1",
    "r1b1q1n1/PPPPPPPP/8/4k3/8/4K3/pppppppp/R1B1Q1N1 b - - 0 1",
    "6nk/6pp/8/Q1Q5/8/Q1Q1Q3/8/K3Q3 w - - 0 1",
    "k7/p7/8/8/8/NNNNN3/NNNNN3/K7 w - - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "2kr3r/8/8/8/8/8/8/2KR3R b HDhd - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "3r2rk/1p1p1p1p/p1p1p1p1/8/8/P1P1P1P1/1P1P1P1P/3R2RK w - - 0 1",
];
/// So many moves lead on from the start at most.
const WALK_PLIES_MAX: usize = 40;
/// Longer texts are no moves, and test nothing more.
const TEXT_BYTES_MAX: usize = 96;

/// Chosen: notation, start, moves from there, a legal move, and how much of the front and back of its text is kept. The
/// rest of the input is between these two.
pub fn hold(bytes: &[u8]) {
    rules::texts(bytes);
    let mut choices = Choices::new(bytes);
    let notation = NOTATIONS[choices.byte() % NOTATIONS.len()];
    let (position, lineage) = walk(&mut choices);
    let lineage = lineage.as_ref();
    let legal = position.legal_moves();
    let mut text = Vec::new();
    let (choice, front, back) = (choices.byte(), choices.byte(), choices.byte());
    let rest = choices.rest();
    let rest = &rest[..rest.len().min(TEXT_BYTES_MAX)];
    if legal.is_empty() || notation.needs_lineage() && lineage.is_none() {
        text.extend_from_slice(rest);
    } else {
        let mv = legal[choice % legal.len()];
        let canonical = notation::write_in(notation, &position, mv, lineage);
        let canonical = canonical.as_bytes();
        let read = notation.decode_in(canonical, &position, lineage);
        assert_eq!(read, Ok(mv), "{}: {}", notation.info().name, canonical.escape_ascii());
        let (front, back) = (front % (canonical.len() + 1), back % (canonical.len() + 1));
        text.extend_from_slice(&canonical[..front]);
        text.extend_from_slice(rest);
        text.extend_from_slice(&canonical[canonical.len() - back..]);
    }
    answer(notation, &text, &position, lineage);
    at_once(notation, &text, &position, lineage);
}

/// Bytes of a window of text.
const WINDOW_BYTES: usize = 16;

/// What is read at once of a text is what is read of it.
pub fn at_once(
    notation: &dyn Notation,
    text: &[u8],
    position: &Position,
    lineage: Option<&Lineage>,
) {
    let mut window = [b' '; WINDOW_BYTES];
    let text = &text[..text.len().min(WINDOW_BYTES)];
    window[..text.len()].copy_from_slice(text);
    let end = window.iter().position(|&byte| byte <= b' ').unwrap_or(WINDOW_BYTES);
    let token = &window[..end];
    let read = notation.read_in(token, position, lineage).ok();
    let what = || {
        let (name, fen) = (notation.info().name, position.to_fen());
        format!("{name}: {:?} in {fen}", window.escape_ascii().to_string())
    };
    let found = notation.read_at_once(&window, position, lineage);
    let is_legal = |mv| position.legal_moves().contains(&mv);
    match (found, read) {
        // A plain move may leave its own king attacked.
        (Some(found), _) if !is_legal(found.mv) => {
            let after = position.play(found.mv);
            let king = after.king(position.turn());
            let is_attacked =
                Role::ALL.iter().any(|&role| after.own_attackers(role, king).has_any());
            assert!(found.mv.is_plain() && is_attacked, "{}: {found:?}", what());
        }
        (Some(found), Some(read)) => {
            assert!(read.deviations.is_empty(), "{}: {:?}", what(), read.deviations);
            let expected = (read.mv, read.check_suffix, token.len());
            assert_eq!((found.mv, found.check_suffix, usize::from(found.bytes)), expected);
        }
        (Some(found), None) => panic!("{}: {found:?}, which is not read", what()),
        (None, Some(read)) => {
            let is_left = end == WINDOW_BYTES || !read.deviations.is_empty();
            assert!(is_left, "{}: {read:?}, not at once", what());
        }
        (None, None) => {}
    }
}

/// A start and some legal moves from it.
fn walk(choices: &mut Choices<'_>) -> (Position, Option<Lineage>) {
    let fen = STARTS[choices.byte() % STARTS.len()];
    let mut position = Position::from_fen(fen.as_bytes()).expect("a start").0;
    let mut lineage = Lineage::of(&position);
    for _ in 0..choices.byte() % WALK_PLIES_MAX {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[choices.byte() % legal.len()];
        lineage = lineage.map(|lineage| lineage.after(mv));
        position = position.play(mv);
    }
    (position, lineage)
}

fn answer(notation: &dyn Notation, text: &[u8], position: &Position, lineage: Option<&Lineage>) {
    let what = || {
        let (name, fen) = (notation.info().name, position.to_fen());
        format!("{name}: {:?} in {fen}", text.escape_ascii().to_string())
    };
    let decoded = notation.decode_in(text, position, lineage).ok();
    let oracle = oracle::decode_in(notation, text, position, lineage).ok();
    assert_eq!(decoded, oracle, "{}", what());
    let Ok(reading) = notation.read_in(text, position, lineage) else {
        assert_eq!(oracle, None, "{}: canonical and not read", what());
        return;
    };
    assert!(position.legal_moves().contains(&reading.mv), "{}: {:?}", what(), reading.mv);
    let name = notation.info().name;
    let by_squares =
        name.starts_with("economical-squares") || name.starts_with("economical-priority");
    let is_square = matches!(text, [b'a'..=b'h', b'1'..=b'8']);
    assert!(by_squares || !is_square || !position.is_capture(reading.mv), "{}", what());
    let check = Check::of(&position.play(reading.mv));
    if reading.deviations.is_empty() && reading.check_suffix.deviation(check).is_none() {
        assert_eq!(oracle, Some(reading.mv), "{}: read without a deviation", what());
    }
}
