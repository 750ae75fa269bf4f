//! The values of the pages of a Parquet column.
//!
//! In: pages after decompression, of values that are no lists. Out: values, row by row. Invariants: any bytes give
//! values or an error; nothing is allocated that the number of rows of the row group does not bound, and texts have at
//! most [`TEXT_BYTES_MAX`] bytes together. Cost: a few operations per value.
//!
//! The decoders of the library panic where a page is damaged, and allocate what its first bytes state; it divides the
//! file into pages and decompresses them. Source of the encodings: apache/parquet-format, `Encodings.md`.

use parquet::basic::{Encoding, Type};
use parquet::column::page::Page;

use super::flaw::Flaw;
use super::row::Value;
use super::series::{Series, Values};

/// Bytes of all texts of a column of a row group.
const TEXT_BYTES_MAX: usize = 256 << 20;

/// Values that are not null.
#[derive(Clone, Debug)]
enum Store {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Text { ends: Vec<usize>, bytes: Vec<u8> },
}

/// The values of some rows of a column.
#[derive(Debug)]
pub(super) struct PageValues {
    store: Store,
    dictionary: Option<Store>,
    /// For each row the index of its value, or [`NULL`].
    places: Vec<u32>,
    is_nullable: bool,
    rows_max: usize,
}

/// A row without a value.
const NULL: u32 = u32::MAX;

/// A page that ends before its last value.
fn truncated() -> Flaw {
    Flaw::new("a page ends before its values")
}

/// Takes bytes from the beginning.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], Flaw> {
    let (first, rest) = bytes.split_at_checked(count).ok_or_else(truncated)?;
    *bytes = rest;
    Ok(first)
}

/// Takes a length of 32 bits.
fn take_length(bytes: &mut &[u8]) -> Result<usize, Flaw> {
    let first = take(bytes, 4)?;
    Ok(u32::from_le_bytes([first[0], first[1], first[2], first[3]]) as usize)
}

/// Takes a number of seven bits per byte, the lowest first.
fn take_varint(bytes: &mut &[u8]) -> Result<u64, Flaw> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = take(bytes, 1)?[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(Flaw::new("a number of a page is too long"))
}

fn take_zigzag(bytes: &mut &[u8]) -> Result<i64, Flaw> {
    let number = take_varint(bytes)?;
    Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}

/// The number of `width` bits, at most 64, that begins at bit `at`; `bytes` has it.
fn bits(bytes: &[u8], at: usize, width: usize) -> u64 {
    let first = at / 8;
    let last = (at + width).div_ceil(8).min(bytes.len());
    let mut sum = 0_u128;
    for (place, byte) in bytes.get(first..last).unwrap_or_default().iter().enumerate() {
        sum |= u128::from(*byte) << (8 * place);
    }
    let mask = (1_u128 << width) - 1;
    (sum >> (at % 8) & mask) as u64
}

/// Numbers of a fixed width in bits, in runs: those of levels and of the indexes of a dictionary.
fn take_runs(bytes: &mut &[u8], width: usize, count: usize) -> Result<Vec<u32>, Flaw> {
    if width > 32 {
        return Err(Flaw::new("numbers of a page have more than 32 bits"));
    }
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let left = count - numbers.len();
        let header = take_varint(bytes)?;
        let length = usize::try_from(header >> 1).unwrap_or(usize::MAX);
        if header & 1 == 0 {
            let value = bits(take(bytes, width.div_ceil(8))?, 0, width) as u32;
            numbers.resize(numbers.len() + length.min(left), value);
        } else {
            let here = length.saturating_mul(8).min(left);
            // The last group need not be complete.
            let packed = length.saturating_mul(width).min(bytes.len());
            let packed = take(bytes, packed)?;
            if packed.len() * 8 < here * width {
                return Err(truncated());
            }
            numbers.extend((0..here).map(|place| bits(packed, place * width, width) as u32));
        }
    }
    Ok(numbers)
}

