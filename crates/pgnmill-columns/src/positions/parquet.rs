//! A table of positions as Parquet.
//!
//! In: a file. Out: the rows of the positions that are looked for. Invariants: a row group is read only if the
//! statistics of its hashes may have one that is looked for, and of it the other columns only if a record is equal; the
//! pages before the first such row are not decoded, those after the last one not read. Cost: the hashes and, in
//! general, the records of one row group for a position of chess; of another ruleset those of all row groups with rows
//! that have no hash.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type};
use parquet::column::page::PageReader as _;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescriptor;

use super::flaw::{Flaw, TABLE_KEY};
use super::lookup::Lookup;
use super::page_values::PageValues;
use super::row::{COLUMNS, PositionRow, REQUIRED, Value};
use super::series::SeriesOfGroup;
use super::stored::StoredFile;

/// With which a file begins and ends.
const MAGIC: &[u8] = b"PAR1";
/// Bytes of the footer, at most: those of some 10,000 row groups.
const FOOTER_BYTES_MAX: u64 = 32 << 20;
/// Rows of a row group, at most.
const ROWS_MAX: i64 = 1 << 24;

/// A table.
#[derive(Debug)]
pub(super) struct ParquetTable {
    file: Arc<StoredFile>,
    metadata: ParquetMetaData,
    /// The index of each of [`COLUMNS`] in the file.
    columns: [Option<usize>; COLUMNS.len()],
}

/// A row group of which columns are read.
struct Group<'t> {
    table: &'t ParquetTable,
    index: usize,
    rows_count: usize,
}

impl ParquetTable {
    pub(super) fn open(file: StoredFile) -> Result<ParquetTable, Flaw> {
        let end_bytes = MAGIC.len() as u64 + 4;
        let Some(end) = file.len().checked_sub(end_bytes).filter(|end| *end > 0) else {
            return Err(Flaw::new("the file is no Parquet file: it is too short"));
        };
        let tail = file.bytes(end, end_bytes)?;
        if !tail.ends_with(MAGIC) {
            return Err(Flaw::new(
                "the file is no Parquet file, or truncated: PAR1 is not its end",
            ));
        }
        let footer_bytes = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if footer_bytes > end.min(FOOTER_BYTES_MAX) {
            return Err(Flaw::new(format_args!("its footer has {footer_bytes} bytes")));
        }
        let footer = file.bytes(end - footer_bytes, footer_bytes)?;
        let metadata = ParquetMetaDataReader::decode_metadata(&footer)
            .map_err(|error| Flaw::from(error).at("footer"))?;
        let columns = columns_of(&metadata);
        let columns = columns.map_err(|flaw| flaw.of_table(fact_of(&metadata, TABLE_KEY)))?;
        Ok(ParquetTable { file: Arc::new(file), metadata, columns })
    }

    /// The index of a column in the file.
    fn column(&self, name: &str) -> Option<usize> {
        COLUMNS.iter().position(|known| *known == name).and_then(|place| self.columns[place])
    }

    /// A value of the metadata of the file.
    pub(super) fn fact(&self, key: &str) -> Option<&str> {
        fact_of(&self.metadata, key)
    }

    pub(super) fn groups_count(&self) -> usize {
        self.metadata.num_row_groups()
    }

    pub(super) fn rows_count(&self) -> u64 {
        let groups = self.metadata.row_groups().iter();
        groups.fold(0, |sum, group| sum.saturating_add(group.num_rows().max(0).unsigned_abs()))
    }

    pub(super) fn has_column(&self, name: &str) -> bool {
        self.column(name).is_some()
    }

