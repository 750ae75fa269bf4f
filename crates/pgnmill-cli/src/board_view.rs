//! The diagram of a position of any ruleset, for `pgnmill explain`.
//!
//! In: a position. Out: its ranks, with White at the bottom, then pockets, promoted pieces and checks where the
//! ruleset has them. Levels are side by side, the lowest first; hexagons are staggered rows, each between the names of
//! its first and its last cell. Pieces are letters, White's in capitals, or figurines; pieces that chess does not have
//! (paladin, unicorn) have no figurine.

use std::fmt::Write as _;

use pgnmill_core::chess::rules::{
    AnyPosition, Role99, Square99, TablePosition, VariantKind, VariantPosition,
};
use pgnmill_core::chess::{Color, Position, Role, Square};

/// Adds the diagram.
pub(super) fn draw(position: &AnyPosition, figurines: bool, page: &mut String) {
    if let AnyPosition::Table(position) = position {
        match position.table().is_hexagonal() {
            true => hexagons(position, figurines, page),
            false => levels(position, figurines, page),
        }
        return;
    }
    let side = if matches!(position, AnyPosition::Chess99(_)) { 9 } else { 8 };
    for rank in (0..side).rev() {
        let _ = write!(page, "  {} ", rank + 1);
        for file in 0..side {
            let _ = write!(page, " {}", symbol(position, file, rank, figurines));
        }
        page.push('\n');
    }
    let files: String = ('a'..).take(usize::from(side)).flat_map(|file| [' ', file]).collect();
    let _ = writeln!(page, "    {files}\n");
    if let AnyPosition::Variant(position) = position {
        extras(position, figurines, page);
    }
}

/// The piece on a square; `.` where there is none.
fn symbol(position: &AnyPosition, file: u8, rank: u8, figurines: bool) -> char {
    let found = match position {
        AnyPosition::Chess(position) => on_board(position, file, rank),
        AnyPosition::Variant(position) => on_board(position.board(), file, rank),
        AnyPosition::Chess99(position) => Square99::at(file as i8, rank as i8)
            .and_then(|square| position.piece(square))
            .map(|(color, role)| (color, role.letter(), role_of(role))),
        AnyPosition::Table(position) => return symbol_at(position, [file, rank, 0], figurines),
    };
    found.map_or('.', |piece| letter_or_figurine(piece, figurines))
}

/// The piece on a cell; `.` where there is none.
fn symbol_at(position: &TablePosition, coordinates: [u8; 3], figurines: bool) -> char {
    let cell = position.table().cell(coordinates.map(|it| it as i8));
    let piece = cell.and_then(|cell| position.piece(cell));
    piece.map_or('.', |(color, letter)| {
        letter_or_figurine((color, letter, Role::from_letter(letter)), figurines)
    })
}

/// Rows of cells at one height, which are those of every second file.
fn hexagons(position: &TablePosition, figurines: bool, page: &mut String) {
    let table = position.table();
    let files = table.files().len();
    // Twice the second coordinate less the first is the height of a cell in half cells.
    let height = |y: usize, x: usize| 2 * y as i32 - x as i32;
    let rows = 0..table.rows_count();
    let top = rows.clone().map(|y| height(y, 0)).max().unwrap_or(0);
    for at in (-top..=top).rev() {
        let mut line = String::new();
        let (mut first, mut last) = (None, None);
        for x in 0..files {
            let y = rows.clone().find(|&y| height(y, x) == at);
            let cell = y.and_then(|y| table.cell([x as i8, y as i8, 0]));
            first = first.or(cell);
            last = cell.or(last);
            line.push(' ');
            line.push(match (cell, y) {
                (Some(_), Some(y)) => symbol_at(position, [x as u8, y as u8, 0], figurines),
                _ => ' ',
            });
        }
        let name = |cell| table.name_of(cell);
        let Some((first, last)) = first.zip(last) else { continue };
        let _ = writeln!(page, "  {:<3}{line}  {}", name(first), name(last));
    }
    let files: String = table.files().iter().flat_map(|&file| [' ', char::from(file)]).collect();
    let _ = writeln!(page, "     {files}\n");
}

/// The levels side by side, the lowest first.
fn levels(position: &TablePosition, figurines: bool, page: &mut String) {
    let table = position.table();
    let (files, rows, count) = (table.files().len(), table.rows_count(), table.levels_count());
    let width = 2 * files + 3;
    let titles = table.levels().iter().map(|&letter| char::from(letter));
    let titles: String = titles.map(|letter| format!("{letter:<width$}")).collect();
    let _ = writeln!(page, "     {}", titles.trim_end());
    for y in (0..rows).rev() {
        let _ = write!(page, "  {} ", y + 1);
        for z in 0..count {
            for x in 0..files {
                let symbol = symbol_at(position, [x as u8, y as u8, z as u8], figurines);
                let _ = write!(page, " {symbol}");
            }
            page.push_str(if z + 1 < count { "   " } else { "\n" });
        }
    }
    let letters: String = table.files().iter().flat_map(|&file| [' ', char::from(file)]).collect();
    let _ = writeln!(page, "    {}\n", vec![letters; count].join("   "));
}

