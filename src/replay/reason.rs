//! Why a word is no move in a position, in words for the person who must mend the game.
//!
//! In: the kind of fault, the word, the position. Out: one line, which ends with the position's FEN. Runs once a rejected game.

use crate::board::{Color, Position, Role, Square};
use crate::fault::Deviation;

/// Why a word is no move here.
pub(super) fn explain(kind: Deviation, word: &str, position: &Position) -> String {
    let why = match kind {
        Deviation::MoveAmbiguous => ambiguous(word, position),
        Deviation::MoveIllegal => unreachable_square(word, position),
        _ => None,
    };
    let why = why.unwrap_or_else(|| {
        let plain = match kind {
            Deviation::MoveAmbiguous => "fits several legal moves",
            Deviation::MoveIllegal => "fits no legal move",
            Deviation::MovesAfterEnd => "comes after the end of the game",
            Deviation::PromotionPieceMissing => "does not say what the pawn becomes",
            Deviation::PromotionNotAPromotion => "promotes what cannot be promoted",
            _ => "cannot be read as a move",
        };
        format!("{word} {plain}")
    });
    format!("{why}; position {}", position.to_fen())
}

/// The man and the square that a word of the algebraic family names.
fn man_and_square(word: &str) -> Option<(Role, Square)> {
    let bytes = word.as_bytes();
    let role = match *bytes.first()? {
        letter @ b'A'..=b'Z' => Role::from_letter(letter)?,
        _ => Role::Pawn,
    };
    let target = bytes.windows(2).rev().find_map(|pair| Square::from_ascii(pair[0], pair[1]))?;
    Some((role, target))
}

/// Where the men stand that could make the move.
fn origins(position: &Position, role: Role, target: Square) -> Vec<String> {
    let moves = position.legal_moves();
    let fitting = moves.iter().filter(|mv| mv.role() == role && mv.target() == target);
    let name = |square: Square| {
        [square.file_letter(), square.rank_digit()].map(char::from).iter().collect::<String>()
    };
    let mut origins: Vec<String> = fitting.map(|mv| name(mv.origin())).collect();
    origins.dedup();
    origins
}

fn ambiguous(word: &str, position: &Position) -> Option<String> {
    let (role, target) = man_and_square(word)?;
    let origins = origins(position, role, target);
    (origins.len() > 1).then(|| format!("{word} is ambiguous: {}", origins.join(", ")))
}

fn unreachable_square(word: &str, position: &Position) -> Option<String> {
    let (role, target) = man_and_square(word)?;
    let side = if position.turn() == Color::White { "white" } else { "black" };
    let man = match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    let (file, rank) = (char::from(target.file_letter()), char::from(target.rank_digit()));
    let origins = origins(position, role, target);
    let in_check = if position.in_check() { ", with the king in check" } else { "" };
    Some(match origins.as_slice() {
        [] => format!("{word}: no {side} {man} can legally go to {file}{rank}{in_check}"),
        origins => {
            let only = origins.join(", ");
            format!("{word}: the {side} {man} that can go to {file}{rank} stands on {only}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_men_are_named_that_could_move_or_none() {
        let why = |kind, word, fen: &str| {
            let (position, _) = Position::from_fen(fen.as_bytes()).expect("a position");
            explain(kind, word, &position)
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let illegal = why(Deviation::MoveIllegal, "e5", start);
        assert_eq!(illegal, format!("e5: no white pawn can legally go to e5; position {start}"));
        let knights = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1";
        let two = why(Deviation::MoveAmbiguous, "Ne2", knights);
        assert!(two.starts_with("Ne2 is ambiguous: ") && two.contains("c3") && two.contains("g1"));
        let other = why(Deviation::MoveIllegal, "Naf3", start);
        assert!(other.starts_with("Naf3: the white knight that can go to f3 stands on g1; "));
    }
}
