//! The schema of a Parquet file: the types of its columns, and the schema of Arrow as metadata.
//!
//! In: the names, kinds and nullability of columns. Out: types of Parquet, as other writers of Arrow choose them.
//! Invariant: the metadata have the same columns, from which readers restore dictionaries and time zones.

use std::sync::Arc;

use arrow_ipc::writer::{DictionaryTracker, IpcDataGenerator, IpcWriteOptions};
use arrow_schema::Schema;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::{Type, TypePtr};
use pgnmill_core::tasks::export::Kind;

/// The name of the root of the schema.
const ROOT: &str = "arrow_schema";
/// The key of the metadata under which readers look for the schema of Arrow.
const SCHEMA_KEY: &str = "ARROW:schema";

/// The type of rows with these columns. `kinds`: of each field of the schema.
///
/// # Errors
/// None that is known.
pub(super) fn row_type(schema: &Schema, kinds: &[Kind]) -> Result<TypePtr> {
    let fields = schema.fields().iter().zip(kinds);
    let columns = fields.map(|(field, &kind)| column_type(field.name(), kind, field.is_nullable()));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder(ROOT).with_fields(columns).build()?))
}

/// Leaves of a column: a map has two, names and values.
pub(super) fn leaves_count(kind: Kind) -> usize {
    if kind == Kind::TextMap { 2 } else { 1 }
}

/// The type of a column.
fn column_type(name: &str, kind: Kind, is_nullable: bool) -> Result<TypePtr> {
    let repetition = if is_nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    match kind {
        Kind::Int16List => list(name, Kind::Int16, repetition),
        Kind::Int32List => list(name, Kind::Int32, repetition),
        Kind::TextMap => {
            let entry = [
                leaf("key", Kind::Text, Repetition::REQUIRED)?,
                leaf("value", Kind::Text, Repetition::REQUIRED)?,
            ];
            nested(name, LogicalType::Map, repetition, repeated("key_value", entry.into())?)
        }
        kind => leaf(name, kind, repetition),
    }
}

/// The type of values that are neither lists nor maps.
fn leaf(name: &str, kind: Kind, repetition: Repetition) -> Result<TypePtr> {
    let (physical, logical) = match kind {
        Kind::Text | Kind::Names(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Int16 => (Physical::INT32, Some(LogicalType::integer(16, true))),
        // Parquet has no type for a time of day in seconds.
        Kind::Int32 | Kind::SecondOfDay => (Physical::INT32, None),
        Kind::Date => (Physical::INT32, Some(LogicalType::Date)),
        Kind::TimeOfDay => (Physical::INT64, Some(LogicalType::time(false, TimeUnit::MICROS))),
        Kind::Instant => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
        Kind::Int64 => (Physical::INT64, None),
        Kind::UInt16 => (Physical::INT32, Some(LogicalType::integer(16, false))),
        Kind::UInt64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Kind::Float64 => (Physical::DOUBLE, None),
        Kind::Bytes(_) => (Physical::FIXED_LEN_BYTE_ARRAY, None),
        Kind::Int16List | Kind::Int32List | Kind::TextMap => unreachable!("these are nested"),
    };
    let mut builder = Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition);
    if let Kind::Bytes(width) = kind {
        builder = builder.with_length(width as i32);
    }
    Ok(Arc::new(builder.build()?))
}

fn list(name: &str, elements: Kind, repetition: Repetition) -> Result<TypePtr> {
    let element = leaf("element", elements, Repetition::OPTIONAL)?;
    nested(name, LogicalType::List, repetition, repeated("list", vec![element])?)
}

fn repeated(name: &str, fields: Vec<TypePtr>) -> Result<TypePtr> {
    let builder = Type::group_type_builder(name).with_fields(fields);
    Ok(Arc::new(builder.with_repetition(Repetition::REPEATED).build()?))
}

fn nested(
    name: &str,
    logical: LogicalType,
    repetition: Repetition,
    elements: TypePtr,
) -> Result<TypePtr> {
    let builder = Type::group_type_builder(name).with_fields(vec![elements]);
    let builder = builder.with_logical_type(Some(logical)).with_repetition(repetition);
    Ok(Arc::new(builder.build()?))
}

/// The schema of Arrow as a fact of the metadata: a message of a stream, in base 64.
pub(super) fn schema_fact(schema: &Schema) -> KeyValue {
    let message = IpcDataGenerator::default()
        .schema_to_bytes_with_dictionary_tracker(
            schema,
            &mut DictionaryTracker::new(true),
            &IpcWriteOptions::default(),
        )
        .ipc_message;
    let mut bytes = vec![0xff; 4];
    bytes.extend((message.len() as u32).to_le_bytes());
    bytes.extend(message);
    KeyValue::new(SCHEMA_KEY.to_string(), base64(&bytes))
}

