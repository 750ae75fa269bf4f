//! A table whose rows add up: key columns, columns of integers, columns that follow from them.
//!
//! What enters are counts, or tables that were written before; what leaves is tidy CSV. A [`Schema`] says which columns a
//! table has and in which order its rows stand; a [`Grid`] holds the keys and the integers alone. What a run measured and
//! what was merged from several runs is written by the same code from the same integers, so that both are the same bytes.
//!
//! ```
//! use pgnmill::tally::{Grid, find_schema};
//! let read = |text: &str| Grid::read(find_schema("lengths.csv").unwrap(), text.as_bytes()).unwrap();
//! let mut sum = read("notation,characters,plies\nsan,2,7\nuci,4,7\n");
//! sum.add(&read("notation,characters,plies\nsan,3,1\nsan,2,5\n")).unwrap();
//! let mut out = csv::Writer::from_writer(Vec::new());
//! sum.write(&mut out).unwrap();
//! let expected = b"notation,characters,plies\nsan,2,12\nsan,3,1\nuci,4,7\n";
//! assert_eq!(out.into_inner().unwrap(), expected);
//! ```

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{Read, Write};

use arrayvec::ArrayVec;

use super::order::Order;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    /// A part of the row's key; rows stand in the order of the first key, then of the second …
    Key(&'static str, Order),
    /// An integer that adds up.
    Sum(&'static str),
    /// Something that follows from the integers.
    Derived(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Column::Key(name, _) | Column::Sum(name) | Column::Derived(name) => name,
        }
    }
}

/// The layout of a table. Its columns are keys first, then sums, then what is derived.
#[derive(Debug)]
pub struct Schema {
    /// The name of the file.
    pub file: &'static str,
    /// The columns.
    pub columns: Vec<Column>,
    /// The derived columns of a row.
    pub derive: fn(&Grid, &Row) -> Vec<String>,
}

impl Schema {
    /// How many columns are keys.
    fn keys_count(&self) -> usize {
        self.columns.iter().filter(|column| matches!(column, Column::Key(..))).count()
    }

    fn sums_count(&self) -> usize {
        self.columns.iter().filter(|column| matches!(column, Column::Sum(_))).count()
    }

    fn compare(&self, left: &Row, right: &Row) -> Ordering {
        let columns = self.columns.iter().zip(left.keys.iter().zip(&right.keys));
        let mut orders = columns.map(|(column, (left, right))| match column {
            Column::Key(_, order) if left != right => order.compare(left, right),
            _ => Ordering::Equal,
        });
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// A row: its key and its integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The key, column by column.
    pub keys: RowKey,
    /// The integers, column by column.
    pub sums: ArrayVec<u64, SUMS_MAX>,
}

/// No table has more columns of integers.
const SUMS_MAX: usize = 4;
/// The key of a row: one name or two.
pub type RowKey = ArrayVec<Cow<'static, str>, 2>;

/// The integers of a table.
#[derive(Clone, Debug)]
pub struct Grid {
    schema: &'static Schema,
    rows: Vec<Row>,
    /// Where rows are by their keys, of tables that are added up.
    places: HashMap<RowKey, usize>,
}

impl Grid {
    /// A table without rows.
    pub fn new(schema: &'static Schema) -> Grid {
        Grid { schema, rows: Vec::new(), places: HashMap::new() }
    }

    /// The layout.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The integers of the row with this key; to be asked of small tables, whose rows are looked through.
    pub fn get(&self, keys: &[&str]) -> Option<&[u64]> {
        let found = self.rows.iter().find(|row| row.keys.iter().eq(keys));
        found.map(|row| row.sums.as_slice())
    }

    /// Adds a row whose key no other has.
    pub(super) fn push(&mut self, keys: RowKey, sums: &[u64]) {
        self.rows.push(Row { keys, sums: sums.iter().copied().collect() });
    }

    /// Adds integers to the row with this key, which is new where there was none.
    ///
    /// # Errors
    /// In words, if a sum would be too large for its column.
    pub fn count(&mut self, keys: RowKey, sums: &[u64]) -> Result<(), String> {
        let Some(&place) = self.places.get(&keys) else {
            self.places.insert(keys.clone(), self.rows.len());
            self.push(keys, sums);
            return Ok(());
        };
        for (sum, more) in self.rows[place].sums.iter_mut().zip(sums) {
            let together = sum.checked_add(*more);
            *sum = together.ok_or_else(|| format!("{}: too large a sum", keys.join(",")))?;
        }
        Ok(())
    }

    /// Adds another table of the same layout.
    ///
    /// # Errors
    /// As [`Grid::count`].
    pub fn add(&mut self, other: &Grid) -> Result<(), String> {
        other.rows.iter().try_for_each(|row| self.count(row.keys.clone(), &row.sums))
    }

    /// Reads a table as it was written. What is derived is not read.
    ///
    /// # Errors
    /// In words, if this is no table of this layout.
    pub fn read(schema: &'static Schema, input: impl Read) -> Result<Grid, String> {
        let mut reader = csv::Reader::from_reader(input);
        let header = reader.headers().map_err(|error| error.to_string())?;
        if !header.iter().eq(schema.columns.iter().map(|column| column.name())) {
            let columns: Vec<&str> = schema.columns.iter().map(|column| column.name()).collect();
            return Err(format!("its columns are not {}", columns.join(",")));
        }
        let (keys_count, sums_count) = (schema.keys_count(), schema.sums_count());
        let mut grid = Grid::new(schema);
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let line = record.position().map_or(0, csv::Position::line);
            let keys = record.iter().take(keys_count);
            let keys = keys.map(|key| Cow::Owned(key.to_string())).collect();
            let mut sums = Vec::with_capacity(sums_count);
            for field in record.iter().skip(keys_count).take(sums_count) {
                let number = field.parse();
                sums.push(number.map_err(|_| format!("line {line}: {field:?} is no count"))?);
            }
            grid.count(keys, &sums)?;
        }
        Ok(grid)
    }

    /// The rows in their order.
    pub fn sorted(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|left, right| self.schema.compare(left, right));
        rows
    }

    /// Writes the table, with what is derived.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write<W: Write>(&self, out: &mut csv::Writer<W>) -> csv::Result<()> {
        out.write_record(self.schema.columns.iter().map(|column| column.name()))?;
        let mut record = csv::ByteRecord::new();
        for row in self.sorted() {
            record.clear();
            row.keys.iter().for_each(|key| record.push_field(key.as_bytes()));
            row.sums.iter().for_each(|&sum| record.push_field(&digits(sum)));
            for value in (self.schema.derive)(self, row) {
                record.push_field(value.as_bytes());
            }
            out.write_byte_record(&record)?;
        }
        Ok(())
    }
}

/// A number as it is written. A table has six of them a row, and there are many rows.
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

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [0, 7, 10, 99, 1_234_567_890, u64::MAX] {
            assert_eq!(digits(number)[..], *number.to_string().as_bytes());
        }
    }
}
