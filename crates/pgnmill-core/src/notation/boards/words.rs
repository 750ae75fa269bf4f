//! The words of direction of Geographical notation on any board: `n3`, `nne`, `neu2`, `aab`, `n3w2/2`, `nne.cc2`.
//!
//! In: a board's table, a piece's row and the path of a move; or a text. Out: the text; or the path and what follows
//! it. Source: sources/003, "directions" and notes 3 to 5. A direction is its legs, each by the letter of a unit
//! direction of the board: a longer leg repeats its letter (`nne`, the camel `nnne`, the zebra `nnnee`); a piece whose
//! row has `in_numbers` writes the number of steps of each leg instead (the falcon `n3w`, `n3w2`). The number of times
//! that a rider makes the step follows if there are several, after numbers behind a slash (`ne3`, `n3w2/2`); on a
//! circle the sense comes before it (`nne.cc2`, `nne.cw3`). On a hexagonal board the legs are the two unit directions
//! beside the vector (`ab`, `aab`), on others those along the axes. Order of the legs (ours): that of the table.
//! Invariants: for one row no two paths share a text, and reading is the inverse of writing. Cost: a few comparisons
//! per letter.

use crate::chess::rules::boards::{Path, PieceRow, Turn};
use crate::chess::rules::{BoardTable, Vector};

use super::super::MoveText;

/// The most unit directions.
const DIRECTIONS_MAX: usize = 6;

/// How often each unit direction of the table is in a vector.
fn legs(table: &BoardTable, vector: Vector) -> [u8; DIRECTIONS_MAX] {
    let mut legs = [0; DIRECTIONS_MAX];
    let directions = table.directions;
    if !table.is_hexagonal {
        for (leg, &(_, unit)) in legs.iter_mut().zip(directions) {
            let along: i8 = unit.iter().zip(vector).map(|(a, b)| a * b).sum();
            *leg = along.max(0) as u8;
        }
        return legs;
    }
    // Of two neighbouring unit directions every vector between them is a sum.
    let [x, y, _] = vector;
    for index in 0..directions.len() {
        let next = (index + 1) % directions.len();
        let ([ax, ay, _], [bx, by, _]) = (directions[index].1, directions[next].1);
        let area = ax * by - ay * bx;
        let (first, second) = ((x * by - y * bx) * area, (ax * y - ay * x) * area);
        if first > 0 && second >= 0 {
            (legs[index], legs[next]) = (first as u8, second as u8);
        }
    }
    legs
}

/// Adds a number that is above 1.
pub(super) fn push_number(number: u8, text: &mut MoveText) {
    if number > 9 {
        text.push(b'0' + number / 10);
    }
    if number > 1 {
        text.push(b'0' + number % 10);
    }
}

/// Adds the words of a path.
pub(super) fn write(table: &BoardTable, row: &PieceRow, path: Path, text: &mut MoveText) {
    for (&(letter, _), leg) in table.directions.iter().zip(legs(table, path.vector)) {
        if row.in_numbers {
            if leg > 0 {
                text.push(letter);
                push_number(leg, text);
            }
            continue;
        }
        (0..leg).for_each(|_| text.push(letter));
    }
    match path.turn {
        Some(Turn::Clockwise) => text.push_bytes(b".cw"),
        Some(Turn::Counter) => text.push_bytes(b".cc"),
        None => {}
    }
    if path.steps > 1 && row.in_numbers {
        text.push(b'/');
    }
    push_number(path.steps, text);
}

/// Reads a number; 1 if there is none.
pub(super) fn read_number(text: &[u8]) -> (u8, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = text[..digits]
        .iter()
        .fold(0_u8, |number, digit| number.saturating_mul(10).saturating_add(digit - b'0'));
    (if digits == 0 { 1 } else { number }, &text[digits..])
}

