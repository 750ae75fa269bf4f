//! A line of EPD or FEN (PGN standard, 16.1 and 16.2): a position, and in EPD operations after it.
//!
//! In: a line. Out: its position, and the bytes of its operations, which are not read; or why it is none. Invariant: a
//! line has at least the four fields that describe a position; two numbers after them are move clocks. Cost: linear.
//!
//! ```
//! use pgnmill_core::chess::EpdLine;
//! let line = EpdLine::read(b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";")?;
//! assert_eq!(line.operations, b"bm e4; id \"pawn\";");
//! let line = EpdLine::read(b"4k3/8/8/8/8/8/4P3/4K3 w - - 12 40")?;
//! assert_eq!((line.position.fullmove_number(), line.operations), (40, &b""[..]));
//! # Ok::<(), pgnmill_core::chess::EpdError>(())
//! ```

use std::fmt;

use super::{FenError, Position};

/// The fields of a position: pieces, side to move, castling rights, en passant square.
const POSITION_FIELDS: usize = 4;
/// The fields of a FEN record.
const FEN_FIELDS: usize = 6;

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
        let line = line.trim_ascii();
        let end_of = |fields| field_end(line, fields);
        let four = end_of(POSITION_FIELDS).ok_or(EpdError::Fields)?;
        let has_clocks = |&end: &usize| {
            let mut clocks = line[four..end].split(|byte| *byte == b' ' || *byte == b'\t');
            clocks.all(|field| field.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-'))
        };
        let end = end_of(FEN_FIELDS).filter(has_clocks).unwrap_or(four);
        let (position, _) = Position::from_fen(&line[..end]).map_err(EpdError::Position)?;
        Ok(EpdLine { position, operations: line[end..].trim_ascii() })
    }
}

/// Where the field of this number, from 1, ends.
fn field_end(line: &[u8], number: usize) -> Option<usize> {
    let mut at = 0;
    for _ in 0..number {
        let rest = &line[at..];
        let start = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = line[start..].iter().position(u8::is_ascii_whitespace);
        at = length.map_or(line.len(), |length| start + length);
    }
    Some(at)
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
}
