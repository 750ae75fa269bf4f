//! What the lines of EPD and FEN have: a position, and the operations of EPD.
//!
//! In: words such as `id=Event,bm,hmvc`. Out: the columns of the table whose values a line has, the position first and
//! the ruleset, which no line states, last, and the [`Opcode`]s, which refer to them. Invariant: an operation states
//! what its opcode means in the PGN standard (16.2.5): `bm` is a move from the position of the line, `ce` and `dm` are
//! of this position, from the side to move. Cost: some steps per word.
//!
//! ```
//! use pgnmill_core::tasks::export::{PlyPosition, PositionLines, Table};
//! let words = ["id=Event".to_string(), "bm".to_string(), "fmvn".to_string()];
//! let (lines, columns) = PositionLines::of(Table::Plies, PlyPosition::Before, &words)?;
//! assert_eq!(columns.iter().map(|column| &*column.name).collect::<Vec<_>>(), ["fen", "Event", "san", "rules"]);
//! assert_eq!(lines.opcodes.len(), 3);
//! # Ok::<(), pgnmill_core::tasks::export::OpcodeError>(())
//! ```

use std::fmt;

use crate::tasks::sorter::Spill;

use super::column::Column;
use super::kind::Kind;
use super::selection::Table;
use super::{games, plies};

/// Characters of an opcode, at most (PGN standard, 16.2.4).
const OPCODE_CHARS_MAX: usize = 15;

/// Which position of a ply a line has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlyPosition {
    /// That before the ply, as the column `fen`.
    #[default]
    Before,
    /// That after it.
    After,
}

/// What the lines of EPD and FEN have besides the position, which is the first column of the export.
#[derive(Clone, Debug, Default)]
pub struct PositionLines {
    /// The operations of a line of EPD, in order.
    pub opcodes: Vec<Opcode>,
    /// The column of rulesets: a record does not state of which rules it is.
    pub rules: usize,
    /// Each position is written once; the temporary files of what exceeds the memory.
    pub distinct: Option<Spill>,
    /// Of distinct ones: in the order of their records, in place of that of the rows.
    pub sorted: bool,
}

/// An operation of EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opcode {
    /// Its name.
    pub name: String,
    /// What it states.
    pub operand: Operand,
}

/// What an operation states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The halfmove clock of the position.
    HalfmoveClock,
    /// The number of the next move.
    MoveNumber,
    /// A move: the text of the column of this index.
    Move(usize),
    /// A number: the value of the column.
    Number(usize),
    /// A string in quotes: the value of the column.
    Text(usize),
}

/// Why a word is no operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpcodeError {
    /// The column is none of these tables.
    NoColumn(String),
    /// The opcode, of this name, is of the table of plies alone.
    OfPlies(String),
    /// The opcode, of this name, is a move from the position, and the position is that to which the move led.
    OfBefore(String),
    /// What is wrong, and what is written in its place.
    Refused(String),
}

impl fmt::Display for OpcodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpcodeError::NoColumn(name) => write!(f, "there is no column {name}"),
            OpcodeError::OfPlies(name) => write!(f, "{name} is of plies, which the table has not"),
            OpcodeError::OfBefore(name) => write!(
                f,
                "{name} is a move from the position, and the move of a ply leads to the one after it"
            ),
            OpcodeError::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for OpcodeError {}

/// What the standard requires of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    HalfmoveClock,
    MoveNumber,
    /// A move from the position.
    Move,
    /// Of the position, from the side to move: what the program computes itself.
    Evaluation,
    Mate,
    Number,
    Text,
    /// An opcode of somebody: as the column is.
    Free,
}

impl Meaning {
    fn of(opcode: &str) -> Meaning {
        match opcode {
            "hmvc" => Meaning::HalfmoveClock,
            "fmvn" => Meaning::MoveNumber,
            "am" | "bm" | "pm" | "pv" | "sm" => Meaning::Move,
            "ce" => Meaning::Evaluation,
            "dm" => Meaning::Mate,
            "acd" | "acn" | "acs" | "rc" => Meaning::Number,
            "eco" | "id" | "nic" | "tcri" | "tcsi" => Meaning::Text,
            _ => match opcode.as_bytes() {
                [b'c', b'0'..=b'9'] => Meaning::Text,
                [b'v', b'0'..=b'9'] => Meaning::Number,
                _ => Meaning::Free,
            },
        }
    }
}

