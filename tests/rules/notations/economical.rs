//! 'Economical' notation without letters, against its rules written a second time over shakmaty's legal moves.
//!
//! The rules are those of `../shared/spec/economical.md`. A text is a code square with nothing, a file, a rank or a
//! square before it. Reading: the legal moves with that code whose origin fits; with priority the first type in the
//! order P N B R Q K alone. One of them is the move, none is illegal, more are ambiguous. Writing: the first of the
//! four forms that leaves one.

use pgnmill_core::pgn::deviation::Deviation;
use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Move, Piece, Position as _, Role, Square, attacks,
};

use super::reference::{Key, key, moments, prefixes, their_key};
use crate::common::games::{Moment, registered};

/// A move, or in writing a step that may not be legal, by its code.
struct Candidate {
    from: Square,
    role: Role,
    code: Square,
    key: Key,
}

/// The code square of a step: a promotion to a rook, bishop or knight is one, two or three squares back.
fn code(turn: Color, from: Square, to: Square, promoted: Option<Role>) -> Square {
    let back = match promoted {
        Some(Role::Rook) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Knight) => 3,
        _ => return to,
    };
    let base = if from.file() == to.file() { from } else { to };
    base.offset(if turn.is_white() { -8 * back } else { 8 * back }).expect("on the board")
}

fn legal(chess: &Chess) -> Vec<Candidate> {
    let of = |mv: &Move| {
        let (from, to) = (mv.from().unwrap(), mv.to());
        let code = code(chess.turn(), from, to, mv.promotion());
        Candidate { from, role: mv.role(), code, key: their_key(*mv) }
    };
    chess.legal_moves().iter().map(of).collect()
}

/// Castling, if it is legal, and whatever the steps of the pieces allow.
fn by_steps(chess: &Chess) -> Vec<Candidate> {
    let castles = |mv: &&Move| matches!(mv, Move::Castle { .. });
    let legal_moves = chess.legal_moves();
    let mut found: Vec<Candidate> = legal_moves
        .iter()
        .filter(castles)
        .map(|mv| Candidate {
            from: mv.from().unwrap(),
            role: Role::King,
            code: mv.to(),
            key: their_key(*mv),
        })
        .collect();
    let (turn, board) = (chess.turn(), chess.board());
    let (occupied, them) = (board.occupied(), board.by_color(!turn));
    for from in board.by_color(turn) {
        let role = board.role_at(from).unwrap();
        let targets = match role {
            Role::Pawn => {
                let passing = chess.ep_square(EnPassantMode::Always);
                let taken = them | passing.map_or(Bitboard::EMPTY, Bitboard::from_square);
                (attacks::pawn_attacks(turn, from) & taken) | advances(turn, from, occupied)
            }
            _ => {
                attacks::attacks(from, Piece { color: turn, role }, occupied)
                    & !board.by_color(turn)
            }
        };
        for to in targets {
            let promotes = role == Role::Pawn && (to.rank() as u8).is_multiple_of(7);
            let all = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(Some);
            for &promoted in if promotes { &all[..] } else { &[None] } {
                let key = (usize::from(from), usize::from(to), promoted.map(Role::upper_char));
                found.push(Candidate { from, role, code: code(turn, from, to, promoted), key });
            }
        }
    }
    found
}

fn advances(turn: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let (step, start) = if turn.is_white() { (8, 1) } else { (-8, 6) };
    let free = |square: Option<Square>| square.filter(|&square| !occupied.contains(square));
    let one = free(from.offset(step));
    let two = one.filter(|_| from.rank() as u8 == start).and_then(|one| free(one.offset(step)));
    one.into_iter().chain(two).collect()
}

/// The candidates that a text fits; with priority only those of the first type.
fn fits<'a>(all: &[&'a Candidate], origins: Bitboard, priority: bool) -> Vec<&'a Candidate> {
    let mut found: Vec<&Candidate> =
        all.iter().copied().filter(|candidate| origins.contains(candidate.from)).collect();
    if let Some(first) = found.iter().map(|candidate| candidate.role).min() {
        found.retain(|candidate| !priority || candidate.role == first);
    }
    found
}

const NAMES: [(&str, bool, bool); 4] = [
    ("economical-squares", false, false),
    ("economical-squares-legal", false, true),
    ("economical-priority", true, false),
    ("economical-priority-legal", true, true),
];

/// Every text of this shape, in one position: how many were read, illegal, ambiguous.
fn reading(moment: &Moment, candidates: &[Candidate], counts: &mut [u64; 3]) {
    let prefixes = prefixes();
    for target in Square::ALL {
        let coded: Vec<&Candidate> =
            candidates.iter().filter(|candidate| candidate.code == target).collect();
        for (prefix, origins) in &prefixes {
            let text = format!("{prefix}{target}");
            for (name, priority, _) in NAMES {
                let read = registered(name).read(text.as_bytes(), &moment.position);
                let read = read.map(|reading| key(reading.mv));
                let expected = match fits(&coded, *origins, priority)[..] {
                    [] => Err(Deviation::MoveIllegal),
                    [one] => Ok(one.key),
                    _ => Err(Deviation::MoveAmbiguous),
                };
                assert_eq!(read, expected, "{name}: {}: {text}", moment.position.to_fen());
                counts[match expected {
                    Ok(_) => 0,
                    Err(Deviation::MoveIllegal) => 1,
                    Err(_) => 2,
                }] += 1;
            }
        }
    }
}

#[test]
fn a_text_that_fits_one_legal_move_is_read_and_one_that_fits_more_is_ambiguous() {
    let mut counts = [0; 3];
    let moments = moments(10, 0x2545_f491_4f6c_dd1d, 11);
    for (moment, chess) in &moments {
        reading(moment, &legal(chess), &mut counts);
    }
    let [read, illegal, ambiguous] = counts;
    println!(
        "{} positions: {read} texts read, {illegal} illegal, {ambiguous} ambiguous",
        moments.len()
    );
    assert!(read > 10_000 && illegal > 10_000 && ambiguous > 1_000);
}

#[test]
fn what_is_written_is_the_first_form_that_leaves_one_piece() {
    let mut texts_count = [0; 4];
    for (moment, chess) in &moments(10, 0x9e6c_63d0_a1b3_57f1, 5) {
        let (legal, by_steps) = (legal(chess), by_steps(chess));
        for mv in &moment.position.legal_moves() {
            let own =
                legal.iter().find(|candidate| candidate.key == key(*mv)).expect("legal there");
            for (name, priority, counts_legal) in NAMES {
                let all = if counts_legal { &legal } else { &by_steps };
                let coded: Vec<&Candidate> =
                    all.iter().filter(|other| other.code == own.code).collect();
                let forms = [
                    (String::new(), Bitboard::FULL),
                    (own.from.file().char().to_string(), own.from.file().into()),
                    (own.from.rank().char().to_string(), own.from.rank().into()),
                    (own.from.to_string(), Bitboard::from_square(own.from)),
                ];
                let found = forms.iter().position(|(_, origins)| {
                    matches!(fits(&coded, *origins, priority)[..], [one] if one.key == own.key)
                });
                let form = found.expect("the square of origin leaves one");
                texts_count[form] += 1;
                let expected = format!("{}{}", forms[form].0, own.code);
                let written = moment.write(registered(name), *mv);
                assert_eq!(written, expected, "{name}: {}: {mv:?}", moment.position.to_fen());
            }
        }
    }
    println!("texts without a prefix, with a file, a rank, a square: {texts_count:?}");
    assert!(texts_count.iter().all(|&count| count > 100));
}