    /// Whole columns of a row group, of those that the file has.
    pub(super) fn series(
        &self,
        index: usize,
        names: &[&'static str],
    ) -> Result<SeriesOfGroup, Flaw> {
        let group = Group::new(self, index, self.metadata.row_group(index))?;
        let rows_count = group.rows_count;
        let mut columns = Vec::new();
        for name in names.iter().copied() {
            if let Some(column) = group.column(name, 0..rows_count)? {
                let series = column.values.into_series(rows_count);
                let series = series.map_err(|flaw| flaw.at(format_args!("column {name}")))?;
                columns.push((name, series));
            }
        }
        Ok(SeriesOfGroup { rows_count, columns })
    }

    pub(super) fn find(
        &self,
        lookup: &mut Lookup<'_>,
        groups_read: &Cell<usize>,
    ) -> Result<(), Flaw> {
        for (index, group) in self.metadata.row_groups().iter().enumerate() {
            if !self.may_have(group, lookup) {
                continue;
            }
            lookup.check()?;
            groups_read.set(groups_read.get() + 1);
            let found = Group::new(self, index, group).and_then(|group| group.find(lookup));
            found.map_err(|flaw| flaw.at(format_args!("row group {}", index + 1)))?;
        }
        Ok(())
    }

    /// May a row group have one of the positions, by the statistics of its hashes?
    fn may_have(&self, group: &RowGroupMetaData, lookup: &Lookup<'_>) -> bool {
        let hash = self.column("hash").and_then(|leaf| group.columns().get(leaf));
        let statistics = hash.and_then(|hash| hash.statistics());
        // Those of old writers are in the order of signed numbers.
        let is_old = statistics.is_some_and(Statistics::is_min_max_deprecated);
        let Some(Statistics::Int64(hashes)) = statistics else {
            return true;
        };
        if hashes.null_count_opt() != Some(0) && lookup.may_have(None) {
            return true;
        }
        match (hashes.min_opt(), hashes.max_opt()) {
            (Some(least), Some(greatest)) if !is_old => {
                lookup.may_have_between(least.cast_unsigned(), greatest.cast_unsigned())
            }
            // A group in which no row has a hash has no least one.
            _ => hashes.null_count_opt() != Some(group.num_rows().unsigned_abs()),
        }
    }
}

/// A value of the metadata of a file.
fn fact_of<'m>(metadata: &'m ParquetMetaData, key: &str) -> Option<&'m str> {
    let facts = metadata.file_metadata().key_value_metadata()?;
    facts.iter().find(|fact| fact.key == key)?.value.as_deref()
}

/// The indexes of the columns in the file.
fn columns_of(metadata: &ParquetMetaData) -> Result<[Option<usize>; COLUMNS.len()], Flaw> {
    let leaves = metadata.file_metadata().schema_descr().columns();
    let place = |name: &str| leaves.iter().position(|leaf| leaf.path().parts() == [name]);
    let columns = COLUMNS.map(place);
    if let Some(missing) = REQUIRED.iter().find(|name| place(name).is_none()) {
        return Err(Flaw::new(format_args!("it has no column {missing}")));
    }
    for (name, leaf) in
        COLUMNS.iter().zip(&columns).filter_map(|(name, leaf)| Some((name, (*leaf)?)))
    {
        let leaf = &leaves[leaf];
        if leaf.max_rep_level() > 0 || leaf.max_def_level() > 1 {
            return Err(Flaw::new(format_args!("its column {name} has lists")));
        }
        if *name == "hash" && (leaf.physical_type() != Type::INT64 || !is_unsigned(leaf)) {
            return Err(Flaw::new("its column hash has another type than unsigned 64 bits"));
        }
    }
    Ok(columns)
}

fn is_unsigned(leaf: &ColumnDescriptor) -> bool {
    match leaf.logical_type_ref() {
        Some(LogicalType::Integer(it)) => !it.is_signed,
        _ => matches!(leaf.converted_type(), ConvertedType::UINT_16 | ConvertedType::UINT_64),
    }
}

fn is_date(leaf: &ColumnDescriptor) -> bool {
    leaf.converted_type() == ConvertedType::DATE
        || matches!(leaf.logical_type_ref(), Some(LogicalType::Date))
}

