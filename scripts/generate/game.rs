//! One game from the first move to its end.

use pgnmill_core::chess::{Color, Move, Position, Role};
use pgnmill_core::notation::{self, NOTATIONS};
use pgnmill_core::pgn::Outcome;

use super::book::Opening;
use super::chance::Chance;
use super::clock::{Clocks, Control};
use super::player::View;
use super::worth::{MATE, is_bare};

/// After this many plies a game is a draw.
const PLIES_MAX: usize = 400;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Termination {
    /// On the board, by resignation or by agreement.
    Normal,
    /// A player ran out of time.
    TimeForfeit,
    /// A player left.
    Abandoned,
}

/// A game that was played.
#[derive(Debug)]
pub(super) struct Played {
    /// The moves.
    pub(super) moves: Vec<Move>,
    /// Their texts in SAN.
    pub(super) texts: Vec<String>,
    /// The time left to the mover after each, in seconds.
    pub(super) clocks: Vec<i32>,
    /// The value of the position after each move for White, if it was evaluated; see [`MATE`].
    pub(super) worths: Vec<i32>,
    /// The winner.
    pub(super) outcome: Outcome,
    /// How it ended.
    pub(super) termination: Termination,
}

/// A game in progress.
struct Board {
    position: Position,
    /// The positions since the last irreversible move, for repetition.
    history: Vec<[u64; 9]>,
    played: Played,
    clocks: Clocks,
    /// For each side, the number of consecutive hopeless positions.
    hopeless: [u32; 2],
    /// The sides that never resign: likelier for lower ratings.
    stubborn: [bool; 2],
}

/// The key of a position for repetition (FIDE 9.2.2).
fn identity(position: &Position) -> [u64; 9] {
    let passed = position.en_passant_square();
    let passed = passed.filter(|&square| position.own_attackers(Role::Pawn, square).has_any());
    let rest = passed.map_or(64, |square| square.index() as u64) | (position.turn() as u64) << 8;
    let roles = Role::ALL.map(|role| position.role(role).0);
    let [pawns, knights, bishops, rooks, queens, kings] = roles;
    let (white, castling) = (position.color(Color::White).0, position.castling_rooks().0);
    [pawns, knights, bishops, rooks, queens, kings, white, castling, rest]
}

/// Plays a game from the starting position: an opening, then the players' own moves.
pub(super) fn play(
    opening: &Opening,
    ratings: [i32; 2],
    control: Control,
    chance: &mut Chance,
) -> Played {
    let mut board = Board {
        position: Position::initial(),
        history: Vec::new(),
        played: Played {
            moves: Vec::new(),
            texts: Vec::new(),
            clocks: Vec::new(),
            worths: Vec::new(),
            outcome: Outcome::Draw,
            termination: Termination::Normal,
        },
        clocks: Clocks::new(control),
        hopeless: [0, 0],
        stubborn: ratings
            .map(|rating| chance.per_mille((2600 - rating).clamp(200, 2000) as u64 / 4)),
    };
    let book_plies = leave_book(opening.moves.len(), chance);
    loop {
        if let Some((outcome, termination)) = board.end(chance) {
            return board.finish(outcome, termination);
        }
        let ply = board.played.moves.len();
        let view = View::of(&board.position, |position| board.occurrences(position));
        if ply > 0 {
            board.played.worths.push(board.for_white(view.best));
        }
        if ply > 3
            && let Some((outcome, termination)) = board.gives_up(&view, ratings, chance)
        {
            return board.finish(outcome, termination);
        }
        let mv = match opening.moves[..book_plies].get(ply) {
            Some(&mv) => mv,
            None => view.choose(&board.position, ratings[ply % 2], chance),
        };
        let hard = ply >= book_plies && !board.position.in_check() && view.best.abs() < 300;
        match board.clocks.think(ply, hard, chance) {
            Some(left) => board.play(mv, left),
            None => {
                let outcome = board.lost_by_time();
                return board.finish(outcome, Termination::TimeForfeit);
            }
        }
    }
}

