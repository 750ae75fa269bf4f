//! What a text states of its move holds for the move that is read.
//!
//! In: positions that are difficult to read in, and every text of a form, whether it fits a legal move or not. The move
//! that a text is read as must have the squares and the piece that the text names, and take what it names; and a text
//! that names them all must be read. An example finds a reader that is too strict; only texts that fit no move find one
//! that is too generous.

use pgnmill_core::chess::{Move, MoveKind, Position, Role, Square};
use pgnmill_core::notation::{Check, NOTATIONS};
use pgnmill_core::pgn::deviation::Deviation;

use crate::common::Dice;
use crate::common::games::{HARD, Moment, position, registered, walk};

/// The hard positions, the moments of some games, and those of walks from positions with castling.
fn positions() -> Vec<Position> {
    let mut random = Dice::new(20);
    let starts = ["r3k2r/pppqbppp/8/8/8/8/PPPQBPPP/R3K2R w KQkq - 0 1", HARD[15], HARD[17]];
    let walks = starts.iter().flat_map(|fen| walk(position(fen), 40, &mut random));
    let walked: Vec<Position> = walks.map(|moment| moment.position).collect();
    HARD.iter().map(|fen| position(fen)).chain(walked).collect()
}

/// The target of castling is the king's.
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
                            // The king's square and that of its rook are castling, as in Chess960.
                            let is_of_king = matches!(letter, "" | "K")
                                && at_origin == Some(Role::King)
                                && position.role_at(target) == Some(Role::Rook);
                            let castles = reading.mv.castling_side().is_some() && is_of_king;
                            let expected = if castles { Some(reading.mv) } else { fitting };
                            assert_eq!(Some(reading.mv), expected, "{fen}: {text}");
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

/// A text and what differs from it by the case of one letter, or by its last square.
fn neighbours(text: &str, is_castling: bool) -> Vec<Vec<u8>> {
    let mut texts = vec![text.as_bytes().to_vec()];
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_alphabetic()) {
        let mut other = text.as_bytes().to_vec();
        other[at] = byte ^ 0x20;
        texts.push(other);
    }
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| b"x-".contains(byte)) {
        let mut other = text.as_bytes().to_vec();
        other[at] = byte ^ b'x' ^ b'-';
        texts.push(other);
    }
    for at in 1..text.len() {
        for sign in [b'x', b'='] {
            let mut other = text.as_bytes().to_vec();
            other.insert(at, sign);
            texts.push(other);
        }
    }
    if is_castling && text.len() > 3 {
        for target in (0..64).map(Square::new) {
            texts.push(format!("{}{target}", &text[..text.len() - 2]).into_bytes());
        }
    }
    texts
}

#[test]
fn a_text_without_a_deviation_is_the_canonical_one() {
    let mut random = Dice::new(7);
    let walks = HARD.iter().flat_map(|fen| walk(position(fen), 4, &mut random));
    let mut departing = 0;
    for moment in walks {
        for &mv in &moment.position.legal_moves() {
            for notation in NOTATIONS {
                let canonical = moment.write(*notation, mv);
                for text in neighbours(&canonical, mv.castling_side().is_some()) {
                    let lineage = moment.lineage.as_ref();
                    let Ok(reading) = notation.read_in(&text, &moment.position, lineage) else {
                        continue;
                    };
                    let after = moment.position.play(reading.mv);
                    let mark = reading.check_suffix.deviation(Check::of(&after));
                    if !reading.deviations.is_empty() || mark.is_some() {
                        departing += 1;
                        continue;
                    }
                    let (name, fen) = (notation.info().name, moment.position.to_fen());
                    let text = String::from_utf8_lossy(&text);
                    assert_eq!(text, moment.write(*notation, reading.mv), "{name}: {fen}");
                }
            }
        }
    }
    assert!(departing > 1_000, "{departing} texts that depart were read");
}

/// The files in descriptive notation, from the queen's side.
const FILES: [&str; 8] = ["QR", "QN", "QB", "Q", "K", "KB", "KN", "KR"];

#[test]
fn a_descriptive_location_may_be_a_file_a_rank_or_a_square() {
    let notation = registered("descriptive");
    let mut read_texts = 0;
    for position in positions() {
        let moves = position.legal_moves();
        let rank_of = |square: Square| position.turn().rank(square.rank()) + 1;
        for &mv in &moves {
            let rivals = moves.iter().filter(|other| {
                (other.role(), other.target()) == (mv.role(), mv.target())
                    && other.castling_side().is_none()
            });
            let is_quiet = !position.is_capture(mv) && mv.castling_side().is_none();
            if mv.role() == Role::Pawn || !is_quiet {
                continue;
            }
            let (from, to) = (mv.origin(), mv.target());
            let (file, rank) = (FILES[usize::from(from.file())], rank_of(from));
            let goal = format!("{}{}", FILES[usize::from(to.file())], rank_of(to));
            // The text, and whether it gives the file and the rank.
            let locations = [
                (format!("{file}{rank}"), true, true),
                (file.to_string(), true, false),
                (rank.to_string(), false, true),
            ];
            for (location, by_file, by_rank) in locations {
                let fits = |other: &&Move| {
                    let origin = other.origin();
                    (!by_file || origin.file() == from.file())
                        && (!by_rank || origin.rank() == from.rank())
                };
                let text = format!("{}/{location}-{goal}", char::from(mv.role().letter()));
                let read = notation.read(text.as_bytes(), &position).map(|reading| reading.mv);
                let expected = match rivals.clone().filter(fits).count() {
                    1 => Ok(mv),
                    _ => Err(Deviation::MoveAmbiguous),
                };
                read_texts += usize::from(read.is_ok());
                assert_eq!(read, expected, "{}: {text}", position.to_fen());
            }
        }
    }
    assert!(read_texts > 3_000, "{read_texts} texts were read");
}

#[test]
fn figurines_of_either_colour_are_read_for_either_side_pawns_too() {
    let signs = |role: Role| match role {
        Role::Pawn => ["♙", "♟"],
        Role::Knight => ["♘", "♞"],
        Role::Bishop => ["♗", "♝"],
        Role::Rook => ["♖", "♜"],
        Role::Queen => ["♕", "♛"],
        Role::King => ["♔", "♚"],
    };
    for name in ["fan", "fan-white"] {
        for position in positions() {
            for &mv in &position.legal_moves() {
                if mv.castling_side().is_some() {
                    continue;
                }
                let canonical = Moment::start(position).write(registered(name), mv);
                let body = canonical.trim_start_matches(|sign: char| ('♔'..='♟').contains(&sign));
                for sign in signs(mv.role()) {
                    let text = format!("{sign}{body}");
                    let read = registered(name).read(text.as_bytes(), &position);
                    let read = read.map(|reading| reading.mv);
                    assert_eq!(read, Ok(mv), "{name}: {}: {text}", position.to_fen());
                }
            }
        }
    }
}
