//! The formats of positions: EPD and FEN, a line each (PGN standard, 16.1 and 16.2).
//!
//! In: groups of rows, whose first column is a FEN record. Out: lines. Invariants: a string has neither quotes nor
//! backslashes, nor characters that are not printed, so that readers with and without escapes read the same; what is
//! null has no operation; each position once: the first of the rows that have it, in the order of the rows or in that
//! of the records. Two records are the same position if they differ in nothing but their move clocks. Memory: where
//! each position is written once, that of two sorts, half of the bound each.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5; id "Linares";
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
//! ```

use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use pgnmill_core::tasks::export::{Buffer, Cell, Export, Group, Opcode, Operand, cell};
use pgnmill_core::tasks::sorter::{Sorter, Spill, Stored};
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Sink, Snapshot, is_stopped};
use pgnmill_state::state;

use super::{Fact, Piece, TableWriter, Work, not_again};

/// Rows that are encoded at once.
const PIECE_ROWS: usize = 1 << 13;
/// Bytes of the value of a string, at most (PGN standard, 16.2.4: less than 256).
const STRING_BYTES_MAX: usize = 255;
/// So many lines are written between two looks whether the run is to stop.
const LINES_BETWEEN: u64 = 1 << 16;

/// Which format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Epd,
    Fen,
}

/// A line of a position, and the number of its row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Line {
    /// With its line end.
    text: Vec<u8>,
    /// The bytes of the record without move clocks: what is compared.
    record_bytes: u16,
    number: u64,
}

state!(Line { text, record_bytes, number });

impl Line {
    fn record(&self) -> &[u8] {
        &self.text[..usize::from(self.record_bytes).min(self.text.len())]
    }
}

