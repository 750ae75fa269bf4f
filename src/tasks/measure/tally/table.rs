//! A table whose rows add up: key columns, columns of integers, columns that follow from them.
//!
//! What enters are counts, or tables that were written before; what leaves is tidy CSV. A [`Schema`] says which columns a
//! table has and in which order its rows stand; a [`Grid`] holds the keys and the integers alone. What a run measured and
//! what was merged from several runs is written by the same code from the same integers, so that both are the same bytes.
//! A table that is read may be anybody's: rows, names and groups are bounded, and what no measurement writes is refused.
//!
//! ```
//! use pgnmill::tasks::measure::tally::{Grid, find_schema};
//! let mut sum = Grid::new(find_schema("lengths.csv").unwrap());
//! sum.add("notation,characters,plies\nsan,2,7\nuci,4,7\n".as_bytes()).unwrap();
//! sum.add("notation,characters,plies\nsan,3,1\nsan,2,5\n".as_bytes()).unwrap();
//! let mut out = csv::Writer::from_writer(Vec::new());
//! sum.write(&mut out).unwrap();
//! let expected = b"notation,characters,plies\nsan,2,12\nsan,3,1\nuci,4,7\n";
//! assert_eq!(out.into_inner().unwrap(), expected);
//! ```

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::tables::rows::Rows;

use super::labels::OTHERS;
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
    /// How many groups have rows of their own; those that come after them by their bytes are one group.
    pub groups_max: usize,
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

    /// Can a row have this key in a column of keys?
    fn admits(&self, column: usize, key: &str) -> bool {
        matches!(self.columns.get(column), Some(Column::Key(_, order)) if order.admits(key))
    }
}

/// A row: its key, as places among the names of its grid, and its integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    keys: Places,
    /// The integers, column by column.
    pub sums: ArrayVec<u64, SUMS_MAX>,
}

/// No table has more columns of integers.
const SUMS_MAX: usize = 4;
/// No table has more columns of keys.
const KEYS_MAX: usize = 2;
/// The key of a row: places among the names of each column; 0 where there is no such column.
type Places = [u32; KEYS_MAX];
/// Names that are read from tables are no longer than this together.
const NAMES_BYTES_MAX: usize = 64 << 20;

/// The names that stand in a column, each once.
#[derive(Clone, Debug, Default)]
struct Names {
    names: Vec<Arc<str>>,
    places: HashMap<Arc<str>, u32>,
    bytes: usize,
}

impl Names {
    /// The place of a name, and whether it is new.
    fn place(&mut self, name: &str) -> (u32, bool) {
        if let Some(&place) = self.places.get(name) {
            return (place, false);
        }
        let (name, place) = (Arc::<str>::from(name), self.names.len() as u32);
        self.bytes += name.len();
        self.names.push(Arc::clone(&name));
        self.places.insert(name, place);
        (place, true)
    }

    fn name(&self, place: u32) -> &str {
        self.names.get(place as usize).map_or("", |name| name)
    }
}

/// The integers of a table.
#[derive(Clone, Debug)]
pub struct Grid {
    schema: &'static Schema,
    names: [Names; KEYS_MAX],
    rows: Vec<Row>,
    /// Where rows are by their keys, of tables that are added up.
    places: HashMap<Places, u32>,
}

impl Grid {
    /// A table without rows.
    pub fn new(schema: &'static Schema) -> Grid {
        Grid { schema, names: Default::default(), rows: Vec::new(), places: HashMap::new() }
    }

    /// The layout.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The name of a row in a column of keys.
    pub fn key(&self, row: &Row, column: usize) -> &str {
        self.names[column].name(row.keys[column])
    }

    /// The integers of the row with this key; to be asked of small tables, whose rows are looked through.
    pub fn get(&self, keys: &[&str]) -> Option<&[u64]> {
        let is_it = |row: &Row| keys.iter().enumerate().all(|(at, key)| self.key(row, at) == *key);
        self.rows.iter().find(|row| is_it(row)).map(|row| row.sums.as_slice())
    }