fn refuse<T>(why: String) -> Result<T, OpcodeError> {
    Err(OpcodeError::Refused(why))
}

/// Is it an opcode? A letter, then letters, digits and underscores.
fn is_opcode(name: &str) -> bool {
    name.len() <= OPCODE_CHARS_MAX
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl PositionLines {
    /// The lines of a table with these operations, `OPCODE` or `OPCODE=COLUMN`, and the columns that they have. Lines
    /// of the table of games have the position after the last move.
    ///
    /// # Errors
    /// A word that is no operation, or one whose column does not state what the opcode means.
    pub fn of(
        table: Table,
        position: PlyPosition,
        words: &[String],
    ) -> Result<(PositionLines, Vec<Column>), OpcodeError> {
        let first = match (table, position) {
            (Table::Games, _) => games::last_record(),
            (Table::Plies, PlyPosition::Before) => plies::FEN,
            (Table::Plies, PlyPosition::After) => plies::FEN_AFTER,
        };
        let mut made = Made { table, position, columns: vec![first], opcodes: Vec::new() };
        words.iter().try_for_each(|word| made.add(word))?;
        let rules = made.of_game("rules").map_or(0, |column| made.index(column));
        let lines = PositionLines { opcodes: made.opcodes, rules, ..PositionLines::default() };
        Ok((lines, made.columns))
    }
}

/// The operations so far.
struct Made {
    table: Table,
    position: PlyPosition,
    columns: Vec<Column>,
    opcodes: Vec<Opcode>,
}

impl Made {
    fn add(&mut self, word: &str) -> Result<(), OpcodeError> {
        let (name, column) = match word.split_once('=') {
            Some((name, column)) => (name.trim(), Some(column.trim())),
            None => (word.trim(), None),
        };
        if !is_opcode(name) {
            return refuse(format!(
                "{name} is no opcode, which is a letter and up to 14 letters, digits and underscores: OPCODE or \
                 OPCODE=COLUMN"
            ));
        }
        if self.opcodes.iter().any(|opcode| opcode.name == name) {
            return refuse(format!("{name} is named twice"));
        }
        let operand = self.operand(name, column)?;
        self.opcodes.push(Opcode { name: name.to_string(), operand });
        Ok(())
    }

    fn operand(&mut self, name: &str, column: Option<&str>) -> Result<Operand, OpcodeError> {
        let meaning = Meaning::of(name);
        match (meaning, column) {
            (Meaning::HalfmoveClock, None) => Ok(Operand::HalfmoveClock),
            (Meaning::MoveNumber, None) => Ok(Operand::MoveNumber),
            (Meaning::HalfmoveClock | Meaning::MoveNumber, Some(_)) => {
                refuse(format!("{name} is of the position itself, and is written without a column"))
            }
            (Meaning::Move, None | Some("san")) => self.of_move(name),
            (Meaning::Move, Some(other)) => {
                refuse(format!("{name} is a move in SAN: {name}=san, not {other}"))
            }
            (Meaning::Evaluation, None | Some("eval_cp")) => {
                self.of_evaluation(name, plies::CE_BEFORE, plies::CE_AFTER)
            }
            (Meaning::Mate, None | Some("eval_mate")) => {
                self.of_evaluation(name, plies::DM_BEFORE, plies::DM_AFTER)
            }
            (Meaning::Evaluation | Meaning::Mate, Some(other)) => refuse(format!(
                "{name} is of the position and from the side to move, which {other} is not: write {name} alone"
            )),
            (_, None) => refuse(format!("{name} requires a column: {name}=COLUMN")),
            (_, Some(column)) => self.of_column(name, meaning, column),
        }
    }

    /// The column of games of this name.
    fn of_game(&self, name: &str) -> Option<Column> {
        Table::Games.columns().into_iter().find(|it| it.name == name && it.is_of_game())
    }

    /// The move that was played from the position.
    fn of_move(&mut self, name: &str) -> Result<Operand, OpcodeError> {
        match (self.table, self.position) {
            (Table::Plies, PlyPosition::Before) => Ok(Operand::Move(self.index(plies::san()))),
            (Table::Plies, PlyPosition::After) => Err(OpcodeError::OfBefore(name.to_string())),
            (Table::Games, _) => Err(OpcodeError::OfPlies(name.to_string())),
        }
    }

    /// An evaluation of the position, from the side to move.
    fn of_evaluation(
        &mut self,
        name: &str,
        before: Column,
        after: Column,
    ) -> Result<Operand, OpcodeError> {
        let column = match (self.table, self.position) {
            (Table::Games, _) => return Err(OpcodeError::OfPlies(name.to_string())),
            (Table::Plies, PlyPosition::Before) => before,
            (Table::Plies, PlyPosition::After) => after,
        };
        Ok(Operand::Number(self.index(column)))
    }

    fn of_column(
        &mut self,
        name: &str,
        meaning: Meaning,
        column: &str,
    ) -> Result<Operand, OpcodeError> {
        let own = self.table.column(&self.table.columns(), column).ok();
        let Some(column) = own.or_else(|| self.of_game(column)) else {
            return Err(OpcodeError::NoColumn(column.to_string()));
        };
        let is_number = match column.kind {
            Kind::Int16 | Kind::Int32 | Kind::Int64 => true,
            Kind::Int16List | Kind::Int32List | Kind::TextMap | Kind::Bytes(_) => {
                let column = column.name;
                return refuse(format!("{name} takes one text or number, and {column} is neither"));
            }
            _ => false,
        };
        if meaning == Meaning::Number && !is_number {
            return refuse(format!("{name} is a number, and {} is a text", column.name));
        }
        let index = self.index(column);
        let is_text = meaning == Meaning::Text || !is_number;
        Ok(if is_text { Operand::Text(index) } else { Operand::Number(index) })
    }

    /// The index of a column, which is added unless it is there.
    fn index(&mut self, column: Column) -> usize {
        // The first one is the position, whatever its name is.
        let known = self.columns.iter().skip(1).position(|known| known.name == column.name);
        known.map_or_else(
            || {
                self.columns.push(column);
                self.columns.len() - 1
            },
            |index| index + 1,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(table: Table, position: PlyPosition, words: &str) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.split(',').map(str::to_string).collect();
        let (lines, columns) =
            PositionLines::of(table, position, &words).map_err(|error| error.to_string())?;
        let shown = |opcode: &Opcode| match opcode.operand {
            Operand::HalfmoveClock | Operand::MoveNumber => opcode.name.clone(),
            Operand::Move(at) => format!("{} {}", opcode.name, columns[at].name),
            Operand::Number(at) => format!("{} {}", opcode.name, columns[at].name),
            Operand::Text(at) => format!("{} \"{}\"", opcode.name, columns[at].name),
        };
        Ok(lines.opcodes.iter().map(shown).collect())
    }

    #[test]
    fn operations_have_what_their_opcodes_mean() {
        use PlyPosition::{After, Before};
        use Table::{Games, Plies};
        let shown = |table, position, words| of(table, position, words).unwrap().join("; ");
        assert_eq!(
            shown(Plies, Before, "id=Event,bm,ce=eval_cp,c0=game_index,hmvc,fmvn,sm=san"),
            "id \"Event\"; bm san; ce ce; c0 \"game_index\"; hmvc; fmvn; sm san"
        );
        assert_eq!(
            shown(Plies, After, "v0=WhiteElo,x=ply,y=White"),
            "v0 WhiteElo; x ply; y \"White\""
        );
        assert_eq!(shown(Games, Before, "id=White,c1=outcome"), "id \"White\"; c1 \"outcome\"");
        for (table, position, words, why) in [
            (Plies, After, "bm", "leads to the one after"),
            (Plies, Before, "bm=uci", "bm=san, not uci"),
            (Games, Before, "bm", "of plies"),
            (Games, Before, "ce", "of plies"),
            (Plies, Before, "ce=mover_eval_cp", "write ce alone"),
            (Plies, Before, "acd=san", "acd is a number"),
            (Plies, Before, "id", "id=COLUMN"),
            (Plies, Before, "id=nonsense", "there is no column nonsense"),
            (Plies, Before, "id=moves", "there is no column moves"),
            (Plies, Before, "c0=nags", "nags is neither"),
            (Plies, Before, "c0=board", "board is neither"),
            (Plies, Before, "hmvc=ply", "without a column"),
            (Plies, Before, "id=Event,id=Site", "id is named twice"),
            (Plies, Before, "0c=ply", "0c is no opcode"),
            (Plies, Before, "abcdefghijklmnop=ply", "is no opcode"),
        ] {
            let refused = of(table, position, words).unwrap_err();
            assert!(refused.contains(why), "{words}: {refused}");
        }
    }
}
