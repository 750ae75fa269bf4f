//! The rows of a table that add up: their keys and their integers.
//!
//! Input: counts, or tables that were written before; output: CSV. The declaration ([`Schema`]) gives the columns and
//! the order of the rows; a [`Grid`] holds keys and integers alone. What a run measured and what was merged from
//! several runs is written by the same code from the same integers, so that both are the same bytes. A table that is
//! read can be of any origin: rows, names and groups are bounded, and what no measurement writes is rejected.
//!
//! ```
//! use pgnmill_core::tables::{Grid, lengths};
//! let mut sum = Grid::new(&lengths::SCHEMA);
//! sum.add("notation,characters,plies\nsan,2,7\nuci,4,7\n".as_bytes()).unwrap();
//! sum.add("notation,characters,plies\nsan,3,1\nsan,2,5\n".as_bytes()).unwrap();
//! let mut out = csv::Writer::from_writer(Vec::new());
//! sum.write(&mut out).unwrap();
//! let expected = b"notation,characters,plies\nsan,2,12\nsan,3,1\nuci,4,7\n";
//! assert_eq!(out.into_inner().unwrap(), expected);
//! ```

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::error::TableError;
use super::groups::OTHERS;
use super::keys::Keys;
use super::rows::{self, Rows};
use super::schema::{Role, RowCounts, Schema};

/// The number of a row of a grid, which has its key and its integers. A table can have many rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row(u32);

/// No table has more columns of integers.
const SUMS_MAX: usize = 9;
/// No table has more columns of keys.
const KEYS_MAX: usize = 4;
/// The key of a row: numbers of names of each column; 0 where there is no such column.
type KeyNumbers = [u32; KEYS_MAX];
/// Bytes of all names in a column of a table that is read.
const NAMES_BYTES_MAX: usize = 64 << 20;
/// Characters of a name that an error shows.
const SHOWN_CHARACTERS: usize = 40;

/// The names in a column, each once.
#[derive(Clone, Debug, Default)]
struct ColumnNames {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    bytes: usize,
    /// The number that was asked for last.
    last: u32,
}

impl ColumnNames {
    /// The number of a name, and whether it is new.
    fn number(&mut self, name: &str) -> (u32, bool) {
        // Rows follow each other by group, and in each by notation.
        let near = [self.last, self.last + 1, 0];
        let is_it = |number: &u32| self.names.get(*number as usize).is_some_and(|it| **it == *name);
        if let Some(number) = near.into_iter().find(is_it) {
            self.last = number;
            return (number, false);
        }
        if let Some(&number) = self.numbers.get(name) {
            self.last = number;
            return (number, false);
        }
        let (name, number) = (Arc::<str>::from(name), self.names.len() as u32);
        self.bytes += name.len();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        self.last = number;
        (number, true)
    }

    fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }
}

/// The rows of a table that add up.
#[derive(Clone, Debug)]
pub struct Grid {
    schema: &'static Schema,
    /// How many columns are keys, and how many integers that add up.
    keys_count: usize,
    sums_count: usize,
    names: [ColumnNames; KEYS_MAX],
    rows: u32,
    /// The keys of all rows, as numbers of names, one row after the other.
    keys: Vec<u32>,
    /// The integers of all rows, in the same way.
    sums: Vec<u64>,
    /// Rows by their keys, of tables that are added up.
    by_keys: HashMap<KeyNumbers, u32>,
}

impl Grid {
    /// A table without rows.
    pub fn new(schema: &'static Schema) -> Grid {
        let (keys, sums, by_keys) = (Vec::new(), Vec::new(), HashMap::new());
        let (keys_count, sums_count) = (schema.keys_count(), schema.sums_count());
        let names = Default::default();
        Grid { schema, keys_count, sums_count, names, rows: 0, keys, sums, by_keys }
    }

    /// The declaration.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The name of a row in a column of keys.
    pub fn key(&self, row: &Row, column: usize) -> &str {
        self.names[column].name(self.numbers(row)[column])
    }

