//! Why a FEN record is rejected: a clause that names the field and the square.
//!
//! In: a record and its error. Out: one clause for a person. Runs once per rejected game.

use crate::chess::rules::boards::placement_fault;
use crate::chess::rules::{BoardKind, Role99, RulesKind, VariantKind};
use crate::chess::{Color, FenError, Position, Square};
use crate::pgn::lossy;

use super::obstacle::{pieces, side};

/// Why no game of these rules can continue from a record.
pub(super) fn explain(error: FenError, record: &[u8], rules: RulesKind) -> String {
    let record = lossy(record);
    let fields: Vec<&str> = record.split_ascii_whitespace().collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    let placement = without_pocket(field(0));
    if let RulesKind::Board(kind) = rules {
        return on_board(error, &fields, kind);
    }
    // Chess 99 has no castling field, and one counter.
    let is_short = rules == RulesKind::Chess99 && fields.len() < 6;
    match error {
        FenError::Board => board(&placement, rules),
        FenError::NoKing => kings(&placement, rules),
        FenError::PawnOnBackRank if rules != RulesKind::Chess99 => pawn(&placement),
        FenError::SideNotToMoveInCheck => check(&placement, field(1)),
        FenError::Turn => format!("the side to move is `{}`, neither w nor b", field(1)),
        FenError::Castling => {
            let known = |letter: &char| "KQABCDEFGH".contains(letter.to_ascii_uppercase());
            let odd = field(2).chars().find(|letter| !known(letter)).unwrap_or('-');
            format!("`{odd}` in the castling field `{}` is no right", field(2))
        }
        FenError::EnPassant => {
            format!("the en passant field `{}` is no square", field(if is_short { 2 } else { 3 }))
        }
        FenError::Clocks => {
            let counters = fields.get(if is_short { 3 } else { 4 }..).unwrap_or_default();
            let odd = counters.iter().find(|clock| {
                **clock != "-" && (clock.parse::<u32>().is_err() || clock.starts_with('+'))
            });
            let odd = odd.copied().unwrap_or_default();
            match odd.bytes().all(|byte| byte.is_ascii_digit()) {
                true => format!("the move counter `{odd}` is too large"),
                false => format!("the move counter `{odd}` is no number"),
            }
        }
        _ => error.to_string(),
    }
}

/// The error of a record of a board that is given by a table.
fn on_board(error: FenError, fields: &[&str], kind: BoardKind) -> String {
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    let placement = field(0);
    match error {
        FenError::Board if placement.is_empty() => "the record is empty".to_string(),
        FenError::Board => {
            placement_fault(kind.table(), placement.as_bytes()).unwrap_or_else(|| error.to_string())
        }
        FenError::NoKing => kings(placement, RulesKind::Board(kind)),
        FenError::Turn => format!("the side to move is `{}`, neither w nor b", field(1)),
        FenError::EnPassant => {
            let odd = field(if fields.len() == 6 { 3 } else { 2 });
            format!("the en passant field `{odd}` is no cell")
        }
        FenError::Clocks => {
            let is_number = |field: &&&str| **field == "-" || field.parse::<u32>().is_ok();
            let odd = fields[2..].iter().rev().take(2).find(|field| !is_number(field));
            format!("the move counter `{}` is no number, or too large", odd.unwrap_or(&""))
        }
        FenError::PawnOnBackRank => {
            "a pawn is on a cell on which it promotes, where none can be".to_string()
        }
        _ => error.to_string(),
    }
}

/// The pieces on the board alone: without a pocket, and without the marks of promoted pieces.
fn without_pocket(field: &str) -> String {
    let board = field.split('[').next().unwrap_or_default();
    let ranks: Vec<&str> = board.split('/').collect();
    let has_ninth = ranks.len() == 9 && !ranks.iter().any(|rank| rank.contains('9'));
    let is_of_nine = ranks.iter().take(1).any(|rank| squares_of(rank) == 9);
    let board = if has_ninth && !is_of_nine { ranks[..8].join("/") } else { board.to_string() };
    board.replace('~', "")
}

fn squares_of(rank: &str) -> u32 {
    rank.chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum()
}

/// The error in the piece placement.
fn board(field: &str, rules: RulesKind) -> String {
    if field.is_empty() {
        return "the record is empty".to_string();
    }
    let is_nine = rules == RulesKind::Chess99;
    let side = if is_nine { 9 } else { 8 };
    let is_known = |letter: char| match letter.to_digit(10) {
        Some(digit) => (1..=side).contains(&digit),
        None if is_nine => Role99::from_letter(letter.to_ascii_uppercase() as u8).is_some(),
        None => "PNBRQK".contains(letter.to_ascii_uppercase()),
    };
    let ranks: Vec<&str> = field.split('/').collect();
    for (rank, number) in ranks.iter().zip((1..=side).rev()) {
        if let Some(odd) = rank.chars().find(|letter| !letter.is_ascii() || !is_known(*letter)) {
            return format!("`{odd}` on rank {number} is no piece");
        }
        let squares = squares_of(rank);
        if squares != side {
            return format!("rank {number}, `{rank}`, has {squares} squares instead of {side}");
        }
    }
    format!("there are {} ranks instead of {side}", ranks.len())
}

