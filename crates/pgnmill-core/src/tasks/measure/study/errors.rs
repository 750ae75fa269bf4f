//! What one error in the text of a game does: whether a reader of the notation refuses the text, and when.
//!
//! In: the moves of valid games. Out: counts by notation and kind of error ([`TextError`]) that add up. For each game,
//! kind and number a ply is drawn, by a hash of the game's start and moves; its text in each notation gets one error;
//! the notation's own reader reads it in the position before the ply, and then the texts of the game's later plies, as
//! far as they are texts of legal moves. Reading is *strict*: the text of a move is its canonical one, check suffix
//! included ([`Rule::strict`]). A text of the move that was played which the lenient profile repairs is counted apart.
//!
//! Invariants: integers only; the same game gives the same errors, whatever was read before it, so that counts are
//! independent of threads, of the order of games, of splits and of pauses. A text is read as the text of a move:
//! whether it would be another token of movetext (`1-0`, a move number) is not considered. A ply whose text admits no
//! error of a kind (an omission in a text of one character) gets none.
//!
//! Cost: a game is replayed once, whatever the notations; then one reading per error, notation and ply read after it,
//! which are [`READ_ON_PLIES_MAX`] at most: errors that are not refused by then count as never refused. So the time
//! is at most linear in the plies of a game plus a constant per error.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::{Check, Ply, SAN};
//! use pgnmill_core::tasks::measure::study::{ErrorDraws, Errors, GameMoves};
//! use pgnmill_core::tasks::measure::tally::Selection;
//! let position = Position::initial();
//! let mv = SAN.decode(&position, b"e4")?;
//! let after = position.play(mv);
//! let mut game = GameMoves::default();
//! game.push(&Ply::new(&position, mv, &after, Check::None));
//! let draws = ErrorDraws { notations: Selection::of(&[SAN]), per_game: 1 };
//! let mut errors = Errors::of(draws);
//! errors.add(&[&game], draws);
//! assert_eq!(errors.grid().get(&["san", "omission"]), Some(&[1, 1, 0, 0, 0, 0][..]));
//! # Ok::<(), pgnmill_core::notation::DecodeError>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use pgnmill_state::state;

use crate::chess::{Move, Position};
use crate::notation::{Check, Lineage, MoveText, NOTATIONS, Notation, Reading, write_in};
use crate::pgn::deviation::{Class, Rule};
use crate::tables::{Grid, errors};

use super::GameMoves;
use super::dice::Dice;
use super::text_error::TextError;
use crate::tasks::measure::tally::Selection;

/// Plies that are read after one with an error, at most: more than the longest games of masters have.
pub const READ_ON_PLIES_MAX: usize = 600;
/// Errors of a kind in one game, at most.
pub const ERRORS_PER_GAME_MAX: u32 = 100;

/// Which errors are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorDraws {
    /// In the texts of these notations.
    pub notations: Selection,
    /// So many of each kind in each game, at most [`ERRORS_PER_GAME_MAX`]; each alone.
    pub per_game: u32,
}

/// What an error does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The text with the error is refused.
    AtOnce,
    /// It is another legal move; a text so many plies later is refused, 1 for the next.
    Later(u32),
    /// It is another legal move, and no later text is refused.
    Never,
    /// It is not canonical, and its one reading is the move that was played.
    SameMove,
}

/// An error that was made.
#[derive(Clone, Copy, Debug)]
pub struct MadeError<'e> {
    /// The index of the notation in the registry.
    pub notation: usize,
    /// The kind.
    pub kind: TextError,
    /// Plies of the game before the one with the error.
    pub ply: usize,
    /// The text with the error.
    pub text: &'e str,
    /// What it does.
    pub outcome: Outcome,
}

/// The counts of one notation and kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    at_once: u64,
    later: u64,
    never: u64,
    same_move: u64,
    plies_until_refused: u64,
}

state!(Counts { at_once, later, never, same_move, plies_until_refused });

/// Counts of errors, by notation and kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Errors(BTreeMap<usize, [Counts; TextError::ALL.len()]>);

