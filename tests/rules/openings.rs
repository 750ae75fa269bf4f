//! The opening of a game is that of the last of its first 40 positions that has a name: the same as a lookup of each.
//!
//! In: random games that follow lines of the tables, leave them and come back by transposition, or stay in positions
//! that have names for more than 40 plies. Out: nothing; a lookup of each position, by its FEN record, is the
//! reference.

use crate::common::{Dice, trials};
use pgnmill::Position;
use pgnmill::openings::{Openings, Tracker};
use pgnmill_core::chess::Move;

/// A move after which the position has a name, if there is one.
fn named_move(position: &Position, legal: &[Move], dice: &mut Dice) -> Option<Move> {
    let named = |mv: &&Move| Openings::standard().find(&position.play(**mv)).is_some();
    let named: Vec<Move> = legal.iter().filter(named).copied().collect();
    named.get(dice.below(named.len().max(1))).copied()
}

#[test]
fn the_opening_is_that_of_the_last_named_position_of_forty() {
    let mut dice = Dice::new(0x91);
    let (mut falls, mut late) = (0, 0);
    for _ in 0..trials(1_500, 1_500, 10_000) {
        let (mut position, mut tracker) = (Position::initial(), Tracker::default());
        let mut names = Vec::new();
        let mut knights = 0;
        for ply in 1..=60 {
            let legal = position.legal_moves();
            let Some(&any) = legal.get(dice.below(legal.len().max(1))) else { break };
            // Back and forth: the same names again, until the fortieth ply and after it.
            let dance = ["g1f3", "g8f6", "f3g1", "f6g8"][(ply - 1) % 4];
            let dance = Move::from_uci(&position, dance).ok();
            knights += usize::from(dice.below(30) == 0);
            let mv = match (knights, dance) {
                (0, Some(mv)) if ply > 2 || dice.below(2) == 0 => mv,
                _ if dice.below(12) == 0 => any,
                _ => named_move(&position, &legal, &mut dice).unwrap_or(any),
            };
            position = position.play(mv);
            // By the record, whatever led to it.
            let (again, _) = Position::from_fen(position.to_fen().as_bytes()).expect("a record");
            names.push(Openings::standard().find(&again));
            tracker.visit(&position);
            let known: Vec<_> = names.iter().take(40).flatten().collect();
            let expected = known.last().map(|opening| (opening.eco, opening.name));
            let found = tracker.opening().map(|opening| (opening.eco, opening.name));
            assert_eq!(found, expected, "{}", position.to_fen());
            let highest = known.iter().map(|opening| opening.eco).max();
            falls += usize::from(highest > expected.map(|opening| opening.0));
            let next = names.get(40).copied().flatten().map(|opening| (opening.eco, opening.name));
            late += usize::from(ply == 41 && next.is_some() && next != expected);
        }
    }
    assert!(falls > 100 && late > 3, "{falls} {late}");
}