    /// Adds a row whose key no other has.
    pub(super) fn push(&mut self, keys: &[&str], sums: &[u64]) {
        let mut places = Places::default();
        for (column, key) in keys.iter().enumerate() {
            places[column] = self.names[column].place(key).0;
        }
        self.rows.push(Row { keys: places, sums: sums.iter().copied().collect() });
    }

    /// Adds integers to the row with this key, which is new where there was none.
    ///
    /// # Errors
    /// In words, if no table of this layout can have such a key, a sum would be too large for its column, or memory is out.
    pub fn count(&mut self, keys: &[&str], sums: &[u64]) -> Result<(), String> {
        let mut places = Places::default();
        for (column, key) in keys.iter().enumerate() {
            let names = &mut self.names[column];
            let (place, is_new) = names.place(key);
            places[column] = place;
            if is_new && !self.schema.admits(column, key) {
                let shown: String = key.chars().take(40).collect();
                return Err(format!("{shown:?} is none of its groups"));
            }
            // Twice as many as it keeps: so many are there before the last ones become one.
            let too_many = column == 0 && names.names.len() / 2 > self.schema.groups_max;
            if is_new && (too_many || names.bytes > NAMES_BYTES_MAX) {
                return Err("it has more groups than a measurement writes".to_string());
            }
        }
        self.count_at(places, sums).map_err(|why| format!("{}: {why}", keys.join(",")))
    }

