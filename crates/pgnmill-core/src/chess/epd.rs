//! A line of EPD or FEN (PGN standard, 16.1 and 16.2): a position, and in EPD operations after it.
//!
//! In: a line. Out: its position, the bytes of its operations, and these one by one ([`EpdOperations`]); or why it is
//! none. Invariant: a line has at least the four fields that describe a position; two numbers after them are move
//! clocks. Cost: linear.
//!
//! ```
//! use pgnmill_core::chess::{EpdLine, EpdOperations};
//! let line = EpdLine::read(b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";")?;
//! assert_eq!(line.operations, b"bm e4; id \"pawn\";");
//! let opcodes: Vec<&[u8]> = EpdOperations::of(line.operations)
//!     .map(|operation| operation.map(|it| &line.operations[it.opcode]))
//!     .collect::<Result<_, _>>()
//!     .unwrap();
//! assert_eq!(opcodes, [b"bm", b"id"]);
//! let line = EpdLine::read(b"4k3/8/8/8/8/8/4P3/4K3 w - - 12 40")?;
//! assert_eq!((line.position.fullmove_number(), line.operations), (40, &b""[..]));
//! # Ok::<(), pgnmill_core::chess::EpdError>(())
//! ```

use std::fmt;
use std::ops::Range;

use super::rules::{RulesKind, VariantKind};
use super::{FenError, Position};

/// A line of more bytes, its line end not counted, is not read.
pub const LINE_BYTES_MAX: usize = 64 << 10;
/// The fields of a position: pieces, side to move, castling rights, en passant square.
const POSITION_FIELDS: usize = 4;
/// The fields of a record of Chess 99 without the number of the move: pieces, side to move, the square passed.
const POSITION_FIELDS_99: usize = 3;
/// The fields of a position of Raumschach, which has no double steps; of Gliński's chess there is one more.
const POSITION_FIELDS_BOARD: usize = 2;
/// The move clocks of a FEN record: the halfmove clock and the number of the move.
const CLOCK_FIELDS: usize = 2;
/// Characters of an opcode (PGN standard, 16.2.4: a letter and up to fourteen more).
const OPCODE_BYTES_MAX: usize = 15;

/// A line of EPD or FEN.
#[derive(Clone, Copy, Debug)]
pub struct EpdLine<'l> {
    /// The position; without move clocks with those of a game that begins.
    pub position: Position,
    /// What follows it, without whitespace around it.
    pub operations: &'l [u8],
}

/// Why a line is not of EPD or FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// It has fewer than four fields.
    Fields,
    /// Its fields are no position.
    Position(FenError),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Fields => {
                f.write_str("a position has four fields (EPD) or six (FEN), and there are fewer")
            }
            EpdError::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EpdError {}

impl EpdLine<'_> {
    /// Is there nothing to read in a line: is it blank, or a comment that begins with `#`?
    pub fn is_skipped(line: &[u8]) -> bool {
        let line = line.trim_ascii_start();
        line.is_empty() || line.starts_with(b"#")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// Fewer than four fields; fields from which no position can be read.
    pub fn read(line: &[u8]) -> Result<EpdLine<'_>, EpdError> {
        let fields = EpdFields::of(line, RulesKind::Chess).ok_or(EpdError::Fields)?;
        let record = &line[fields.record];
        let (position, _) = Position::from_fen(record).map_err(EpdError::Position)?;
        Ok(EpdLine { position, operations: line[fields.operations].trim_ascii() })
    }
}

/// Where the parts of a line are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdFields {
    /// The record of the position, with its move clocks if there are some.
    pub record: Range<usize>,
    /// Are there move clocks? In Chess 99 that is the number of the move.
    pub has_clocks: bool,
    /// What is after the record.
    pub operations: Range<usize>,
}

