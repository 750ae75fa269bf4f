//! What annotates a ply: random games, of which the test knows to which ply, null move or variation each annotation is
//! written.
//!
//! In: legal games with null moves in every spelling, variations within each other, comments, NAGs and move numbers in every place. Law:
//! the columns of both tables have for each ply what was written after it and before the next ply, null move or
//! result, variations apart; and nothing of what was written elsewhere.

use std::fmt::Write as _;

use super::table::{self, Value};
use crate::common::games::registered;
use crate::common::{Dice, trials};
use pgnmill_core::chess::{Color, Position};
use pgnmill_core::notation;

/// The null moves that are read.
const NULL_MOVES: [&str; 6] = ["--", "Z0", "@@@@", "0000", "null", "pass"];

/// How deep variations are within each other, at most.
const VARIATION_DEPTH_MAX: u32 = 3;

/// What was written after one ply.
#[derive(Clone, Debug, Default)]
struct Written {
    clock: Option<i64>,
    elapsed: Option<i64>,
    eval: Option<i64>,
    nags: Vec<Option<i64>>,
    words: Vec<String>,
}

/// A game that is being written, and what its plies are to have.
struct Game<'d> {
    dice: &'d mut Dice,
    text: String,
    position: Position,
    plies: Vec<Written>,
    /// The number of the next annotation, so that each is another.
    number: i64,
}

impl Game<'_> {
    /// Random annotations. Those of a ply are added to it.
    fn annotate(&mut self, is_of_ply: bool) {
        for _ in 0..self.dice.below(4) {
            self.number += 1;
            let number = self.number;
            let mut nowhere = Written::default();
            let written = if is_of_ply { self.plies.last_mut() } else { None };
            let written = written.unwrap_or(&mut nowhere);
            match self.dice.below(4) {
                0 => {
                    let _ = write!(self.text, " ${number}");
                    written.nags.push(Some(number));
                }
                1 => {
                    // Commands alone, the form that is read without tokens.
                    let _ = write!(self.text, " {{[%clk {number}] [%eval {number}.0]}}");
                    written.clock.get_or_insert(number * 1_000);
                    written.eval.get_or_insert(number * 100);
                }
                2 => {
                    let _ = write!(self.text, " {{[%emt {number}] word{number}}}");
                    written.elapsed.get_or_insert(number * 1_000);
                    written.words.push(format!("word{number}"));
                }
                _ => {
                    let _ = writeln!(self.text, " ; word{number} [%clk {number}]");
                    written.clock.get_or_insert(number * 1_000);
                    written.words.push(format!("word{number}"));
                }
            }
        }
    }

    /// A move number, in front of a move.
    fn number(&mut self) {
        let number = self.position.fullmove_number();
        let is_black = self.position.turn() == Color::Black;
        let _ = match self.dice.below(3) {
            0 => write!(self.text, " "),
            1 if is_black => write!(self.text, " {number}... "),
            _ if is_black => write!(self.text, " "),
            1 => write!(self.text, " {number}."),
            _ => write!(self.text, " {number} "),
        };
    }

    /// A variation from `start`, perhaps with others in it: moves, null moves and annotations that belong to no ply of
    /// the main line, before and after an inner variation.
    fn variation(&mut self, start: &Position, depth: u32) {
        self.text.push_str(" (");
        self.annotate(false);
        let mut position = *start;
        for _ in 0..1 + self.dice.below(3) {
            let (before, moves) = (position, position.legal_moves());
            if self.dice.below(3) == 0 && may_pass(&position) {
                let _ = write!(self.text, " {}", self.dice.one(&NULL_MOVES));
                position = position.play_null();
            } else if !moves.is_empty() {
                let mv = self.dice.one(&moves);
                let _ = write!(self.text, " {}", notation::write(registered("san"), &position, mv));
                position = position.play(mv);
            }
            self.annotate(false);
            if depth < VARIATION_DEPTH_MAX && self.dice.below(4) == 0 {
                self.variation(&before, depth + 1);
                self.annotate(false);
            }
        }
        self.text.push_str(" )");
    }

    /// A ply or a null move, its annotations, and perhaps a variation.
    fn step(&mut self) -> bool {
        let (before, moves) = (self.position, self.position.legal_moves());
        self.number();
        let passes = self.dice.below(3) == 0 && may_pass(&before);
        if passes {
            self.text.push_str(self.dice.one(&NULL_MOVES));
            self.position = before.play_null();
        } else if moves.is_empty() {
            return false;
        } else {
            let mv = self.dice.one(&moves);
            let _ = write!(self.text, "{}", notation::write(registered("san"), &before, mv));
            self.position = before.play(mv);
            self.plies.push(Written::default());
        }
        self.annotate(!passes);
        if self.dice.below(4) == 0 {
            self.variation(&before, 1);
            self.annotate(!passes);
        }
        true
    }
}

fn may_pass(position: &Position) -> bool {
    !position.in_check() && !position.is_stalemate()
}

fn random_game(dice: &mut Dice) -> (String, Vec<Written>) {
    let text = "[Event \"x\"]\n\n".to_string();
    let mut game = Game { dice, text, position: Position::initial(), plies: vec![], number: 6 };
    game.annotate(false);
    for _ in 0..game.dice.below(30) {
        if !game.step() {
            break;
        }
    }
    game.text.push_str(" *");
    game.annotate(false);
    (game.text + "\n\n", game.plies)
}

fn number(value: Option<i64>) -> Value {
    value.map_or(Value::Null, Value::Number)
}

#[test]
fn annotations_belong_to_the_ply_before_them_and_those_of_null_moves_to_none() {
    let mut dice = Dice::new(2027);
    let games: Vec<(String, Vec<Written>)> =
        (0..trials(400, 400, 4_000)).map(|_| random_game(&mut dice)).collect();
    let text: String = games.iter().map(|(text, _)| text.as_str()).collect();
    let args = "--allow null-move-main-line --columns all";
    let plies = table::table_of(text.as_bytes(), &format!("--table plies {args}"));
    let places = ["game", "clock_ms", "emt_ms", "eval_cp", "nags", "comment"];
    let places = places.map(|name| plies.index(name));
    let mut rows = plies.rows.iter();
    for (index, (text, written)) in games.iter().enumerate() {
        for (ply, written) in written.iter().enumerate() {
            let row = rows.next().expect(text);
            let found = places.map(|place| row[place].clone());
            let comment = written.words.join(" ");
            let expected = [
                Value::Number(index as i64 + 1),
                number(written.clock),
                number(written.elapsed),
                number(written.eval),
                Value::List(written.nags.clone()),
                if comment.is_empty() { Value::Null } else { Value::Text(comment) },
            ];
            assert_eq!(found, expected, "ply {} of {text}", ply + 1);
        }
    }
    assert!(rows.next().is_none(), "a row more");
    lists_have_the_values_of_plies(&text, &games, args);
}

/// The lists of the table of games: one element per ply; null if no ply has any.
fn lists_have_the_values_of_plies(text: &str, games: &[(String, Vec<Written>)], args: &str) {
    let table = table::table_of(text.as_bytes(), args);
    assert_eq!(table.rows.len(), games.len());
    for name in ["clocks", "evals_cp"] {
        let value = |written: &Written| match name {
            "clocks" => written.clock,
            _ => written.eval,
        };
        for (found, (text, plies)) in table.column(name).into_iter().zip(games) {
            let list: Vec<Option<i64>> = plies.iter().map(value).collect();
            let has_any = list.iter().any(Option::is_some);
            let expected = if has_any { Value::List(list) } else { Value::Null };
            assert_eq!(found, &expected, "{name} of {text}");
        }
    }
}
