//! Chess and Chess960: the methods of [`Position`] as a ruleset.
//!
//! Each function is a call of one method, inlined; the position stays 96 bytes.

use super::{GameEnd, Rules, Start};
use crate::chess::{Color, FenError, FenNotes, Move, Position};

/// The rules of chess and of Chess960.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Rules for Standard {
    type Position = Position;
    type Move = Move;

    #[inline(always)]
    fn turn(position: &Position) -> Color {
        position.turn()
    }

    #[inline(always)]
    fn fullmove_number(position: &Position) -> u32 {
        position.fullmove_number()
    }

    fn visit_legal(position: &Position, visit: &mut impl FnMut(Move) -> bool) -> bool {
        position.visit_pseudo_legal(&mut |mv| position.is_safe(mv) && visit(mv))
    }

    #[inline(always)]
    fn play_into(position: &Position, mv: Move, next: &mut Position) {
        position.play_into(mv, next);
    }

    fn pass(position: &Position) -> Option<Position> {
        let may_pass = !position.in_check() && position.has_legal_move();
        may_pass.then(|| position.play_null())
    }

    #[inline(always)]
    fn in_check(position: &Position) -> bool {
        position.in_check()
    }

    fn end(position: &Position) -> Option<GameEnd> {
        if position.has_legal_move() {
            None
        } else if position.in_check() {
            Some(GameEnd::Win(position.turn().other()))
        } else {
            Some(GameEnd::Draw)
        }
    }
}

impl Start for Standard {
    fn initial(chess960: bool) -> Position {
        Position::initial().with_chess960(chess960)
    }

    fn from_fen(record: &[u8], chess960: bool) -> Result<(Position, FenNotes), FenError> {
        let (position, notes) = Position::from_fen(record)?;
        Ok((position.with_chess960(chess960), notes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::perft;

    /// The leaves of the tree of moves, through the trait alone.
    fn leaves<R: Rules>(position: &R::Position, depth: u32) -> u64 {
        let mut count = 0;
        R::visit_legal(position, &mut |mv| {
            let mut next = *position;
            R::play_into(position, mv, &mut next);
            count += if depth == 1 { 1 } else { leaves::<R>(&next, depth - 1) };
            false
        });
        count
    }

    #[test]
    fn the_trait_generates_the_moves_of_chess() {
        for record in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let (position, _) = Standard::from_fen(record.as_bytes(), false).expect("a record");
            assert_eq!(leaves::<Standard>(&position, 3), perft(&position, 3), "{record}");
        }
    }

    #[test]
    fn the_end_is_mate_or_stalemate() {
        let end = |record: &str| Standard::end(&Position::from_fen(record.as_bytes()).unwrap().0);
        assert_eq!(end("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), Some(GameEnd::Draw));
        assert_eq!(end("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), Some(GameEnd::Win(Color::White)));
        assert_eq!(end("7k/5K2/8/6Q1/8/8/8/8 b - - 0 1"), None);
    }

    #[test]
    fn a_null_move_is_impossible_in_check_and_after_the_end() {
        let (position, _) = Position::from_fen(b"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(Standard::pass(&position).is_none());
        let (position, _) = Position::from_fen(b"7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").unwrap();
        assert!(Standard::pass(&position).is_none(), "stalemate");
        let passed = Standard::pass(&Position::initial()).expect("not in check");
        assert_eq!(Standard::turn(&passed), Color::Black);
    }
}
