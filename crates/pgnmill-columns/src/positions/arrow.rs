//! A table of positions in the file format of Arrow.
//!
//! In: a file, not compressed. Out: the rows of the positions that are looked for. Invariants: what is read is within
//! the file and the batch; memory is bounded by the longest column of a batch. Cost: the hashes of all batches; where
//! one is equal single values.
//!
//! The library's own reader would be a sixth of the program; its declarations of messages are used.

use std::cell::Cell;

use arrow_ipc::{Block, Field, Precision, Type, root_as_footer, root_as_message};

use super::flaw::{Flaw, TABLE_KEY};
use super::lookup::Lookup;
use super::row::{COLUMNS, PositionRow, REQUIRED, Value};
use super::series::{Series, SeriesOfGroup, Values};
use super::stored::StoredFile;

/// With which a file begins and ends.
const MAGIC: &[u8] = b"ARROW1";
/// The length of a footer or of the head of a batch, at most.
const HEAD_BYTES_MAX: u64 = 32 << 20;
/// Bytes before the head of a message: a mark and a length.
const PREFIX_BYTES: usize = 8;
/// Rows of a batch, at most.
const ROWS_MAX: u64 = 1 << 24;

/// A type of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Texts, with offsets of so many bytes.
    Text(u64),
    /// Numbers of so many bytes.
    Signed(u64),
    Unsigned(u64),
    Real,
    Date,
}

/// A column.
#[derive(Debug)]
struct Column {
    name: String,
    kind: Kind,
    /// The index of its first buffer in a batch.
    buffer: usize,
    /// Its index among the columns.
    node: usize,
}

/// A table.
#[derive(Debug)]
pub(super) struct ArrowTable {
    file: StoredFile,
    columns: Vec<Column>,
    batches: Vec<Place>,
    /// The metadata of the file.
    facts: Vec<(String, String)>,
}

/// A part of the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    head_bytes: u64,
    body_bytes: u64,
}

/// A batch whose head is read: where its buffers are.
struct Batch<'t> {
    table: &'t ArrowTable,
    rows_count: u64,
    /// Offset in the file and length of each buffer.
    buffers: Vec<(u64, u64)>,
    /// Nulls of each column.
    nulls: Vec<i64>,
}

impl Kind {
    fn of(field: &Field<'_>) -> Option<Kind> {
        if field.dictionary().is_some() {
            return None;
        }
        Some(match field.type_type() {
            Type::Utf8 => Kind::Text(4),
            Type::LargeUtf8 => Kind::Text(8),
            Type::Int => {
                let number = field.type_as_int()?;
                let bytes = match number.bitWidth() {
                    16 => 2,
                    32 => 4,
                    64 => 8,
                    _ => return None,
                };
                if number.is_signed() { Kind::Signed(bytes) } else { Kind::Unsigned(bytes) }
            }
            Type::FloatingPoint => {
                let is_double = field.type_as_floating_point()?.precision() == Precision::DOUBLE;
                is_double.then_some(Kind::Real)?
            }
            Type::Date => Kind::Date,
            _ => return None,
        })
    }

    /// Buffers of a column: which values are not null, the values, and for texts their ends.
    fn buffers_count(self) -> usize {
        if matches!(self, Kind::Text(_)) { 3 } else { 2 }
    }
}

