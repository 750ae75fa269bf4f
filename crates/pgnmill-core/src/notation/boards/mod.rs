//! The notations on boards that are given by a table (`docs/reference/boards.md`).
//!
//! In: a [`TablePly`], or a text and a position. Out: a text, or the move that it means. Four notations have texts on
//! these boards, each by a [`BoardTexts`]: SAN, long algebraic, UCI and Geographical notation (`write.rs`). Invariant:
//! no two legal moves of a position share a text, and a text that was written is read as its move. Cost: a reader
//! writes the moves whose piece and target can be those of the text, and compares.
//!
//! ```
//! use pgnmill_core::chess::rules::{BoardKind, TablePosition};
//! use pgnmill_core::notation::{self, SAN, UCI};
//! let position = TablePosition::initial(BoardKind::Raumschach);
//! let reading = SAN.read_table(b"NBb3", &position).unwrap();
//! assert_eq!(notation::write_on_board(UCI, &position, reading.mv).unwrap().to_string(), "Ab1Bb3");
//! ```

mod loose;
mod words;
mod write;

use crate::chess::rules::{BoardTable, Cell, TableMove, TablePosition};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::ply::TablePly;
use super::reading::without_spaces;
use super::{Check, CheckSuffix, MoveText, Reading, algebraic};

use loose::Family;
use write::{Numbers, Write};

/// The texts of a notation on these boards.
#[derive(Debug)]
pub(super) struct BoardTexts {
    /// Writes a move without its check suffix.
    write: Write,
    /// Are `+` and `#` written?
    writes_check: bool,
    /// How other spellings are read.
    family: Family,
}

/// Standard Algebraic Notation.
pub(super) static SAN: BoardTexts =
    BoardTexts { write: write::san, writes_check: true, family: Family::San };

/// Long algebraic notation.
pub(super) static LONG: BoardTexts =
    BoardTexts { write: write::long, writes_check: true, family: Family::Coordinates };

/// UCI.
pub(super) static UCI: BoardTexts =
    BoardTexts { write: write::uci, writes_check: false, family: Family::Coordinates };

/// Geographical notation.
pub(super) static GEOGRAPHICAL: BoardTexts =
    BoardTexts { write: write::geographical, writes_check: true, family: Family::Geographical };

impl BoardTexts {
    /// Adds the canonical text of a ply.
    pub(super) fn encode(&self, ply: &TablePly<'_>, text: &mut MoveText) {
        (self.write)(ply.before(), ply.mv(), text);
        match ply.check() {
            Check::Check if self.writes_check => text.push(b'+'),
            Check::Mate if self.writes_check => text.push(b'#'),
            _ => {}
        }
    }

    /// Reads any text that has exactly one legal reading.
    ///
    /// # Errors
    /// The fault, if the text has no reading or several.
    pub(super) fn read(
        &self,
        text: &[u8],
        position: &TablePosition,
    ) -> Result<Reading<TableMove>, Deviation> {
        let joined = without_spaces(text)?;
        let (body, check_suffix) = match self.writes_check {
            true => algebraic::split_check_suffix(&joined),
            false => (&joined[..], CheckSuffix::Unspecified),
        };
        let mut deviations = DeviationSet::EMPTY;
        if joined.len() < text.len() {
            deviations.add(Deviation::NotationVariant);
        }
        let mv = match self.find(body, position) {
            Some(mv) => mv,
            None => {
                let (mv, odd) = loose::read(self.family, self.write, body, position)?;
                deviations = deviations.union(odd);
                mv
            }
        };
        Ok(Reading { mv, check_suffix, deviations })
    }