    /// The integers of a row, column by column.
    pub fn sums(&self, row: &Row) -> &[u64] {
        let count = self.sums_count;
        &self.sums[row.0 as usize * count..][..count]
    }

    /// The key of a row, as numbers of names.
    fn numbers(&self, row: &Row) -> &[u32] {
        let count = self.keys_count;
        &self.keys[row.0 as usize * count..][..count]
    }

    /// The rows, as they were added.
    fn rows(&self) -> impl Iterator<Item = Row> {
        (0..self.rows).map(Row)
    }

    /// Adds a row.
    fn append(&mut self, numbers: &KeyNumbers, sums: &[u64]) {
        self.keys.extend(&numbers[..self.keys_count]);
        self.sums.extend(sums);
        self.rows += 1;
    }

    /// The integers of the row with this key. Cost: a look at every row, so only for small tables.
    pub fn get(&self, keys: &[&str]) -> Option<&[u64]> {
        let is_it = |row: &Row| keys.iter().enumerate().all(|(at, key)| self.key(row, at) == *key);
        self.rows().find(is_it).map(|row| self.sums(&row))
    }

    /// Adds a row whose key no other row has.
    pub(crate) fn push(&mut self, keys: &[&str], sums: &[u64]) {
        let mut numbers = KeyNumbers::default();
        for (column, key) in keys.iter().enumerate() {
            numbers[column] = self.names[column].number(key).0;
        }
        self.append(&numbers, sums);
    }

    /// Adds integers to the row with this key, which is new if there was none.
    ///
    /// # Errors
    /// If no table of this declaration can have such a key, a sum is too large for its column, or memory is exhausted.
    pub fn count(&mut self, keys: &[&str], sums: &[u64]) -> Result<(), TableError> {
        let mut numbers = KeyNumbers::default();
        for (column, key) in keys.iter().enumerate() {
            let names = &mut self.names[column];
            let (number, is_new) = names.number(key);
            numbers[column] = number;
            if is_new && !self.schema.admits(column, key) {
                let shown = key.chars().take(SHOWN_CHARACTERS).collect();
                return Err(TableError::UnknownKey(shown));
            }
            // Twice as many as are kept: there are so many before the last ones become one group.
            let too_many = column == 0 && names.names.len() / 2 > self.schema.groups_max();
            if is_new && (too_many || names.bytes > NAMES_BYTES_MAX) {
                return Err(TableError::TooManyGroups);
            }
        }
        self.count_at(numbers, sums).map_err(|error| error(keys.join(",")))
    }

    fn count_at(&mut self, keys: KeyNumbers, sums: &[u64]) -> Result<(), fn(String) -> TableError> {
        let Some(&row) = self.by_keys.get(&keys) else {
            let reserved =
                self.keys.try_reserve(KEYS_MAX).and_then(|()| self.by_keys.try_reserve(1));
            let reserved = reserved.and_then(|()| self.sums.try_reserve(sums.len()));
            reserved.map_err(|_| TableError::OutOfMemory as fn(String) -> TableError)?;
            self.by_keys.insert(keys, self.rows);
            self.append(&keys, sums);
            return Ok(());
        };
        let merged = self.schema.columns.iter().filter(|column| column.role.is_merged());
        let from = row as usize * self.sums_count;
        for ((sum, &more), column) in self.sums[from..].iter_mut().zip(sums).zip(merged) {
            let together = match column.role {
                // 0 is none.
                Role::Least if *sum == 0 || more == 0 => Some((*sum).max(more)),
                Role::Least => Some((*sum).min(more)),
                Role::Greatest => Some((*sum).max(more)),
                _ => sum.checked_add(more),
            };
            *sum = together.ok_or(TableError::SumTooLarge as fn(String) -> TableError)?;
        }
        Ok(())
    }

