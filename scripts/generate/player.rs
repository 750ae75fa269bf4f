//! A player at the board: looks one move ahead, weighs what is seen, and chooses, the better the higher rated.

use pgnmill::chess::{Move, Position, Role};

use super::chance::Chance;
use super::worth::{MATE, worth};

/// What a player sees in a position.
#[derive(Debug)]
pub(super) struct View {
    /// Every legal move with its worth to the player, and its worth at a glance, which misses stalemate.
    moves: Vec<(Move, i32, i32)>,
    /// The worth of the best of them.
    pub(super) best: i32,
}

/// Falls by an eighth a step: how likely a move is that is worth so many steps less than the best.
fn likelihood(steps: i32) -> u64 {
    let mut weight = 1_000_000_000u64;
    for _ in 0..steps.clamp(0, 130) {
        weight -= weight / 8;
    }
    weight
}

impl View {
    /// Looks at a position that is not at its end. `seen` says how often a position was on the board.
    pub(super) fn of(position: &Position, seen: impl Fn(&Position) -> usize) -> View {
        let moves: Vec<(Move, i32, i32)> = position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let after = position.play(mv);
                let stalemate = !after.in_check() && !after.has_legal_move();
                let glance = if seen(&after) > 1 { 0 } else { -worth(&after) };
                (mv, if stalemate { 0 } else { glance }, glance)
            })
            .collect();
        let best = moves.iter().map(|&(_, score, _)| score).max().unwrap_or(0);
        View { moves, best }
    }

    /// Chooses a move as a player of this rating does.
    pub(super) fn choose(&self, position: &Position, rating: i32, chance: &mut Chance) -> Move {
        // A step is what a player can just tell apart: a hundredth of a pawn or two for masters.
        let step = 1 + (2700 - rating).clamp(0, 2000) / 250;
        let overlooks = ((2600 - rating).clamp(0, 2000) / 25) as u64;
        let habit = |mv: Move| -> i32 {
            let castles = i32::from(mv.castling_side().is_some());
            let check = i32::from(position.play(mv).in_check());
            40 * castles + 6 * check
        };
        let mate = self.best >= MATE;
        let careful = chance.per_mille(980 - 10 * overlooks);
        let weights: Vec<u64> = self
            .moves
            .iter()
            .map(|&(mv, score, glance)| {
                let score = if careful { score } else { glance };
                // Mate on the board is seen by most; other moves may not be seen at all.
                if !mate && self.moves.len() > 3 && chance.per_mille(overlooks) {
                    return 1;
                }
                likelihood((self.best - score - habit(mv)).max(0) / step) + 1
            })
            .collect();
        let chosen = self.moves[chance.weighted(weights.iter().copied())].0;
        // Now and then somebody takes less than a queen, for the fun of it.
        if chosen.promoted() == Some(Role::Queen) && chance.per_mille(30) {
            let role = *chance.one_of(&[Role::Rook, Role::Knight, Role::Bishop]);
            return Move::promotion(chosen.origin(), chosen.target(), role);
        }
        chosen
    }
}
