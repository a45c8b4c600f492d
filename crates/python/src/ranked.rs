//! Ranked runs and judgements from whatever Python holds them in.

use std::path::PathBuf;
use std::sync::Arc;

use assize_engine::retrieval::ranked::{Gathering, Qrels, Reading, Run};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};

use crate::column::Column;
use crate::error::{raised, refused};
use crate::nested::{self, ListMeaning};
use crate::table::{Table, import};
use crate::{pickle, work};

/// The usual names of columns, as in files: ours, those of BEIR, TREC, `ir_measures` and pandas.
/// Identifiers go before texts and numbers: frames of `PyTerrier` hold `query` (its text) beside
/// `qid`, and `docid` (a number of the index) beside `docno`.
const QUERY: [&str; 7] = ["query_id", "query-id", "qid", "q_id", "topic_id", "query", "topic"];
const DOCUMENT: [&str; 8] =
    ["doc_id", "document_id", "corpus-id", "corpus_id", "docno", "docid", "document", "doc"];
const SCORE: [&str; 5] = ["score", "similarity", "value", "sim", "weight"];
const LEVEL: [&str; 6] = ["level", "relevance", "rel", "label", "score", "qrel"];

/// After how many rows of a table Ctrl-C is looked for.
const LOOK_AFTER: usize = 1 << 18;

/// A run that was read once and can be scored many times.
#[pyclass(frozen, name = "Run", module = "assize")]
#[derive(Debug)]
pub(crate) struct PyRun(Arc<Run>);

/// Judgements that were read once and can be used many times.
#[pyclass(frozen, name = "Qrels", module = "assize")]
#[derive(Debug)]
pub(crate) struct PyQrels {
    qrels: Arc<Qrels>,
    /// The columns of the table that named queries and documents, if it was one.
    columns: Vec<String>,
}

/// What `pickle` keeps of judgements: their bytes and their columns.
type KeptQrels<'py> = (Bound<'py, PyBytes>, Vec<String>);