    /// Reads a table and adds it. Derived columns are not read.
    ///
    /// # Errors
    /// If this is no table of this declaration; and those of [`Grid::count`].
    pub fn add(&mut self, input: impl Read) -> Result<(), TableError> {
        let schema = self.schema;
        let mut rows = Rows::of(input, schema)?;
        let (keys_count, sums_count) = (schema.keys_count(), schema.sums_count());
        let mut met = Keys::new(schema);
        while let Some(record) = rows.next_row()? {
            let keys: ArrayVec<&str, KEYS_MAX> = record.iter().take(keys_count).collect();
            let numbers = record.iter().skip(keys_count).take(sums_count);
            let counted = numbers
                .map(rows::count)
                .collect::<Result<ArrayVec<u64, SUMS_MAX>, TableError>>()
                .and_then(|sums| self.count(&keys, &sums))
                .and_then(|()| met.add_once(&keys));
            if let Err(error) = counted {
                drop(keys);
                return Err(error.at_line(rows.line()));
            }
        }
        self.join_last_groups()
    }

    /// If there are more groups than may have rows of their own, the last ones by their bytes become one: the result
    /// does not depend on the order in which tables are added.
    fn join_last_groups(&mut self) -> Result<(), TableError> {
        let groups_max = self.schema.groups_max();
        let mut names: Vec<&Arc<str>> = self.names[0].names.iter().collect();
        names.retain(|name| ***name != *OTHERS);
        if names.len() <= groups_max {
            return Ok(());
        }
        names.sort_unstable();
        let last: HashSet<Arc<str>> =
            names[groups_max..].iter().map(|&name| name.clone()).collect();
        let old = std::mem::replace(self, Grid::new(self.schema));
        for row in &old.rows().collect::<Vec<Row>>() {
            let columns = self.schema.keys_count();
            let mut keys: ArrayVec<&str, KEYS_MAX> =
                (0..columns).map(|column| old.key(row, column)).collect();
            if keys.first().is_some_and(|name| last.contains(*name)) {
                keys[0] = OTHERS;
            }
            self.count(&keys, old.sums(row))?;
        }
        Ok(())
    }

    fn compare(&self, left: &Row, right: &Row) -> Ordering {
        let (left_numbers, right_numbers) = (self.numbers(left), self.numbers(right));
        let columns = self.schema.columns.iter().enumerate();
        let mut orders = columns.map(|(at, column)| match column.role {
            Role::Key(order) if left_numbers[at] != right_numbers[at] => {
                order.compare(self.key(left, at), self.key(right, at))
            }
            _ => Ordering::Equal,
        });
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The rows in their order.
    pub fn sorted(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows().collect();
        rows.sort_by(|left, right| self.compare(left, right));
        rows
    }

    /// Writes the table, derived columns included.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write<W: Write>(&self, out: &mut csv::Writer<W>) -> csv::Result<()> {
        out.write_record(self.schema.header())?;
        let keys_count = self.keys_count;
        let last = keys_count.saturating_sub(1);
        let mut record = csv::ByteRecord::new();
        let sorted = self.sorted();
        // Rows that differ in their last key alone follow each other.
        let is_alike =
            |one: &Row, other: &Row| self.numbers(one)[..last] == self.numbers(other)[..last];
        // A derived field compares with the same few names in each row.
        let compared: RefCell<Vec<(String, Option<u32>)>> = RefCell::default();
        let number_of = |name: &str| {
            let mut compared = compared.borrow_mut();
            let known = compared.iter().find(|(known, _)| known == name).map(|(_, number)| *number);
            known.unwrap_or_else(|| {
                let number = self.names[last].numbers.get(name).copied();
                compared.push((name.to_string(), number));
                number
            })
        };
        for group in sorted.chunk_by(is_alike) {
            for row in group {
                record.clear();
                let keys: ArrayVec<&str, KEYS_MAX> =
                    (0..keys_count).map(|column| self.key(row, column)).collect();
                keys.iter().for_each(|key| record.push_field(key.as_bytes()));
                let sums = self.sums(row);
                sums.iter().for_each(|&sum| record.push_field(&digits(sum)));
                let of = &|name: &str| {
                    let number = number_of(name)?;
                    let found = group.iter().find(|other| self.numbers(other)[last] == number);
                    found.map(|row| self.sums(row))
                };
                for value in self.schema.derive(&RowCounts { keys: &keys, sums, of }) {
                    record.push_field(value.as_bytes());
                }
                out.write_byte_record(&record)?;
            }
        }
        Ok(())
    }
}

