//! Columns as Arrow arrays, and the schema of a table.
//!
//! In: a [`Buffer`]. Out: an array that owns its memory. Invariant: texts are checked once more to be UTF-8 when the
//! array is made. Cost: values are moved, not copied; validity becomes bits.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Date32Array, DictionaryArray, FixedSizeBinaryArray, Float64Array, Int16Array,
    Int32Array, Int64Array, ListArray, MapArray, RecordBatch, StringArray, StructArray,
    Time32SecondArray, Time64MicrosecondArray, TimestampMillisecondArray, UInt16Array, UInt64Array,
};
use arrow_buffer::{Buffer as ArrowBuffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use pgnmill_core::tasks::export::Column;
use pgnmill_core::tasks::export::Group;
use pgnmill_core::tasks::export::Kind;
use pgnmill_core::tasks::export::{Buffer, Ends, Fixed, FixedBytes, Texts};

/// The schema of these columns, with metadata.
pub(super) fn schema(columns: &[Column], metadata: HashMap<String, String>) -> Schema {
    let field = |column: &Column| field(column.name.as_ref(), column.kind, column.null != "never");
    Schema::new_with_metadata(columns.iter().map(field).collect::<Fields>(), metadata)
}

/// A column of a schema.
pub(super) fn field(name: &str, kind: Kind, is_nullable: bool) -> Field {
    Field::new(name, data_type(kind), is_nullable)
}

/// The type of a column.
fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Names(_) => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
        Kind::Int16 => DataType::Int16,
        Kind::Int32 => DataType::Int32,
        Kind::Int64 => DataType::Int64,
        Kind::UInt16 => DataType::UInt16,
        Kind::UInt64 => DataType::UInt64,
        Kind::Float64 => DataType::Float64,
        Kind::Date => DataType::Date32,
        Kind::TimeOfDay => DataType::Time64(TimeUnit::Microsecond),
        Kind::SecondOfDay => DataType::Time32(TimeUnit::Second),
        Kind::Instant => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        Kind::Int16List => DataType::List(element(DataType::Int16)),
        Kind::Int32List => DataType::List(element(DataType::Int32)),
        Kind::Bytes(width) => DataType::FixedSizeBinary(width as i32),
        Kind::TextMap => DataType::Map(entries(), false),
    }
}

/// The field of a list's elements, with the name that Parquet gives it.
fn element(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("element", data_type, true))
}

fn entry_fields() -> Fields {
    Fields::from(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, false),
    ])
}

/// The field of a map's entries, with the names that Parquet gives them.
fn entries() -> FieldRef {
    Arc::new(Field::new("key_value", DataType::Struct(entry_fields()), false))
}

fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    let is_any = valid.iter().any(|valid| !valid);
    is_any.then(|| NullBuffer::from(valid))
}

fn split<T: arrow_buffer::ArrowNativeType>(
    values: Fixed<T>,
) -> (ScalarBuffer<T>, Option<NullBuffer>) {
    (ScalarBuffer::from(values.values), nulls(values.valid))
}

fn offsets(ends: Ends) -> (OffsetBuffer<i32>, Option<NullBuffer>) {
    let offsets = std::iter::once(0).chain(ends.ends.into_iter().map(u32::cast_signed));
    (OffsetBuffer::new(offsets.collect()), nulls(ends.valid))
}

fn strings(texts: Texts) -> Result<StringArray, ArrowError> {
    let (offsets, nulls) = offsets(texts.rows);
    StringArray::try_new(offsets, ArrowBuffer::from_vec(texts.bytes), nulls)
}

/// The rows of a group as a batch.
///
/// # Errors
/// As [`array`].
pub(super) fn record_batch(
    columns: &[Column],
    schema: SchemaRef,
    group: &Group,
) -> Result<RecordBatch, ArrowError> {
    let columns = columns.iter().enumerate();
    let arrays = columns.map(|(index, column)| array(column.kind, group.column(index, column)));
    RecordBatch::try_new(schema, arrays.collect::<Result<Vec<_>, _>>()?)
}

