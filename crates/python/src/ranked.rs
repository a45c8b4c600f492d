//! Ranked runs and judgements from whatever Python holds them in.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use assize_engine::retrieval::ranked::{Qrels, Reading, Run};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::column::Column;
use crate::error::{raised, refused};
use crate::table::{Table, import};

/// The usual names of columns, as in files: ours, those of BEIR, TREC, `ir_measures` and pandas.
const QUERY: [&str; 7] = ["query", "query_id", "query-id", "qid", "q_id", "topic", "topic_id"];
const DOCUMENT: [&str; 8] =
    ["document", "doc_id", "document_id", "corpus-id", "corpus_id", "docid", "docno", "doc"];
const SCORE: [&str; 5] = ["score", "similarity", "value", "sim", "weight"];
const LEVEL: [&str; 6] = ["level", "relevance", "rel", "label", "score", "qrel"];

/// A run that was read once and can be scored many times.
#[pyclass(frozen, name = "Run", module = "assize")]
#[derive(Debug)]
pub(crate) struct PyRun(pub(crate) Arc<Run>);

/// Judgements that were read once and can be used many times.
#[pyclass(frozen, name = "Qrels", module = "assize")]
#[derive(Debug)]
pub(crate) struct PyQrels(pub(crate) Arc<Qrels>);

#[pymethods]
impl PyRun {
    /// From a path, `{query: {document: score}}`, `{query: [document, …]}` best first, or a table.
    /// In single precision scores tie that differ by less, as in `trec_eval` 9.
    #[new]
    #[pyo3(signature = (value, single_precision = false))]
    fn new(value: &Bound<'_, PyAny>, single_precision: bool) -> PyResult<Self> {
        if !single_precision {
            return Ok(Self(run(value)?));
        }
        let rows = rows(value, "run", &SCORE, single)?;
        Ok(Self(Arc::new(Run::from_scores("run", rows.iter()))))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("assize.Run({} queries)", self.0.len())
    }
}

#[pymethods]
impl PyQrels {
    /// From a path, `{query: {document: level}}`, or a table.
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(qrels(value)?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("assize.Qrels({} queries)", self.0.len())
    }
}

/// The path that a value is, if it is one.
pub(crate) fn path(value: &Bound<'_, PyAny>) -> Option<PathBuf> {
    let is_path =
        value.is_instance_of::<PyString>() || value.hasattr("__fspath__").is_ok_and(|has| has);
    is_path.then(|| value.extract().ok()).flatten()
}

/// The run that a value holds.
pub(crate) fn run(value: &Bound<'_, PyAny>) -> PyResult<Arc<Run>> {
    let py = value.py();
    if let Ok(ready) = value.cast::<PyRun>() {
        return Ok(Arc::clone(&ready.get().0));
    }
    let read = if let Some(path) = path(value) {
        let read = py.detach(|| Run::load(&path, &Reading::default()));
        read.map_err(|error| raised(py, &error))?
    } else {
        let rows = rows(value, "run", &SCORE, score)?;
        Run::from_scores("run", rows.iter())
    };
    if read.is_empty() {
        return Err(refused(py, "run: there is no query in it"));
    }
    Ok(Arc::new(read))
}

/// The judgements that a value holds.
pub(crate) fn qrels(value: &Bound<'_, PyAny>) -> PyResult<Arc<Qrels>> {
    let py = value.py();
    if let Ok(ready) = value.cast::<PyQrels>() {
        return Ok(Arc::clone(&ready.get().0));
    }
    let read = if let Some(path) = path(value) {
        py.detach(|| Qrels::load(&path, &Reading::default()))
    } else {
        let rows = rows(value, "qrels", &LEVEL, level)?;
        Qrels::from_judgements(rows.iter())
    };
    read.map(Arc::new).map_err(|error| raised(py, &error))
}

/// Identifiers one after the other in one text, with what is said of each document.
struct Rows<V> {
    text: String,
    /// Where the text of each query ends, and how many documents are listed before it ends.
    queries: Vec<(usize, usize, usize)>,
    /// Where each document's identifier starts and ends, and its value.
    documents: Vec<(usize, usize, V)>,
}

impl<V: Copy> Rows<V> {
    fn new() -> Self {
        Self { text: String::new(), queries: Vec::new(), documents: Vec::new() }
    }

    /// Begins a query; what follows belongs to it.
    fn query(&mut self, name: &str) {
        let start = self.text.len();
        self.text.push_str(name);
        self.queries.push((start, self.text.len(), self.documents.len()));
    }

    /// Whether the query that is open has this name.
    fn is_open(&self, name: &str) -> bool {
        self.queries.last().is_some_and(|(start, end, _)| &self.text[*start..*end] == name)
    }

    fn document(&mut self, name: &str, value: V) {
        let start = self.text.len();
        self.text.push_str(name);
        self.documents.push((start, self.text.len(), value));
    }

