//! The legal moves of a position in the order of their estimated worth, and what a decoder knows of the game before.
//!
//! In: positions of a game, in order. Out: for each the list from which the played move is chosen. The order is that of
//! [`rank`](super::super::rank()): a decoder computes the same one. Invariant: nothing here depends on the move that is
//! coded, or on later ones. Cost: the estimate of every legal move, some thousand instructions per ply.

use std::cmp::Reverse;

use crate::chess::{Move, Position};

use super::super::rank::worth;

/// A legal move and its estimated worth, in sixteenths of a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) mv: Move,
    pub(super) worth: i32,
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) mv: Move,
    pub(super) is_capture: bool,
}

/// The choice before a ply.
#[derive(Clone, Debug)]
pub(super) struct Choices {
    position: Position,
    moves: Vec<Choice>,
    /// How many plies of the game, or of the part of a long one, are before.
    ply: usize,
    /// The last plies before, the last one first.
    played: [Option<Played>; 4],
    /// The places of the moves before, the later ones weighted more; see [`Choices::recent_places`].
    recent: usize,
}

impl Choices {
    /// The choice before the first ply of a game.
    pub(super) fn of(start: &Position) -> Choices {
        let mut choices =
            Choices { position: *start, moves: Vec::new(), ply: 0, played: [None; 4], recent: 32 };
        choices.list();
        choices
    }

    fn list(&mut self) {
        let position = &self.position;
        let choice = |mv: Move| Choice { mv, worth: worth(position, mv) };
        self.moves.clear();
        self.moves.extend(position.legal_moves().iter().map(|&mv| choice(mv)));
        self.moves.sort_by_key(|choice| Reverse(choice.worth));
    }

    /// Plays the move in this place: the choice is that before the next ply. There must be such a place.
    pub(super) fn play(&mut self, place: usize) {
        let mv = self.moves[place].mv;
        let played = Played { mv, is_capture: self.position.is_capture(mv) };
        self.played.rotate_right(1);
        self.played[0] = Some(played);
        self.position = self.position.play(mv);
        self.ply += 1;
        self.recent = self.recent - self.recent / 8 + place.min(15);
        self.list();
    }

    /// The position.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The legal moves, the best first.
    pub(super) fn moves(&self) -> &[Choice] {
        &self.moves
    }

    /// How many moves are legal.
    pub(super) fn count(&self) -> usize {
        self.moves.len()
    }

    /// The place of a legal move.
    pub(super) fn place(&self, mv: Move) -> Option<usize> {
        self.moves.iter().position(|choice| choice.mv == mv)
    }

    /// How far behind in the order the moves before were, from 0 to 7: half their mean place, at most 15, the later
    /// ones weighted more.
    pub(super) fn recent_places(&self) -> usize {
        self.recent / 16
    }

    /// How many plies are before.
    pub(super) fn ply(&self) -> usize {
        self.ply
    }

    /// The ply so many plies before, from 1, of the last four.
    pub(super) fn before(&self, plies: usize) -> Option<Played> {
        self.played.get(plies.checked_sub(1)?).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::measure::study::rank;
    use pgnmill_dice::Dice;

    /// Places are the ranks of `ranks.csv`.
    #[test]
    fn places_are_ranks() {
        let mut dice = Dice::new(3);
        for _ in 0..20 {
            let mut choices = Choices::of(&Position::initial());
            while choices.count() > 0 && choices.ply() < 60 {
                let place = dice.below(choices.count());
                let mv = choices.moves()[place].mv;
                let rank = rank(choices.position(), mv);
                assert_eq!((rank.legal, rank.before), (choices.count(), place));
                assert_eq!(choices.place(mv), Some(place));
                choices.play(place);
                assert_eq!(choices.before(1).map(|played| played.mv), Some(mv));
            }
        }
    }
}
