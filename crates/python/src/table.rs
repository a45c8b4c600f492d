//! Tables from Python and back, by Arrow's C interface: pyarrow, pandas, polars, `DuckDB`.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::{PyException, PyImportError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::column::Column;
use crate::error::refused;
use crate::{lists, pickle};

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// A table that exports itself to whatever reads Arrow.
#[pyclass(frozen, module = "assize")]
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) schema: Arc<Schema>,
    pub(crate) batches: Vec<RecordBatch>,
    /// Columns that were left behind because nobody asked for them.
    left: Vec<String>,
}

/// A column's name, kind, and whether it may hold null.
type KeptField = (String, String, bool);

#[pymethods]
impl Table {
    /// A table of `{column: [text or None, …]}`, for those who have no Arrow.
    #[staticmethod]
    fn from_columns(columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut arrays = Vec::new();
        for (name, values) in columns.iter() {
            let name = name.str()?.to_string();
            let texts = lists::texts("table", &name, &values)?;
            arrays.push((name, texts));
        }
        joined(columns.py(), "table", arrays)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PickleState<'py>)> {
        let table = slf.get();
        let fields = table.schema.fields().iter().map(|field| {
            let kind = pickle::kind_of(field.data_type())?.to_owned();
            Ok((field.name().clone(), kind, field.is_nullable()))
        });
        let columns = |batch: &RecordBatch| {
            let columns = batch.columns().iter();
            columns.map(|column| pickle::of_column(slf.py(), column)).collect::<PyResult<_>>()
        };
        let batches: PyResult<_> = table.batches.iter().map(columns).collect();
        Ok((slf.get_type().getattr("_restored")?, (fields.collect::<PyResult<_>>()?, batches?)))
    }

    /// The table that `pickle` kept.
    #[staticmethod]
    fn _restored(
        py: Python<'_>,
        fields: Vec<KeptField>,
        batches: Vec<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<Self> {
        let damaged = |error: ArrowError| refused(py, format!("table: {error}"));
        let kinds: PyResult<Vec<Field>> = fields
            .iter()
            .map(|(name, kind, nullable)| {
                Ok(Field::new(name, pickle::to_column(kind, &PyList::empty(py))?.0, *nullable))
            })
            .collect();
        let schema = Arc::new(Schema::new(kinds?));
        let mut restored = Self { schema, batches: Vec::new(), left: Vec::new() };
        for batch in batches {
            let columns = fields.iter().zip(&batch);
            let columns: PyResult<Vec<ArrayRef>> = columns
                .map(|((_, kind, _), values)| Ok(pickle::to_column(kind, values)?.1))
                .collect();
            let batch = RecordBatch::try_new(Arc::clone(&restored.schema), columns?);
            restored.batches.push(batch.map_err(damaged)?);
        }
        Ok(restored)
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }

    /// The names of the columns.
    #[getter]
    pub(crate) fn column_names(&self) -> Vec<String> {
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
        let py = slf.py();
        match Self::to_arrow(slf) {
            Err(error) if error.is_instance_of::<PyImportError>(py) => {
                py.import("pandas")?.call_method1("DataFrame", (slf.get().to_pydict(py)?,))
            }
            table => table?.call_method0("to_pandas"),
        }
    }

    /// The same table as a `polars.DataFrame`. `polars.from_arrow` would make a series of structs of
    /// it, as of everything that is not pyarrow's.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// The same table for a paper.
    fn to_latex(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, "latex_of")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, "html_of")
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
        Self { schema: batch.schema(), batches: vec![batch], left: Vec::new() }
    }

    /// What a function of the Python side writes of the columns.
    fn written(&self, py: Python<'_>, function: &str) -> PyResult<String> {
        let module = py.import("assize._frames")?;
        module.call_method1(function, (self.to_pydict(py)?,))?.extract()
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
        let place = self.find(names).ok_or_else(|| {
            let there = [self.column_names(), self.left.clone()].concat().join("`, `");
            let looked = names.join("`, `");
            refused(py, format!("{what}: no column `{looked}`; there are `{there}`"))
        })?;
        let name = self.schema.field(place).name();
        if self.schema.fields().iter().filter(|field| field.name() == name).count() > 1 {
            return Err(refused(py, format!("{what}: column `{name}` appears twice")));
        }
        Ok(place)
    }
}

/// What `pickle` keeps of a table: its fields, and its batches with their columns as lists.
type PickleState<'py> = (Vec<KeptField>, Vec<Vec<Bound<'py, PyAny>>>);

