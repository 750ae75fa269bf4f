//! What a text states of its move holds for the move that is read.
//!
//! In: positions that are hard to read in, and every text of a form, whether it fits a legal move or not. The move that a
//! text is read as must have the squares and the piece that the text names, and take what it names; and a text
//! that names them all must be read. An example finds a reader that is too strict; only texts that fit no move find
//! one that is too generous.

use pgnmill::board::{Move, MoveKind, Position, Role, Square};

use crate::common::{HARD, Moment, Random, position, registered, walk};

/// The hard positions, the moments of some games, and those of walks from positions with castling.
fn positions() -> Vec<Position> {
    let mut random = Random(20);
    let starts = ["r3k2r/pppqbppp/8/8/8/8/PPPQBPPP/R3K2R w KQkq - 0 1", HARD[15], HARD[17]];
    let walks = starts.iter().flat_map(|fen| walk(position(fen), 40, &mut random));
    let walked: Vec<Position> = walks.map(|moment| moment.position).collect();
    HARD.iter().map(|fen| position(fen)).chain(walked).collect()
}

/// Castling goes to the square where the king arrives.
fn has_squares(mv: Move, origin: Square, target: Square) -> bool {
    mv.origin() == origin && mv.arrival() == target
}

#[test]
fn both_squares_and_the_piece_are_those_of_the_move() {
    let mut read_texts = 0;
    for position in positions() {
        let king = position.king(position.turn());
        let (moves, fen) = (position.legal_moves(), position.to_fen());
        // A square without a piece of the side to move, too.
        let empty = (0..64).map(Square::new).find(|&square| position.role_at(square).is_none());
        let origins = position.us().into_iter().chain(empty).chain([king]);
        for origin in origins {
            for target in (0..64).map(Square::new).filter(|&target| target != origin) {
                for letter in ["", "K", "Q", "R", "B", "N"] {
                    for separator in ["", "-", "x"] {
                        let text = format!("{letter}{origin}{separator}{target}");
                        let read = registered("san").read(text.as_bytes(), &position);
                        let role = Role::from_letter(*letter.as_bytes().first().unwrap_or(&b'P'));
                        let at_origin = position.role_at(origin);
                        let named = if letter.is_empty() { at_origin } else { role };
                        let fits = |mv: &Move| {
                            has_squares(*mv, origin, target) && Some(mv.role()) == named
                        };
                        let mut fitting = moves.iter().filter(|mv| mv.promoted().is_none());
                        let fitting = fitting.find(|mv| fits(mv)).copied();
                        if let Ok(reading) = read {
                            read_texts += 1;
                            // `b2c1` may be a bishop's move from the second rank, in lower case.
                            let is_bishop =
                                text.starts_with('b') && reading.mv.role() == Role::Bishop;
                            if is_bishop && fitting.is_none() {
                                assert_eq!(
                                    reading.mv.origin().rank(),
                                    origin.rank(),
                                    "{fen}: {text}"
                                );
                                continue;
                            }
                            assert_eq!(Some(reading.mv), fitting, "{fen}: {text}");
                        } else if separator != "x" {
                            assert_eq!(None, fitting, "{fen}: {text}: {read:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(read_texts > 5_000, "{read_texts} texts were read");
}

#[test]
fn what_chess99_names_as_taken_is_taken() {
    let notation = registered("chess99");
    let mut captures = 0;
    for position in positions() {
        for &mv in &position.legal_moves() {
            let Some(victim) = position.captured_role(mv) else { continue };
            if mv.kind() == MoveKind::EnPassant {
                continue;
            }
            captures += 1;
            let text = Moment::start(position).write(notation, mv);
            let (head, tail) = text.split_once('×').expect("a capture has a cross");
            let tail = tail.strip_prefix(|sign: char| "QRBN".contains(sign)).unwrap_or(tail);
            for named in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let text = format!("{head}×{}{tail}", char::from(named.letter()));
                let read = notation.read(text.as_bytes(), &position).map(|reading| reading.mv);
                let taken = read.ok().and_then(|mv| position.captured_role(mv));
                let fen = position.to_fen();
                assert!(taken.is_none_or(|taken| taken == named), "{fen}: {text}: {taken:?}");
                assert_eq!(named == victim, read == Ok(mv), "{fen}: {text}: {read:?}");
            }
        }
    }
    assert!(captures > 200, "{captures} captures");
}