impl ArrowTable {
    pub(super) fn open(file: StoredFile) -> Result<ArrowTable, Flaw> {
        let tail_bytes = MAGIC.len() as u64 + 4;
        let Some(end) = file.len().checked_sub(tail_bytes) else {
            return Err(Flaw::new("the file is no Arrow file: it is too short"));
        };
        let tail = file.bytes(end, tail_bytes)?;
        if !tail.ends_with(MAGIC) {
            return Err(Flaw::new(
                "the file is no Arrow file, or truncated: ARROW1 is not its end",
            ));
        }
        let footer_bytes = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if footer_bytes > end.min(HEAD_BYTES_MAX) {
            return Err(Flaw::new(format_args!("its footer has {footer_bytes} bytes")));
        }
        let footer = file.bytes(end - footer_bytes, footer_bytes)?;
        let footer = root_as_footer(&footer)
            .map_err(|error| Flaw::new(format_args!("footer: {}", first_line(&error))))?;
        let fields = footer.schema().and_then(|schema| schema.fields());
        let (mut columns, mut buffer) = (Vec::new(), 0);
        for (node, field) in fields.into_iter().flatten().enumerate() {
            let name = field.name().unwrap_or_default().to_string();
            let kind = Kind::of(&field).ok_or_else(|| {
                Flaw::new(format_args!("the type of its column {name} is not read"))
            })?;
            columns.push(Column { name, kind, buffer, node });
            buffer += kind.buffers_count();
        }
        let batches = footer.recordBatches().into_iter().flatten();
        let batches = batches.map(Place::of).collect::<Result<_, _>>()?;
        let facts = footer.custom_metadata().into_iter().flatten();
        let text = |text: Option<&str>| text.unwrap_or_default().to_string();
        let facts = facts.map(|fact| (text(fact.key()), text(fact.value()))).collect();
        let table = ArrowTable { file, columns, batches, facts };
        match REQUIRED.iter().find(|name| !table.has_column(name)) {
            Some(missing) => {
                let flaw = Flaw::new(format_args!("it has no column {missing}"));
                Err(flaw.of_table(table.fact(TABLE_KEY)))
            }
            None => Ok(table),
        }
    }

    fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// A value of the metadata of the file.
    pub(super) fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    pub(super) fn groups_count(&self) -> usize {
        self.batches.len()
    }

    pub(super) fn rows_count(&self) -> Result<u64, Flaw> {
        let mut sum = 0_u64;
        for place in &self.batches {
            sum = sum.saturating_add(Batch::read(self, *place)?.rows_count);
        }
        Ok(sum)
    }

    pub(super) fn has_column(&self, name: &str) -> bool {
        self.column(name).is_some()
    }

    /// Whole columns of a batch, of those that the file has.
    pub(super) fn series(
        &self,
        index: usize,
        names: &[&'static str],
    ) -> Result<SeriesOfGroup, Flaw> {
        let place = self.batches.get(index).ok_or_else(|| Flaw::new("it is missing"))?;
        let batch = Batch::read(self, *place)?;
        let mut columns = Vec::new();
        for name in names.iter().copied() {
            if let Some(column) = self.column(name) {
                let series = batch.series(column);
                let series = series.map_err(|flaw| flaw.at(format_args!("column {name}")))?;
                columns.push((name, series));
            }
        }
        Ok(SeriesOfGroup { rows_count: batch.rows_count as usize, columns })
    }

    pub(super) fn find(
        &self,
        lookup: &mut Lookup<'_>,
        groups_read: &Cell<usize>,
    ) -> Result<(), Flaw> {
        for (index, place) in self.batches.iter().enumerate() {
            lookup.check()?;
            groups_read.set(groups_read.get() + 1);
            let found = Batch::read(self, *place).and_then(|batch| batch.find(lookup));
            found.map_err(|flaw| flaw.at(format_args!("batch {}", index + 1)))?;
        }
        Ok(())
    }
}

fn first_line(error: &impl std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_string()
}

impl Place {
    fn of(block: &Block) -> Result<Place, Flaw> {
        let negative = |_| Flaw::new("a batch has a place that is negative");
        Ok(Place {
            offset: u64::try_from(block.offset()).map_err(negative)?,
            head_bytes: u64::try_from(block.metaDataLength()).map_err(negative)?,
            body_bytes: u64::try_from(block.bodyLength()).map_err(negative)?,
        })
    }
}

impl<'t> Batch<'t> {
    fn read(table: &'t ArrowTable, place: Place) -> Result<Batch<'t>, Flaw> {
        if place.head_bytes > HEAD_BYTES_MAX {
            return Err(Flaw::new(format_args!("its head has {} bytes", place.head_bytes)));
        }
        let head = table.file.bytes(place.offset, place.head_bytes)?;
        let head = head.get(PREFIX_BYTES..).ok_or_else(|| Flaw::new("it has no head"))?.to_vec();
        let message = root_as_message(&head)
            .map_err(|error| Flaw::new(format_args!("head: {}", first_line(&error))))?;
        let batch = message.header_as_record_batch();
        let batch = batch.ok_or_else(|| Flaw::new("it is no batch of records"))?;
        if batch.compression().is_some() {
            return Err(Flaw::new("it is compressed, which is not read"));
        }
        let rows_count = u64::try_from(batch.length()).ok().filter(|rows| *rows <= ROWS_MAX);
        let rows_count =
            rows_count.ok_or_else(|| Flaw::new(format_args!("it has {} rows", batch.length())))?;
        let body = place.offset.checked_add(place.head_bytes);
        let mut buffers = Vec::new();
        for buffer in batch.buffers().into_iter().flatten() {
            let (offset, length) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length()));
            let (Ok(offset), Ok(length)) = (offset, length) else {
                return Err(Flaw::new("a column has a place that is negative"));
            };
            let is_inside = offset.checked_add(length).is_some_and(|end| end <= place.body_bytes);
            let start = body.and_then(|body| body.checked_add(offset)).filter(|_| is_inside);
            buffers.push((start.ok_or_else(|| Flaw::new("a column is not in its batch"))?, length));
        }
        let nodes = batch.nodes().into_iter().flatten();
        let nulls: Vec<i64> = nodes.map(|node| node.null_count()).collect();
        let all: usize = table.columns.iter().map(|column| column.kind.buffers_count()).sum();
        if buffers.len() != all || nulls.len() != table.columns.len() {
            return Err(Flaw::new("it has other columns than the table"));
        }
        Ok(Batch { table, rows_count, buffers, nulls })
    }