impl Ord for Line {
    fn cmp(&self, other: &Line) -> Ordering {
        self.record().cmp(other.record()).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Line {
    fn partial_cmp(&self, other: &Line) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Stored for Line {
    fn memory_bytes(&self) -> usize {
        size_of::<Line>() + self.text.capacity()
    }
}

/// A line that is the first of its position.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct First {
    number: u64,
    text: Vec<u8>,
}

state!(First { number, text });

impl Stored for First {
    fn memory_bytes(&self) -> usize {
        size_of::<First>() + self.text.capacity()
    }
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct PositionFile {
    sink: Sink,
    export: Arc<Export>,
    kind: Kind,
    /// Where each position is written once: what was read so far.
    distinct: Option<(Spill, Sorter<Line>)>,
    rows_count: u64,
}

impl PositionFile {
    pub(super) fn epd(sink: Sink, export: Arc<Export>) -> PositionFile {
        PositionFile::of(sink, export, Kind::Epd)
    }

    pub(super) fn fen(sink: Sink, export: Arc<Export>) -> PositionFile {
        PositionFile::of(sink, export, Kind::Fen)
    }

    fn of(sink: Sink, export: Arc<Export>, kind: Kind) -> PositionFile {
        let distinct = export.lines.distinct.as_ref().map(|spill| {
            let spill = Spill { bytes_max: spill.bytes_max / 2, ..spill.clone() };
            let sorter = Sorter::new(&spill);
            (spill, sorter)
        });
        PositionFile { sink, export, kind, distinct, rows_count: 0 }
    }

    /// Writes the first line of each position.
    fn write_distinct(&mut self, spill: &Spill, lines: Sorter<Line>) -> Result<u64> {
        let mut firsts = Sorter::new(spill);
        let mut last: Option<Line> = None;
        let (is_sorted, mut count) = (self.export.lines.sorted, 0);
        for (number, line) in lines.finish()?.enumerate() {
            check_stop(number as u64)?;
            let line = line?;
            if last.as_ref().is_some_and(|last| last.record() == line.record()) {
                continue;
            }
            if is_sorted {
                self.sink.add(&line.text)?;
                count += 1;
            } else {
                firsts.push(First { number: line.number, text: line.text.clone() })?;
            }
            last = Some(line);
        }
        for first in firsts.finish()? {
            check_stop(count)?;
            self.sink.add(&first?.text)?;
            count += 1;
        }
        Ok(count)
    }
}

fn check_stop(lines: u64) -> Result<()> {
    let is_due = lines.is_multiple_of(LINES_BETWEEN);
    if is_due && is_stopped() { Err(Error::interrupted()) } else { Ok(()) }
}

impl TableWriter for PositionFile {
    fn encode(&mut self, group: Group) -> Result<Vec<Work>> {
        let (kind, is_distinct) = (self.kind, self.distinct.is_some());
        let work = |group: Group| -> Work {
            let export = Arc::clone(&self.export);
            Box::new(move || {
                Ok(match is_distinct {
                    true => Piece::Positions(distinct_lines(kind, &export, &group)),
                    false => Piece::Text(lines(kind, &export, &group)),
                })
            })
        };
        Ok(group.divided(PIECE_ROWS).into_iter().map(work).collect())
    }

    fn write(&mut self, piece: Piece) -> Result<()> {
        match (piece, &mut self.distinct) {
            (Piece::Text(text), _) => self.sink.add(&text),
            (Piece::Positions(lines), Some((_, sorter))) => {
                for mut line in lines {
                    line.number = self.rows_count;
                    self.rows_count += 1;
                    sorter.push(line)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn path(&self) -> &Path {
        self.sink.path()
    }

    fn save(&mut self, out: &mut Snapshot) -> Result<()> {
        match self.distinct {
            // Runs with temporary files are not saved: such a run has no journal.
            Some(_) => Err(not_again(self.sink.path())),
            None => self.sink.save(out),
        }
    }

    fn end_rows(&mut self) -> Result<Option<u64>> {
        let Some((spill, lines)) = self.distinct.take() else { return Ok(None) };
        self.write_distinct(&spill, lines).map(Some)
    }

    fn finish(self: Box<Self>, _: Vec<Fact>) -> Result<Sink> {
        Ok(self.sink)
    }

    fn pieces_per_group(&self) -> usize {
        1
    }
}

/// The lines of rows.
fn lines(kind: Kind, export: &Export, group: &Group) -> Vec<u8> {
    let mut text = Vec::new();
    each_line(kind, export, group, &mut text, |_, _| ());
    text
}

/// The lines of rows, of several of one position the first.
fn distinct_lines(kind: Kind, export: &Export, group: &Group) -> Vec<Line> {
    let (mut text, mut spans) = (Vec::new(), Vec::new());
    each_line(kind, export, group, &mut text, |span, record_bytes| {
        spans.push((span, record_bytes))
    });
    let mut known = HashSet::new();
    spans.retain(|(span, record_bytes)| known.insert(&text[span.start..span.start + record_bytes]));
    let line = |(span, record_bytes): (std::ops::Range<usize>, usize)| Line {
        text: text[span].to_vec(),
        record_bytes: u16::try_from(record_bytes).unwrap_or(u16::MAX),
        number: 0,
    };
    spans.into_iter().map(line).collect()
}

/// Appends the lines of rows; `take` is given where each is, and the bytes of its record without move clocks.
fn each_line(
    kind: Kind,
    export: &Export,
    group: &Group,
    out: &mut Vec<u8>,
    mut take: impl FnMut(std::ops::Range<usize>, usize),
) {
    let columns = export.columns.iter().enumerate();
    let buffers: Vec<Buffer> = columns.map(|(index, column)| group.column(index, column)).collect();
    for row in 0..group.rows_count() {
        let value = |index: usize| {
            let known = export.columns.get(index).zip(buffers.get(index));
            known.map_or(Cell::Null, |(column, buffer)| cell(column.kind, buffer, row))
        };
        // A game that is not rejected has positions.
        let Cell::Text(record) = value(0) else { continue };
        let (start, position) = (out.len(), without_clocks(&record));
        match kind {
            Kind::Fen => out.extend_from_slice(record.as_bytes()),
            Kind::Epd => {
                out.extend_from_slice(position.as_bytes());
                for opcode in &export.lines.opcodes {
                    write_operation(opcode, &record, &value, out);
                }
            }
        }
        out.push(b'\n');
        take(start..out.len(), position.len());
    }
}

/// Do two move clocks end the record? That of Chess 99 has one, after the square passed over.
fn has_both_clocks(record: &str) -> bool {
    let before = record.rsplit(' ').nth(1);
    before.is_some_and(|field| field.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The record without its move clocks: the last two fields; of Chess 99 the last one.
fn without_clocks(record: &str) -> &str {
    let clocks = if has_both_clocks(record) { 2 } else { 1 };
    record.rmatch_indices(' ').nth(clocks - 1).map_or(record, |(at, _)| &record[..at])
}

/// A field of the move clocks, counted from the end.
fn clock(record: &str, from_end: usize) -> Option<&str> {
    let is_there = from_end == 0 || has_both_clocks(record);
    record.rsplit(' ').nth(from_end).filter(|_| is_there)
}

/// Appends a space and an operation, unless what it states is null.
fn write_operation<'b>(
    opcode: &Opcode,
    record: &str,
    value: &dyn Fn(usize) -> Cell<'b>,
    out: &mut Vec<u8>,
) {
    let plain = |cell: Cell<'b>| match cell {
        Cell::Text(text) => Some(text.into_owned()),
        Cell::Number(number) => Some(number.to_string()),
        Cell::Unsigned(number) => Some(number.to_string()),
        Cell::Real(number) => Some(number.to_string()),
        Cell::Null | Cell::Numbers(_) | Cell::Map(_) => None,
    };
    let operand = match opcode.operand {
        Operand::HalfmoveClock => clock(record, 1).map(str::to_string),
        Operand::MoveNumber => clock(record, 0).map(str::to_string),
        Operand::Move(index) | Operand::Number(index) => plain(value(index)),
        Operand::Text(index) => plain(value(index)).map(|text| quoted(&text)),
    };
    let Some(operand) = operand else { return };
    for part in [" ", &opcode.name, " ", &operand, ";"] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// A text as a string of EPD, which has no escapes: quotes become apostrophes, backslashes slashes, and characters that
/// are not printed spaces. A text that is too long is truncated.
fn quoted(text: &str) -> String {
    let mut string = String::with_capacity(text.len().min(STRING_BYTES_MAX) + 2);
    string.push('"');
    for character in text.chars() {
        let printed = match character {
            '"' => '\'',
            '\\' => '/',
            '\u{2028}' | '\u{2029}' => ' ',
            other if other.is_control() => ' ',
            other => other,
        };
        if string.len() + printed.len_utf8() > STRING_BYTES_MAX + 1 {
            break;
        }
        string.push(printed);
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_alike_with_and_without_escapes() {
        assert_eq!(quoted("a; \"b\"\\c\n\u{e9}"), "\"a; 'b'/c \u{e9}\"");
        assert_eq!(quoted(""), "\"\"");
        for text in ["x".repeat(255), "x".repeat(256), "\u{e9}".repeat(200)] {
            let string = quoted(&text);
            let value = string.trim_matches('"');
            // A character of two bytes is whole, or not there.
            let most = if text.is_ascii() { 255 } else { 254 };
            assert!(text.starts_with(value) && value.len() == most, "{}", value.len());
        }
    }

    #[test]
    fn records_lose_their_clocks() {
        for (record, position, halfmoves, number) in [
            ("k7/8/8/8/8/8/8/K7 w - - 12 34", "k7/8/8/8/8/8/8/K7 w - -", Some("12"), Some("34")),
            (
                "k7/8/8/8/8/8/8/K7 w - - 3+3 12 34",
                "k7/8/8/8/8/8/8/K7 w - - 3+3",
                Some("12"),
                Some("34"),
            ),
            ("k8/9/9/9/9/9/9/9/K8 w - 34", "k8/9/9/9/9/9/9/9/K8 w -", None, Some("34")),
            ("k8/9/9/9/9/9/9/9/K8 w e5 34", "k8/9/9/9/9/9/9/9/K8 w e5", None, Some("34")),
            ("6/7/8/9/k9/9/K w - 12 34", "6/7/8/9/k9/9/K w -", Some("12"), Some("34")),
            ("k4/5|5/K4 w 12 34", "k4/5|5/K4 w", Some("12"), Some("34")),
        ] {
            assert_eq!(without_clocks(record), position);
            assert_eq!((clock(record, 1), clock(record, 0)), (halfmoves, number));
        }
    }
}
