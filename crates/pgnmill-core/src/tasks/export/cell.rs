//! One value of a row, for formats of text and for the names of partitions.
//!
//! Dates and times are those of ISO 8601; a board is 64 hexadecimal digits.

use std::borrow::Cow;

use crate::pgn::tag_numbers::civil;

use super::buffer::{BOARD_BYTES, Buffer};
use super::kind::Kind;
use super::values::Fixed;

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell<'b> {
    /// No value.
    Null,
    /// A text, a name, a board, a date or a time.
    Text(Cow<'b, str>),
    /// A number.
    Number(i64),
    /// A number without a sign.
    Unsigned(u64),
    /// A number with a fraction.
    Real(f64),
    /// A list of numbers; some may be null.
    Numbers(Vec<Option<i64>>),
    /// Names and their values, in the order of the game.
    Map(Vec<(Cow<'b, str>, Cow<'b, str>)>),
}

/// A value of one part as text: `None` if it is null, a list or a map.
pub(super) fn shown(kind: Kind, buffer: &Buffer, row: usize) -> Option<String> {
    match cell(kind, buffer, row) {
        Cell::Text(text) => Some(text.into_owned()),
        Cell::Number(number) => Some(number.to_string()),
        Cell::Unsigned(number) => Some(number.to_string()),
        Cell::Real(number) => Some(number.to_string()),
        Cell::Null | Cell::Numbers(_) | Cell::Map(_) => None,
    }
}

/// The value of a row of a column.
pub fn cell(kind: Kind, buffer: &Buffer, row: usize) -> Cell<'_> {
    match buffer {
        Buffer::Text(texts) => texts.get(row).map_or(Cell::Null, Cell::Text),
        Buffer::Names(indexes) => {
            let Kind::Names(names) = kind else { return Cell::Null };
            let name = indexes.get(row).map(|index| names[usize::from(index)]);
            name.map_or(Cell::Null, |name| Cell::Text(name.into()))
        }
        Buffer::Int16(values) => number(kind, values.get(row).map(i64::from)),
        Buffer::Int32(values) => number(kind, values.get(row).map(i64::from)),
        Buffer::Int64(values) if kind == Kind::UInt64 => {
            values.get(row).map_or(Cell::Null, |bits| Cell::Unsigned(bits.cast_unsigned()))
        }
        Buffer::Int64(values) => number(kind, values.get(row)),
        Buffer::Float64(values) => values.get(row).map_or(Cell::Null, Cell::Real),
        Buffer::Int16List(lists) => {
            numbers(lists.rows.get(row).map(|range| elements(&lists.elements, range)))
        }
        Buffer::Int32List(lists) => {
            numbers(lists.rows.get(row).map(|range| elements(&lists.elements, range)))
        }
        Buffer::Bytes(rows) => {
            let board = &rows.bytes[row * rows.width..(row + 1) * rows.width];
            let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble & 15)]);
            let squares: String = match rows.width {
                BOARD_BYTES => board.iter().map(|&square| digit(square)).collect(),
                _ => board.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte)]).collect(),
            };
            Cell::Text(squares.into())
        }
        Buffer::TextMap(maps) => {
            let entry = |index| {
                let text = |text: Option<_>| text.unwrap_or_default();
                (text(maps.names.get(index)), text(maps.values.get(index)))
            };
            maps.rows.get(row).map_or(Cell::Null, |range| Cell::Map(range.map(entry).collect()))
        }
    }
}

fn elements<T: Copy + Default + Into<i64>>(
    elements: &Fixed<T>,
    range: std::ops::Range<usize>,
) -> Vec<Option<i64>> {
    range.map(|index| elements.get(index).map(Into::into)).collect()
}

fn numbers<'b>(numbers: Option<Vec<Option<i64>>>) -> Cell<'b> {
    numbers.map_or(Cell::Null, Cell::Numbers)
}

/// A number, or the date or time that it is.
fn number<'b>(kind: Kind, value: Option<i64>) -> Cell<'b> {
    let Some(value) = value else { return Cell::Null };
    let text = match kind {
        Kind::Date => date(value),
        Kind::TimeOfDay => time(value / 1_000_000),
        Kind::SecondOfDay => time(value),
        Kind::Instant => {
            let seconds = value.div_euclid(1_000);
            format!("{}T{}Z", date(seconds.div_euclid(86_400)), time(seconds.rem_euclid(86_400)))
        }
        _ => return Cell::Number(value),
    };
    Cell::Text(text.into())
}

/// Hours, minutes and seconds of a second of the day.
fn time(second: i64) -> String {
    format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60)
}

/// The date of a day since 1970-01-01, such as `2024-11-30`.
pub fn date_text(days: i32) -> String {
    date(days.into())
}

/// The date of a day since 1970-01-01.
fn date(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tag_numbers;

    #[test]
    fn dates_are_written_as_they_are_read() {
        for year in [0, 1600, 1899, 1970, 2000, 2023, 2024, 9999] {
            for month in 1..=12 {
                for day in 1..=31 {
                    let text = format!("{year:04}-{month:02}-{day:02}");
                    if let Some(days) = tag_numbers::date(text.as_bytes()).value() {
                        assert_eq!(date(days.into()), text);
                    }
                }
            }
        }
        let instant = number(Kind::Instant, Some(-1_000));
        assert!(matches!(instant, Cell::Text(text) if text == "1969-12-31T23:59:59Z"));
    }
}
