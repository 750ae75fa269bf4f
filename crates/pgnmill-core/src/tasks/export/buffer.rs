//! The values of one column, row by row, before they become an array of a file format.
//!
//! In: values or nulls, pushed in the order of the rows. Out: the same values, appended to another buffer of the same
//! kind, or read by a writer. Invariants: texts are UTF-8; a buffer never changes its kind; [`Buffer::truncate`] takes
//! back the rows of a game that is rejected. Cost: amortised, no allocation per value.

use std::collections::BTreeSet;
use std::ops::Range;

use pgnmill_state::state;

use crate::chess::Color;

use super::kind::Kind;
use super::values::{Fixed, FixedBytes, Lists, Maps, Texts};

/// The values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Buffer {
    /// [`Kind::Text`]
    Text(Texts),
    /// [`Kind::Names`]: indexes of names.
    Names(Fixed<u8>),
    /// [`Kind::Int16`]
    Int16(Fixed<i16>),
    /// [`Kind::Int32`], [`Kind::UInt16`], [`Kind::Date`] and [`Kind::SecondOfDay`].
    Int32(Fixed<i32>),
    /// [`Kind::Int64`], [`Kind::UInt64`] as its bits, [`Kind::TimeOfDay`] and [`Kind::Instant`].
    Int64(Fixed<i64>),
    /// [`Kind::Float64`]
    Float64(Fixed<f64>),
    /// [`Kind::Int16List`]
    Int16List(Lists<i16>),
    /// [`Kind::Int32List`]
    Int32List(Lists<i32>),
    /// [`Kind::Bytes`]: never null.
    Bytes(FixedBytes),
    /// [`Kind::TextMap`]
    TextMap(Maps),
}

state!(enum Buffer {
    0 => Text(values),
    1 => Names(values),
    2 => Int16(values),
    3 => Int32(values),
    4 => Int64(values),
    5 => Int16List(values),
    6 => Int32List(values),
    7 => Bytes(values),
    8 => TextMap(values),
    9 => Float64(values),
});

/// Bytes of a board, one per square.
pub const BOARD_BYTES: usize = 64;
/// Bytes of a board, half of one per square.
pub(super) const NIBBLES_BYTES: usize = BOARD_BYTES / 2;

/// A column was given a value of another kind than it declares.
const KIND: &str = "a column's function writes values of the column's kind";

