//! Positions and legal moves as shakmaty has them, for rules that are written a second time in these tests.
//!
//! In: one of our positions. Out: shakmaty's legal moves of it, each with a key by which our move
//! is recognised: the squares of origin and target (for castling those of king and rook) and the promotion. Nothing
//! here calls our move generator or our notations.

use pgnmill_core::chess::{Move, Position};
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, CastlingMode, Chess, Position as _, PositionError, Square};

use crate::common::Dice;
use crate::common::games::{HARD, Moment, position, walk};

/// Origin, target, letter of the promotion.
pub(crate) type Key = (usize, usize, Option<char>);

/// The key of a move of ours.
pub(crate) fn key(mv: Move) -> Key {
    let promoted = mv.promoted().map(|role| char::from(role.letter()));
    (mv.origin().index(), mv.target().index(), promoted)
}

/// The key of a move of shakmaty's.
pub(crate) fn their_key(mv: shakmaty::Move) -> Key {
    let promoted = mv.promotion().map(shakmaty::Role::upper_char);
    (usize::from(mv.from().expect("no drops")), usize::from(mv.to()), promoted)
}

/// The same position in shakmaty; `None` for the few set-ups that it refuses.
pub(crate) fn theirs(position: &Position) -> Option<Chess> {
    let fen = Fen::from_ascii(position.to_fen().as_bytes()).ok()?;
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Moments of random games, with their history, and of hard positions; with shakmaty's position of each.
pub(crate) fn moments(games: usize, seed: u64, step: usize) -> Vec<(Moment, Chess)> {
    let mut random = Dice::new(seed);
    let mut moments: Vec<Moment> = HARD.iter().map(|fen| Moment::start(position(fen))).collect();
    for _ in 0..games {
        moments.extend(walk(Position::initial(), 220, &mut random).into_iter().step_by(step));
    }
    for fen in HARD {
        moments.extend(walk(position(fen), 24, &mut random).into_iter().step_by(step));
    }
    let known: Vec<(Moment, Chess)> =
        moments.iter().filter_map(|moment| Some((*moment, theirs(&moment.position)?))).collect();
    for (moment, chess) in &known {
        let ours = moment.position.legal_moves();
        assert_eq!(ours.len(), chess.legal_moves().len(), "{}", moment.position.to_fen());
    }
    assert!(known.len() * 10 > moments.len() * 9, "shakmaty refuses too many positions");
    known
}

/// What a text before a square may be, and the origins that it leaves.
pub(crate) fn prefixes() -> Vec<(String, Bitboard)> {
    let mut found = vec![(String::new(), Bitboard::FULL)];
    found.extend(shakmaty::File::ALL.map(|file| (file.char().to_string(), file.into())));
    found.extend(shakmaty::Rank::ALL.map(|rank| (rank.char().to_string(), rank.into())));
    found.extend(Square::ALL.map(|square| (square.to_string(), Bitboard::from_square(square))));
    found
}