state!(Errors = counts);

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::AtOnce => self.at_once += 1,
            Outcome::Later(plies) => {
                self.later += 1;
                self.plies_until_refused += u64::from(plies);
            }
            Outcome::Never => self.never += 1,
            Outcome::SameMove => self.same_move += 1,
        }
    }

    fn merge(&mut self, other: &Counts) {
        self.at_once += other.at_once;
        self.later += other.later;
        self.never += other.never;
        self.same_move += other.same_move;
        self.plies_until_refused += other.plies_until_refused;
    }

    /// The integers of a row of the table.
    fn sums(&self) -> [u64; 6] {
        let Counts { at_once, later, never, same_move, plies_until_refused } = *self;
        let errors = at_once + later + never + same_move;
        [errors, at_once, later, never, same_move, plies_until_refused]
    }
}

impl Errors {
    /// No errors yet, in these notations.
    pub fn of(draws: ErrorDraws) -> Errors {
        Errors(draws.notations.iter().map(|place| (place, Default::default())).collect())
    }

    /// Makes the errors of a valid game, whose parts follow each other, and counts what they do.
    pub fn add(&mut self, parts: &[&GameMoves], draws: ErrorDraws) {
        visit_errors(parts, draws, |made| {
            self.0.entry(made.notation).or_default()[made.kind as usize].add(made.outcome);
        });
    }

    /// Has the other the same notations?
    pub fn is_like(&self, other: &Errors) -> bool {
        self.0.keys().eq(other.0.keys())
    }

    /// Adds what another counted.
    pub fn merge(&mut self, other: &Errors) {
        for (&place, theirs) in &other.0 {
            let mine = self.0.entry(place).or_default();
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.merge(theirs));
        }
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(&errors::SCHEMA);
        for (&place, counts) in &self.0 {
            let name = NOTATIONS[place].info().name;
            for (kind, counts) in TextError::ALL.into_iter().zip(counts) {
                grid.push(&[name, kind.name()], &counts.sums());
            }
        }
        grid
    }
}

/// Where an error is made.
#[derive(Clone, Copy, Debug)]
struct Draw {
    ply: usize,
    kind: TextError,
    dice: Dice,
}

/// A moment of a game: the position and, if the game has one, its history.
#[derive(Clone, Copy, Debug)]
struct Moment {
    position: Position,
    lineage: Option<Lineage>,
}

impl Moment {
    fn after(&self, mv: Move) -> Moment {
        let lineage = self.lineage.map(|lineage| lineage.after(mv));
        Moment { position: self.position.play(mv), lineage }
    }

    fn write(&self, notation: &dyn Notation, mv: Move) -> MoveText {
        write_in(notation, &self.position, mv, self.lineage.as_ref())
    }
}