fn letter_or_figurine((color, letter, role): (Color, u8, Option<Role>), figurines: bool) -> char {
    match role {
        Some(role) if figurines => figurine(color, role),
        _ if color == Color::White => char::from(letter),
        _ => char::from(letter.to_ascii_lowercase()),
    }
}

fn on_board(position: &Position, file: u8, rank: u8) -> Option<(Color, u8, Option<Role>)> {
    let square = Square::at(file, rank);
    let role = position.role_at(square)?;
    Some((position.color_at(square)?, role.letter(), Some(role)))
}

fn role_of(role: Role99) -> Option<Role> {
    Role::from_letter(role.letter())
}

fn figurine(color: Color, role: Role) -> char {
    let figurines = match color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    figurines[role.index()]
}

/// Pockets, promoted pieces, checks.
fn extras(position: &VariantPosition, figurines: bool, page: &mut String) {
    let before = page.len();
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        if position.kind() == VariantKind::Crazyhouse {
            let pocket: String = Role::ALL
                .into_iter()
                .flat_map(|role| {
                    let symbol = match figurines {
                        true => figurine(color, role),
                        false => char::from(role.letter()),
                    };
                    std::iter::repeat_n(symbol, usize::from(position.in_pocket(color, role)))
                })
                .collect();
            let pocket = if pocket.is_empty() { "empty" } else { &pocket };
            let _ = writeln!(page, "  {name}'s pocket: {pocket}");
        }
        if position.kind() == VariantKind::ThreeCheck {
            let _ =
                writeln!(page, "  {name} has given {} of 3 checks", position.checks_given(color));
        }
    }
    let promoted: Vec<String> =
        position.promoted().into_iter().map(|square| square.to_string()).collect();
    if !promoted.is_empty() {
        let _ = writeln!(page, "  promoted: {}", promoted.join(", "));
    }
    if page.len() > before {
        page.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_core::chess::rules::{BoardKind, RulesKind};

    #[test]
    fn figurines_are_the_twelve_of_unicode() {
        let position = AnyPosition::initial(RulesKind::Chess);
        let symbols = |rank: u8| -> String {
            (0..8).map(|file| symbol(&position, file, rank, true)).collect()
        };
        assert_eq!((symbols(0).as_str(), symbols(6).as_str()), ("♖♘♗♕♔♗♘♖", "♟♟♟♟♟♟♟♟"));
    }

    #[test]
    fn boards_have_their_ranks_and_pockets() {
        let mut page = String::new();
        draw(&AnyPosition::initial(RulesKind::Chess99), false, &mut page);
        assert!(page.starts_with("  9  r n b a k q b n r\n"), "{page}");
        assert!(page.ends_with("     a b c d e f g h i\n\n"), "{page}");
        let record = b"4k3/8/8/8/8/8/8/4K1N~1[QNpp] w - - 0 1";
        let (position, _) = VariantKind::Crazyhouse.from_fen(record, false).unwrap();
        page.clear();
        draw(&AnyPosition::Variant(position), false, &mut page);
        let extras = "  White's pocket: NQ\n  Black's pocket: PP\n  promoted: g1\n\n";
        assert!(page.ends_with(extras), "{page}");
    }

    /// Hexagons are staggered; every cell is drawn once, between the names of the ends of its row.
    #[test]
    fn other_boards_are_drawn_as_they_lie() {
        let drawn = |kind| {
            let mut page = String::new();
            draw(&AnyPosition::initial(RulesKind::Board(kind)), false, &mut page);
            page
        };
        let hexagons = drawn(BoardKind::Glinski);
        let rows: Vec<&str> = hexagons.lines().collect();
        assert_eq!(rows.len(), 23, "{hexagons}");
        assert_eq!(rows[0], "  f11           b            f11");
        assert_eq!(rows[1], "  e10         q   k          g10");
        assert_eq!(rows[10], "  b4    .   .   .   .   .    k4");
        assert_eq!(rows[20], "  f1            B            f1");
        assert_eq!(rows[21], "      a b c d e f g h i k l");
        let cells = rows[..21].iter().map(|row| row[5..27].matches(|it| it != ' ').count());
        assert_eq!(cells.sum::<usize>(), 91, "{hexagons}");
        let levels = drawn(BoardKind::Raumschach);
        let expected = "     A            B            C            D            E
  5  . . . . .    . . . . .    . . . . .    u b q u b    r n k n r
  4  . . . . .    . . . . .    . . . . .    p p p p p    p p p p p
  3  . . . . .    . . . . .    . . . . .    . . . . .    . . . . .
  2  P P P P P    P P P P P    . . . . .    . . . . .    . . . . .
  1  R N K N R    B U Q B U    . . . . .    . . . . .    . . . . .
     a b c d e    a b c d e    a b c d e    a b c d e    a b c d e

";
        assert_eq!(levels, expected);
    }
}
