//! The tables that a run wrote, in one form for all formats.
//!
//! In: the path of a file. Out: its columns, rows, metadata and the sizes of its groups. Parquet and Arrow files are
//! read by their libraries, of Parquet files also the schema of Arrow in the metadata, with which the types and
//! nullability of the columns must agree; CSV and JSON lines by `csv` and `serde_json`, with the types of a Parquet
//! file. Dates and times are numbers in the unit of their type, a board is hexadecimal digits.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Int16Type, Int32Type, Int64Type, Time32SecondType, Time64MicrosecondType,
    TimestampMillisecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value as Json;

use crate::common::{Scratch, errors_of, exit_code, run_in};

/// A value of a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    Null,
    Text(String),
    Number(i64),
    List(Vec<Option<i64>>),
    Map(Vec<(String, String)>),
}

impl Value {
    /// Its text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its number.
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) schema: SchemaRef,
    pub(crate) names: Vec<String>,
    pub(crate) rows: Vec<Vec<Value>>,
    /// Rows of each group.
    pub(crate) groups: Vec<usize>,
    pub(crate) metadata: BTreeMap<String, String>,
}

impl Table {
    /// The values of a column.
    #[track_caller]
    pub(crate) fn column(&self, name: &str) -> Vec<&Value> {
        let index = self.index(name);
        self.rows.iter().map(|row| &row[index]).collect()
    }

    /// The place of a column.
    #[track_caller]
    pub(crate) fn index(&self, name: &str) -> usize {
        let index = self.names.iter().position(|known| known == name);
        index.unwrap_or_else(|| panic!("no column {name} in {:?}", self.names))
    }

    /// The rows without these columns, in any case of letters.
    pub(crate) fn without(&self, names: &[&str]) -> Vec<Vec<Value>> {
        let is_named = |known: &str| names.iter().any(|name| name.eq_ignore_ascii_case(known));
        let kept: Vec<usize> =
            (0..self.names.len()).filter(|&i| !is_named(&self.names[i])).collect();
        self.rows.iter().map(|row| kept.iter().map(|&i| row[i].clone()).collect()).collect()
    }

    /// A number of the metadata.
    #[track_caller]
    pub(crate) fn fact(&self, key: &str) -> u64 {
        self.metadata[&format!("pgnmill.{key}")].parse().unwrap()
    }

    fn of_batches(
        schema: SchemaRef,
        batches: impl Iterator<Item = RecordBatch>,
        groups: Vec<usize>,
        metadata: BTreeMap<String, String>,
    ) -> Table {
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        for batch in batches {
            let columns = batch.columns();
            rows.extend((0..batch.num_rows()).map(|row| {
                columns.iter().map(|column| value(column.as_ref(), row)).collect::<Vec<_>>()
            }));
        }
        Table { schema, names, rows, groups, metadata }
    }
}

/// Runs `export` in a directory; returns what it printed on standard error. The exit code is 1 if games are rejected.
#[track_caller]
pub(crate) fn export(scratch: &Scratch, args: &str, more: &[&str]) -> String {
    let args: Vec<&str> = std::iter::once("export").chain(args.split_whitespace()).collect();
    let ran = run_in(scratch.path(), &[&args[..], more].concat(), b"");
    assert!(exit_code(&ran) < 2, "{args:?} {more:?}: {}", errors_of(&ran));
    errors_of(&ran)
}

/// The rows of a text, as JSON, and as a table.
#[track_caller]
pub(crate) fn table_of(text: &[u8], args: &str) -> Table {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    export(&scratch, &format!("{args} -q -o t.parquet a.pgn"), &[]);
    parquet(&scratch.join("t.parquet"))
}

/// A board: one digit per square, of which two are in a byte or one.
fn digits(bytes: &[u8]) -> Value {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let is_square_per_byte = digits.len() == 128;
    assert!(!is_square_per_byte || digits.bytes().step_by(2).all(|digit| digit == b'0'));
    let every = if is_square_per_byte { 2 } else { 1 };
    Value::Text(digits.chars().skip(every - 1).step_by(every).collect())
}

