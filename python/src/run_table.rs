//! Tables that runs write, for Arrow.
//!
//! In: the CSV file of a table, and the kinds of its columns. Out: PyCapsules of the Arrow C data interface: the schema
//! and a stream of batches. Invariant: a stream has the rows of the file, in order; an empty field of a number is null.
//! Cost: the file is parsed as the stream is read, a batch at a time.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchReader, StringArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyCapsule;

use crate::error::usage;

/// Rows of a batch, at most.
const BATCH_ROWS: usize = 8_192;

/// Adds the functions of this file.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(table_columns, module)?)?;
    module.add_function(wrap_pyfunction!(table_schema, module)?)?;
    module.add_function(wrap_pyfunction!(table_stream, module)?)
}

/// The columns of the table with this name: names, and `text`, `count` or `decimal`.
#[pyfunction]
fn table_columns(py: Python<'_>, file: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    pgnmill_cli::columns_of(file).ok_or_else(|| usage(py, &format!("there is no table {file}")))
}

/// Column names and kinds.
type Columns = Vec<(String, String)>;

fn schema_of(columns: &Columns) -> Schema {
    let field = |(name, kind): &(String, String)| match kind.as_str() {
        "count" => Field::new(name, DataType::Int64, true),
        "decimal" => Field::new(name, DataType::Float64, true),
        _ => Field::new(name, DataType::Utf8, false),
    };
    Schema::new(columns.iter().map(field).collect::<Vec<_>>())
}

/// The schema of a table, as a capsule.
#[pyfunction]
fn table_schema(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema_of(&columns));
    let schema = schema.map_err(|error| usage(py, &error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// The rows of a table, as a capsule.
#[pyfunction]
fn table_stream<'py>(
    py: Python<'py>,
    csv: PyBackedBytes,
    columns: Columns,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = csv::Reader::from_reader(Cursor::new(csv));
    let batches = Batches { reader, schema: Arc::new(schema_of(&columns)) };
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// The batches of a table.
struct Batches {
    reader: csv::Reader<Cursor<PyBackedBytes>>,
    schema: SchemaRef,
}

impl Batches {
    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let failed = |error: csv::Error| ArrowError::CsvError(error.to_string());
        let records: Result<Vec<_>, _> = self.reader.records().take(BATCH_ROWS).collect();
        let records = records.map_err(failed)?;
        if records.is_empty() {
            return Ok(None);
        }
        let column = |(index, field): (usize, &Arc<Field>)| -> ArrayRef {
            let fields = records.iter().map(|record| record.get(index).unwrap_or_default());
            match field.data_type() {
                DataType::Int64 => {
                    Arc::new(fields.map(|it| it.parse().ok()).collect::<Int64Array>())
                }
                DataType::Float64 => {
                    Arc::new(fields.map(|it| it.parse().ok()).collect::<Float64Array>())
                }
                _ => Arc::new(fields.map(Some).collect::<StringArray>()),
            }
        };
        let columns = self.schema.fields().iter().enumerate().map(column).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
