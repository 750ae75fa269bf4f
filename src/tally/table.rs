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

use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{Read, Write};

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
    pub keys: Vec<String>,
    /// The integers, column by column.
    pub sums: Vec<u64>,
}

/// The integers of a table.
#[derive(Clone, Debug)]
pub struct Grid {
    schema: &'static Schema,
    rows: Vec<Row>,
    places: HashMap<Vec<String>, usize>,
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

    /// The integers of the row with this key.
    pub fn get(&self, keys: &[&str]) -> Option<&[u64]> {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        self.places.get(&keys).map(|&place| self.rows[place].sums.as_slice())
    }

    /// Adds integers to the row with this key, which is new where there was none.
    ///
    /// # Errors
    /// In words, if a sum would be too large for its column.
    pub fn count(&mut self, keys: Vec<String>, sums: &[u64]) -> Result<(), String> {
        let Some(&place) = self.places.get(&keys) else {
            self.places.insert(keys.clone(), self.rows.len());
            self.rows.push(Row { keys, sums: sums.to_vec() });
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
            let keys = record.iter().take(keys_count).map(String::from).collect();
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
        for row in self.sorted() {
            for key in &row.keys {
                out.write_field(key)?;
            }
            for sum in &row.sums {
                out.write_field(sum.to_string())?;
            }
            for value in (self.schema.derive)(self, row) {
                out.write_field(value)?;
            }
            out.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }
}