#[pymethods]
impl PyRun {
    /// From a path, `{query: {document: score}}`, `{query: [document, …]}` best first, or a table.
    /// In single precision scores tie that differ by less, as in `trec_eval` 9.
    #[new]
    #[pyo3(signature = (value, single_precision = false))]
    fn new(value: &Bound<'_, PyAny>, single_precision: bool) -> PyResult<Self> {
        if !single_precision {
            return Ok(Self(run(&TableValue::of(value, "run", &SCORE)?, "run", &[])?));
        }
        let made = if path(value).is_some() || value.is_instance_of::<Self>() {
            let read = run(&TableValue::Other(value), "run", &[])?;
            in_single_precision(value.py(), &read)?
        } else {
            let given = TableValue::of(value, "run", &SCORE)?;
            taken(&given, &ColumnRequest::scores("run", &[]), single)?.0.into_run("run")
        };
        Ok(Self(Arc::new(made)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("assize.Run({} queries)", self.0.len())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = pickle::of_run(&slf.get().0).map_err(|problem| refused(slf.py(), problem))?;
        Ok((slf.get_type().getattr("_restored")?, (PyBytes::new(slf.py(), &bytes),)))
    }

    /// The run that `pickle` kept.
    #[staticmethod]
    fn _restored(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let run =
            pickle::to_run(bytes).map_err(|problem| refused(py, format!("run: {problem}")))?;
        Ok(Self(Arc::new(run)))
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }
}

#[pymethods]
impl PyQrels {
    /// From a path, `{query: {document: level}}`, or a table. `beside` are columns of the runs that will
    /// be scored, which are taken before others.
    #[new]
    #[pyo3(signature = (value, beside = None))]
    fn new(value: &Bound<'_, PyAny>, beside: Option<Vec<String>>) -> PyResult<Self> {
        judged(&TableValue::of(value, "qrels", &LEVEL)?, &beside.unwrap_or_default())
    }

    fn __len__(&self) -> usize {
        self.qrels.len()
    }

    fn __repr__(&self) -> String {
        format!("assize.Qrels({} queries)", self.qrels.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, KeptQrels<'py>)> {
        let held = slf.get();
        let bytes = pickle::of_qrels(&held.qrels).map_err(|problem| refused(slf.py(), problem))?;
        let kept = (PyBytes::new(slf.py(), &bytes), held.columns.clone());
        Ok((slf.get_type().getattr("_restored")?, kept))
    }

    /// The judgements that `pickle` kept.
    #[staticmethod]
    fn _restored(py: Python<'_>, bytes: &[u8], columns: Vec<String>) -> PyResult<Self> {
        let qrels = pickle::to_qrels(bytes);
        let qrels = qrels.map_err(|problem| refused(py, format!("qrels: {problem}")))?;
        Ok(Self { qrels: Arc::new(qrels), columns })
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }
}

/// The path that a value is, if it is one.
pub(crate) fn path(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    let is_path =
        value.is_instance_of::<PyString>() || value.hasattr("__fspath__").is_ok_and(|has| has);
    is_path.then(|| value.extract().ok()).flatten()
}

/// A run and its judgements; `what` names the run where it is refused. Two tables are read by the
/// columns that both have: what each calls a document alone need not be the same thing.
pub(crate) fn both(
    value: &Bound<'_, PyAny>,
    what: &str,
    gold: &Bound<'_, PyAny>,
) -> PyResult<(Arc<Run>, Arc<Qrels>)> {
    if let (Ok(scores), Ok(levels)) = (value.cast::<PyDict>(), gold.cast::<PyDict>()) {
        return together(scores, what, levels);
    }
    let given = TableValue::of(value, what, &SCORE)?;
    let PyQrels { qrels, columns } =
        judged(&TableValue::of(gold, "qrels", &LEVEL)?, &given.columns())?;
    Ok((run(&given, what, &columns)?, qrels))
}

/// A run and its judgements from dicts.
fn together(
    scores: &Bound<'_, PyDict>,
    what: &str,
    levels: &Bound<'_, PyDict>,
) -> PyResult<(Arc<Run>, Arc<Qrels>)> {
    let (run, qrels) = nested::gathered_together(
        nested::Queries::of(scores, what, ListMeaning::BestFirst, score)?,
        nested::Queries::of(levels, "qrels", ListMeaning::Nothing, level)?,
    )?;
    let qrels = qrels.into_qrels().map_err(|error| raised(levels.py(), &error))?;
    Ok((with_queries(levels.py(), run.into_run(what), what)?, Arc::new(qrels)))
}

/// A value whose table, if it is one, is taken over: some can be read only once.
enum TableValue<'a, 'py> {
    Table(Python<'py>, Table),
    Other(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> TableValue<'a, 'py> {
    /// Takes a table over; `numbers` is what the column of its numbers may be called.
    fn of(value: &'a Bound<'py, PyAny>, what: &str, numbers: &[&str]) -> PyResult<Self> {
        let is_other = value.is_instance_of::<PyRun>()
            || value.is_instance_of::<PyQrels>()
            || value.is_instance_of::<PyDict>()
            || path(value).is_some();
        if is_other {
            return Ok(Self::Other(value));
        }
        let table = import(value, what, &[&QUERY[..], &DOCUMENT[..], numbers].concat())?;
        Ok(table.map_or(Self::Other(value), |table| Self::Table(value.py(), table)))
    }

    fn py(&self) -> Python<'py> {
        match self {
            Self::Table(py, _) => *py,
            Self::Other(value) => value.py(),
        }
    }

    fn columns(&self) -> Vec<String> {
        match self {
            Self::Table(_, table) => table.column_names(),
            Self::Other(_) => Vec::new(),
        }
    }
}

/// What is read, and how it is called.
struct ColumnRequest<'a> {
    /// What it is where it is refused.
    what: &'a str,
    /// What the column of its numbers may be called.
    numbers: &'static [&'static str],
    listed: ListMeaning,
    /// Columns of the other side of a score, which are taken before others.
    other: &'a [String],
}

impl<'a> ColumnRequest<'a> {
    fn scores(what: &'a str, other: &'a [String]) -> Self {
        Self { what, numbers: &SCORE, listed: ListMeaning::BestFirst, other }
    }

    fn levels(other: &'a [String]) -> Self {
        Self { what: "qrels", numbers: &LEVEL, listed: ListMeaning::Nothing, other }
    }

    /// The column of a table that has one of these names.
    fn column(&self, py: Python<'_>, table: &Table, names: &[&str]) -> PyResult<usize> {
        let is_shared = |name: &&&str| self.other.iter().any(|other| other == **name);
        let shared: Vec<&str> = names.iter().filter(is_shared).copied().collect();
        match table.find(&shared) {
            Some(_) => table.wanted(py, self.what, &shared),
            None => table.wanted(py, self.what, names),
        }
    }
}

/// The run that a value holds.
fn run(given: &TableValue<'_, '_>, what: &str, other: &[String]) -> PyResult<Arc<Run>> {
    let py = given.py();
    let path = match given {
        TableValue::Other(value) if value.is_instance_of::<PyRun>() => {
            return Ok(Arc::clone(&value.cast::<PyRun>()?.get().0));
        }
        TableValue::Other(value) => path(value),
        TableValue::Table(..) => None,
    };
    let read = match path {
        // On a thread of its own: who waits for a slow disk or a pipe may press Ctrl-C.
        Some(path) => work::run(py, move |_| Run::load(&path, &Reading::default()))?
            .map_err(|error| raised(py, &error))?,
        None => taken(given, &ColumnRequest::scores(what, other), score)?.0.into_run(what),
    };
    with_queries(py, read, what)
}

/// A run, refused if there is no query in it.
fn with_queries(py: Python<'_>, run: Run, what: &str) -> PyResult<Arc<Run>> {
    if run.is_empty() {
        return Err(refused(py, format!("{what}: there is no query in it")));
    }
    Ok(Arc::new(run))
}

/// The judgements that a value holds.
fn judged(given: &TableValue<'_, '_>, other: &[String]) -> PyResult<PyQrels> {
    let py = given.py();
    if let TableValue::Other(value) = given {
        if let Ok(ready) = value.cast::<PyQrels>() {
            let PyQrels { qrels, columns } = ready.get();
            return Ok(PyQrels { qrels: Arc::clone(qrels), columns: columns.clone() });
        }
        if let Some(path) = path(value) {
            let read = work::run(py, move |_| Qrels::load(&path, &Reading::default()))?;
            let qrels = Arc::new(read.map_err(|error| raised(py, &error))?);
            return Ok(PyQrels { qrels, columns: Vec::new() });
        }
    }
    let (gathered, columns) = taken(given, &ColumnRequest::levels(other), level)?;
    let qrels = Arc::new(gathered.into_qrels().map_err(|error| raised(py, &error))?);
    Ok(PyQrels { qrels, columns })
}

/// A run that was read already, with its scores in single precision.
fn in_single_precision(py: Python<'_>, run: &Run) -> PyResult<Run> {
    let text = |bytes| {
        let problem = "run: an identifier is not UTF-8, which single_precision needs";
        std::str::from_utf8(bytes).map_err(|_| refused(py, problem))
    };
    let mut made = Gathering::with_room(0);
    for (query, documents) in run.queries() {
        made.query(text(query)?);
        for (document, value) in documents {
            let value = single(value).map_err(|problem| refused(py, problem))?;
            made.document(text(document)?, value);
        }
    }
    Ok(made.into_run(&run.name))
}

fn score(value: f64) -> Result<f64, &'static str> {
    if value.is_nan() { Err("NaN is not a score") } else { Ok(value) }
}

#[expect(clippy::cast_possible_truncation, reason = "it is what is asked for")]
fn single(value: f64) -> Result<f64, &'static str> {
    score(f64::from(value as f32))
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
fn level(value: f64) -> Result<i32, &'static str> {
    let is_whole = value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX);
    if is_whole {
        Ok(value as i32)
    } else {
        Err("a level of relevance is a whole number; the run comes first, then its judgements")
    }
}

