//! Why a FEN record is rejected: a clause that names the field and the square.
//!
//! In: a record and its error. Out: one clause for a person. Runs once per rejected game.

use crate::chess::{Color, FenError, Position, Square};

use super::obstacle::{pieces, side};

/// Why no game can continue from a record.
pub(super) fn explain(error: FenError, record: &[u8]) -> String {
    let record = String::from_utf8_lossy(record).into_owned();
    let fields: Vec<&str> = record.split_ascii_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    match error {
        FenError::Board => board(field(0)),
        FenError::NoKing => kings(field(0)),
        FenError::PawnOnBackRank => pawn(field(0)),
        FenError::SideNotToMoveInCheck => check(&fields),
        FenError::Turn => format!("the side to move is `{}`, neither w nor b", field(1)),
        FenError::Castling => {
            let known = |letter: &char| "KQABCDEFGH".contains(letter.to_ascii_uppercase());
            let odd = field(2).chars().find(|letter| !known(letter)).unwrap_or('-');
            format!("`{odd}` in the castling field `{}` is no right", field(2))
        }
        FenError::EnPassant => format!("the en passant field `{}` is no square", field(3)),
        FenError::Clocks => {
            let odd = [field(4), field(5)].into_iter().find(|clock| {
                *clock != "-" && clock.parse::<u32>().is_err() || clock.starts_with('+')
            });
            format!("the move counter `{}` is no number", odd.unwrap_or_default())
        }
        _ => error.to_string(),
    }
}

/// The error in the piece placement.
fn board(field: &str) -> String {
    if field.is_empty() {
        return "the record is empty".to_string();
    }
    let ranks: Vec<&str> = field.split('/').collect();
    for (index, rank) in ranks.iter().enumerate().take(8) {
        let number = 8 - index;
        let known = |letter: &char| "PNBRQKpnbrqk12345678".contains(*letter);
        if let Some(odd) = rank.chars().find(|letter| !known(letter)) {
            return format!("`{odd}` on rank {number} is no piece");
        }
        let squares: u32 = rank.chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum();
        if squares != 8 {
            return format!("rank {number}, `{rank}`, has {squares} squares instead of 8");
        }
    }
    format!("there are {} ranks instead of 8", ranks.len())
}

/// The sides that have no king, or several.
fn kings(field: &str) -> String {
    let of = |color: Color, letter: char| match field.matches(letter).count() {
        1 => None,
        0 => Some(format!("{} has no king", side(color))),
        count => Some(format!("{} has {count} kings", side(color))),
    };
    let clauses = [of(Color::White, 'K'), of(Color::Black, 'k')];
    clauses.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// The square of a pawn on a back rank.
fn pawn(field: &str) -> String {
    let ranks: Vec<&str> = field.split('/').collect();
    for (text, number) in [(ranks.first(), 8), (ranks.last(), 1)] {
        let mut file = 0;
        for letter in text.copied().unwrap_or_default().chars() {
            if matches!(letter, 'P' | 'p') {
                let color = if letter == 'P' { "white" } else { "black" };
                let square = Square::at(file, number - 1);
                return format!("a {color} pawn stands on {square}, where none can");
            }
            file += letter.to_digit(10).unwrap_or(1) as u8;
        }
    }
    FenError::PawnOnBackRank.to_string()
}

/// The king that could be captured, and the pieces that attack it: the checkers if the other side were to move.
fn check(fields: &[&str]) -> String {
    let (Some(board), turn) = (fields.first(), fields.get(1)) else { return String::new() };
    let other = if turn.is_some_and(|turn| turn.eq_ignore_ascii_case("b")) { "w" } else { "b" };
    match Position::from_fen(format!("{board} {other}").as_bytes()) {
        Ok((position, _)) => {
            let (other, by) = (position.turn(), pieces(&position, position.checkers()));
            let king = position.king(other);
            let (waits, moves) = (side(other), side(other.other()));
            format!("{moves} is to move and could take {waits}'s king on {king} with {by}")
        }
        Err(_) => "both kings stand in check".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_own_clause() {
        let rest = "/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (record, expected) in [
            ("".to_string(), "the record is empty"),
            (format!("rnbqkbnrr{rest} w"), "rank 8, `rnbqkbnrr`, has 9 squares instead of 8"),
            (format!("rnbqkzn1{rest} w"), "`z` on rank 8 is no piece"),
            ("rnbqkbnr/pppppppp w".to_string(), "there are 2 ranks instead of 8"),
            (format!("rnbqqbnr{rest} w"), "Black has no king"),
            (format!("kkkqqbnr{rest} w"), "Black has 3 kings"),
            ("8/8/8/8/8/8/8/8 w".to_string(), "White has no king and Black has no king"),
            ("4k2P/8/8/8/8/8/8/4K3 w".to_string(), "a white pawn stands on h8, where none can"),
            ("4k3/8/8/8/8/8/8/p3K3 w".to_string(), "a black pawn stands on a1, where none can"),
            (
                "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1".to_string(),
                "White is to move and could take Black's king on e8 with the rook on e4",
            ),
            ("4k3/4R3/8/8/8/8/4r3/4K3 w".to_string(), "both kings stand in check"),
            (format!("rnbqkbnr{rest} x"), "the side to move is `x`, neither w nor b"),
            (format!("rnbqkbnr{rest} w KX"), "`X` in the castling field `KX` is no right"),
            (format!("rnbqkbnr{rest} w KQ e9"), "the en passant field `e9` is no square"),
            (format!("rnbqkbnr{rest} w KQ - 1 +2"), "the move counter `+2` is no number"),
        ] {
            let error = Position::from_fen(record.as_bytes()).expect_err(&record);
            assert_eq!(explain(error, record.as_bytes()), expected, "{record}");
        }
    }
}