/// The table of an object that speaks Arrow, of pandas or of `{column: [text, …]}`; none of any
/// other object. `what` names it where it is refused, and only the columns that are `wanted` are
/// converted where that is work.
pub(crate) fn import(
    value: &Bound<'_, PyAny>,
    what: &str,
    wanted: &[&str],
) -> PyResult<Option<Table>> {
    if let Ok(columns) = value.cast::<PyDict>() {
        return from_lists(columns, what, wanted).map(Some);
    }
    if is_frame(value)? {
        return from_frame(value, what, wanted).map(Some);
    }
    exported(value, what)
}

/// The table of an object that speaks Arrow.
fn exported(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Option<Table>> {
    let py = value.py();
    let cannot = |error: String| refused(py, format!("{what}: the table cannot be read: {error}"));
    // pandas makes its columns when it is asked, and one of mixed kinds cannot be made.
    let asked = |how: &str| {
        let given = value.call_method0(how);
        given.map_err(|error| {
            // Without pyarrow pandas cannot, which its caller wants to know.
            let passes = !error.is_instance_of::<PyException>(py)
                || error.is_instance_of::<PyImportError>(py);
            if passes { error } else { cannot(reason(py, &error)) }
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

/// Texts of the wanted columns.
fn from_lists(columns: &Bound<'_, PyDict>, what: &str, wanted: &[&str]) -> PyResult<Table> {
    let (mut arrays, mut left) = (Vec::new(), Vec::new());
    for (name, values) in columns.iter() {
        let name = name.str()?.to_string();
        if wanted.contains(&&*name) {
            let texts = lists::texts(what, &name, &values)?;
            arrays.push((name, texts));
        } else {
            left.push(name);
        }
    }
    Ok(Table { left, ..joined(columns.py(), what, arrays)? })
}

/// Whether a value is a frame of pandas, which cannot be where nobody has loaded pandas.
fn is_frame(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let modules = value.py().import("sys")?.getattr("modules")?;
    let frame = modules.get_item("pandas").and_then(|pandas| pandas.getattr("DataFrame"));
    frame.map_or(Ok(false), |frame| value.is_instance(&frame))
}

/// The wanted columns of a frame of pandas. Converting all of them takes long, and one of mixed
/// kinds, which nobody may need, cannot be converted at all.
fn from_frame(frame: &Bound<'_, PyAny>, what: &str, wanted: &[&str]) -> PyResult<Table> {
    let py = frame.py();
    let (mut kept, mut left): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for name in frame.getattr("columns")?.try_iter()? {
        let name = name?.str()?.to_string();
        if !wanted.contains(&&*name) {
            left.push(name);
        } else if kept.contains(&name) {
            return Err(refused(py, format!("{what}: column `{name}` appears twice")));
        } else {
            kept.push(name);
        }
    }
    let part = frame.get_item(&kept)?;
    let table = match exported(&part, what) {
        Err(error) if error.is_instance_of::<PyImportError>(py) => None,
        table => table?,
    };
    let table = table.map_or_else(|| without_arrow(&part, what, kept), Ok)?;
    Ok(Table { left, ..table })
}

/// The columns of a frame where pandas has no pyarrow.
fn without_arrow(frame: &Bound<'_, PyAny>, what: &str, names: Vec<String>) -> PyResult<Table> {
    let py = frame.py();
    let mut arrays = Vec::with_capacity(names.len());
    for name in names {
        let column = frame.get_item(&name)?;
        // pandas has several signs for nothing.
        let present = column.call_method0("notna")?;
        let values = column.call_method1("astype", ("object",))?;
        let values = values.call_method1("where", (present, py.None()))?.call_method0("tolist")?;
        let column = lists::column(what, &name, &values)?;
        arrays.push((name, column));
    }
    joined(py, what, arrays)
}

/// Columns side by side.
fn joined(py: Python<'_>, what: &str, columns: Vec<(String, ArrayRef)>) -> PyResult<Table> {
    if columns.is_empty() {
        // A batch cannot be without columns; a table can.
        let schema = Arc::new(Schema::empty());
        return Ok(Table { schema, batches: Vec::new(), left: Vec::new() });
    }
    let field =
        |(name, column): &(String, ArrayRef)| Field::new(name, column.data_type().clone(), true);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, column)| column).collect();
    let batch = RecordBatch::try_new(schema, arrays);
    Ok(Table::of(batch.map_err(|error| refused(py, format!("{what}: {error}")))?))
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
        Ok(Table { schema, batches: batches?, left: Vec::new() })
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