/// What a mapping or a table lists, and which columns of the table name queries and documents.
fn taken<V: Copy>(
    given: &TableValue<'_, '_>,
    wanted: &ColumnRequest<'_>,
    checked: impl Fn(f64) -> Result<V, &'static str>,
) -> PyResult<(Gathering<V>, Vec<String>)> {
    let value = match given {
        TableValue::Table(py, table) => return from_table(*py, table, wanted, checked),
        TableValue::Other(value) => value,
    };
    if let Some(dict) = as_dict(value)? {
        let gathered = nested::gathered(&dict, wanted.what, wanted.listed, checked)?;
        return Ok((gathered, Vec::new()));
    }
    let kind = value.get_type().name()?;
    let problem = format!(
        "{}: {kind} was given; expected a path, {{query: {{document: number}}}}, or a table \
         with Arrow's interface",
        wanted.what
    );
    Err(refused(value.py(), problem))
}

/// A dict as it is; any other mapping copied into one, with the mappings that it holds.
fn as_dict<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    if let Ok(dict) = value.cast::<PyDict>() {
        return Ok(Some(dict.clone()));
    }
    let Ok(mapping) = value.cast::<PyMapping>() else { return Ok(None) };
    let copied = PyDict::new(value.py());
    for entry in mapping.items()? {
        let (query, documents): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry.extract()?;
        match documents.cast::<PyMapping>() {
            Ok(documents) => {
                let inner = PyDict::new(value.py());
                inner.update(documents)?;
                copied.set_item(query, inner)?;
            }
            // Such as a list; whether it may stand there is judged where dicts are read.
            Err(_) => copied.set_item(query, documents)?,
        }
    }
    Ok(Some(copied))
}