impl<'t> Group<'t> {
    fn new(
        table: &'t ParquetTable,
        index: usize,
        group: &RowGroupMetaData,
    ) -> Result<Group<'t>, Flaw> {
        let rows = group.num_rows();
        if !(0..=ROWS_MAX).contains(&rows) {
            return Err(Flaw::new(format_args!("it has {rows} rows")));
        }
        Ok(Group { table, index, rows_count: rows as usize })
    }

    /// Adds the rows of the positions.
    fn find(&self, lookup: &mut Lookup<'_>) -> Result<(), Flaw> {
        let table = self.table;
        let rows: Vec<usize> = match table.column("hash") {
            Some(leaf) => {
                let hashes = self.read("hash", leaf, 0..self.rows_count)?;
                (0..self.rows_count).filter(|row| lookup.may_have(hashes.bits_64(*row))).collect()
            }
            None => (0..self.rows_count).collect(),
        };
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { return Ok(()) };
        let records = self.column("fen", first..last + 1)?;
        let rulesets = self.column("rules", first..last + 1)?;
        let text = |column: &Option<Column>, row: usize| {
            let text = column.as_ref().and_then(|it| it.values.text(row - it.first));
            text.map(|text| String::from_utf8_lossy(text).into_owned())
        };
        let found = rows.into_iter().filter_map(|row| {
            let record = text(&records, row).filter(|record| lookup.has_record(record))?;
            let places = lookup.with(&record, text(&rulesets, row).as_deref());
            (!places.is_empty()).then_some((row, places))
        });
        let found: Vec<(usize, Vec<usize>)> = found.collect();
        let (Some((first, _)), Some((last, _))) = (found.first(), found.last()) else {
            return Ok(());
        };
        let range = *first..*last + 1;
        let mut columns = Vec::new();
        for name in COLUMNS {
            let is_read = matches!(name, "rules" | "fen" | "hash");
            columns.push(if is_read { None } else { self.column(name, range.clone())? });
        }
        for (row, places) in found {
            let row = PositionRow::of(|name| {
                let place = COLUMNS.iter().position(|known| *known == name);
                match place.and_then(|place| columns[place].as_ref()) {
                    None => Ok(Value::Null),
                    Some(column) => column.value(row),
                }
            })?;
            lookup.add(&places, &row)?;
        }
        Ok(())
    }

    /// Reads some rows of a column, if the file has it.
    fn column(&self, name: &'static str, rows: Range<usize>) -> Result<Option<Column>, Flaw> {
        let Some(leaf) = self.table.column(name) else { return Ok(None) };
        let mut first = 0;
        let values = self.read_from(name, leaf, rows, &mut first)?;
        let schema = self.table.metadata.file_metadata().schema_descr();
        let described = schema.column(leaf);
        let (is_unsigned, is_date) = (is_unsigned(&described), is_date(&described));
        Ok(Some(Column { name, values, first, is_unsigned, is_date }))
    }

    fn read(&self, name: &str, leaf: usize, rows: Range<usize>) -> Result<PageValues, Flaw> {
        self.read_from(name, leaf, rows, &mut 0)
    }

    /// Reads the pages with these rows; `first` becomes the first row of these pages.
    fn read_from(
        &self,
        name: &str,
        leaf: usize,
        rows: Range<usize>,
        first: &mut usize,
    ) -> Result<PageValues, Flaw> {
        let mut read = || {
            let metadata = &self.table.metadata;
            let leaves = metadata.file_metadata().schema_descr();
            let described = leaves.column(leaf);
            let chunk = metadata.row_group(self.index).columns().get(leaf);
            let chunk = chunk.ok_or_else(|| Flaw::new("it is missing"))?;
            let (offset, bytes) = (chunk.data_page_offset(), chunk.compressed_size());
            let dictionary = chunk.dictionary_page_offset().unwrap_or(0);
            // The library requires both.
            if offset < 0 || bytes < 0 || dictionary < 0 {
                return Err(Flaw::new("its place in the file is negative"));
            }
            let kind = described.physical_type();
            let is_nullable =
                described.self_type().get_basic_info().repetition() != Repetition::REQUIRED;
            let mut values = PageValues::new(kind, is_nullable, self.rows_count)?;
            let file = Arc::clone(&self.table.file);
            let mut pages = SerializedPageReader::new(file, chunk, self.rows_count, None)?;
            while *first + values.len() < rows.end {
                let Some(page) = pages.get_next_page()? else { break };
                let end = *first + page.num_values() as usize;
                if page.is_data_page() && values.len() == 0 && end <= rows.start {
                    *first = end;
                } else {
                    values.add(kind, &page)?;
                }
            }
            if *first + values.len() < rows.end {
                return Err(Flaw::new("it has fewer values than there are rows"));
            }
            Ok(values)
        };
        read().map_err(|flaw: Flaw| flaw.at(format_args!("column {name}")))
    }
}

/// Some rows of a column.
struct Column {
    name: &'static str,
    values: PageValues,
    /// The first of these rows.
    first: usize,
    is_unsigned: bool,
    is_date: bool,
}

impl Column {
    fn value(&self, row: usize) -> Result<Value, Flaw> {
        let value = self.values.value(row - self.first, self.is_unsigned, self.is_date);
        value.map_err(|flaw| flaw.at(format_args!("column {}", self.name)))
    }
}
