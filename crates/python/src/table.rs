//! Tables from Python and back, by Arrow's C interface: pyarrow, pandas, polars, `DuckDB`.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{
    Array, ArrayRef, LargeStringArray, RecordBatch, RecordBatchIterator, StructArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyDict, PyInt, PyList};

use crate::column::Column;
use crate::error::refused;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// A table that exports itself to whatever reads Arrow.
#[pyclass(frozen, module = "assize")]
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) schema: Arc<Schema>,
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Table {
    /// A table of `{column: [text or None, …]}`, for those who have no Arrow.
    #[staticmethod]
    fn from_columns(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let py = columns.py();
        let (mut fields, mut arrays): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
        for (name, values) in columns.iter() {
            let name = name.str()?.to_string();
            let mut texts = Vec::new();
            for (row, value) in values.try_iter()?.enumerate() {
                let value = value?;
                texts.push(if value.is_none() {
                    None
                } else if let Ok(text) = value.extract::<String>() {
                    Some(text)
                } else if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
                    Some(value.str()?.to_string())
                } else {
                    let kind = value.get_type().name()?;
                    let problem = format!("table: row {row}, column `{name}`: {kind}, not text");
                    return Err(refused(py, problem));
                });
            }
            // Texts of more than two gigabytes, which articles may be, need the large kind.
            fields.push(Field::new(&name, DataType::LargeUtf8, true));
            arrays.push(Arc::new(LargeStringArray::from(texts)));
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        Ok(Self::of(batch.map_err(|error| refused(py, format!("table: {error}")))?))
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __repr__(&self) -> String {
        format!("assize.Table({} rows: {})", self.rows(), self.column_names().join(", "))
    }

    /// `{column: [value, …]}`; null is None.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (index, field) in self.schema.fields().iter().enumerate() {
            let values = PyList::empty(py);
            for batch in &self.batches {
                let column = Column::of(field.name(), batch.column(index));
                let column = column.map_err(|problem| refused(py, problem))?;
                for row in 0..batch.num_rows() {
                    match (column.number(row), column.text(row)) {
                        (Some(number), _) => values.append(number)?,
                        (None, Some(text)) => values.append(text)?,
                        (None, None) => values.append(py.None())?,
                    }
                }
            }
            columns.set_item(field.name(), values)?;
        }
        Ok(columns)
    }

    /// The same table as a `pyarrow.Table`.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The same table as a `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_arrow(slf)?.call_method0("to_pandas")
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface leaves it to the producer whether to cast; we never do.
        drop(requested_schema);
        let batches: Vec<Result<RecordBatch, ArrowError>> =
            self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
    }
}

impl Table {
    /// One batch as a table.
    pub(crate) fn of(batch: RecordBatch) -> Self {
        Self { schema: batch.schema(), batches: vec![batch] }
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The place of the first of these columns that there is.
    pub(crate) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.schema.index_of(name).ok())
    }

    /// The place of a column that must be there.
    pub(crate) fn wanted(&self, py: Python<'_>, what: &str, names: &[&str]) -> PyResult<usize> {
        self.find(names).ok_or_else(|| {
            let there = self.column_names().join("`, `");
            let looked = names.join("`, `");
            refused(py, format!("{what}: no column `{looked}`; there are `{there}`"))
        })
    }
}

/// The table of an object that speaks Arrow; none of any other object. `what` names it where it
/// is refused.
pub(crate) fn import(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<Table>> {
    let py = value.py();
    let cannot = |error: String| refused(py, format!("{what}: the table cannot be read: {error}"));
    // pandas makes its columns when it is asked, and one of mixed kinds cannot be made.
    let asked = |how: &str| {
        let given = value.call_method0(how);
        given.map_err(|error| {
            if error.is_instance_of::<PyException>(py) { cannot(reason(py, &error)) } else { error }
        })
    };
    let read = if value.hasattr("__arrow_c_stream__")? {
        from_stream(&asked("__arrow_c_stream__")?.cast_into::<PyCapsule>()?)?
    } else if value.hasattr("__arrow_c_array__")? {
        let both: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            asked("__arrow_c_array__")?.extract()?;
        from_array(&both.0, &both.1)?
    } else {
        return Ok(None);
    };
    read.map(Some).map_err(|error| cannot(error.to_string()))
}

/// What an exception says, in one line: pyarrow's have several parts.
fn reason(py: Python<'_>, error: &PyErr) -> String {
    let parts = error.value(py).getattr("args").and_then(|parts| parts.extract::<Vec<String>>());
    parts.map_or_else(|_| error.to_string(), |parts| parts.join("; "))
}

#[expect(unsafe_code, reason = "the C interface hands over a pointer; see the comment")]
fn from_stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<Result<Table, ArrowError>> {
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds an ArrowArrayStream, by the definition of the PyCapsule
    // interface. The reader moves it out and leaves a released one behind.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    Ok(reader.and_then(|reader| {
        let schema = arrow_array::RecordBatchReader::schema(&reader);
        let batches: Result<Vec<RecordBatch>, ArrowError> = reader.collect();
        Ok(Table { schema, batches: batches? })
    }))
}

#[expect(unsafe_code, reason = "the C interface hands over two pointers; see the comment")]
fn from_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<Result<Table, ArrowError>> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold an ArrowSchema and an ArrowArray. The array is moved
    // out, the schema only read; both capsules are alive until we return.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) };
    Ok(data.and_then(|data| {
        if !matches!(data.data_type(), DataType::Struct(_)) {
            let problem = "a table was expected, this is a single column";
            return Err(ArrowError::CDataInterface(problem.to_owned()));
        }
        let rows = StructArray::from(data);
        if rows.null_count() > 0 {
            let problem = "rows of a table cannot be null as a whole";
            return Err(ArrowError::CDataInterface(problem.to_owned()));
        }
        Ok(Table::of(RecordBatch::from(rows)))
    }))
}