/// Numbers as differences (DELTA_BINARY_PACKED), of which there must be so many.
fn take_differences(bytes: &mut &[u8], count: usize) -> Result<Vec<i64>, Flaw> {
    let mut next = || take_varint(bytes).map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    let (block, parts, total) = (next()?, next()?, next()?);
    let mut last = take_zigzag(bytes)?;
    let part = block.checked_div(parts).unwrap_or(0);
    if total != count || part == 0 || !part.is_multiple_of(8) || part > 1 << 20 || parts > 1 << 10 {
        return Err(Flaw::new("a page of differences has another form"));
    }
    let mut numbers = Vec::with_capacity(count);
    numbers.extend((count > 0).then_some(last));
    while numbers.len() < count {
        let least = take_zigzag(bytes)?;
        for &width in take(bytes, parts)? {
            // What follows the last value is not there.
            let left = (count - numbers.len()).min(part);
            if left == 0 {
                break;
            }
            let width = usize::from(width);
            if width > 64 {
                return Err(Flaw::new("differences of a page have more than 64 bits"));
            }
            let packed = take(bytes, part / 8 * width)?;
            for place in 0..left {
                let difference = bits(packed, place * width, width).cast_signed();
                last = last.wrapping_add(least).wrapping_add(difference);
                numbers.push(last);
            }
        }
    }
    Ok(numbers)
}

fn take_lengths(bytes: &mut &[u8], count: usize) -> Result<Vec<usize>, Flaw> {
    let numbers = take_differences(bytes, count)?.into_iter().map(usize::try_from);
    numbers.collect::<Result<_, _>>().map_err(|_| Flaw::new("a length of a page is negative"))
}

impl Store {
    fn new(kind: Type) -> Result<Store, Flaw> {
        Ok(match kind {
            Type::INT32 => Store::Int32(Vec::new()),
            Type::INT64 => Store::Int64(Vec::new()),
            Type::DOUBLE => Store::Double(Vec::new()),
            Type::BYTE_ARRAY => Store::Text { ends: Vec::new(), bytes: Vec::new() },
            other => return Err(Flaw::new(format_args!("it has the type {other}"))),
        })
    }

    fn len(&self) -> usize {
        match self {
            Store::Int32(values) => values.len(),
            Store::Int64(values) => values.len(),
            Store::Double(values) => values.len(),
            Store::Text { ends, .. } => ends.len(),
        }
    }

    fn text(ends: &[usize], bytes: &[u8], place: usize) -> Option<std::ops::Range<usize>> {
        let end = *ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| ends[before]);
        (end <= bytes.len()).then_some(start..end)
    }

    /// Adds the text that begins with bytes of the one before and goes on with others.
    fn push_text(&mut self, prefix: usize, suffix: &[u8]) -> Result<(), Flaw> {
        let Store::Text { ends, bytes } = self else { return Ok(()) };
        let last = ends.len().checked_sub(1).and_then(|last| Store::text(ends, bytes, last));
        let last = last.unwrap_or(0..0);
        if prefix > last.len() {
            return Err(Flaw::new("a text begins with more than there is of the one before"));
        }
        if bytes.len().saturating_add(prefix).saturating_add(suffix.len()) > TEXT_BYTES_MAX {
            return Err(Flaw::new(format_args!("it has more than {TEXT_BYTES_MAX} bytes of text")));
        }
        bytes.extend_from_within(last.start..last.start + prefix);
        bytes.extend_from_slice(suffix);
        ends.push(bytes.len());
        Ok(())
    }

    /// Adds values as they are.
    fn add_plain(&mut self, bytes: &mut &[u8], count: usize) -> Result<(), Flaw> {
        match self {
            Store::Int32(values) => {
                let (all, _) = take(bytes, count.saturating_mul(4))?.as_chunks();
                values.extend(all.iter().map(|it| i32::from_le_bytes(*it)));
            }
            Store::Int64(values) => {
                let (all, _) = take(bytes, count.saturating_mul(8))?.as_chunks();
                values.extend(all.iter().map(|it| i64::from_le_bytes(*it)));
            }
            Store::Double(values) => {
                let (all, _) = take(bytes, count.saturating_mul(8))?.as_chunks();
                values.extend(all.iter().map(|it| f64::from_le_bytes(*it)));
            }
            Store::Text { .. } => {
                for _ in 0..count {
                    let length = take_length(bytes)?;
                    self.push_text(0, take(bytes, length)?)?;
                }
            }
        }
        Ok(())
    }

    fn add_differences(&mut self, bytes: &mut &[u8], count: usize) -> Result<(), Flaw> {
        let numbers = take_differences(bytes, count)?;
        match self {
            Store::Int32(values) => values.extend(numbers.into_iter().map(|it| it as i32)),
            Store::Int64(values) => values.extend(numbers),
            _ => return Err(Flaw::new("differences of what is no number")),
        }
        Ok(())
    }

    /// Adds texts, of which each may begin like the one before.
    fn add_texts(
        &mut self,
        bytes: &mut &[u8],
        count: usize,
        has_prefixes: bool,
    ) -> Result<(), Flaw> {
        if !matches!(self, Store::Text { .. }) {
            return Err(Flaw::new("texts of what is no text"));
        }
        let prefixes = if has_prefixes { take_lengths(bytes, count)? } else { vec![0; count] };
        let suffixes = take_lengths(bytes, count)?;
        for (place, (&prefix, suffix)) in prefixes.iter().zip(suffixes).enumerate() {
            if place == 0 && prefix > 0 {
                return Err(Flaw::new("the first text of a page has no text before it"));
            }
            self.push_text(prefix, take(bytes, suffix)?)?;
        }
        Ok(())
    }

    /// Adds values of a dictionary.
    fn add_of(&mut self, dictionary: &Store, indexes: &[u32]) -> Result<(), Flaw> {
        let missing = || Flaw::new("a value is not in its dictionary");
        for &index in indexes {
            let index = index as usize;
            match (&mut *self, dictionary) {
                (Store::Int32(to), Store::Int32(of)) => {
                    to.push(*of.get(index).ok_or_else(missing)?)
                }
                (Store::Int64(to), Store::Int64(of)) => {
                    to.push(*of.get(index).ok_or_else(missing)?)
                }
                (Store::Double(to), Store::Double(of)) => {
                    to.push(*of.get(index).ok_or_else(missing)?);
                }
                (to @ Store::Text { .. }, Store::Text { ends, bytes }) => {
                    let range = Store::text(ends, bytes, index).ok_or_else(missing)?;
                    to.push_text(0, &bytes[range])?;
                }
                _ => return Err(missing()),
            }
        }
        Ok(())
    }
}

