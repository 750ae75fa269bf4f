//! A player: searches one ply, evaluates the positions, and chooses a move, the better the higher the rating.

use pgnmill_core::chess::{Move, Position, Role};

use super::chance::Chance;
use super::worth::{MATE, worth};

/// The evaluation of a position by a player.
#[derive(Debug)]
pub(super) struct View {
    /// Every legal move with its value for the player, and its static value, which ignores stalemate.
    moves: Vec<(Move, i32, i32)>,
    /// The value of the best of them.
    pub(super) best: i32,
}

/// Weights that fall by an eighth per step: the likelihood of a move by its steps below the best.
fn likelihood(steps: i32) -> u64 {
    let mut weight = 1_000_000_000u64;
    for _ in 0..steps.clamp(0, 130) {
        weight -= weight / 8;
    }
    weight
}

impl View {
    /// Evaluates a position that is not final. `occurrences` returns how often a position occurred.
    pub(super) fn of(position: &Position, occurrences: impl Fn(&Position) -> usize) -> View {
        let moves: Vec<(Move, i32, i32)> = position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let after = position.play(mv);
                let stalemate = !after.in_check() && !after.has_legal_move();
                let static_value = if occurrences(&after) > 1 { 0 } else { -worth(&after) };
                (mv, if stalemate { 0 } else { static_value }, static_value)
            })
            .collect();
        let best = moves.iter().map(|&(_, score, _)| score).max().unwrap_or(0);
        View { moves, best }
    }

    /// Chooses a move like a player of this rating.
    pub(super) fn choose(&self, position: &Position, rating: i32, chance: &mut Chance) -> Move {
        // A step is the smallest difference that a player notices: one or two hundredths of a pawn for masters.
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
            .map(|&(mv, score, static_value)| {
                let score = if careful { score } else { static_value };
                // Most players find mate in one; they may overlook other moves.
                if !mate && self.moves.len() > 3 && chance.per_mille(overlooks) {
                    return 1;
                }
                likelihood((self.best - score - habit(mv)).max(0) / step) + 1
            })
            .collect();
        let chosen = self.moves[chance.weighted(weights.iter().copied())].0;
        // Rarely a player underpromotes without need.
        if chosen.promoted() == Some(Role::Queen) && chance.per_mille(30) {
            let role = *chance.one_of(&[Role::Rook, Role::Knight, Role::Bishop]);
            return Move::promotion(chosen.origin(), chosen.target(), role);
        }
        chosen
    }
}
