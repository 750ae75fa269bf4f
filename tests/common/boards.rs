//! Random games of the rulesets that are given by a table, in canonical SAN.

use std::fmt::Write as _;

use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::{BoardKind, GameEnd, Rules, TablePosition, TableRules};
use pgnmill_core::notation::{SAN, write_on_board};

use super::Dice;

/// So many games, each with at least one ply, some with variations, comments and annotations; some end with mate.
pub(crate) fn games(kind: BoardKind, count: usize, plies_max: usize, dice: &mut Dice) -> String {
    (1..=count).map(|number| game(kind, number, plies_max, dice)).collect()
}

fn game(kind: BoardKind, number: usize, plies_max: usize, dice: &mut Dice) -> String {
    let (mut position, mut movetext) = (TablePosition::initial(kind), String::new());
    let mut needs_number = true;
    let mut end = None;
    for _ in 0..=dice.below(plies_max) {
        let moves = position.legal_moves();
        let is_white = position.turn() == Color::White;
        if is_white || needs_number {
            let dots = if is_white { "." } else { "..." };
            let _ = write!(movetext, "{}{dots} ", position.fullmove_number());
        }
        needs_number = false;
        let mv = dice.one(&moves);
        let written = |mv| write_on_board(SAN, &position, mv).expect("SAN writes every move");
        let _ = write!(movetext, "{} ", written(mv));
        if dice.below(30) == 0 {
            let dots = if is_white { "." } else { "..." };
            let other = written(dice.one(&moves));
            let number = position.fullmove_number();
            let _ = write!(movetext, "$1 {{a comment}} ({number}{dots} {other}) ");
            needs_number = true;
        }
        position = position.play(mv);
        end = TableRules::end(&position);
        if end.is_some() {
            break;
        }
    }
    let result = match end {
        None => "*",
        Some(GameEnd::Win(Color::White)) => "1-0",
        Some(GameEnd::Win(Color::Black)) => "0-1",
        Some(GameEnd::Draw | GameEnd::Unscored) => "1/2-1/2",
    };
    format!(
        "[Event \"Random play\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{number}\"]\n[White \"?\"]\n\
         [Black \"?\"]\n[Result \"{result}\"]\n[Variant \"{}\"]\n\n{movetext}{result}\n\n",
        kind.title()
    )
}