/// Players leave the book at a random ply.
fn leave_book(moves: usize, chance: &mut Chance) -> usize {
    let mut plies = moves.min(2);
    while plies < moves && !chance.per_mille(60) {
        plies += 1;
    }
    plies
}

impl Board {
    fn occurrences(&self, position: &Position) -> usize {
        let this = identity(position);
        self.history.iter().filter(|past| **past == this).count()
    }

    fn for_white(&self, worth: i32) -> i32 {
        if self.position.turn() == Color::White { worth } else { -worth }
    }

    fn play(&mut self, mv: Move, left: i32) {
        let text = notation::write(NOTATIONS[0], &self.position, mv);
        let next = self.position.play(mv);
        if next.halfmove_clock() == 0 {
            self.history.clear();
        }
        self.history.push(identity(&next));
        self.position = next;
        self.played.moves.push(mv);
        self.played.texts.push(text.to_string());
        self.played.clocks.push(left);
    }

    fn wins(color: Color) -> Outcome {
        if color == Color::White { Outcome::WhiteWins } else { Outcome::BlackWins }
    }

    /// The end of the game by the rules, or by a claim.
    fn end(&self, chance: &mut Chance) -> Option<(Outcome, Termination)> {
        let turn = self.position.turn();
        if !self.position.has_legal_move() {
            let mated = self.position.in_check();
            let outcome = if mated { Board::wins(turn.other()) } else { Outcome::Draw };
            return Some((outcome, Termination::Normal));
        }
        let repeated = self.occurrences(&self.position);
        let quiet = self.position.halfmove_clock();
        let bare = is_bare(&self.position, turn) && is_bare(&self.position, turn.other());
        let drawn = bare
            || repeated >= 5
            || repeated >= 3 && chance.per_mille(700)
            || quiet >= 150
            || quiet >= 100 && chance.per_mille(700)
            || self.played.moves.len() >= PLIES_MAX;
        drawn.then_some((Outcome::Draw, Termination::Normal))
    }

    /// The end by resignation, agreement or abandonment.
    fn gives_up(
        &mut self,
        view: &View,
        ratings: [i32; 2],
        chance: &mut Chance,
    ) -> Option<(Outcome, Termination)> {
        let turn = self.position.turn();
        let rating = ratings[turn.index()];
        let other_wins = Board::wins(turn.other());
        let hopeless = &mut self.hopeless[turn.index()];
        *hopeless = if view.best < -450 { *hopeless + 1 } else { 0 };
        let patience = 2 + ((2600 - rating).max(0) / 300) as u32;
        let shame = if view.best < -900 { 160 } else { 60 };
        let resigns = !self.stubborn[turn.index()];
        if resigns && *hopeless > patience && chance.per_mille(shame) {
            return Some((other_wins, Termination::Normal));
        }
        let level = view.best.abs() < 30 && self.played.moves.len() > 44;
        if level && chance.per_mille(if rating > 1800 { 24 } else { 8 }) {
            return Some((Outcome::Draw, Termination::Normal));
        }
        // After a blunder, or for no reason.
        if view.best < -200 && chance.below(2_500) == 0 {
            return Some((other_wins, Termination::Abandoned));
        }
        let gives_up = resigns && view.best < -250 && chance.per_mille(14);
        gives_up.then_some((other_wins, Termination::Normal))
    }

    /// A player without time has lost, unless the opponent has no mating material (FIDE 6.9).
    fn lost_by_time(&self) -> Outcome {
        let other = self.position.turn().other();
        if is_bare(&self.position, other) { Outcome::Draw } else { Board::wins(other) }
    }

    fn finish(mut self, outcome: Outcome, termination: Termination) -> Played {
        // The last position was not evaluated: it is mate, or a draw.
        if self.played.worths.len() < self.played.moves.len() && !self.position.in_check() {
            self.played.worths.push(0);
        }
        self.played.outcome = outcome;
        self.played.termination = termination;
        self.played
    }
}

/// The side that mates at the next move, if any.
pub(super) fn mate_next(worth: i32) -> Option<Color> {
    match worth {
        MATE.. => Some(Color::White),
        _ if worth <= -MATE => Some(Color::Black),
        _ => None,
    }
}
