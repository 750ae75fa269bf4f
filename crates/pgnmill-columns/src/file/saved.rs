//! The row groups of a Parquet file that is continued later.
//!
//! In: the metadata of the row groups that are written. Out: their bytes; and the same row groups in a new writer,
//! whose file contains them already. Invariant: the footer of the continued file is the one that a single run writes;
//! so the statistics, the encodings and the offsets of pages are saved. Cost: the metadata, some kilobytes per row
//! group; to continue a file its columns are read once.

use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, ParquetMetaDataOptions,
    ParquetMetaDataReader, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescPtr;
use pgnmill_state::{Loader, State, state};

use super::SinkWriter;

/// The length and the last bytes of a footer: its length and a magic number.
const FOOTER_END_BYTES: usize = 8;

/// The pages of a column of a row group: stored size, and first row.
#[derive(Clone, Debug)]
struct Pages {
    sizes: Vec<(i32, i64)>,
    text_bytes: Option<Vec<i64>>,
}
state!(Pages { sizes, text_bytes });

impl Pages {
    fn of(index: &OffsetIndexMetaData) -> Pages {
        let size = |page: &PageLocation| (page.compressed_page_size, page.first_row_index);
        Pages {
            sizes: index.page_locations.iter().map(size).collect(),
            text_bytes: index.unencoded_byte_array_data_bytes.clone(),
        }
    }

    /// The index of the pages in a file, where the first one is at `first`.
    fn index(&self, first: i64) -> OffsetIndexMetaData {
        let mut offset = first;
        let mut page = |&(size, row): &(i32, i64)| {
            let location =
                PageLocation { offset, compressed_page_size: size, first_row_index: row };
            offset += i64::from(size);
            location
        };
        OffsetIndexMetaData {
            page_locations: self.sizes.iter().map(&mut page).collect(),
            unencoded_byte_array_data_bytes: self.text_bytes.clone(),
        }
    }
}

/// What a footer does not contain of a column of a row group.
#[derive(Clone, Debug)]
pub(super) struct ColumnPages {
    pages: Option<Pages>,
    /// Are the least and the greatest value also written to the fields of earlier versions of the format?
    has_old_fields: bool,
}
state!(ColumnPages { pages, has_old_fields });

/// The pages of all columns of a row group.
pub(super) type GroupPages = Vec<ColumnPages>;

impl ColumnPages {
    /// That of a column chunk.
    pub(super) fn of(close: &ColumnCloseResult) -> ColumnPages {
        let statistics = close.metadata.statistics();
        ColumnPages {
            pages: close.offset_index.as_ref().map(Pages::of),
            has_old_fields: statistics.is_some_and(Statistics::is_min_max_backwards_compatible),
        }
    }

    /// The metadata as it was when it was written.
    fn restore(&self, column: ColumnChunkMetaData) -> Result<ColumnChunkMetaData> {
        match column.statistics().cloned() {
            None => Ok(column),
            Some(statistics) => {
                let statistics = with_old_fields(statistics, self.has_old_fields);
                column.into_builder().set_statistics(statistics).build()
            }
        }
    }
}

/// Statistics whose least and greatest values are also written to the fields of earlier versions, or not.
fn with_old_fields(statistics: Statistics, with: bool) -> Statistics {
    macro_rules! each {
        ($($kind:ident),*) => {
            match statistics {
                $(Statistics::$kind(values) => {
                    Statistics::$kind(values.with_backwards_compatible_min_max(with))
                })*
            }
        };
    }
    each!(Boolean, Int32, Int64, Int96, Float, Double, ByteArray, FixedLenByteArray)
}

/// Saves the metadata of row groups.
pub(super) fn save_groups(
    groups: &[RowGroupMetaData],
    schema: SchemaDescPtr,
    out: &mut Vec<u8>,
) -> Result<()> {
    let rows = groups.iter().map(RowGroupMetaData::num_rows).sum();
    let file = FileMetaData::new(2, rows, None, None, schema, None);
    let metadata = ParquetMetaData::new(file, groups.to_vec());
    let mut bytes = Vec::new();
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish()?;
    bytes.save(out);
    Ok(())
}

/// The metadata that was saved.
pub(super) fn load_groups(from: &mut Loader<'_>) -> Result<ParquetMetaData> {
    let bytes: Vec<u8> = from.value().ok_or_else(damaged)?;
    let len = bytes.len().checked_sub(FOOTER_END_BYTES).ok_or_else(damaged)?;
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    ParquetMetaDataReader::decode_metadata_with_options(&bytes[..len], Some(&options))
}

pub(super) fn damaged() -> ParquetError {
    ParquetError::General("the saved metadata is damaged".to_string())
}

/// Appends row groups whose bytes are in the file to its new writer.
pub(super) fn append_groups(
    writer: &mut SerializedFileWriter<SinkWriter>,
    metadata: &ParquetMetaData,
    pages: &[GroupPages],
) -> Result<()> {
    let file = writer.inner().sink.reopen();
    let file = file.map_err(|error| ParquetError::External(Box::new(error)))?;
    for (group, pages) in metadata.row_groups().iter().zip(pages) {
        let mut new = writer.next_row_group()?;
        for (column, pages) in group.columns().iter().zip(pages) {
            let index = pages.pages.as_ref();
            let close = ColumnCloseResult {
                bytes_written: column.compressed_size().cast_unsigned(),
                rows_written: group.num_rows().cast_unsigned(),
                metadata: pages.restore(column.clone())?,
                bloom_filter: None,
                column_index: None,
                offset_index: index.map(|pages| pages.index(column.data_page_offset())),
            };
            new.append_column(&file, close)?;
        }
        new.close()?;
    }
    writer.flush()?;
    Ok(())
}