/// The bytes in base 64 (RFC 4648), padded.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit > three.len() { '=' } else { char::from(DIGITS[value as usize]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use parquet::basic::ConvertedType;
    use parquet::schema::printer::print_schema;

    use super::super::super::arrays::field;
    use super::*;

    const KINDS: [(&str, Kind); 13] = [
        ("text", Kind::Text),
        ("names", Kind::Names(&["one", "two"])),
        ("int16", Kind::Int16),
        ("int32", Kind::Int32),
        ("int64", Kind::Int64),
        ("date", Kind::Date),
        ("time", Kind::TimeOfDay),
        ("seconds", Kind::SecondOfDay),
        ("instant", Kind::Instant),
        ("int16s", Kind::Int16List),
        ("int32s", Kind::Int32List),
        ("board", Kind::Bytes(32)),
        ("texts", Kind::TextMap),
    ];

    fn printed(is_nullable: bool) -> String {
        let fields: Vec<_> =
            KINDS.iter().map(|&(name, kind)| field(name, kind, is_nullable)).collect();
        let schema = Schema::new(fields);
        let mut printed = Vec::new();
        print_schema(&mut printed, &row_type(&schema, &KINDS.map(|(_, kind)| kind)).unwrap());
        String::from_utf8(printed).unwrap()
    }

    /// What `pyarrow.parquet.ParquetFile(…).schema` shows of files of earlier versions.
    #[test]
    fn each_kind_has_its_type() {
        let nullable = "\
message arrow_schema {
  OPTIONAL BYTE_ARRAY text (STRING);
  OPTIONAL BYTE_ARRAY names (STRING);
  OPTIONAL INT32 int16 (INTEGER(16,true));
  OPTIONAL INT32 int32;
  OPTIONAL INT64 int64;
  OPTIONAL INT32 date (DATE);
  OPTIONAL INT64 time (TIME(MICROS,false));
  OPTIONAL INT32 seconds;
  OPTIONAL INT64 instant (TIMESTAMP(MILLIS,true));
  OPTIONAL group int16s (LIST) {
    REPEATED group list {
      OPTIONAL INT32 element (INTEGER(16,true));
    }
  }
  OPTIONAL group int32s (LIST) {
    REPEATED group list {
      OPTIONAL INT32 element;
    }
  }
  OPTIONAL FIXED_LEN_BYTE_ARRAY (32) board;
  OPTIONAL group texts (MAP) {
    REPEATED group key_value {
      REQUIRED BYTE_ARRAY key (STRING);
      REQUIRED BYTE_ARRAY value (STRING);
    }
  }
}
";
        assert_eq!(printed(true), nullable);
        // Only columns are nullable or not: elements always are, names and values of maps never.
        let required = nullable.replace("\n  OPTIONAL", "\n  REQUIRED");
        assert_eq!(printed(false), required);
    }

    /// Readers that know the earlier types find them too.
    #[test]
    fn types_have_their_earlier_names() {
        let earlier = |kind| column_type("", kind, true).unwrap().get_basic_info().converted_type();
        assert_eq!(earlier(Kind::Text), ConvertedType::UTF8);
        assert_eq!(earlier(Kind::Int16), ConvertedType::INT_16);
        assert_eq!(earlier(Kind::Date), ConvertedType::DATE);
        assert_eq!(earlier(Kind::Instant), ConvertedType::TIMESTAMP_MILLIS);
        assert_eq!(earlier(Kind::Int32List), ConvertedType::LIST);
        assert_eq!(earlier(Kind::TextMap), ConvertedType::MAP);
        assert_eq!(earlier(Kind::SecondOfDay), ConvertedType::NONE);
    }

    /// The examples of RFC 4648.
    #[test]
    fn base64_is_padded() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(texts.map(|text| base64(text.as_bytes())), expected);
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    /// The bytes that the library's writer of Arrow arrays makes of the same schema.
    #[test]
    fn the_schema_is_a_message_of_arrow() {
        let schema = Schema::new(vec![field("verdict", Kind::Names(&[]), false)]);
        let fact = schema_fact(&schema);
        assert_eq!(fact.key, "ARROW:schema");
        let expected = "\
            /////5AAAAAQAAAAAAAKAAwACgAJAAQACgAAAAgAAAAAAQQAyP///wQAAAABAAAAFAAAABAAGAAUAAAA\
            DwAEABAACAAQAAAAQAAAADQAAAAAAAAFEAAAADQAAAAIAAgAAAAEAAgAAAAMAAAACAAMAAQACwAIAAAA\
            IAAAAAAAAAEAAAAABAAEAAQAAAAHAAAAdmVyZGljdAA=";
        assert_eq!(fact.value.unwrap(), expected);
    }
}