    /// The legal move whose canonical text this is, without a check suffix.
    fn find(&self, body: &[u8], position: &TablePosition) -> Option<TableMove> {
        let (table, mut found) = (position.table(), None);
        let target = match self.family {
            Family::Geographical => None,
            _ => Some(last_cell(table, body)?),
        };
        position.pieces().any(|(origin, color, row)| {
            if color != position.turn() {
                return false;
            }
            let is_lettered = body.starts_with(table.pieces[row].name.as_bytes());
            let is_named = match self.family {
                Family::San => row == write::PAWN || is_lettered,
                Family::Coordinates => true,
                Family::Geographical => {
                    is_lettered && {
                        let mut piece = MoveText::default();
                        write::push_piece(position, origin, Numbers::Several, &mut piece);
                        let rest = body.strip_prefix(piece.as_bytes());
                        rest.is_some_and(|rest| matches!(rest.first(), Some(b'-' | b'x')))
                    }
                }
            };
            let mut is_it = |mv: TableMove| {
                if target.is_some_and(|target| target != mv.target()) {
                    return false;
                }
                let mut text = MoveText::default();
                (self.write)(position, mv, &mut text);
                found = Some(mv).filter(|&mv| text.as_bytes() == body && position.is_legal(mv));
                found.is_some()
            };
            is_named && position.visit_from(origin, &mut is_it)
        });
        found
    }
}

/// The last cell that a text names: a promotion may follow.
fn last_cell(table: &BoardTable, body: &[u8]) -> Option<Cell> {
    let end = body.iter().rposition(u8::is_ascii_digit)? + 1;
    // A level, a file, and one digit or two.
    (2..=4).rev().find_map(|length| table.cell_named(body.get(end.checked_sub(length)?..end)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::rules::boards::ten;
    use std::collections::BTreeMap;

    const ALL: [(&str, &BoardTexts); 4] =
        [("san", &SAN), ("long", &LONG), ("uci", &UCI), ("geographical", &GEOGRAPHICAL)];

    fn text(texts: &BoardTexts, position: &TablePosition, mv: TableMove) -> String {
        let mut text = MoveText::default();
        (texts.write)(position, mv, &mut text);
        text.to_string()
    }

    /// On a board with long leapers and circular riders, too, no two moves share a text, and texts are read back.
    #[test]
    fn texts_of_long_leapers_are_distinct_and_read_back() {
        let mut seed = 0x5eed_u64;
        let mut below = |count: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % count
        };
        for _ in 0..pgnmill_dice::trials(2, 6, 60) {
            let mut position = TablePosition::start_of(&ten::TABLE);
            for _ in 0..24 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for (name, texts) in ALL {
                    let mut known = BTreeMap::new();
                    for &mv in &moves {
                        let text = text(texts, &position, mv);
                        assert_eq!(known.insert(text.clone(), mv), None, "{name}: {text}");
                        let reading = texts.read(text.as_bytes(), &position).expect(&text);
                        assert_eq!(reading.mv, mv, "{name}: {text} in {position}");
                        assert!(reading.deviations.is_empty(), "{name}: {text} in {position}");
                    }
                }
                position = position.play(moves[below(moves.len())]);
            }
        }
    }

    /// The texts of the source, note 3 and 4.
    #[test]
    fn long_leapers_are_written_as_in_the_source() {
        let empty = "k8K/10/10/10/10/10/10/10";
        for (front, uci, expected) in [
            ("C9/10", "a2b5", "C-nnne"),
            ("Z9/10", "a2c5", "Z-nnnee"),
            ("10/4F5", "e1d4", "F-n3w"),
            ("10/4F5", "e1c4", "F-n3w2"),
            ("10/4F5", "e1a7", "F-n3w2/2"),
            ("O9/10", "a2b4", "Ro-nne"),
            ("10/4O5", "e1e5", "Ro-nne.cc2"),
            ("10/4O5", "e1h4", "Ro-nne.cw2"),
            ("10/4O5", "e1j3", "Ro-nne.cw3"),
        ] {
            let record = format!("{empty}/{front} w - 0 1");
            let (position, _) =
                TablePosition::of_record(&ten::TABLE, record.as_bytes()).expect(&record);
            let reading = UCI.read(uci.as_bytes(), &position).expect(uci);
            assert_eq!(text(&GEOGRAPHICAL, &position, reading.mv), expected);
        }
    }
}