    /// So many bytes of a buffer, from `at` on.
    fn part(&self, buffer: usize, at: u64, count: u64) -> Result<Vec<u8>, Flaw> {
        let (offset, length) = self.buffers[buffer];
        if at.checked_add(count).is_none_or(|end| end > length) {
            return Err(Flaw::new("a column is shorter than its batch"));
        }
        self.table.file.bytes(offset + at, count)
    }

    /// The number at a place of a buffer of such numbers.
    fn number(&self, buffer: usize, place: u64, bytes: u64) -> Result<u64, Flaw> {
        let part = self.part(buffer, place * bytes, bytes)?;
        Ok(part.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    fn is_null(&self, column: &Column, row: u64) -> Result<bool, Flaw> {
        if self.nulls[column.node] == 0 {
            return Ok(false);
        }
        Ok(self.number(column.buffer, row / 8, 1)? >> (row % 8) & 1 == 0)
    }

    fn value(&self, column: &Column, row: u64) -> Result<Value, Flaw> {
        if self.is_null(column, row)? {
            return Ok(Value::Null);
        }
        let values = column.buffer + 1;
        let signed = |bytes: u64| {
            let shift = 64 - 8 * bytes as u32;
            Ok::<i64, Flaw>((self.number(values, row, bytes)? << shift).cast_signed() >> shift)
        };
        Ok(match column.kind {
            Kind::Signed(bytes) => Value::Signed(signed(bytes)?),
            Kind::Unsigned(bytes) => Value::Unsigned(self.number(values, row, bytes)?),
            Kind::Real => Value::Real(f64::from_bits(self.number(values, row, 8)?)),
            Kind::Date => Value::Date(signed(4)? as i32),
            Kind::Text(bytes) => {
                let start = self.number(values, row, bytes)?;
                let end = self.number(values, row + 1, bytes)?;
                let count = end.checked_sub(start);
                let count = count.ok_or_else(|| Flaw::new("a text ends before it begins"))?;
                let text = self.part(values + 1, start, count)?;
                let text = String::from_utf8(text);
                Value::Text(text.map_err(|_| Flaw::new("a text is not UTF-8"))?)
            }
        })
    }

    /// All rows of a column.
    fn series(&self, column: &Column) -> Result<Series, Flaw> {
        let valid = match self.nulls[column.node] {
            0 => None,
            _ => {
                let bits = self.part(column.buffer, 0, self.rows_count.div_ceil(8))?;
                let is_there = |row: usize| bits[row / 8] >> (row % 8) & 1 != 0;
                Some((0..self.rows_count as usize).map(is_there).collect())
            }
        };
        let buffer = column.buffer + 1;
        let numbers = |bytes: u64, count: u64| {
            let part = self.part(buffer, 0, count * bytes)?;
            let number = |part: &[u8]| {
                part.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
            };
            Ok::<Vec<u64>, Flaw>(part.chunks_exact(bytes as usize).map(number).collect())
        };
        let extended = |bytes: u64| {
            let shift = 64 - 8 * bytes as u32;
            let extend = |bits: u64| ((bits << shift).cast_signed() >> shift).cast_unsigned();
            Ok::<Vec<u64>, Flaw>(numbers(bytes, self.rows_count)?.into_iter().map(extend).collect())
        };
        let values = match column.kind {
            Kind::Unsigned(bytes) => Values::Numbers(numbers(bytes, self.rows_count)?),
            Kind::Signed(bytes) => Values::Numbers(extended(bytes)?),
            Kind::Date => Values::Numbers(extended(4)?),
            Kind::Real => Values::Numbers(numbers(8, self.rows_count)?),
            // No row has no text: there need be no offset.
            Kind::Text(_) if self.rows_count == 0 => {
                Values::Texts { ends: Vec::new(), bytes: Vec::new() }
            }
            Kind::Text(bytes) => {
                let offsets = numbers(bytes, self.rows_count + 1)?;
                let (first, last) = (offsets[0], offsets[offsets.len() - 1]);
                if !offsets.is_sorted() {
                    return Err(Flaw::new("a text ends before it begins"));
                }
                let bytes = self.part(buffer + 1, first, last - first)?;
                let ends = offsets[1..].iter().map(|end| (end - first) as usize).collect();
                Values::Texts { ends, bytes }
            }
        };
        Ok(Series { values, valid })
    }

    /// The rows whose hash is looked for.
    fn rows(&self, lookup: &Lookup<'_>) -> Result<Vec<u64>, Flaw> {
        let Some(column) = self.table.column("hash") else {
            return Ok((0..self.rows_count).collect());
        };
        if column.kind != Kind::Unsigned(8) {
            return Err(Flaw::new("its column hash has another type than unsigned 64 bits"));
        }
        let valid = match self.nulls[column.node] {
            0 => None,
            _ => Some(self.part(column.buffer, 0, self.rows_count.div_ceil(8))?),
        };
        let hashes = self.part(column.buffer + 1, 0, self.rows_count * 8)?;
        let (hashes, _) = hashes.as_chunks();
        let is_there =
            |row: usize| valid.as_ref().is_none_or(|valid| valid[row / 8] >> (row % 8) & 1 != 0);
        let hashes = hashes.iter().map(|bytes| u64::from_le_bytes(*bytes)).enumerate();
        let found = hashes.filter(|(row, hash)| lookup.may_have(is_there(*row).then_some(*hash)));
        Ok(found.map(|(row, _)| row as u64).collect())
    }

    /// Adds the rows of the positions.
    fn find(&self, lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
        let table = self.table;
        let text = |name: &str, row: u64| match table.column(name) {
            None => Ok(None),
            Some(column) => match self.value(column, row)? {
                Value::Text(text) => Ok(Some(text)),
                _ => Err(Flaw::new(format_args!("{name} is no text"))),
            },
        };
        for row in self.rows(lookup)? {
            let record = text("fen", row)?.unwrap_or_default();
            if !lookup.has_record(&record) {
                continue;
            }
            let places = lookup.with(&record, text("rules", row)?.as_deref());
            let found = PositionRow::of(|name| match table.column(name) {
                Some(column) if COLUMNS.contains(&name) => self.value(column, row),
                _ => Ok(Value::Null),
            });
            lookup.add(&places, &found.map_err(|flaw| flaw.at(format_args!("row {row}")))?)?;
        }
        Ok(())
    }
}