fn from_table<V: Copy>(
    py: Python<'_>,
    table: &Table,
    wanted: &ColumnRequest<'_>,
    checked: impl Fn(f64) -> Result<V, &'static str>,
) -> PyResult<(Gathering<V>, Vec<String>)> {
    let what = wanted.what;
    let query = wanted.column(py, table, &QUERY)?;
    let document = wanted.column(py, table, &DOCUMENT)?;
    let value = table.wanted(py, what, wanted.numbers)?;
    if table.rows() == 0 {
        return Err(refused(py, format!("{what}: the table is empty")));
    }
    let name = |index: usize| table.schema.field(index).name();
    let mut gathered = Gathering::with_room(table.rows());
    let (mut open, mut before) = (None, 0);
    for batch in &table.batches {
        let column = |index: usize| {
            let column = Column::of(name(index), batch.column(index));
            column.map_err(|problem| refused(py, format!("{what}: {problem}")))
        };
        let (queries, documents, values) = (column(query)?, column(document)?, column(value)?);
        for row in 0..batch.num_rows() {
            if row % LOOK_AFTER == 0 {
                py.check_signals()?;
            }
            let wrong = |index: usize, problem: &str| {
                let row = before + row;
                refused(py, format!("{what}: row {row}, column `{}`: {problem}", name(index)))
            };
            let (Some(of_query), Some(of_document)) = (queries.text(row), documents.text(row))
            else {
                let (index, column) = match queries.text(row) {
                    None => (query, &queries),
                    Some(_) => (document, &documents),
                };
                let null = column.is_null(row);
                let problem = if null { "null" } else { "an identifier is text or a whole number" };
                return Err(wrong(index, problem));
            };
            let number = values.number(row).ok_or_else(|| {
                wrong(value, if values.is_null(row) { "null" } else { "not a number" })
            })?;
            let number = checked(number).map_err(|problem| wrong(value, problem))?;
            if open.as_deref() != Some(&*of_query) {
                gathered.query(&of_query);
                open = Some(of_query.into_owned());
            }
            gathered.document(&of_document, number);
        }
        before += batch.num_rows();
    }
    Ok((gathered, [query, document].map(|index| name(index).clone()).into()))
}