/// Reads a Parquet file.
#[track_caller]
pub(crate) fn parquet(path: &Path) -> Table {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = SerializedFileReader::new(file).unwrap();
    let footer = reader.metadata();
    let groups = footer.row_groups().iter().map(|group| group.num_rows() as usize).collect();
    let facts = footer.file_metadata().key_value_metadata().into_iter().flatten();
    let facts = facts.map(|fact| (fact.key.clone(), fact.value.clone().unwrap_or_default()));
    let facts: BTreeMap<String, String> = facts.collect();
    let message = of_base64(&facts["ARROW:schema"]);
    let schema = arrow_ipc::reader::StreamReader::try_new(&message[..], None).unwrap().schema();
    let columns = footer.file_metadata().schema().get_fields();
    assert_eq!(columns.len(), schema.fields().len());
    for (column, field) in columns.iter().zip(schema.fields()) {
        assert_eq!((column.name(), column.is_optional()), (&**field.name(), field.is_nullable()));
    }
    let rows = reader.get_row_iter(None).unwrap().map(|row| {
        let values = row.unwrap().into_columns().into_iter().zip(schema.fields());
        values.map(|((_, value), field)| of_field(value, field.data_type())).collect()
    });
    let rows = rows.collect();
    let names = schema.fields().iter().map(|field| field.name().clone()).collect();
    Table { schema, names, rows, groups, metadata: facts }
}

/// The bytes of a text in base 64.
fn of_base64(text: &str) -> Vec<u8> {
    let digit = |digit: u8| match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{text} is not in base 64"),
    };
    let digits = text.trim_end_matches('=').as_bytes();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, &byte| bits << 6 | u32::from(digit(byte)));
        let bits = bits << (6 * (4 - four.len()));
        bits.to_be_bytes().into_iter().skip(1).take(four.len() - 1)
    });
    bytes.collect()
}

/// A value of a Parquet file, which has one type for each of Arrow.
fn of_field(value: Field, data_type: &DataType) -> Value {
    match (value, data_type) {
        (Field::Null, _) => Value::Null,
        (Field::Str(text), DataType::Utf8 | DataType::Dictionary(..)) => Value::Text(text),
        (Field::Short(number), DataType::Int16) => Value::Number(number.into()),
        (Field::Int(number), DataType::Int32 | DataType::Time32(_)) => Value::Number(number.into()),
        (Field::Long(number), DataType::Int64) => Value::Number(number),
        (Field::Date(days), DataType::Date32) => Value::Number(days.into()),
        (Field::TimeMicros(time), DataType::Time64(_)) => Value::Number(time),
        (Field::TimestampMillis(time), DataType::Timestamp(..)) => Value::Number(time),
        (Field::Bytes(bytes), DataType::FixedSizeBinary(length)) => {
            assert_eq!(bytes.len(), *length as usize);
            digits(bytes.data())
        }
        (Field::ListInternal(list), DataType::List(element)) => {
            let elements = list.elements().iter().cloned();
            Value::List(
                elements.map(|value| of_field(value, element.data_type()).number()).collect(),
            )
        }
        (Field::MapInternal(map), DataType::Map(..)) => {
            let text = |value: &Field| match value {
                Field::Str(text) => text.clone(),
                other => panic!("{other} is in a map of texts"),
            };
            Value::Map(
                map.entries().iter().map(|(name, value)| (text(name), text(value))).collect(),
            )
        }
        (other, data_type) => panic!("{other} has the type {data_type}"),
    }
}

/// Reads an Arrow file.
pub(crate) fn arrow(path: &Path) -> Table {
    let reader = arrow_ipc::reader::FileReader::try_new(File::open(path).unwrap(), None).unwrap();
    let facts = reader.custom_metadata().clone().into_iter().collect();
    let schema = reader.schema();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    let groups = batches.iter().map(RecordBatch::num_rows).collect();
    Table::of_batches(schema, batches.into_iter(), groups, facts)
}

/// Reads CSV. An empty field is null, or an empty text.
pub(crate) fn csv(path: &Path, schema: &SchemaRef) -> Table {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let read = |record: csv::StringRecord| {
        let fields = record.iter().zip(schema.fields());
        fields.map(|(text, field)| of_text(text, field.data_type())).collect()
    };
    let rows = reader.records().map(|record| read(record.unwrap())).collect();
    of_text_rows(schema, names, rows)
}