impl EpdFields {
    /// The parts of a line with a position of these rules; `None` if it has not all fields of one.
    ///
    /// With the fields of a position belong the checks of Three-check (`3+3` before the clocks, `+0+0` after them). A
    /// record of Chess 99 has three fields and the number of the move, or the six of chess. One of Gliński's chess has
    /// three fields and the clocks, or the six of chess; one of Raumschach two and the clocks.
    pub fn of(line: &[u8], rules: RulesKind) -> Option<EpdFields> {
        let mut fields = Fields { line, at: 0 };
        let is_99 = rules == RulesKind::Chess99;
        let start = fields.clone().next()?.start;
        let count = match rules {
            RulesKind::Chess99 => POSITION_FIELDS_99,
            RulesKind::Board(kind) => {
                POSITION_FIELDS_BOARD + usize::from(kind.table().has_en_passant())
            }
            _ => POSITION_FIELDS,
        };
        let mut end = fields.nth(count - 1)?.end;
        let has_clocks;
        if is_99 {
            let counters = fields.numbers();
            let six = fields.clone().skip(1).take(CLOCK_FIELDS);
            let is_six = six.clone().count() == CLOCK_FIELDS
                && six.clone().all(|field| is_number(&line[field]));
            has_clocks = is_six || counters > 0;
            let last =
                if is_six { fields.clone().nth(CLOCK_FIELDS) } else { fields.clone().next() };
            end = last.filter(|_| has_clocks).map_or(end, |field| field.end);
        } else if let RulesKind::Board(kind) = rules {
            // A dash before both clocks: the field before it is that of castling, as in chess.
            let next = fields.clone().take(CLOCK_FIELDS + 1);
            let numbers = next.take_while(|field| is_number(&line[field.clone()])).count();
            let is_six = kind.table().has_en_passant() && numbers > CLOCK_FIELDS;
            has_clocks = numbers >= CLOCK_FIELDS;
            let last = fields.nth(CLOCK_FIELDS - 1 + usize::from(is_six));
            end = last.filter(|_| has_clocks).map_or(end, |field| field.end);
        } else {
            let counts_checks =
                matches!(rules, RulesKind::Variant { kind: VariantKind::ThreeCheck, .. });
            let is_checks = |field: &Range<usize>| {
                let field = &line[field.clone()];
                field.contains(&b'+') && field.iter().all(|it| it.is_ascii_digit() || *it == b'+')
            };
            let take_checks = |fields: &mut Fields<'_>, end: &mut usize| {
                if let Some(field) = fields.clone().next().filter(is_checks) {
                    (*end, fields.at) = (field.end, field.end);
                }
            };
            if counts_checks {
                take_checks(&mut fields, &mut end);
            }
            has_clocks = fields.numbers() >= CLOCK_FIELDS;
            if has_clocks {
                end = fields.nth(CLOCK_FIELDS - 1).map_or(end, |field| field.end);
            }
            if counts_checks {
                take_checks(&mut fields, &mut end);
            }
        }
        Some(EpdFields { record: start..end, has_clocks, operations: end..line.len() })
    }
}

/// Is it a move clock, or the dash in place of one?
fn is_number(field: &[u8]) -> bool {
    field.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
}

/// The fields of a line: what is between whitespace.
#[derive(Clone)]
struct Fields<'l> {
    line: &'l [u8],
    at: usize,
}

impl Fields<'_> {
    /// How many of the next two are move clocks, until one is not.
    fn numbers(&self) -> usize {
        let next = self.clone().take(CLOCK_FIELDS);
        next.take_while(|field| is_number(&self.line[field.clone()])).count()
    }
}

impl Iterator for Fields<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.line[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = self.line[start..].iter().position(u8::is_ascii_whitespace);
        self.at = length.map_or(self.line.len(), |length| start + length);
        Some(start..self.at)
    }
}

/// An operation; spans are of the text that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOperation {
    /// Its opcode; empty where a semicolon has none before it.
    pub opcode: Range<usize>,
    /// Its operands, with the whitespace between them.
    pub operands: Range<usize>,
    /// Does a semicolon end it?
    pub is_closed: bool,
}

