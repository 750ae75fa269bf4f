//! What is shown of a move besides the columns of the table.
//!
//! In: a move and the position before it; a row. Out: the move with its number; the command that shows a game with it.
//! Invariant: a command has no control character and can be pasted into a shell. Cost: that of the texts.

use pgnmill_columns::PositionRow;
use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::{AnyPosition, RulesKind};

use crate::text::shell::quoted;

/// A move with its number: `1. e4`, `1... c5`.
pub fn numbered(before: &AnyPosition, text: &str) -> String {
    let dots = if before.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {text}", before.fullmove_number())
}

/// The command that shows a game of a move; `None` if the table names no archive, or none that a shell can read.
pub fn sample_command(row: &PositionRow, rules: RulesKind) -> Option<String> {
    let (archive, offset) = (row.sample_archive.as_ref()?, row.sample_offset?);
    if archive == "-" || archive.contains(char::is_control) {
        return None;
    }
    let archive = if archive.starts_with('-') { format!("./{archive}") } else { archive.clone() };
    let rules = match rules {
        RulesKind::Chess => String::new(),
        rules => format!(" --rules {}", rules.name()),
    };
    Some(format!("pgnmill explain {} --at {offset}{rules}", quoted(&archive)))
}
