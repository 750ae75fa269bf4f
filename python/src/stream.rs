//! Streams: games, plies and counted positions as record batches of Arrow, read once.
//!
//! In: a table, its columns, options, sources. Out: a [`Stream`], whose capsule any library takes that knows the Arrow
//! PyCapsule interface. The file of the [reader](crate::reader) states when it reads, and on which threads.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use pgnmill::columns::{BatchTotals, Export, PositionBatches, Set, Table};
use pgnmill::{Counted, Deviation};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::batches::Batches;
use crate::calls::Calls;
use crate::ending;
use crate::error;
use crate::reader::{READ_TWICE, Reader, Request, Rows, Shared, Stage};
use crate::settings::{ReadOptions, notation, words};
use crate::source;
use crate::waiting::released;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Stream>()?;
    module.add_function(wrap_pyfunction!(stream, module)?)?;
    module.add_function(wrap_pyfunction!(columns, module)?)
}

/// A table that is read once: the part of `pgnmill.Stream` that is not Python.
#[pyclass(frozen, module = "pgnmill._native")]
pub(crate) struct Stream {
    shared: Arc<Shared>,
    #[pyo3(get)]
    table: &'static str,
    #[pyo3(get)]
    columns: Vec<String>,
    #[pyo3(get)]
    source: String,
}

impl Stream {
    /// One that was not read.
    pub(crate) fn of(py: Python<'_>, request: Request, calls: Arc<Calls>) -> Stream {
        let (table, source) = (request.rows.table(), source::describe(&request.inputs));
        let shared = Arc::new(Shared::new(request, calls));
        ending::watch(py, &shared);
        let columns = shared.schema().fields().iter().map(|field| field.name().clone()).collect();
        Stream { shared, table, columns, source }
    }
}

#[pymethods]
impl Stream {
    /// A capsule with an Arrow C stream. Any schema may be requested; the stream has its own.
    fn capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let is_unread = self.stage() == "unread";
        if !is_unread {
            return Err(error::exception(py, "Error", READ_TWICE, None, None));
        }
        let reader = Reader::new(&self.shared);
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The batches, one by one.
    fn batches(&self, py: Python<'_>) -> PyResult<Batches> {
        match self.stage() {
            "unread" => Ok(Batches::new(&self.shared)),
            _ => Err(error::exception(py, "Error", READ_TWICE, None, None)),
        }
    }

    /// A capsule with an Arrow C schema.
    fn schema_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.shared.schema());
        let schema = schema.map_err(|failed| error::usage(py, &failed.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Ends the run; when this returns, its threads have ended, except one in a `read` of the caller that does not
    /// return.
    fn close(&self) {
        self.shared.close();
    }

    /// `unread`, `reading`, `ended`, `closed` or `failed`.
    #[getter]
    fn stage(&self) -> &'static str {
        if self.shared.is_of_other_process() {
            return "closed";
        }
        released(|| match &*self.shared.stage() {
            Stage::Unread(_) => "unread",
            Stage::Reading(_) => "reading",
            Stage::Ended => "ended",
            Stage::Closed => "closed",
            Stage::Failed(_) => "failed",
        })
    }

    /// The exception that ended the stream.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        if self.shared.is_of_other_process() {
            return None;
        }
        let raised = released(|| match &*self.shared.stage() {
            Stage::Failed(raised) => Python::try_attach(|py| raised.clone_ref(py)),
            _ => None,
        });
        raised.map(|raised| raised.into_value(py).into_any())
    }

    /// What was read so far.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let BatchTotals { counted, rows, nulls, failed, .. } = self.shared.totals();
        let Counted { counts, unreadable, text_bytes, damaged_bytes, .. } = counted;
        let totals = PyDict::new(py);
        totals.set_item("read", counts.games())?;
        totals.set_item("accepted", counts.accepted)?;
        totals.set_item("repaired", counts.repaired)?;
        totals.set_item("rejected", counts.rejected)?;
        totals.set_item("not_selected", counts.not_selected)?;
        totals.set_item("rows", rows)?;
        totals.set_item("plies", counts.plies)?;
        totals.set_item("text_bytes", text_bytes)?;
        totals.set_item("damaged_bytes", damaged_bytes)?;
        let deviations = PyDict::new(py);
        for &deviation in Deviation::ALL {
            let count = counts.deviations[deviation as usize];
            if count > 0 {
                deviations.set_item(deviation.name(), count)?;
            }
        }
        totals.set_item("deviations", deviations)?;
        let values = PyDict::new(py);
        unreadable.iter().try_for_each(|(fault, count)| values.set_item(fault.name(), count))?;
        totals.set_item("unreadable", values)?;
        let null_counts = PyDict::new(py);
        let all = nulls.into_iter().chain(std::iter::repeat(0));
        self.columns
            .iter()
            .zip(all)
            .try_for_each(|(name, count)| null_counts.set_item(name, count))?;
        totals.set_item("null_counts", null_counts)?;
        totals.set_item("failed", failed)?;
        Ok(totals)
    }
}

/// The table of this name.
fn table(py: Python<'_>, name: &str) -> PyResult<Table> {
    let found = [Table::Games, Table::Plies].into_iter().find(|table| table.name() == name);
    found.ok_or_else(|| {
        error::usage(py, &format!("the tables are games, plies and positions; not {name}"))
    })
}

/// A stream that was not read. `options`: see [`ReadOptions`].
#[pyfunction]
#[pyo3(signature = (name, source, split, columns, notations, one_line, keeps_going, options))]
#[expect(clippy::too_many_arguments, reason = "called by one function of Python, by position")]
fn stream(
    py: Python<'_>,
    name: &str,
    source: &Bound<'_, PyAny>,
    split: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    notations: &Bound<'_, PyAny>,
    one_line: bool,
    keeps_going: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Stream> {
    let table = table(py, name)?;
    let notations = words("notation", notations)?
        .iter()
        .map(|name| notation(py, name))
        .collect::<PyResult<Vec<_>>>()?;
    let columns = table.select(&words("columns", columns)?, &notations);
    let columns = columns.map_err(|failed| error::usage(py, &format!("columns: {failed}")))?;
    let options = ReadOptions(options);
    let (settings, plies) = (options.settings()?, options.plies()?);
    let calls = Calls::new();
    let inputs = source::inputs(source, Some(split), &calls)?;
    let export = Export {
        table,
        columns,
        partition_by: Vec::new(),
        plies,
        one_line,
        csv_safe: false,
        lines: Default::default(),
    };
    let rows = Rows::Export(export);
    Ok(Stream::of(py, Request { rows, settings, inputs, keeps_going }, calls))
}

/// For each declared column: name, type, unit, when it is null, an example, its meaning, its set.
#[pyfunction]
fn columns(py: Python<'_>, name: &str) -> PyResult<Vec<[String; 7]>> {
    let is_of_positions = name == "positions";
    let columns = match is_of_positions {
        true => PositionBatches::default().columns(),
        false => table(py, name)?.columns(),
    };
    let described = columns.into_iter().map(|column| {
        let set = match column.set {
            _ if is_of_positions => "default",
            Set::HuggingFaceAlone => "only hf",
            Set::HuggingFace => "hf",
            Set::Default => "default",
            Set::OptIn => "all",
        };
        [
            column.name.to_string(),
            column.kind.arrow_name().to_string(),
            column.unit.to_string(),
            column.null.to_string(),
            column.example.to_string(),
            column.doc.to_string(),
            set.to_string(),
        ]
    });
    Ok(described.collect())
}
