//! The legal moves that are similar to a token which is none, for `pgnmill explain`.
//!
//! In: a token, its notation, a position of any ruleset. Out: a line of at most [`NEAR_MAX`] moves. Cost: the legal
//! moves.

use pgnmill_core::chess::rules::{
    AnyPosition, Chess99, Position99, Rules, Square99, TableMove, TablePosition,
};
use pgnmill_core::chess::{Board, Move, Role, Square};
use pgnmill_core::notation::{self, Claim, MoveText, Notation, Ply99, SAN, VariantPly};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::pgn::lossy;
use pgnmill_core::replay;

/// Similar legal moves that are listed, at most.
const NEAR_MAX: usize = 24;

/// The legal moves that are similar to a token: those of its piece, and those to its square. `None` if the fault is not
/// of a move.
pub(super) fn of(
    notation: &dyn Notation,
    kind: Deviation,
    token: &[u8],
    position: &AnyPosition,
) -> Option<Vec<String>> {
    let of_a_move = matches!(
        kind,
        Deviation::MoveIllegal
            | Deviation::MoveAmbiguous
            | Deviation::MoveUnreadable
            | Deviation::PromotionPieceMissing
            | Deviation::PromotionNotAPromotion
            | Deviation::PieceLetterLowerCase
    );
    if !of_a_move {
        return None;
    }
    Some(match position {
        AnyPosition::Chess(position) => {
            let write =
                |mv, notation: &dyn Notation| notation::write(notation, position, mv).to_string();
            of_board(position, notation, token, write)
        }
        AnyPosition::Variant(position) => {
            let write = |mv, notation: &dyn Notation| {
                let (after, mut text) = (position.play(mv), MoveText::default());
                let ply = VariantPly::new(position, mv, &after, position.effect(mv).into());
                match notation.encode_variant(&ply, &mut text) {
                    Ok(()) => text.to_string(),
                    Err(_) => String::new(),
                }
            };
            of_board(position, notation, token, write)
        }
        AnyPosition::Chess99(position) => of_chess99(position, token),
        AnyPosition::Table(position) => of_table(position, notation, token),
    })
}

/// The first of these moves, as a line.
pub(super) fn shown(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(NEAR_MAX).cloned().collect();
    if names.len() > NEAR_MAX {
        shown.push(format!("and {} more", names.len() - NEAR_MAX));
    }
    if shown.is_empty() {
        shown.push("no legal move comes near".to_string());
    }
    shown.join(" ")
}

/// The plays of Chess 99 to the last square of a token, or all.
fn of_chess99(position: &Position99, token: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let square = token.windows(2).rev().find_map(|pair| Square99::from_ascii(pair[0], pair[1]));
    Chess99::visit_legal(position, &mut |play| {
        if square.is_none_or(|square| play.target() == square || play.origin() == square) {
            let (mut after, mut text) = (*position, MoveText::default());
            Chess99::play_into(position, play, &mut after);
            if notation::CHESS99.encode_99(&Ply99::new(position, play, &after), &mut text).is_ok() {
                names.push(text.to_string());
            }
        }
        false
    });
    names
}

/// The moves on the board of a table to the last cell that a token names, then those of its piece; without any, those
/// from the cell, or all.
fn of_table(position: &TablePosition, notation: &dyn Notation, token: &[u8]) -> Vec<String> {
    let table = position.table();
    let is_name = |at: usize, end: usize| token.get(at..end).and_then(|it| table.cell_named(it));
    let cell = (1..=token.len()).rev().find_map(|end| {
        // The longest name that ends here: `Aa1` rather than `a1`, `f11` rather than `f1`.
        [4, 3, 2].into_iter().find_map(|length| is_name(end.checked_sub(length)?, end))
    });
    let letter = token.first().copied().filter(|letter| table.letters().any(|it| it == *letter));
    let mut moves = position.legal_moves();
    let rank = |mv: &TableMove| {
        let piece = position.piece(mv.origin()).map(|(_, letter)| letter);
        match mv {
            mv if Some(mv.target()) == cell => 0,
            _ if letter.is_some() && piece == letter => 1,
            mv if Some(mv.origin()) == cell => 2,
            _ => 3,
        }
    };
    moves.sort_by_key(rank);
    let nearest = moves.first().map_or(3, rank);
    moves.retain(|mv| rank(mv) == nearest || rank(mv) < 2);
    let written = moves.iter().map(|&mv| notation::write_on_board(notation, position, mv));
    written.filter_map(Result::ok).map(|text| text.to_string()).collect()
}

/// The moves on the board of chess, the most similar first; `write` writes a move in a notation.
fn of_board(
    position: &impl Board,
    own_notation: &dyn Notation,
    bytes: &[u8],
    write: impl Fn(Move, &dyn Notation) -> String,
) -> Vec<String> {
    let token = lossy(bytes);
    let claim = replay::claimed(&token, own_notation);
    let target = bytes.windows(2).rev().find_map(|pair| Square::from_ascii(pair[0], pair[1]));
    let role = match claim {
        Some(Claim::Castling(_)) => Some(Role::King),
        Some(Claim::Step { role, origin_file, origin_rank, .. }) => {
            let origin = origin_file.zip(origin_rank).map(|(file, rank)| Square::at(file, rank));
            role.or_else(|| match origin {
                Some(origin) => position.role_at(origin),
                None => Some(Role::Pawn),
            })
        }
        None => bytes.first().and_then(|&letter| Role::from_letter(letter)),
    };
    let similarity = |mv: &Move| {
        let fits = claim.is_some_and(|claim| replay::fits(&claim, *mv));
        let same_target = mv.castling_side().is_none() && Some(mv.target()) == target;
        (u8::from(fits) << 2) | (u8::from(same_target) << 1) | u8::from(Some(mv.role()) == role)
    };
    let mut moves: Vec<Move> = position.legal_list().as_ref().to_vec();
    if target.is_some() || role.is_some() {
        moves.retain(|mv| similarity(mv) > 0);
    }
    moves.sort_by_key(|mv| std::cmp::Reverse(similarity(mv)));
    let san = |mv: &Move| {
        let (san, own) = (write(*mv, SAN), write(*mv, own_notation));
        let is_same = own_notation.is_san() || own == san || own.is_empty();
        if is_same { san } else { format!("{san}={own}") }
    };
    moves.iter().map(san).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All moves, or the first ones and how many more there are.
    #[test]
    fn a_line_has_all_moves_or_counts_the_rest() {
        for count in 0..=3 * NEAR_MAX {
            let names: Vec<String> = (0..count).map(|number| format!("Q{number}")).collect();
            let line = shown(&names);
            let (listed, more) = line.split_once(" and ").unwrap_or((&line, ""));
            let listed = listed.split(' ').filter(|name| name.starts_with('Q')).count();
            assert_eq!(listed, count.min(NEAR_MAX));
            let rest = count.saturating_sub(NEAR_MAX);
            let expected = if rest > 0 { format!("{rest} more") } else { String::new() };
            assert_eq!(more, expected, "{line}");
        }
    }
}
