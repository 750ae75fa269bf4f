//! Column chunks in memory: the pages of a column of a row group.
//!
//! In: levels and values. Out: encoded pages, with what the footer says of them. Invariant: a chunk has the bytes that
//! the library's writer of Arrow arrays makes of the same values; so its pages end at the same rows (see
//! [`Encoder::write_steps`]), and the index of pages has the bytes of texts also where there are no statistics. Cost:
//! the encoding; one copy of the pages.

use std::ops::Range;
use std::sync::Arc;

use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::LevelHistogram;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescPtr};

use super::SinkWriter;
use super::levels::Levels;
use super::pages::Pages;

/// The pages of a column of a row group.
pub(in super::super) struct Chunk {
    pub(super) pages: Pages,
    pub(super) close: ColumnCloseResult,
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunk").field("rows", &self.close.rows_written).finish_non_exhaustive()
    }
}

impl Chunk {
    /// Writes it as the next column of a row group.
    ///
    /// # Errors
    /// What the system refuses.
    pub(super) fn append_to(
        self,
        group: &mut SerializedRowGroupWriter<'_, SinkWriter>,
    ) -> Result<()> {
        group.append_column(&self.pages, self.close)
    }

    /// Adds the bytes of the texts of each page to the index of pages, which has them already if there are statistics.
    pub(super) fn add_text_bytes(
        &mut self,
        rows_count: usize,
        bytes_of: impl Fn(Range<usize>) -> usize,
    ) {
        let Some(index) = &mut self.close.offset_index else { return };
        if index.unencoded_byte_array_data_bytes.is_some() {
            return;
        }
        let starts = index.page_locations.iter().map(|page| page.first_row_index as usize);
        let ends = starts.clone().skip(1).chain([rows_count]);
        let bytes = starts.zip(ends).map(|(start, end)| bytes_of(start..end) as i64);
        index.unencoded_byte_array_data_bytes = Some(bytes.collect());
    }

    /// Adds the statistics of names, of which a few are in many rows: their writer would compare the names of all rows.
    /// `counts`: rows of each name.
    ///
    /// # Errors
    /// None that is known.
    pub(super) fn add_name_statistics(mut self, names: &[&str], counts: &[usize]) -> Result<Chunk> {
        let metadata = self.close.metadata;
        let present = names.iter().zip(counts).filter(|(_, count)| **count > 0);
        let least = present.clone().map(|(&name, _)| name).min().map(ByteArray::from);
        let greatest = present.clone().map(|(&name, _)| name).max().map(ByteArray::from);
        let bytes: usize = present.map(|(name, count)| name.len() * count).sum();
        let valid: usize = counts.iter().sum();
        let nulls = metadata.num_values() as usize - valid;
        let statistics = Statistics::byte_array(least, greatest, None, Some(nulls as u64), false);
        let levels = LevelHistogram::from(vec![nulls as i64, valid as i64]);
        let is_nullable = metadata.column_descr().max_def_level() > 0;
        let builder = metadata.into_builder().set_statistics(statistics);
        let builder = builder.set_unencoded_byte_array_data_bytes(Some(bytes as i64));
        let builder = builder.set_definition_level_histogram(is_nullable.then_some(levels));
        self.close.metadata = builder.build()?;
        Ok(self)
    }
}

/// What encodes the columns of a file.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    /// The properties with as many values at once as a page may have rows.
    uniform: WriterPropertiesPtr,
}

impl Encoder {
    pub(super) fn new(schema: SchemaDescPtr, properties: WriterPropertiesPtr) -> Encoder {
        let builder = WriterProperties::clone(&properties).into_builder();
        let builder = builder.set_write_batch_size(properties.data_page_row_count_limit());
        Encoder { schema, properties, uniform: Arc::new(builder.build()) }
    }

    pub(super) fn leaf(&self, index: usize) -> Result<ColumnDescPtr> {
        let missing = || ParquetError::IndexOutOfBound(index, self.schema.num_columns());
        self.schema.columns().get(index).cloned().ok_or_else(missing)
    }

    pub(super) fn value_levels(&self, leaf: usize, valid: &[bool]) -> Result<Levels> {
        let levels = Levels::of_values(valid, self.leaf(leaf)?.max_def_level() > 0);
        levels.ok_or_else(|| self.is_null(leaf))
    }

    pub(super) fn is_null(&self, leaf: usize) -> ParquetError {
        let name = self.schema.column(leaf).path().string();
        ParquetError::General(format!("{name} is null, which it never is"))
    }

    /// Encodes values that are no lists, some rows at a time. `fill` sets the values of rows that are not null.
    pub(super) fn write_steps<T: DataType>(
        &self,
        leaf: usize,
        levels: &Levels,
        rows_count: usize,
        mut fill: impl FnMut(Range<usize>, &mut Vec<T::T>),
    ) -> Result<Chunk> {
        let step = self.properties(levels).write_batch_size();
        self.write::<T>(leaf, levels, |writer| {
            let mut values = Vec::with_capacity(step.min(rows_count));
            for start in (0..rows_count).step_by(step) {
                let rows = start..rows_count.min(start + step);
                fill(rows.clone(), &mut values);
                let definition = levels.definition.as_ref().map(|levels| &levels[rows]);
                writer.write_batch(&values, definition, None)?;
            }
            Ok(())
        })
    }

    /// Encodes the values that exist.
    pub(super) fn write_at_once<T: DataType>(
        &self,
        leaf: usize,
        levels: &Levels,
        values: &[T::T],
    ) -> Result<Chunk> {
        self.write::<T>(leaf, levels, |writer| {
            let (definition, repetition) = (&levels.definition, &levels.repetition);
            writer.write_batch(values, definition.as_deref(), repetition.as_deref()).map(drop)
        })
    }

    /// Encodes a column chunk. The size of a page is looked at after each batch of values: its length is therefore the
    /// one with which Arrow arrays are written.
    fn write<T: DataType>(
        &self,
        leaf: usize,
        levels: &Levels,
        values: impl FnOnce(&mut ColumnWriterImpl<'_, T>) -> Result<()>,
    ) -> Result<Chunk> {
        let mut pages = TrackedWrite::new(Pages::default());
        let page_writer = Box::new(SerializedPageWriter::new(&mut pages));
        let properties = Arc::clone(self.properties(levels));
        let mut writer = ColumnWriterImpl::<T>::new(self.leaf(leaf)?, properties, page_writer);
        values(&mut writer)?;
        let close = writer.close()?;
        Ok(Chunk { pages: pages.into_inner()?, close })
    }

    fn properties(&self, levels: &Levels) -> &WriterPropertiesPtr {
        if levels.is_uniform { &self.uniform } else { &self.properties }
    }
}