impl Buffer {
    /// The indexes of names that any row has; none of another kind.
    pub(super) fn names_met(&self) -> BTreeSet<u8> {
        match self {
            Buffer::Names(names) => {
                let valid = names.values.iter().zip(&names.valid).filter(|(_, valid)| **valid);
                valid.map(|(&name, _)| name).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// An empty buffer.
    pub fn new(kind: Kind) -> Buffer {
        match kind {
            Kind::Text => Buffer::Text(Texts::default()),
            Kind::Names(_) => Buffer::Names(Fixed::default()),
            Kind::Int16 => Buffer::Int16(Fixed::default()),
            Kind::Int32 | Kind::UInt16 | Kind::Date | Kind::SecondOfDay => {
                Buffer::Int32(Fixed::default())
            }
            Kind::Int64 | Kind::UInt64 | Kind::TimeOfDay | Kind::Instant => {
                Buffer::Int64(Fixed::default())
            }
            Kind::Float64 => Buffer::Float64(Fixed::default()),
            Kind::Int16List => Buffer::Int16List(Lists::default()),
            Kind::Int32List => Buffer::Int32List(Lists::default()),
            Kind::Bytes(width) => Buffer::Bytes(FixedBytes { width, bytes: Vec::new() }),
            Kind::TextMap => Buffer::TextMap(Maps::default()),
        }
    }

    /// Has any row a value?
    pub fn has_value(&self) -> bool {
        let valid = match self {
            Buffer::Text(texts) => &texts.rows.valid,
            Buffer::Names(values) => &values.valid,
            Buffer::Int16(values) => &values.valid,
            Buffer::Int32(values) => &values.valid,
            Buffer::Int64(values) => &values.valid,
            Buffer::Float64(values) => &values.valid,
            Buffer::Int16List(lists) => &lists.rows.valid,
            Buffer::Int32List(lists) => &lists.rows.valid,
            Buffer::Bytes(values) => return !values.bytes.is_empty(),
            Buffer::TextMap(maps) => &maps.rows.valid,
        };
        valid.contains(&true)
    }

    /// Adds a text.
    ///
    /// # Panics
    /// As all that follow: if the buffer is of another kind, which is a mistake in the declaration of a column.
    pub fn text(&mut self, text: Option<&str>) {
        let texts = self.texts();
        texts.extend(text.unwrap_or_default().as_bytes());
        texts.end_row(text.is_some());
    }

    /// Adds text of an archive, which is checked in its copy.
    pub(super) fn decoded(&mut self, text: Option<&[u8]>) {
        let texts = self.texts();
        texts.decoded(text.unwrap_or_default());
        texts.end_row(text.is_some());
    }

    /// Adds the value of a tag pair, as it is written.
    pub(super) fn tag_value(&mut self, value: Option<&[u8]>) {
        let texts = self.texts();
        texts.tag_value(value.unwrap_or_default());
        texts.end_row(value.is_some());
    }

    /// The texts, to be extended in place.
    pub fn texts(&mut self) -> &mut Texts {
        let Buffer::Text(texts) = self else { unreachable!("{KIND}") };
        texts
    }

    /// Adds the index of a name.
    pub fn name(&mut self, index: Option<usize>) {
        let Buffer::Names(names) = self else { unreachable!("{KIND}") };
        names.push(index.map(|index| index as u8));
    }

    /// Adds a number.
    pub fn int16(&mut self, value: Option<i16>) {
        let Buffer::Int16(values) = self else { unreachable!("{KIND}") };
        values.push(value);
    }

    /// Adds the value of White's plies or of Black's for each ply.
    pub(super) fn by_side(
        &mut self,
        of_sides: [Option<i16>; 2],
        movers: impl Iterator<Item = Color> + Clone,
    ) {
        let Buffer::Int16(numbers) = self else { unreachable!("{KIND}") };
        let values = of_sides.map(Option::unwrap_or_default);
        numbers.values.extend(movers.clone().map(|mover| values[mover.index()]));
        numbers.valid.extend(movers.map(|mover| of_sides[mover.index()].is_some()));
    }

    /// Adds a number, a date in days since 1970, or a time of day in seconds.
    pub fn int32(&mut self, value: Option<i32>) {
        let Buffer::Int32(values) = self else { unreachable!("{KIND}") };
        values.push(value);
    }

    /// Adds a number, a time of day in microseconds, or an instant in milliseconds since 1970.
    pub fn int64(&mut self, value: Option<i64>) {
        let Buffer::Int64(values) = self else { unreachable!("{KIND}") };
        values.push(value);
    }

    /// Adds a number without a sign.
    pub fn uint64(&mut self, value: Option<u64>) {
        self.int64(value.map(u64::cast_signed));
    }

    /// Adds a number with a fraction.
    pub fn float64(&mut self, value: Option<f64>) {
        let Buffer::Float64(values) = self else { unreachable!("{KIND}") };
        values.push(value);
    }

    /// The lists, to be extended in place.
    pub fn int16_lists(&mut self) -> &mut Lists<i16> {
        let Buffer::Int16List(lists) = self else { unreachable!("{KIND}") };
        lists
    }

    /// Adds a list of numbers.
    pub fn int16_list(&mut self, list: Option<impl Iterator<Item = Option<i16>>>) {
        let lists = self.int16_lists();
        let valid = list.is_some();
        list.into_iter().flatten().for_each(|element| lists.element(element));
        lists.end_row(valid);
    }

    /// Adds a list of numbers.
    pub fn int32_list(&mut self, list: Option<impl Iterator<Item = Option<i32>>>) {
        let Buffer::Int32List(lists) = self else { unreachable!("{KIND}") };
        let valid = list.is_some();
        list.into_iter().flatten().for_each(|element| lists.element(element));
        lists.end_row(valid);
    }

    /// Adds numbers of which none is null.
    pub fn int16s(&mut self, numbers: impl Iterator<Item = i16>) {
        let Buffer::Int16(values) = self else { unreachable!("{KIND}") };
        values.extend(numbers);
    }

    /// Adds names by their indexes, none of them null.
    pub fn names(&mut self, indexes: impl Iterator<Item = u8>) {
        let Buffer::Names(values) = self else { unreachable!("{KIND}") };
        values.extend(indexes);
    }

    /// The bytes of all rows, to which whole rows are added.
    pub fn all_bytes(&mut self) -> &mut Vec<u8> {
        let Buffer::Bytes(rows) = self else { unreachable!("{KIND}") };
        &mut rows.bytes
    }

    /// Adds bytes, as many as the column has per row.
    #[inline]
    pub fn bytes_row<const BYTES: usize>(&mut self, row: &[u8; BYTES]) {
        let Buffer::Bytes(rows) = self else { unreachable!("{KIND}") };
        rows.bytes.extend_from_slice(row);
    }

    /// Adds a map: names and values of tag pairs, as they are written. The names must be different.
    pub fn map<'e>(&mut self, entries: impl Iterator<Item = (&'e [u8], &'e [u8])>) {
        let Buffer::TextMap(maps) = self else { unreachable!("{KIND}") };
        for (name, value) in entries {
            maps.names.decoded(name);
            maps.names.end_row(true);
            maps.values.tag_value(value);
            maps.values.end_row(true);
        }
        maps.rows.push(maps.names.rows.ends.len(), true);
    }

    /// Bytes of texts, or elements of lists, of some rows.
    pub(super) fn elements_count(&self, rows: &Range<usize>) -> usize {
        match self {
            Buffer::Text(texts) => texts.rows.elements_count(rows),
            Buffer::Int16List(lists) => lists.rows.elements_count(rows),
            Buffer::Int32List(lists) => lists.rows.elements_count(rows),
            _ => 0,
        }
    }

    /// The memory that its rows need, without what is reserved.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match self {
            Buffer::Text(texts) => texts.bytes(),
            Buffer::Names(values) => values.bytes(),
            Buffer::Int16(values) => values.bytes(),
            Buffer::Int32(values) => values.bytes(),
            Buffer::Int64(values) => values.bytes(),
            Buffer::Float64(values) => values.bytes(),
            Buffer::Int16List(lists) => lists.bytes(),
            Buffer::Int32List(lists) => lists.bytes(),
            Buffer::Bytes(rows) => rows.bytes.len(),
            Buffer::TextMap(maps) => maps.names.bytes() + maps.values.bytes() + maps.rows.bytes(),
        };
        bytes as u64
    }