impl PageValues {
    /// No rows yet, of a column of this type; it has at most `rows_max` rows.
    pub(super) fn new(kind: Type, is_nullable: bool, rows_max: usize) -> Result<PageValues, Flaw> {
        let (store, places) = (Store::new(kind)?, Vec::new());
        Ok(PageValues { store, dictionary: None, places, is_nullable, rows_max })
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds the rows of a page.
    pub(super) fn add(&mut self, kind: Type, page: &Page) -> Result<(), Flaw> {
        let count = page.num_values() as usize;
        if count > self.rows_max - self.places.len() {
            return Err(Flaw::new("a page has more values than there are rows"));
        }
        let mut bytes = &page.buffer()[..];
        let levels = match page {
            Page::DictionaryPage { .. } => {
                if self.dictionary.is_some() {
                    return Err(Flaw::new("it has two dictionaries"));
                }
                let mut dictionary = Store::new(kind)?;
                dictionary.add_plain(&mut bytes, count)?;
                self.dictionary = Some(dictionary);
                return Ok(());
            }
            Page::DataPage { .. } if self.is_nullable => {
                let length = take_length(&mut bytes)?;
                Some(take(&mut bytes, length)?)
            }
            Page::DataPage { .. } => None,
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                take(&mut bytes, *rep_levels_byte_len as usize)?;
                let levels = take(&mut bytes, *def_levels_byte_len as usize)?;
                self.is_nullable.then_some(levels)
            }
        };
        let levels = match levels {
            Some(mut levels) => Some(take_runs(&mut levels, 1, count)?),
            None => None,
        };
        let is_there = |place: usize| levels.as_ref().is_none_or(|levels| levels[place] == 1);
        let mut next = self.store.len() as u32;
        let first = next;
        self.places.extend((0..count).map(|place| {
            let here = if is_there(place) { next } else { NULL };
            next += u32::from(here != NULL);
            here
        }));
        self.add_values(page.encoding(), &mut bytes, (next - first) as usize)
    }