/// Why a text is no operation: a span, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOperationError {
    /// The text.
    pub text: Range<usize>,
    /// The reason, for a person.
    pub reason: &'static str,
}

/// The operations of a line, in order; after an error there is none.
///
/// Two semicolons have an operation without an opcode between them, and the last operation may lack its semicolon. In a
/// string, from a quote to the next one, a semicolon ends nothing. A string has no escapes (PGN standard, 16.2.4).
#[derive(Clone, Debug)]
pub struct EpdOperations<'l> {
    text: &'l [u8],
    at: usize,
}

impl<'l> EpdOperations<'l> {
    /// The operations of a text.
    pub fn of(text: &'l [u8]) -> EpdOperations<'l> {
        EpdOperations { text, at: 0 }
    }

    fn read(&mut self, start: usize) -> Result<EpdOperation, EpdOperationError> {
        let text = self.text;
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
        let word = text[start..].iter().position(is_end).unwrap_or(text.len() - start);
        let opcode = start..start + word;
        let name = &text[opcode.clone()];
        let is_name = name.first().is_none_or(u8::is_ascii_alphabetic)
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let failed = |text, reason| Err(EpdOperationError { text, reason });
        if !is_name {
            return failed(opcode, "an opcode is a letter and letters, digits and _ after it");
        }
        if name.len() > OPCODE_BYTES_MAX {
            return failed(opcode, "an opcode has at most 15 characters");
        }
        let (mut at, mut end) = (opcode.end, opcode.end);
        while let Some(&byte) = text.get(at) {
            match byte {
                b';' => break,
                b'"' => match text[at + 1..].iter().position(|&byte| byte == b'"') {
                    Some(length) => at += length + 2,
                    None => {
                        return failed(at..text.len(), "the string that begins here has no end");
                    }
                },
                _ => at += 1,
            }
            end = if byte.is_ascii_whitespace() { end } else { at };
        }
        let operands = opcode.end + text[opcode.end..end].len()
            - text[opcode.end..end].trim_ascii_start().len()..end;
        let is_closed = at < text.len();
        self.at = at + usize::from(is_closed);
        Ok(EpdOperation { opcode, operands, is_closed })
    }
}

impl Iterator for EpdOperations<'_> {
    type Item = Result<EpdOperation, EpdOperationError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let read = self.read(start);
        if read.is_err() {
            self.at = self.text.len();
        }
        Some(read)
    }
}