    fn count_at(&mut self, keys: Places, sums: &[u64]) -> Result<(), &'static str> {
        let Some(&place) = self.places.get(&keys) else {
            let reserved = self.rows.try_reserve(1).and_then(|()| self.places.try_reserve(1));
            reserved.map_err(|_| "not enough memory for its rows")?;
            self.places.insert(keys, self.rows.len() as u32);
            self.rows.push(Row { keys, sums: sums.iter().copied().collect() });
            return Ok(());
        };
        for (sum, more) in self.rows[place as usize].sums.iter_mut().zip(sums) {
            *sum = sum.checked_add(*more).ok_or("too large a sum")?;
        }
        Ok(())
    }

    /// Reads a table as it was written and adds it. What is derived is not read.
    ///
    /// # Errors
    /// In words, if this is no table of this layout; and those of [`Grid::count`].
    pub fn add(&mut self, input: impl Read) -> Result<(), String> {
        let schema = self.schema;
        let mut rows = Rows::new(input)?;
        if !rows.header().iter().eq(schema.columns.iter().map(|column| column.name())) {
            let columns: Vec<&str> = schema.columns.iter().map(|column| column.name()).collect();
            return Err(format!("its columns are not {}", columns.join(",")));
        }
        let (keys_count, sums_count) = (schema.keys_count(), schema.sums_count());
        while let Some(record) = rows.next_row()? {
            let keys: ArrayVec<&str, KEYS_MAX> = record.iter().take(keys_count).collect();
            let numbers = record.iter().skip(keys_count).take(sums_count);
            let counted = numbers
                .map(|field| field.parse().map_err(|_| format!("{field:?} is no count")))
                .collect::<Result<ArrayVec<u64, SUMS_MAX>, String>>()
                .and_then(|sums| self.count(&keys, &sums));
            if let Err(why) = counted {
                drop(keys);
                return Err(format!("line {}: {why}", rows.line()));
            }
        }
        self.join_last_groups()
    }

    /// Of more groups than the layout has room for the last become one: those that come last by their bytes, so that it
    /// does not matter which tables were added first.
    fn join_last_groups(&mut self) -> Result<(), String> {
        let groups_max = self.schema.groups_max;
        let mut names: Vec<&Arc<str>> = self.names[0].names.iter().collect();
        names.retain(|name| ***name != *OTHERS);
        if names.len() <= groups_max {
            return Ok(());
        }
        names.sort_unstable();
        let last: HashSet<Arc<str>> =
            names[groups_max..].iter().map(|&name| name.clone()).collect();
        let old = std::mem::replace(self, Grid::new(self.schema));
        for row in &old.rows {
            let name = old.key(row, 0);
            let name = if last.contains(name) { OTHERS } else { name };
            self.count(&[name, old.key(row, 1)], &row.sums)?;
        }
        Ok(())
    }

    fn compare(&self, left: &Row, right: &Row) -> Ordering {
        let columns = self.schema.columns.iter().enumerate();
        let mut orders = columns.map(|(at, column)| match column {
            Column::Key(_, order) if left.keys[at] != right.keys[at] => {
                order.compare(self.key(left, at), self.key(right, at))
            }
            _ => Ordering::Equal,
        });
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The rows in their order.
    pub fn sorted(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|left, right| self.compare(left, right));
        rows
    }

    /// Writes the table, with what is derived.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write<W: Write>(&self, out: &mut csv::Writer<W>) -> csv::Result<()> {
        out.write_record(self.schema.columns.iter().map(|column| column.name()))?;
        let keys_count = self.schema.keys_count();
        let mut record = csv::ByteRecord::new();
        for row in self.sorted() {
            record.clear();
            (0..keys_count).for_each(|at| record.push_field(self.key(row, at).as_bytes()));
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
    use crate::tasks::measure::tally::labels::SOURCES_MAX;
    use crate::tasks::measure::tally::{Dimension, find_schema};

    /// The table by archive of these archives, a game in each.
    fn by_source(names: impl Iterator<Item = usize>) -> String {
        let rows = names.map(|name| format!("{name:07},san,1,2,3,4\n"));
        rows.fold("key,notation,games,plies,characters,bytes\n".to_string(), |all, row| all + &row)
    }

    /// However many archives are spread over however many tables: the first ones and the rest, the same rows.
    #[test]
    fn last_groups_are_one_whatever_is_added_first() {
        let schema = find_schema(Dimension::Source.file()).unwrap();
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
        let forth = sum(&parts);
        parts.reverse();
        assert_eq!(sum(&parts), forth);
        assert_eq!(sum(&[sum(&parts[..2]), sum(&parts[2..])]), forth);
        let rest = format!("{OTHERS},san,2500,5000,7500,10000");
        assert_eq!(forth.lines().count(), SOURCES_MAX + 2);
        assert_eq!(forth.lines().last(), Some(rest.as_str()));
        // Nobody wrote so many.
        let mut sum = Grid::new(schema);
        let hostile = by_source(0..2 * SOURCES_MAX + 2);
        assert!(sum.add(hostile.as_bytes()).unwrap_err().contains("more groups"));
    }

    #[test]
    fn groups_that_nobody_measures_are_refused() {
        for (key, good, bad) in [
            (Dimension::Ply, ["1", "600", "601+"], ["0", "601", "1000000"]),
            (Dimension::Move, ["1-10", "291-300", "301+"], ["301-310", "1", ""]),
            (Dimension::Month, ["1400-01", "2100-12", "unknown"], ["2100-13", "1399-01", "x"]),
            (Dimension::Eco, ["A00", "E99", "unknown"], ["F00", "A000", "B"]),
            (Dimension::Rating, ["0-199", "4800-4999", "unknown"], ["5000-5199", "1-2", "x"]),
            (Dimension::Speed, ["blitz", "rapid", "unknown"], ["Blitz", "", "601+"]),
        ] {
            let read = |group: &str| {
                let text =
                    format!("key,notation,games,plies,characters,bytes\n{group},san,1,2,3,4\n");
                Grid::new(find_schema(key.file()).unwrap()).add(text.as_bytes())
            };
            good.iter().for_each(|group| assert_eq!(read(group), Ok(()), "{key:?}, {group}"));
            bad.iter().for_each(|group| assert!(read(group).is_err(), "{key:?}, {group}"));
        }
        let unknown = "notation,characters,plies\nnone,2,1\n";
        let mut lengths = Grid::new(find_schema("lengths.csv").unwrap());
        assert!(lengths.add(unknown.as_bytes()).unwrap_err().contains("none"));
    }

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [0, 7, 10, 99, 1_234_567_890, u64::MAX] {
            assert_eq!(digits(number)[..], *number.to_string().as_bytes());
        }
    }
}