    /// Makes room for so many rows, and bytes of texts or elements of lists.
    pub(super) fn reserve(&mut self, rows: usize, elements: usize) {
        match self {
            Buffer::Text(texts) => {
                texts.rows.reserve(rows);
                texts.bytes.reserve_exact(elements);
            }
            Buffer::Names(values) => values.reserve(rows),
            Buffer::Int16(values) => values.reserve(rows),
            Buffer::Int32(values) => values.reserve(rows),
            Buffer::Int64(values) => values.reserve(rows),
            Buffer::Float64(values) => values.reserve(rows),
            Buffer::Int16List(lists) => {
                lists.rows.reserve(rows);
                lists.elements.reserve(elements);
            }
            Buffer::Int32List(lists) => {
                lists.rows.reserve(rows);
                lists.elements.reserve(elements);
            }
            Buffer::Bytes(own) => own.bytes.reserve_exact(rows * own.width),
            Buffer::TextMap(maps) => maps.rows.reserve(rows),
        }
    }

    /// Appends rows of another buffer of the same kind.
    pub fn append(&mut self, from: &Buffer, rows: Range<usize>) {
        match (self, from) {
            (Buffer::Text(new), Buffer::Text(from)) => new.append(from, rows),
            (Buffer::Names(new), Buffer::Names(from)) => new.append(from, rows),
            (Buffer::Int16(new), Buffer::Int16(from)) => new.append(from, rows),
            (Buffer::Int32(new), Buffer::Int32(from)) => new.append(from, rows),
            (Buffer::Int64(new), Buffer::Int64(from)) => new.append(from, rows),
            (Buffer::Float64(new), Buffer::Float64(from)) => new.append(from, rows),
            (Buffer::Int16List(new), Buffer::Int16List(from)) => new.append(from, rows),
            (Buffer::Int32List(new), Buffer::Int32List(from)) => new.append(from, rows),
            (Buffer::Bytes(new), Buffer::Bytes(from)) => {
                let width = new.width;
                new.bytes.extend_from_slice(&from.bytes[rows.start * width..rows.end * width]);
            }
            (Buffer::TextMap(new), Buffer::TextMap(from)) => {
                let entries = new.rows.append(&from.rows, rows);
                new.names.append(&from.names, entries.clone());
                new.values.append(&from.values, entries);
            }
            _ => unreachable!("{KIND}"),
        }
    }

    /// Appends one row of another buffer several times.
    pub fn append_repeated(&mut self, from: &Buffer, row: usize, times: usize) {
        match (self, from) {
            (Buffer::Int64(new), Buffer::Int64(from)) if from.valid[row] => {
                new.push_repeated(from.values[row], times);
            }
            (new, from) => (0..times).for_each(|_| new.append(from, row..row + 1)),
        }
    }

    /// Removes the rows after the first `rows`, and what was added to a row that is not yet ended.
    pub fn truncate(&mut self, rows: usize) {
        match self {
            Buffer::Text(texts) => texts.truncate(rows),
            Buffer::Names(names) => names.truncate(rows),
            Buffer::Int16(values) => values.truncate(rows),
            Buffer::Int32(values) => values.truncate(rows),
            Buffer::Int64(values) => values.truncate(rows),
            Buffer::Float64(values) => values.truncate(rows),
            Buffer::Int16List(lists) => lists.truncate(rows),
            Buffer::Int32List(lists) => lists.truncate(rows),
            Buffer::Bytes(own) => own.bytes.truncate(rows * own.width),
            Buffer::TextMap(maps) => {
                let entries = maps.rows.truncate(rows);
                maps.names.truncate(entries);
                maps.values.truncate(entries);
            }
        }
    }
}
