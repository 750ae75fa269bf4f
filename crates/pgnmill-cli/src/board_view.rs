//! The diagram of a position of any ruleset, for `pgnmill explain`.
//!
//! In: a position. Out: its ranks, with White at the bottom, then pockets, promoted pieces and checks where the
//! ruleset has
//! them. Pieces are letters, White's in capitals, or figurines; the paladin of Chess 99 has no figurine.

use std::fmt::Write as _;

use pgnmill_core::chess::rules::{AnyPosition, Role99, Square99, VariantKind, VariantPosition};
use pgnmill_core::chess::{Color, Position, Role, Square};

/// Adds the diagram.
pub(super) fn draw(position: &AnyPosition, figurines: bool, page: &mut String) {
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
    };
    let Some((color, letter, role)) = found else { return '.' };
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
    use pgnmill_core::chess::rules::RulesKind;

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
}
