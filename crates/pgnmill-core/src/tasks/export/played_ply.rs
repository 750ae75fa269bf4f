//! A ply of the main line at the end of its game, as the player who moved has it: for the functions that write columns.
//!
//! In: a game, its annotations and its plies. Out: the result, ratings, evaluations and times from the mover's side.
//! Invariant: what depends on the ply before is `None` where a null move is between. Cost: tag values once per game.

use crate::chess::Color;
use crate::pgn::{Outcome, Tag, TagValues, TimeControl};

use super::annotations::{Annotations, PlyNotes};
use super::engine_notes::EngineNote;

/// A game, as its players have it: values of White and of Black.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// Of White and of Black.
    pub ratings: [Option<i16>; 2],
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub outcomes: [Option<i16>; 2],
    /// Milliseconds that a clock gains with each move.
    increments: [Option<i32>; 2],
}

impl Players {
    /// Those of a game.
    pub(super) fn of(tags: TagValues<'_>, outcome: Outcome, clocks: FirstClocks) -> Players {
        let white = match outcome {
            Outcome::WhiteWins => Some(1),
            Outcome::BlackWins => Some(-1),
            Outcome::Draw => Some(0),
            Outcome::Unknown => None,
        };
        let control = tags.bytes(Tag::TimeControl).and_then(TimeControl::read);
        let increment = control.and_then(|control| control.common_increment_ms());
        let seconds = control.and_then(|control| control.base_and_increment());
        let half = seconds.map(|(initial, _)| i64::from(initial) * 500);
        // A player of Lichess who begins with half of the time, for a point more, gains nothing with a move.
        let is_berserk = |color: Color| {
            let clock = clocks.0[color.index()].flatten();
            clock.is_some_and(|clock| half == Some(i64::from(clock)) && clock > 0)
        };
        Players {
            ratings: [tags.rating(Tag::WhiteElo), tags.rating(Tag::BlackElo)],
            outcomes: [white, white.map(|white: i16| -white)],
            increments: [Color::White, Color::Black]
                .map(|color| if is_berserk(color) { Some(0) } else { increment }),
        }
    }
}

/// The clock after the first ply of White and of Black, in milliseconds: known when that ply was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FirstClocks([Option<Option<i32>>; 2]);

impl FirstClocks {
    /// Reads more plies. `movers`: the sides that moved.
    pub(super) fn read(&mut self, notes: &[PlyNotes], movers: &[Color]) {
        for color in [Color::White, Color::Black] {
            let clock = &mut self.0[color.index()];
            if clock.is_none()
                && let Some(first) = movers.iter().position(|&mover| mover == color)
            {
                *clock = Some(notes.get(first).and_then(|notes| notes.clock));
            }
        }
    }
}

/// A ply of the main line.
#[derive(Clone, Copy, Debug)]
pub struct PlayedPly<'g> {
    pub(super) players: &'g Players,
    /// What annotates the plies of the game.
    pub annotations: &'g Annotations,
    /// The side that moved, by ply.
    pub(super) movers: &'g [Color],
    /// The index of the ply in its game.
    pub index: usize,
}

impl PlayedPly<'_> {
    /// What annotates it.
    pub fn notes(&self) -> &PlyNotes {
        &self.annotations.plies[self.index]
    }

    /// What an engine left after it.
    pub fn engine(&self) -> Option<&EngineNote> {
        self.annotations.engine_of(self.notes())
    }

    /// The side that moved.
    pub fn mover(&self) -> Color {
        self.movers[self.index]
    }

    /// The evaluation after the ply, in hundredths of a pawn, from the mover's side.
    pub fn eval(&self) -> Option<i16> {
        self.for_mover(self.notes())
    }

    /// The evaluation before the ply: that after the opponent's ply before it.
    pub fn eval_before(&self) -> Option<i16> {
        self.for_mover(self.annotations.plies.get(self.alternating(1)?)?)
    }

    /// The evaluation of the position before the ply, from the mover's side: that of `%eval` after the opponent's ply,
    /// else what the mover's engine found there, which it writes after its own ply.
    pub fn eval_of_position(&self) -> Option<i16> {
        self.for_mover(self.notes_of_position()?)
    }

    /// The number of moves to a mate by the mover, as [`PlayedPly::eval_of_position`]. `None` if there is none.
    pub fn mate_of_position(&self) -> Option<i16> {
        mate_by(self.mover(), self.notes_of_position()?)
    }

    /// The evaluation of the position after the ply in `%eval`, from the side to move there.
    pub fn eval_of_next(&self) -> Option<i16> {
        let notes = Some(self.notes()).filter(|notes| notes.has_command());
        self.for_mover(notes?).map(i16::saturating_neg)
    }

    /// The number of moves to a mate by the side to move after the ply, by `%eval`.
    pub fn mate_of_next(&self) -> Option<i16> {
        let notes = Some(self.notes()).filter(|notes| notes.has_command());
        mate_by(self.mover().other(), notes?)
    }

    /// The notes whose evaluation is of the position before the ply.
    fn notes_of_position(&self) -> Option<&PlyNotes> {
        let before = self.alternating(1).and_then(|index| self.annotations.plies.get(index));
        let own = Some(self.notes()).filter(|notes| !notes.has_command());
        before.filter(|notes| notes.has_command()).or(own)
    }

    /// The time that the ply took, in milliseconds: `%timestamp`, else `%emt`, else what the mover's clock lost, the
    /// increment included. `None` for the first ply of a player without the former two, and where the clock gained more
    /// than the increment.
    pub fn spent(&self) -> Option<i32> {
        let notes = self.notes();
        notes.timestamp.or(notes.elapsed).or_else(|| {
            let before = self.annotations.plies.get(self.alternating(2)?)?.clock?;
            let increment = self.players.increments[self.mover().index()]?;
            let spent = before.checked_add(increment)?.checked_sub(notes.clock?)?;
            (spent >= 0).then_some(spent)
        })
    }

    fn for_mover(&self, notes: &PlyNotes) -> Option<i16> {
        let white = notes.centipawns()?;
        Some(if self.mover() == Color::White { white } else { white.saturating_neg() })
    }

    /// The index of the ply so many before it, if the sides moved in turns since then.
    fn alternating(&self, plies: usize) -> Option<usize> {
        let first = self.index.checked_sub(plies)?;
        let moves = &self.movers[first..=self.index];
        moves.windows(2).all(|pair| pair[0] != pair[1]).then_some(first)
    }
}

/// The number of moves to a mate by a side: of an evaluation by which the other side mates there is none.
fn mate_by(side: Color, notes: &PlyNotes) -> Option<i16> {
    let white = notes.mate()?;
    let own = if side == Color::White { white } else { white.saturating_neg() };
    (own > 0).then_some(own)
}