/// Reads JSON lines.
pub(crate) fn json_lines(path: &Path, schema: &SchemaRef) -> Table {
    let text = fs::read_to_string(path).unwrap();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let read = |line: &str| {
        let object: serde_json::Map<String, Json> = serde_json::from_str(line).unwrap();
        assert_eq!(object.len(), names.len(), "{line}");
        let fields = schema.fields().iter();
        fields.map(|field| of_json(&object[field.name()], field.data_type())).collect()
    };
    let rows = text.lines().map(read).collect();
    of_text_rows(schema, names, rows)
}

fn of_text_rows(schema: &SchemaRef, names: Vec<String>, rows: Vec<Vec<Value>>) -> Table {
    Table { schema: schema.clone(), names, rows, groups: Vec::new(), metadata: BTreeMap::new() }
}

/// A value of an array.
fn value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row).to_string()),
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<Int32Type>();
            value(names.values().as_ref(), names.keys().value(row) as usize)
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(row);
            let element = |i| value(list.as_ref(), i).number();
            Value::List((0..list.len()).map(element).collect())
        }
        DataType::FixedSizeBinary(_) => {
            let bytes = array.as_fixed_size_binary().value(row);
            digits(bytes)
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let text =
                |column: usize, i| entries.column(column).as_string::<i32>().value(i).to_string();
            Value::Map((0..entries.len()).map(|i| (text(0, i), text(1, i))).collect())
        }
        DataType::Int16 => Value::Number(array.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => Value::Number(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Value::Number(array.as_primitive::<Int64Type>().value(row)),
        DataType::Date32 => Value::Number(array.as_primitive::<Date32Type>().value(row).into()),
        DataType::Time32(_) => {
            Value::Number(array.as_primitive::<Time32SecondType>().value(row).into())
        }
        DataType::Time64(_) => {
            Value::Number(array.as_primitive::<Time64MicrosecondType>().value(row))
        }
        DataType::Timestamp(..) => {
            Value::Number(array.as_primitive::<TimestampMillisecondType>().value(row))
        }
        other => panic!("no column has the type {other}"),
    }
}

fn of_json(json: &Json, data_type: &DataType) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Number(number) => Value::Number(number.as_i64().unwrap()),
        Json::Array(list) => Value::List(list.iter().map(Json::as_i64).collect()),
        Json::Object(map) => {
            let entry = |(name, value): (&String, &Json)| {
                (name.clone(), value.as_str().unwrap().to_string())
            };
            Value::Map(map.iter().map(entry).collect())
        }
        Json::String(text) => match data_type {
            DataType::Utf8 | DataType::Dictionary(..) | DataType::FixedSizeBinary(_) => {
                Value::Text(text.clone())
            }
            _ => of_text(text, data_type),
        },
        Json::Bool(_) => panic!("no column has truth values"),
    }
}

/// A field of CSV.
fn of_text(text: &str, data_type: &DataType) -> Value {
    match data_type {
        _ if text.is_empty() => Value::Null,
        DataType::Utf8 | DataType::Dictionary(..) | DataType::FixedSizeBinary(_) => {
            Value::Text(text.to_string())
        }
        DataType::List(_) | DataType::Map(..) => {
            of_json(&serde_json::from_str(text).unwrap(), data_type)
        }
        DataType::Date32 => Value::Number(days(text)),
        DataType::Time32(_) => Value::Number(seconds(text)),
        DataType::Time64(_) => Value::Number(seconds(text) * 1_000_000),
        DataType::Timestamp(..) => {
            let (date, time) = text.strip_suffix('Z').unwrap().split_once('T').unwrap();
            Value::Number((days(date) * 86_400 + seconds(time)) * 1_000)
        }
        _ => Value::Number(text.parse().unwrap()),
    }
}

fn seconds(time: &str) -> i64 {
    time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<i64>().unwrap())
}

/// The days from 1970-01-01 to a date: whole years with their leap days, then month by month.
pub(crate) fn days(date: &str) -> i64 {
    let [year, month, day] =
        date.splitn(3, '-').map(|part| part.parse().unwrap()).collect::<Vec<i64>>()[..]
    else {
        panic!("{date}");
    };
    let length = |month| match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let before = |year: i64| {
        let last = year - 1;
        365 * last + last.div_euclid(4) - last.div_euclid(100) + last.div_euclid(400)
    };
    before(year) - before(1970) + (1..month).map(length).sum::<i64>() + day - 1
}