/// The decimal digits of a number. A table has six of them in a row, and many rows.
fn digits(mut number: u64) -> ArrayVec<u8, 20> {
    let mut digits = ArrayVec::new();
    loop {
        digits.push(b'0' + (number % 10) as u8);
        number /= 10;
        if number == 0 {
            digits.reverse();
            return digits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::groups::SOURCES_MAX;
    use crate::tables::{Dimension, lengths};

    /// The table by archive of these archives, a game in each.
    fn by_source(names: impl Iterator<Item = usize>) -> String {
        let rows = names.map(|name| format!("{name:07},san,1,2,3,4,2.000,0.00,\n"));
        let header = Dimension::Source.schema().header().join(",") + "\n";
        rows.fold(header, |all, row| all + &row)
    }

    /// However many archives are spread over however many tables: the first ones and the rest, the same rows.
    #[test]
    fn the_last_groups_are_one_in_any_order_of_adding() {
        let schema = Dimension::Source.schema();
        let archives = SOURCES_MAX + 2_500;
        let sum = |parts: &[String]| {
            let mut sum = Grid::new(schema);
            parts.iter().for_each(|part| sum.add(part.as_bytes()).unwrap());
            let mut out = csv::Writer::from_writer(Vec::new());
            sum.write(&mut out).unwrap();
            String::from_utf8(out.into_inner().unwrap()).unwrap()
        };
        let mut parts: Vec<String> =
            (0..5).map(|part| by_source((part..archives).step_by(5))).collect();
        let forward = sum(&parts);
        parts.reverse();
        assert_eq!(sum(&parts), forward);
        assert_eq!(sum(&[sum(&parts[..2]), sum(&parts[2..])]), forward);
        let rest = format!("{OTHERS},san,2500,5000,7500,10000,1.500,0.00,");
        assert_eq!(forward.lines().count(), SOURCES_MAX + 2);
        assert_eq!(forward.lines().last(), Some(rest.as_str()));
        // No measurement writes so many.
        let mut sum = Grid::new(schema);
        let hostile = by_source(0..2 * SOURCES_MAX + 2);
        assert!(sum.add(hostile.as_bytes()).unwrap_err().to_string().contains("more groups"));
    }

    #[test]
    fn groups_that_no_measurement_has_are_rejected() {
        for (key, good, bad) in [
            (Dimension::Ply, ["1", "600", "601+"], ["0", "601", "1000000"]),
            (Dimension::Move, ["1-10", "291-300", "301+"], ["301-310", "1", ""]),
            (Dimension::Month, ["1400-01", "2100-12", "unknown"], ["2100-13", "1399-01", "x"]),
            (Dimension::Eco, ["A00", "E99", "unknown"], ["F00", "A000", "B"]),
            (Dimension::Rating, ["0-199", "4800-4999", "unknown"], ["5000-5199", "1-2", "x"]),
            (Dimension::Speed, ["blitz", "rapid", "unknown"], ["Blitz", "", "601+"]),
        ] {
            let read = |group: &str| {
                let text = format!("{}\n{group},san,1,2,3,4,,,\n", key.schema().header().join(","));
                Grid::new(key.schema()).add(text.as_bytes())
            };
            good.iter().for_each(|group| assert!(read(group).is_ok(), "{key:?}, {group}"));
            bad.iter().for_each(|group| assert!(read(group).is_err(), "{key:?}, {group}"));
        }
        let unknown = "notation,characters,plies\nnone,2,1\n";
        let mut lengths = Grid::new(&lengths::SCHEMA);
        assert!(lengths.add(unknown.as_bytes()).unwrap_err().to_string().contains("none"));
    }

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [0, 7, 10, 99, 1_234_567_890, u64::MAX] {
            assert_eq!(digits(number)[..], *number.to_string().as_bytes());
        }
    }
}