/// The sides that have no king, or several.
fn kings(field: &str, rules: RulesKind) -> String {
    let counts = ['K', 'k'].map(|letter| field.matches(letter).count());
    if matches!(rules, RulesKind::Variant { kind: VariantKind::Horde, .. }) {
        let [white, black] = counts;
        return format!(
            "White has {white} and Black {black} of the kings: the horde has none, the other side one"
        );
    }
    let of = |color: Color, count: usize| match count {
        1 => None,
        0 => Some(format!("{} has no king", side(color))),
        count => Some(format!("{} has {count} kings", side(color))),
    };
    let clauses = [of(Color::White, counts[0]), of(Color::Black, counts[1])];
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
                return format!("a {color} pawn is on {square}, where none can be");
            }
            file += letter.to_digit(10).unwrap_or(1) as u8;
        }
    }
    FenError::PawnOnBackRank.to_string()
}

/// The king that could be captured, and the pieces that attack it: the checkers if the other side were to move.
fn check(board: &str, turn: &str) -> String {
    let other = if turn.eq_ignore_ascii_case("b") { "w" } else { "b" };
    match Position::from_fen(format!("{board} {other}").as_bytes()) {
        Ok((position, _)) => {
            let (other, by) = (position.turn(), pieces(&position, position.checkers()));
            let king = position.king(other);
            let (waits, moves) = (side(other), side(other.other()));
            format!("{moves} is to move and could take {waits}'s king on {king} with {by}")
        }
        Err(FenError::SideNotToMoveInCheck) => "both kings are in check".to_string(),
        Err(_) => FenError::SideNotToMoveInCheck.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::rules::AnyPosition;

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
            ("4k2P/8/8/8/8/8/8/4K3 w".to_string(), "a white pawn is on h8, where none can be"),
            ("4k3/8/8/8/8/8/8/p3K3 w".to_string(), "a black pawn is on a1, where none can be"),
            (
                "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1".to_string(),
                "White is to move and could take Black's king on e8 with the rook on e4",
            ),
            ("4k3/4R3/8/8/8/8/4r3/4K3 w".to_string(), "both kings are in check"),
            (format!("rnbqkbnr{rest} x"), "the side to move is `x`, neither w nor b"),
            (format!("rnbqkbnr{rest} w KX"), "`X` in the castling field `KX` is no right"),
            (format!("rnbqkbnr{rest} w KQ e9"), "the en passant field `e9` is no square"),
            (format!("rnbqkbnr{rest} w KQ - 1 +2"), "the move counter `+2` is no number"),
        ] {
            let error = Position::from_fen(record.as_bytes()).expect_err(&record);
            let found = explain(error, record.as_bytes(), RulesKind::Chess);
            assert_eq!(found, expected, "{record}");
        }
    }

    /// In other rulesets the clause is of their board, their pockets and their kings.
    #[test]
    fn the_clause_is_that_of_the_ruleset() {
        let variant = |kind| RulesKind::Variant { kind, chess960: false };
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let nine = "rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBAKQBNR";
        for (rules, record, expected) in [
            (
                RulesKind::Chess99,
                board.to_string(),
                "rank 9, `rnbqkbnr`, has 8 squares instead of 9",
            ),
            (
                RulesKind::Chess99,
                nine.replace("/9/9/9/9/9", "/9/9/9/9"),
                "there are 8 ranks instead of 9",
            ),
            (
                RulesKind::Chess99,
                format!("{nine} w e5 99999999999999"),
                "the move counter `99999999999999` is too large",
            ),
            (
                variant(VariantKind::Horde),
                format!("{board} w"),
                "White has 1 and Black 1 of the kings: the horde has none, the other side one",
            ),
            (
                variant(VariantKind::Crazyhouse),
                "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN[Qq] w".to_string(),
                "rank 1, `RNBQKBN`, has 7 squares instead of 8",
            ),
            (
                variant(VariantKind::Crazyhouse),
                "4k3/8/8/8/4R3/8/8/4K3[] w - - 0 1".to_string(),
                "White is to move and could take Black's king on e8 with the rook on e4",
            ),
        ] {
            let error = AnyPosition::from_fen(record.as_bytes(), rules).expect_err(&record);
            assert_eq!(explain(error, record.as_bytes(), rules), expected, "{record}");
        }
    }
}
