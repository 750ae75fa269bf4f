//! The games of `data/crazyhouse.txt`: random play under the rules of Crazyhouse.
//!
//! In: a seed. Out: games in canonical SAN without a `Variant` tag pair, which are chess unless `--rules crazyhouse` is
//! given. Captures, drops and checks are preferred, so that games have all of these; a move that mates is played.

use std::fmt::Write as _;

use pgnmill_core::chess::rules::{AnyVariant, GameEnd, Rules, VariantKind, VariantPosition};
use pgnmill_core::chess::{Color, Move};
use pgnmill_core::notation::{Check, MoveText, SAN, VariantPly};

use crate::common::Dice;

/// Games in the file.
pub(super) const GAMES: usize = 12;
/// A longer game is abandoned.
const PLIES_MAX: usize = 120;
const LINE_BYTES_MAX: usize = 79;

/// The games of the file.
pub(super) fn games() -> String {
    let mut dice = Dice::new(2_022);
    (1..=GAMES).map(|number| game(number, &mut dice)).collect()
}

fn game(number: usize, dice: &mut Dice) -> String {
    let mut position = VariantKind::Crazyhouse.initial(false);
    let mut words = Vec::new();
    let mut result = "*";
    while words.len() < PLIES_MAX * 3 / 2 {
        let moves = position.legal_moves();
        let is_lively = |mv: &Move| {
            mv.is_drop() || position.board().is_capture(*mv) || is_check(&position.play(*mv))
        };
        let lively: Vec<_> = moves.iter().copied().filter(is_lively).collect();
        let wins =
            |mv: &Move| matches!(AnyVariant::end(&position.play(*mv)), Some(GameEnd::Win(_)));
        let mv = match moves.iter().copied().find(wins) {
            Some(mate) => mate,
            None if lively.is_empty() || dice.below(3) == 0 => dice.one(&moves),
            None => dice.one(&lively),
        };
        let after = position.play(mv);
        let end = AnyVariant::end(&after);
        let check = match end {
            Some(GameEnd::Win(_)) => Check::Mate,
            _ if is_check(&after) => Check::Check,
            _ => Check::None,
        };
        let mut text = MoveText::default();
        let ply = VariantPly::new(&position, mv, &after, check);
        SAN.encode_variant(&ply, &mut text).expect("SAN writes every move");
        if position.turn() == Color::White {
            words.push(format!("{}.", position.board().fullmove_number()));
        }
        words.push(text.to_string());
        position = after;
        result = match end {
            None => continue,
            Some(GameEnd::Win(Color::White)) => "1-0",
            Some(GameEnd::Win(Color::Black)) => "0-1",
            Some(GameEnd::Draw | GameEnd::Unscored) => "1/2-1/2",
        };
        break;
    }
    words.push(result.to_string());
    let mut game = format!(
        "[Event \"Random play under the rules of Crazyhouse\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n\
         [Round \"{number}\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n"
    );
    let mut line_bytes = LINE_BYTES_MAX;
    for word in words {
        let breaks = line_bytes + 1 + word.len() > LINE_BYTES_MAX;
        write!(game, "{}{word}", if breaks { '\n' } else { ' ' }).unwrap();
        line_bytes = if breaks { word.len() } else { line_bytes + 1 + word.len() };
    }
    game + "\n\n"
}

fn is_check(position: &VariantPosition) -> bool {
    AnyVariant::in_check(position)
}