    fn add_values(
        &mut self,
        encoding: Encoding,
        bytes: &mut &[u8],
        count: usize,
    ) -> Result<(), Flaw> {
        match encoding {
            Encoding::PLAIN => self.store.add_plain(bytes, count),
            Encoding::DELTA_BINARY_PACKED => self.store.add_differences(bytes, count),
            Encoding::DELTA_LENGTH_BYTE_ARRAY => self.store.add_texts(bytes, count, false),
            Encoding::DELTA_BYTE_ARRAY => self.store.add_texts(bytes, count, true),
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY if count == 0 => Ok(()),
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => {
                let width = take(bytes, 1)?[0];
                let indexes = take_runs(bytes, usize::from(width), count)?;
                let dictionary = self.dictionary.as_ref();
                let dictionary = dictionary.ok_or_else(|| Flaw::new("it has no dictionary"))?;
                self.store.add_of(dictionary, &indexes)
            }
            other => Err(Flaw::new(format_args!("the encoding {other} is not read"))),
        }
    }

    /// All rows, of which there must be so many, as texts or whole numbers.
    pub(super) fn into_series(self, rows_count: usize) -> Result<Series, Flaw> {
        let PageValues { store, places, is_nullable, .. } = self;
        if places.len() != rows_count {
            return Err(Flaw::new("it has another number of values than there are rows"));
        }
        let place = |place: &u32| (*place != NULL).then_some(*place as usize);
        let numbers = |of: &dyn Fn(usize) -> Option<u64>| {
            places.iter().map(|it| place(it).and_then(of).unwrap_or(0)).collect()
        };
        let values = match &store {
            Store::Int32(values) => Values::Numbers(numbers(&|place| {
                values.get(place).map(|value| i64::from(*value).cast_unsigned())
            })),
            Store::Int64(values) => {
                Values::Numbers(numbers(&|place| values.get(place).map(|it| it.cast_unsigned())))
            }
            Store::Double(values) => {
                Values::Numbers(numbers(&|place| values.get(place).map(|it| it.to_bits())))
            }
            Store::Text { .. } => {
                // A null row has no bytes, so that the texts are those of the rows.
                let Store::Text { ends, bytes } = store else { return Err(truncated()) };
                let mut end = 0;
                let ends = places.iter().map(|it| {
                    end = place(it).and_then(|place| ends.get(place).copied()).unwrap_or(end);
                    end
                });
                Values::Texts { ends: ends.collect(), bytes }
            }
        };
        let valid = is_nullable.then(|| places.iter().map(|it| *it != NULL).collect());
        Ok(Series { values, valid })
    }

    /// The place of a row's value.
    fn place(&self, row: usize) -> Option<usize> {
        self.places.get(row).filter(|place| **place != NULL).map(|place| *place as usize)
    }

    /// The value of a row as 64 bits, of a column of such numbers.
    pub(super) fn bits_64(&self, row: usize) -> Option<u64> {
        let Store::Int64(values) = &self.store else { return None };
        values.get(self.place(row)?).map(|value| value.cast_unsigned())
    }

    /// The text of a row.
    pub(super) fn text(&self, row: usize) -> Option<&[u8]> {
        let Store::Text { ends, bytes } = &self.store else { return None };
        Some(&bytes[Store::text(ends, bytes, self.place(row)?)?])
    }

    /// The value of a row.
    pub(super) fn value(
        &self,
        row: usize,
        is_unsigned: bool,
        is_date: bool,
    ) -> Result<Value, Flaw> {
        let Some(place) = self.place(row) else { return Ok(Value::Null) };
        Ok(match &self.store {
            Store::Int32(values) if is_date => Value::Date(values[place]),
            Store::Int32(values) if is_unsigned => {
                Value::Unsigned(values[place].cast_unsigned().into())
            }
            Store::Int32(values) => Value::Signed(values[place].into()),
            Store::Int64(values) if is_unsigned => Value::Unsigned(values[place].cast_unsigned()),
            Store::Int64(values) => Value::Signed(values[place]),
            Store::Double(values) => Value::Real(values[place]),
            Store::Text { .. } => {
                let text = self.text(row).unwrap_or_default().to_vec();
                let text = String::from_utf8(text).map_err(|_| Flaw::new("a text is not UTF-8"))?;
                Value::Text(text)
            }
        })
    }
}