/// Makes the errors of a valid game, whose parts follow each other, and calls `visit` with each of them and what it
/// does.
pub fn visit_errors(
    parts: &[&GameMoves],
    draws: ErrorDraws,
    mut visit: impl FnMut(&MadeError<'_>),
) {
    let Some(&(position, lineage)) = parts.first().and_then(|part| part.start()) else { return };
    let moves = match parts {
        [part] => Cow::Borrowed(part.moves()),
        _ => Cow::Owned(parts.iter().flat_map(|part| part.moves()).copied().collect()),
    };
    let mut now = Moment { position, lineage };
    let mut ply = 0;
    for draw in drawn(&position, &moves, draws.per_game) {
        for &mv in &moves[ply..draw.ply] {
            now = now.after(mv);
        }
        ply = draw.ply;
        for place in draws.notations.iter() {
            let notation = NOTATIONS[place];
            if notation.needs_lineage() && now.lineage.is_none() {
                continue;
            }
            let info = notation.info();
            let right = now.write(notation, moves[ply]).to_string();
            let dice = draw.dice.with_bytes(info.name.as_bytes());
            if let Some(text) = draw.kind.made(&right, info.alphabet, dice) {
                let outcome = outcome(notation, &text, &now, &moves[ply..]);
                visit(&MadeError { notation: place, kind: draw.kind, ply, text: &text, outcome });
            }
        }
    }
}

/// Where errors are made in a game of one move at least, in the order of its plies.
fn drawn(start: &Position, moves: &[Move], per_game: u32) -> Vec<Draw> {
    let game = Dice::default().with_bytes(start.to_fen().as_bytes()).with(moves.len() as u64);
    let game = moves.iter().fold(game, |dice, &mv| dice.with(word_of(mv)));
    let mut draws = Vec::new();
    for number in 0..per_game.min(ERRORS_PER_GAME_MAX) {
        for kind in TextError::ALL {
            let mut dice = game.with_bytes(kind.name().as_bytes()).with(number.into());
            let ply = dice.below(moves.len());
            draws.push(Draw { ply, kind, dice });
        }
    }
    draws.retain(|draw| draw.ply < moves.len());
    draws.sort_by_key(|draw| draw.ply);
    draws
}

/// A move as a number: origin, target, promotion.
fn word_of(mv: Move) -> u64 {
    let promoted = mv.promoted().map_or(0, |role| role as u64 + 1);
    mv.origin().index() as u64 | (mv.target().index() as u64) << 6 | promoted << 12
}

/// What is read of a text.
enum Read {
    /// A text of this move that the strict profile accepts.
    Strict(Move),
    /// A text of this move that the lenient profile alone accepts, as a repair.
    Lenient(Move),
    /// None of a legal move.
    Nothing,
}

/// Reads a text as a game's text is read: its reading, and which profile accepts the text.
fn read(notation: &dyn Notation, text: &[u8], at: &Moment) -> Read {
    let reading = notation.read_in(text, &at.position, at.lineage.as_ref());
    let Ok(Reading { mv, check_suffix, deviations }) = reading else { return Read::Nothing };
    let check = Check::of(&at.position.play(mv));
    let has = |class: fn(&Rule) -> Class| {
        let mut all = deviations.iter().chain(check_suffix.deviation(check));
        all.any(|deviation| class(deviation.rule()) == Class::Fault)
    };
    match (has(|rule| rule.strict), has(|rule| rule.lenient)) {
        (false, _) => Read::Strict(mv),
        (true, false) => Read::Lenient(mv),
        (true, true) => Read::Nothing,
    }
}

/// What a text with an error does in the place of that of the first of these moves.
fn outcome(notation: &dyn Notation, text: &str, at: &Moment, moves: &[Move]) -> Outcome {
    let Some((&played, rest)) = moves.split_first() else { return Outcome::Never };
    let wrong = match read(notation, text.as_bytes(), at) {
        Read::Strict(mv) if mv != played => mv,
        Read::Strict(mv) | Read::Lenient(mv) if mv == played => return Outcome::SameMove,
        Read::Strict(_) | Read::Lenient(_) | Read::Nothing => return Outcome::AtOnce,
    };
    let (mut right, mut other) = (at.after(played), at.after(wrong));
    for (&mv, plies) in rest.iter().take(READ_ON_PLIES_MAX).zip(1..) {
        let text = right.write(notation, mv);
        match read(notation, text.as_bytes(), &other) {
            Read::Strict(wrong) => other = other.after(wrong),
            Read::Lenient(_) | Read::Nothing => return Outcome::Later(plies),
        }
        right = right.after(mv);
    }
    Outcome::Never
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{ECONOMICAL_SQUARES, MAIN, Ply, SAN, UCI};

    fn start() -> Moment {
        Moment { position: Position::initial(), lineage: Some(Lineage::initial()) }
    }

    /// Moves in SAN, from the starting position.
    fn moves(texts: &str) -> Vec<Move> {
        let mut now = start();
        let play = |text: &str| {
            let mv = SAN.decode(&now.position, text.as_bytes()).unwrap();
            now = now.after(mv);
            mv
        };
        texts.split_whitespace().map(play).collect()
    }

    /// What a text does in the place of the ply behind so many.
    fn done(notation: &dyn Notation, game: &str, plies: usize, text: &str) -> Outcome {
        let moves = moves(game);
        let at = moves[..plies].iter().fold(start(), |now, &mv| now.after(mv));
        outcome(notation, text, &at, &moves[plies..])
    }

    #[test]
    fn outcomes_are_those_that_the_rules_of_chess_give() {
        let game = "e4 e5 Bc4 d6 Bb5+ c6 Bxc6+";
        assert_eq!(done(SAN, game, 0, "e5"), Outcome::AtOnce);
        assert_eq!(done(SAN, game, 0, "4e"), Outcome::AtOnce);
        assert_eq!(done(SAN, game, 0, ""), Outcome::AtOnce);
        // The bishop cannot leave.
        assert_eq!(done(SAN, game, 0, "Nf3"), Outcome::Later(2));
        assert_eq!(done(SAN, game, 1, "e6"), Outcome::Never);
        // Without a check suffix; with one too many; a small letter for a piece, which is not repaired.
        assert_eq!(done(SAN, game, 4, "Bb5"), Outcome::SameMove);
        assert_eq!(done(SAN, game, 2, "Bc4+"), Outcome::SameMove);
        assert_eq!(done(SAN, game, 2, "bc4"), Outcome::AtOnce);
        // Another move, with a check suffix that is not its own: legal in UCI, which has none.
        assert_eq!(done(SAN, game, 4, "Bd5+"), Outcome::AtOnce);
        assert_eq!(done(UCI, game, 4, "c4d5"), Outcome::Later(2));
        assert_eq!(done(UCI, game, 5, "a7a6"), Outcome::AtOnce);
        // The last ply: no text is left that could be refused.
        assert_eq!(done(UCI, game, 6, "b5a4"), Outcome::Never);
        // A square that a pawn and the knight reach: the knight's text is that of no other piece then.
        assert_eq!(done(ECONOMICAL_SQUARES, "e4 e5 Nf3", 2, "c3"), Outcome::AtOnce);
        assert_eq!(done(ECONOMICAL_SQUARES, "e4 e5 Nf3", 2, "d4"), Outcome::Never);
    }

    /// A game of knights that come and go.
    fn dance(plies: usize) -> (GameMoves, Vec<GameMoves>) {
        let (mut now, mut whole, mut part) = (start(), GameMoves::default(), GameMoves::default());
        let mut parts = Vec::new();
        for (&mv, number) in moves("Nf3 Nf6 Ng1 Ng8").iter().cycle().take(plies).zip(1..) {
            let after = now.after(mv);
            let ply = Ply::new(&now.position, mv, &after.position, Check::None);
            whole.push(&ply);
            part.push(&ply);
            if number % 70 == 0 {
                parts.push(part.take_part());
            }
            now = after;
        }
        parts.push(part);
        (whole, parts)
    }

    fn made(parts: &[&GameMoves], per_game: u32) -> Vec<(usize, TextError, usize, Outcome)> {
        let mut all = Vec::new();
        let draws = ErrorDraws { notations: Selection::of(&MAIN), per_game };
        visit_errors(parts, draws, |made| {
            assert!(!made.text.is_empty());
            all.push((made.notation, made.kind, made.ply, made.outcome));
        });
        all
    }

    #[test]
    fn errors_of_a_game_in_parts_are_those_of_the_game() {
        let (whole, parts) = dance(350);
        let parts: Vec<&GameMoves> = parts.iter().collect();
        let all = made(&[&whole], 9);
        assert!(parts.len() == 6 && all.len() > 9 * 8 * 3);
        assert_eq!(made(&parts, 9), all);
        // The first errors of many are those of few, and other games have others.
        let (few, mut rest) = (made(&[&whole], 4), all.iter());
        assert!(few.iter().all(|error| rest.any(|other| other == error)));
        assert_ne!(made(&[&dance(351).0], 9), all);
        let (none, draws) =
            (GameMoves::default(), ErrorDraws { notations: Selection::of(&MAIN), per_game: 1 });
        let mut errors = Errors::of(draws);
        errors.add(&[&none], draws);
        errors.add(&[], draws);
        assert_eq!(errors, Errors::of(draws));
    }

    #[test]
    fn no_more_plies_are_read_than_the_limit() {
        // Black's pawn is on a5 already, which is seen when it is to go there.
        let after = |dances: usize| {
            let game = format!("a3 a6 {}e4 a5", "Nf3 Nf6 Ng1 Ng8 ".repeat(dances));
            done(SAN, &game, 1, "a5")
        };
        assert_eq!(after(2), Outcome::Later(10));
        let dances = READ_ON_PLIES_MAX / 4;
        assert_eq!(after(dances - 1), Outcome::Later(READ_ON_PLIES_MAX as u32 - 2));
        assert_eq!(after(dances), Outcome::Never);
    }
}