/// The array of a column.
///
/// # Errors
/// A text that is not UTF-8, which is a bug; more than 2 GiB of text.
pub(super) fn array(kind: Kind, buffer: Buffer) -> Result<ArrayRef, ArrowError> {
    Ok(match (kind, buffer) {
        (_, Buffer::Text(texts)) => Arc::new(strings(texts)?),
        (Kind::Names(names), Buffer::Names(indexes)) => {
            let keys = indexes.values.into_iter().map(i32::from).collect::<Vec<_>>();
            let keys = Int32Array::try_new(keys.into(), nulls(indexes.valid))?;
            let names = Arc::new(StringArray::from_iter_values(names));
            Arc::new(DictionaryArray::<Int32Type>::try_new(keys, names)?)
        }
        (_, Buffer::Int16(values)) => {
            let (values, nulls) = split(values);
            Arc::new(Int16Array::try_new(values, nulls)?)
        }
        (kind, Buffer::Int32(values)) => {
            let (values, nulls) = split(values);
            match kind {
                Kind::Date => Arc::new(Date32Array::try_new(values, nulls)?),
                Kind::SecondOfDay => Arc::new(Time32SecondArray::try_new(values, nulls)?),
                Kind::UInt16 => {
                    let values: Vec<u16> = values.iter().map(|&value| value as u16).collect();
                    Arc::new(UInt16Array::try_new(values.into(), nulls)?)
                }
                _ => Arc::new(Int32Array::try_new(values, nulls)?),
            }
        }
        (kind, Buffer::Int64(values)) => {
            let (values, nulls) = split(values);
            match kind {
                Kind::TimeOfDay => Arc::new(Time64MicrosecondArray::try_new(values, nulls)?),
                Kind::UInt64 => {
                    let values: Vec<u64> = values.iter().map(|bits| bits.cast_unsigned()).collect();
                    Arc::new(UInt64Array::try_new(values.into(), nulls)?)
                }
                Kind::Instant => {
                    let instants = TimestampMillisecondArray::try_new(values, nulls)?;
                    Arc::new(instants.with_timezone("UTC"))
                }
                _ => Arc::new(Int64Array::try_new(values, nulls)?),
            }
        }
        (_, Buffer::Float64(values)) => {
            let (values, nulls) = split(values);
            Arc::new(Float64Array::try_new(values, nulls)?)
        }
        (_, Buffer::Int16List(lists)) => {
            let (values, value_nulls) = split(lists.elements);
            let values = Arc::new(Int16Array::try_new(values, value_nulls)?);
            let (offsets, nulls) = offsets(lists.rows);
            Arc::new(ListArray::try_new(element(DataType::Int16), offsets, values, nulls)?)
        }
        (_, Buffer::Int32List(lists)) => {
            let (values, value_nulls) = split(lists.elements);
            let values = Arc::new(Int32Array::try_new(values, value_nulls)?);
            let (offsets, nulls) = offsets(lists.rows);
            Arc::new(ListArray::try_new(element(DataType::Int32), offsets, values, nulls)?)
        }
        (_, Buffer::Bytes(FixedBytes { width, bytes })) => {
            let bytes = ArrowBuffer::from_vec(bytes);
            Arc::new(FixedSizeBinaryArray::try_new(width as i32, bytes, None)?)
        }
        (_, Buffer::TextMap(maps)) => {
            let arrays: Vec<ArrayRef> =
                vec![Arc::new(strings(maps.names)?), Arc::new(strings(maps.values)?)];
            let structs = StructArray::try_new(entry_fields(), arrays, None)?;
            let (offsets, nulls) = offsets(maps.rows);
            Arc::new(MapArray::try_new(entries(), offsets, structs, nulls, false)?)
        }
        (_, Buffer::Names(_)) => unreachable!("names have the kind of names"),
    })
}