/// Reads the words of a path that a text begins with; `None` if they are not what `write` writes.
pub(super) fn read<'t>(
    table: &BoardTable,
    row: &PieceRow,
    text: &'t [u8],
) -> Option<(Path, &'t [u8])> {
    let (mut vector, mut rest) = ([0_i8; 3], text);
    let unit_of = |letter: u8| table.directions.iter().find(|(known, _)| *known == letter);
    while let Some(&(_, unit)) = rest.first().and_then(|&letter| unit_of(letter)) {
        rest = &rest[1..];
        let mut leg = 1;
        if row.in_numbers {
            (leg, rest) = read_number(rest);
        }
        for (sum, step) in vector.iter_mut().zip(unit) {
            *sum = sum.checked_add(step.checked_mul(i8::try_from(leg).ok()?)?)?;
        }
    }
    let mut turn = None;
    for (sense, word) in [(Turn::Clockwise, b".cw"), (Turn::Counter, b".cc")] {
        if let Some(after) = rest.strip_prefix(word) {
            (turn, rest) = (Some(sense), after);
        }
    }
    let mut steps = 1;
    if !row.in_numbers {
        (steps, rest) = read_number(rest);
    } else if let Some(after) = rest.strip_prefix(b"/") {
        (steps, rest) = read_number(after);
    }
    let path = Path { vector, steps, turn };
    let mut written = MoveText::default();
    write(table, row, path, &mut written);
    let is_own = vector != [0; 3] && written.as_bytes() == &text[..text.len() - rest.len()];
    is_own.then_some((path, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::rules::BoardKind;
    use crate::chess::rules::boards::ten;
    use std::collections::BTreeMap;

    fn text(table: &BoardTable, row: &PieceRow, path: Path) -> String {
        let mut text = MoveText::default();
        write(table, row, path, &mut text);
        text.to_string()
    }

    /// All vectors up to 4 along each axis, without the null vector; in a plane if the board has one level.
    fn vectors(table: &BoardTable) -> Vec<Vector> {
        let depth = if table.levels().is_empty() { 0 } else { 4 };
        let mut vectors = Vec::new();
        for x in -4..=4 {
            for y in -4..=4 {
                vectors.extend((-depth..=depth).map(|z| [x, y, z]));
            }
        }
        vectors.retain(|vector| *vector != [0; 3]);
        vectors
    }

    /// For one row no two paths share a text, a text is read as its path, and any prefix of what follows is left.
    #[test]
    fn words_of_paths_are_distinct_and_read_back() {
        let letters = PieceRow::new(b'X', "X");
        let numbers = PieceRow { in_numbers: true, ..PieceRow::new(b'Y', "Y") };
        let boards = BoardKind::ALL.iter().map(|kind| kind.table()).chain([&ten::TABLE]);
        for table in boards {
            for row in [&letters, &numbers] {
                let mut texts = BTreeMap::new();
                for vector in vectors(table) {
                    for steps in 1..=12 {
                        for turn in [None, Some(Turn::Clockwise), Some(Turn::Counter)] {
                            let path = Path { vector, steps, turn };
                            let word = text(table, row, path);
                            assert!(word.len() <= 24, "{word}");
                            let other = texts.insert(word.clone(), path);
                            assert_eq!(other, None, "{word}: {path:?}");
                            for tail in ["", "=Q", "+", "x", "-"] {
                                let whole = format!("{word}{tail}");
                                let read = read(table, row, whole.as_bytes());
                                assert_eq!(read, Some((path, tail.as_bytes())), "{whole}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn words_are_those_of_the_source() {
        let (square, cube) = (&ten::TABLE, BoardKind::Raumschach.table());
        let hexagons = BoardKind::Glinski.table();
        let letters = PieceRow::new(b'X', "X");
        let numbers = PieceRow { in_numbers: true, ..PieceRow::new(b'F', "F") };
        let straight = |vector, steps| Path { vector, steps, turn: None };
        let turning = |vector, steps, turn| Path { vector, steps, turn: Some(turn) };
        for (table, row, path, expected) in [
            (square, &letters, straight([0, 1, 0], 3), "n3"),
            (square, &letters, straight([-1, -1, 0], 1), "sw"),
            (square, &letters, straight([1, 2, 0], 1), "nne"),
            (square, &letters, straight([1, 3, 0], 1), "nnne"),
            (square, &letters, straight([2, 3, 0], 1), "nnnee"),
            (square, &numbers, straight([-1, 3, 0], 1), "n3w"),
            (square, &numbers, straight([-2, 3, 0], 1), "n3w2"),
            (square, &numbers, straight([-2, 3, 0], 2), "n3w2/2"),
            (square, &letters, turning([1, 2, 0], 2, Turn::Counter), "nne.cc2"),
            (square, &letters, turning([1, 2, 0], 3, Turn::Clockwise), "nne.cw3"),
            (cube, &letters, straight([0, 0, 1], 3), "u3"),
            (cube, &letters, straight([0, 1, 1], 2), "nu2"),
            (cube, &letters, straight([1, 1, 1], 1), "neu"),
            (cube, &letters, straight([0, 2, 1], 1), "nnu"),
            (cube, &letters, straight([0, 1, 2], 1), "nuu"),
            (cube, &letters, straight([2, 0, 1], 1), "eeu"),
            (hexagons, &letters, straight([0, 1, 0], 2), "a2"),
            (hexagons, &letters, straight([1, 2, 0], 1), "ab"),
            (hexagons, &letters, straight([-1, 1, 0], 4), "af4"),
            (hexagons, &letters, straight([1, 3, 0], 1), "aab"),
            (hexagons, &letters, straight([2, 3, 0], 1), "abb"),
            (hexagons, &letters, straight([-1, 2, 0], 1), "aaf"),
            (hexagons, &letters, straight([-2, 1, 0], 1), "aff"),
        ] {
            assert_eq!(text(table, row, path), expected);
        }
        for odd in ["", "2", "wn", "ns", "n1", "nn.cx", "n.c", "n02"] {
            let read = read(square, &letters, odd.as_bytes());
            assert!(read.is_none_or(|(_, rest)| !rest.is_empty()), "{odd}: {read:?}");
        }
    }
}
