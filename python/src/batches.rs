//! The batches of a stream, one by one: for libraries that take Arrow, and for NumPy, without a copy.
//!
//! In: a stream. Out: batches; of each a list of columns, each with the interface of NumPy (`__array_interface__`,
//! version 3), which points into the memory of the batch. Invariants: an array keeps its batch; nothing writes into
//! that
//! memory through an array, also where it is a copy, which columns with nulls are; a column has a value in each row,
//! since NumPy has no null: another value is in their place. Cost: nothing per row.

use std::sync::{Arc, Mutex, TryLockError};

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Int16Type, Int32Type, Int64Type};
use arrow_array::{Array as _, ArrayRef, PrimitiveArray, RecordBatch, RecordBatchIterator};
use arrow_schema::DataType;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::error;
use crate::reader::{Reader, Shared, Stage};
use crate::waiting::released;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Batches>()?;
    module.add_class::<Batch>()?;
    module.add_class::<Column>()
}

/// The batches of a stream.
#[pyclass(frozen, module = "pgnmill._native")]
pub(crate) struct Batches {
    shared: Arc<Shared>,
    reader: Mutex<Reader>,
}

impl Batches {
    pub(crate) fn new(shared: &Arc<Shared>) -> Batches {
        Batches { shared: Arc::clone(shared), reader: Mutex::new(Reader::new(shared)) }
    }

    /// What ended the stream.
    fn failure(&self, py: Python<'_>, message: &str) -> PyErr {
        let raised = released(|| match &*self.shared.stage() {
            Stage::Failed(raised) => Python::try_attach(|py| raised.clone_ref(py)),
            _ => None,
        });
        raised.unwrap_or_else(|| error::exception(py, "Error", message, None, None))
    }
}

#[pymethods]
impl Batches {
    /// The next batch; None at the end.
    fn next_batch(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let next = match self.reader.try_lock() {
            Ok(mut reader) => reader.next(),
            Err(TryLockError::Poisoned(_)) => None,
            Err(TryLockError::WouldBlock) => {
                return Err(error::usage(py, "another thread reads this stream"));
            }
        };
        match next {
            None => Ok(None),
            Some(Err(failed)) => Err(self.failure(py, &failed.to_string())),
            Some(Ok(batch)) => Ok(Some(Batch { batch })),
        }
    }
}

/// A batch of a stream, for libraries that take Arrow, and for NumPy.
#[pyclass(frozen, module = "pgnmill._native")]
pub(crate) struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// Its columns for NumPy, by name.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<(String, Column)>> {
        columns_of(py, &self.batch)
    }

    /// A capsule with an Arrow C stream of this batch alone. Any schema may be requested; it has its own.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }
}

/// The columns of a batch.
fn columns_of(py: Python<'_>, batch: &RecordBatch) -> PyResult<Vec<(String, Column)>> {
    let fields = batch.schema().fields().clone();
    let column = |index: usize| {
        let name = fields[index].name().clone();
        let array = match batch.column(index).data_type() {
            // The number of a name is its place in the documentation.
            DataType::Dictionary(..) => {
                Arc::new(batch.column(index).as_dictionary::<Int32Type>().keys().clone())
            }
            _ => Arc::clone(batch.column(index)),
        };
        let column = Column { array };
        match column.layout() {
            Some(_) => Ok((name, column)),
            None => Err(error::usage(
                py,
                &format!(
                    "{name} has no arrays: they are of numbers, dates, times, names and bytes"
                ),
            )),
        }
    };
    (0..batch.num_columns()).map(column).collect()
}

/// A column of a batch.
#[pyclass(frozen, module = "pgnmill._native")]
pub(crate) struct Column {
    array: ArrayRef,
}

/// How a column is in memory: the type of NumPy, the bytes per row if a row is bytes, and the address.
type Layout = (&'static str, Option<usize>, usize);

impl Column {
    fn layout(&self) -> Option<Layout> {
        let data = self.array.to_data();
        let buffer = data.buffers().first()?;
        let (kind, width, size) = match self.array.data_type() {
            DataType::Int16 => ("<i2", None, 2),
            DataType::Int32 | DataType::Date32 | DataType::Time32(_) => ("<i4", None, 4),
            DataType::Int64 | DataType::Time64(_) | DataType::Timestamp(..) => ("<i8", None, 8),
            DataType::FixedSizeBinary(width) => ("|u1", Some(*width as usize), *width as usize),
            _ => return None,
        };
        // An empty buffer has an address, too.
        Some((kind, width, buffer.as_ptr() as usize + data.offset() * size))
    }

    /// The numbers with `value` in the place of nulls.
    fn with<T: ArrowPrimitiveType>(&self, value: i64) -> PyResult<ArrayRef>
    where
        T::Native: TryFrom<i64>,
    {
        let value = T::Native::try_from(value)
            .map_err(|_| PyOverflowError::new_err(format!("{value} is no {}", T::DATA_TYPE)))?;
        let values = self.array.to_data().buffer::<T::Native>(0).to_vec();
        let nulls = self.array.nulls();
        let is_null = |row| nulls.is_some_and(|nulls| nulls.is_null(row));
        let filled = values.into_iter().enumerate();
        let filled = filled.map(|(row, own)| if is_null(row) { value } else { own });
        Ok(Arc::new(PrimitiveArray::<T>::from_iter_values(filled)))
    }
}

#[pymethods]
impl Column {
    /// How many rows are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    /// The same column without nulls, which become `value`.
    fn filled(&self, value: i64) -> PyResult<Column> {
        let array = match self.array.data_type() {
            DataType::Int16 => self.with::<Int16Type>(value)?,
            DataType::Int32 | DataType::Date32 | DataType::Time32(_) => {
                self.with::<Int32Type>(value)?
            }
            _ => self.with::<Int64Type>(value)?,
        };
        Ok(Column { array })
    }

    /// What NumPy reads.
    #[getter(__array_interface__)]
    fn array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        let Some((kind, width, address)) = self.layout() else { return Ok(interface) };
        let rows = self.array.len();
        let shape = [Some(rows), width].into_iter().flatten().collect::<Vec<_>>();
        interface.set_item("version", 3)?;
        interface.set_item("typestr", kind)?;
        interface.set_item("shape", PyTuple::new(py, shape)?)?;
        // Read-only: the memory is that of the batch, which other libraries can have too, and of which Arrow requires
        // that it does not change. The numbers of names are indexes into a list.
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }
}