    fn iter(&self) -> impl Iterator<Item = (&str, &str, V)> {
        let ends = self.queries.iter().skip(1).map(|(_, _, first)| *first);
        let ends = ends.chain([self.documents.len()]);
        self.queries.iter().zip(ends).flat_map(move |((start, end, first), last)| {
            let query = &self.text[*start..*end];
            let documents = self.documents[*first..last].iter();
            documents.map(move |(start, end, value)| (query, &self.text[*start..*end], *value))
        })
    }
}

/// What one kind of value is: a number checked at its place.
type Checked<V> = fn(f64) -> Result<V, &'static str>;

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
    if is_whole { Ok(value as i32) } else { Err("a level of relevance is a whole number") }
}

fn rows<V: Copy>(
    value: &Bound<'_, PyAny>,
    what: &str,
    names: &[&str],
    checked: Checked<V>,
) -> PyResult<Rows<V>> {
    if let Ok(dict) = value.cast::<PyDict>() {
        return from_dict(dict, what, checked);
    }
    if let Some(table) = import(value)? {
        return from_table(value.py(), &table, what, names, checked);
    }
    let kind = value.get_type().name()?;
    let problem = format!(
        "{what}: {kind} was given; expected is a path, {{query: {{document: number}}}}, or a table \
         with Arrow's interface"
    );
    Err(refused(value.py(), problem))
}

fn from_dict<V: Copy>(
    dict: &Bound<'_, PyDict>,
    what: &str,
    checked: Checked<V>,
) -> PyResult<Rows<V>> {
    let py = dict.py();
    let mut rows = Rows::new();
    for (query, documents) in dict.iter() {
        let wrong = |problem: &str| refused(py, format!("{what}: {problem}"));
        let name = identifier(&query)
            .ok_or_else(|| wrong("a query's identifier is neither text nor a whole number"))?;
        rows.query(&name);
        if let Ok(documents) = documents.cast::<PyDict>() {
            for (document, value) in documents.iter() {
                let place = |problem: &str| {
                    let shown = document.str().map(|text| text.to_string()).unwrap_or_default();
                    refused(py, format!("{what}[{name:?}][{shown:?}]: {problem}"))
                };
                let id = identifier(&document).ok_or_else(|| {
                    place("a document's identifier is neither text nor a whole number")
                })?;
                let number = number(&value).ok_or_else(|| place("not a number"))?;
                rows.document(&id, checked(number).map_err(place)?);
            }
        } else if let Ok(documents) = documents.cast::<PyList>() {
            // Best first: what stands earlier has the higher score.
            for (rank, document) in documents.iter().enumerate() {
                let place =
                    |problem: &str| refused(py, format!("{what}[{name:?}][{rank}]: {problem}"));
                let id = identifier(&document).ok_or_else(|| {
                    place("a document's identifier is neither text nor a whole number")
                })?;
                rows.document(&id, checked((documents.len() - rank) as f64).map_err(place)?);
            }
        } else {
            return Err(refused(
                py,
                format!(
                    "{what}[{name:?}]: expected are documents with their numbers, or a list of them"
                ),
            ));
        }
    }
    Ok(rows)
}

/// Text as it is, a whole number written out; nothing else names a query or document.
fn identifier<'a>(value: &'a Bound<'_, PyAny>) -> Option<Cow<'a, str>> {
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_str().ok().map(Cow::Borrowed);
    }
    let is_whole = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
    is_whole.then(|| value.str().ok().map(|text| text.to_string().into())).flatten()
}

fn number(value: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(float) = value.cast_exact::<PyFloat>() {
        return Some(float.value());
    }
    // Numbers of numpy and the like convert themselves; text must not.
    if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }
}

fn from_table<V: Copy>(
    py: Python<'_>,
    table: &Table,
    what: &str,
    names: &[&str],
    checked: Checked<V>,
) -> PyResult<Rows<V>> {
    let query = table.wanted(py, what, &QUERY)?;
    let document = table.wanted(py, what, &DOCUMENT)?;
    let value = table.wanted(py, what, names)?;
    if table.rows() == 0 {
        return Err(refused(py, format!("{what}: the table is empty")));
    }
    let name = |index: usize| table.schema.field(index).name();
    let (mut rows, mut before) = (Rows::new(), 0);
    for batch in &table.batches {
        let column = |index: usize| {
            let column = Column::of(name(index), batch.column(index));
            column.map_err(|problem| refused(py, format!("{what}: {problem}")))
        };
        let (queries, documents, values) = (column(query)?, column(document)?, column(value)?);
        for row in 0..batch.num_rows() {
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
            if !rows.is_open(&of_query) {
                rows.query(&of_query);
            }
            rows.document(&of_document, number);
        }
        before += batch.num_rows();
    }
    Ok(rows)
}
