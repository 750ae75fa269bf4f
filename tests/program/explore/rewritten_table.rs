//! A table of positions as another program may write it as Parquet: small row groups, other encodings and pages.
//!
//! In: the CSV table. Out: the same rows as Parquet, by the library's own writer.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// How many ways there are to write a table.
pub(super) const STYLES: usize = 4;

const SCHEMA: &str = "message positions {
    optional binary fen (STRING);
    optional int64 hash (INTEGER(64,false));
    required int32 ply (INTEGER(16,false));
    required binary uci (STRING);
    required binary san (STRING);
    required int64 games (INTEGER(64,false));
    required int64 white (INTEGER(64,false));
    required int64 draws (INTEGER(64,false));
    required int64 black (INTEGER(64,false));
    optional double score;
    optional double rating_mean;
    optional double opponent_rating_mean;
    required int64 rated_games (INTEGER(64,false));
    optional int32 first_date (DATE);
    optional int32 last_date (DATE);
    optional binary sample_archive (STRING);
    optional int64 sample_offset (INTEGER(64,false));
}";

fn properties(style: usize) -> WriterProperties {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).unwrap());
    let builder =
        WriterProperties::builder().set_data_page_row_count_limit(37).set_write_batch_size(10);
    match style {
        0 => builder.set_writer_version(WriterVersion::PARQUET_1_0).set_compression(zstd),
        1 => builder.set_writer_version(WriterVersion::PARQUET_2_0).set_compression(zstd),
        2 => builder
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false),
        _ => builder
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_dictionary_enabled(false)
            .set_column_encoding("fen".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_encoding("hash".into(), Encoding::DELTA_BINARY_PACKED),
    }
    .build()
}

/// Days since 1970-01-01.
fn days(text: &str) -> i32 {
    pgnmill_core::pgn::tag_numbers::date(text.replace('-', ".").as_bytes()).value().unwrap()
}

/// Writes the table in a style.
pub(super) fn write(csv: &Path, path: &Path, style: usize, rows_per_group: usize) {
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_string).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let file = File::create(path).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, Arc::clone(&schema), Arc::new(properties(style))).unwrap();
    for rows in rows.chunks(rows_per_group) {
        let mut group = writer.next_row_group().unwrap();
        for field in schema.get_fields() {
            let place = names.iter().position(|name| name == field.name()).unwrap();
            let texts: Vec<&str> = rows.iter().map(|row| &row[place]).collect();
            let there: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
            let levels: Vec<i16> = texts.iter().map(|text| i16::from(!text.is_empty())).collect();
            let levels = field.is_optional().then_some(&levels[..]);
            let mut column = group.next_column().unwrap().unwrap();
            let date = field.name().ends_with("_date");
            match field.get_physical_type() {
                parquet::basic::Type::BYTE_ARRAY => {
                    let values: Vec<ByteArray> =
                        there.iter().map(|text| ByteArray::from(*text)).collect();
                    column.typed::<ByteArrayType>().write_batch(&values, levels, None).unwrap();
                }
                parquet::basic::Type::INT32 => {
                    let value = |text: &&str| if date { days(text) } else { text.parse().unwrap() };
                    let values: Vec<i32> = there.iter().map(value).collect();
                    column.typed::<Int32Type>().write_batch(&values, levels, None).unwrap();
                }
                parquet::basic::Type::INT64 => {
                    let values: Vec<i64> = there
                        .iter()
                        .map(|text| text.parse::<u64>().unwrap().cast_signed())
                        .collect();
                    column.typed::<Int64Type>().write_batch(&values, levels, None).unwrap();
                }
                _ => {
                    let values: Vec<f64> = there.iter().map(|text| text.parse().unwrap()).collect();
                    column.typed::<DoubleType>().write_batch(&values, levels, None).unwrap();
                }
            }
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
}