/// The operands of an operation one by one: strings with their quotes, and words.
pub fn epd_operands(text: &[u8], operands: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let (mut at, end) = (operands.start, operands.end);
    std::iter::from_fn(move || {
        let start = at + text[at..end].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = match text[start] {
            b'"' => text[start + 1..end].iter().position(|&byte| byte == b'"').map(|it| it + 2),
            _ => text[start..end].iter().position(|it| it.is_ascii_whitespace() || *it == b'"'),
        };
        at = length.map_or(end, |length| start + length);
        Some(start..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_four_fields_or_six_and_operations() {
        let four = "4k3/8/8/8/8/8/4P3/4K3 b - -";
        for (line, operations, number) in [
            (four.to_string(), "", 1),
            (format!("  {four}\r"), "", 1),
            (format!("{four} 3 40"), "", 40),
            (format!("{four} 3 40 bm Kd7;"), "bm Kd7;", 40),
            (format!("{four} bm Kd7; c0 \"a; b\";"), "bm Kd7; c0 \"a; b\";", 1),
            (format!("{four} 3"), "3", 1),
            (format!("{four} hmvc 3;"), "hmvc 3;", 1),
        ] {
            let read = EpdLine::read(line.as_bytes()).unwrap();
            assert_eq!(read.operations, operations.as_bytes(), "{line}");
            assert_eq!(read.position.fullmove_number(), number, "{line}");
        }
        for (line, error) in [
            ("", EpdError::Fields),
            ("4k3/8/8/8/8/8/4P3/4K3 b -", EpdError::Fields),
            ("1. e4 e5 2. Nf3", EpdError::Position(FenError::Board)),
            ("8/8/8/8/8/8/8/K7 w - -", EpdError::Position(FenError::NoKing)),
        ] {
            assert_eq!(EpdLine::read(line.as_bytes()).unwrap_err(), error, "{line}");
        }
        for (line, is_skipped) in [("", true), (" \r", true), (" # a", true), (four, false)] {
            assert_eq!(EpdLine::is_skipped(line.as_bytes()), is_skipped);
        }
    }

    #[test]
    fn the_fields_of_a_line_are_those_of_its_rules() {
        let three_check = RulesKind::Variant { kind: VariantKind::ThreeCheck, chess960: false };
        let (chess, nine) = (RulesKind::Chess, RulesKind::Chess99);
        for (rules, record, has_clocks, operations) in [
            (chess, "8/8 w - - 0 1", true, " bm e4;"),
            (chess, "8/8 w - -", false, "  bm e4;"),
            (chess, "8/8 w - -", false, " 3+3 0 1"),
            (chess, "8/8 w - -", false, " 3"),
            (three_check, "8/8 w - -", false, " bm e4;"),
            (three_check, "8/8 w - - 3+3", false, " bm e4;"),
            (three_check, "8/8 w - - 3+3 0 1", true, " bm e4;"),
            (three_check, "8/8 w - - 0 1 +0+1", true, ""),
            (nine, "9/9 w -", false, " bm e4;"),
            (nine, "9/9 w e5 12", true, " bm e4;"),
            (nine, "9/9 w - - 0 1", true, " bm e4;"),
        ] {
            let line = format!("{record}{operations}");
            let fields = EpdFields::of(line.as_bytes(), rules).unwrap();
            assert_eq!(&line[fields.record], record);
            assert_eq!((fields.has_clocks, &line[fields.operations]), (has_clocks, operations));
        }
        assert_eq!(EpdFields::of(b"9/9 w", nine), None);
        assert_eq!(EpdFields::of(b"8/8 w -", chess), None);
    }

    #[test]
    fn operations_end_with_semicolons_outside_of_strings() {
        let read = |text: &str| -> Result<Vec<String>, (String, &str)> {
            let operations = EpdOperations::of(text.as_bytes());
            let shown = |it: EpdOperation| {
                let operands = epd_operands(text.as_bytes(), it.operands.clone());
                let operands: Vec<&str> = operands.map(|operand| &text[operand]).collect();
                let end = if it.is_closed { ";" } else { "" };
                format!("{}({}){end}", &text[it.opcode], operands.join("|"))
            };
            operations
                .map(|it| it.map(shown).map_err(|it| (text[it.text].to_string(), it.reason)))
                .collect()
        };
        for (text, expected) in [
            ("", vec![]),
            (" bm Nf3 d4;id \"a; b\" ; ", vec!["bm(Nf3|d4);", "id(\"a; b\");"]),
            ("noop;;ce -3", vec!["noop();", "();", "ce(-3)"]),
            ("c0 \"a\"\"b\"c\td ;", vec!["c0(\"a\"|\"b\"|c|d);"]),
            ("abcdefghijklmno 1;", vec!["abcdefghijklmno(1);"]),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for (text, at, words) in [
            ("bm e4; id \"a", "\"a", "no end"),
            ("3 4", "3", "letter"),
            ("b-m e4;", "b-m", "letter"),
            ("abcdefghijklmnop;", "abcdefghijklmnop", "15"),
        ] {
            let (found, reason) = read(text).unwrap_err();
            assert!(found == at && reason.contains(words), "{text}: {found} {reason}");
        }
    }
}
