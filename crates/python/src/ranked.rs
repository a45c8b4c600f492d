//! Ranked runs and judgements from whatever Python holds them in.

use std::path::PathBuf;
use std::sync::Arc;

use assize_engine::retrieval::ranked::{Gathering, Qrels, Reading, Run};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::column::Column;
use crate::error::{raised, refused};
use crate::nested::{self, Listed};
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
            return Ok(Self(run(value, "run")?));
        }
        let made = if path(value).is_some() || value.is_instance_of::<Self>() {
            let read = run(value, "run")?;
            in_single_precision(value.py(), &read)?
        } else {
            taken(value, "run", &SCORE, Listed::BestFirst, single)?.into_run("run")
        };
        Ok(Self(Arc::new(made)))
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

/// The run that a value holds; `what` names it where it is refused.
pub(crate) fn run(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Arc<Run>> {
    let py = value.py();
    if let Ok(ready) = value.cast::<PyRun>() {
        return Ok(Arc::clone(&ready.get().0));
    }
    let read = if let Some(path) = path(value) {
        let read = py.detach(|| Run::load(&path, &Reading::default()));
        read.map_err(|error| raised(py, &error))?
    } else {
        taken(value, what, &SCORE, Listed::BestFirst, score)?.into_run(what)
    };
    with_queries(py, read, what)
}

/// A run and the judgements that belong to it; `what` names the run where it is refused.
pub(crate) fn both(
    run: &Bound<'_, PyAny>,
    gold: &Bound<'_, PyAny>,
    what: &str,
) -> PyResult<(Arc<Run>, Arc<Qrels>)> {
    let (Ok(scores), Ok(levels)) = (run.cast::<PyDict>(), gold.cast::<PyDict>()) else {
        let qrels = qrels(gold)?;
        return Ok((self::run(run, what)?, qrels));
    };
    let (run, qrels) = nested::gathered_together(
        nested::Queries::of(scores, what, Listed::BestFirst, score)?,
        nested::Queries::of(levels, "qrels", Listed::Nothing, level)?,
    )?;
    let qrels = qrels.into_qrels().map_err(|error| raised(gold.py(), &error))?;
    Ok((with_queries(gold.py(), run.into_run(what), what)?, Arc::new(qrels)))
}

/// A run, refused if there is no query in it.
fn with_queries(py: Python<'_>, run: Run, what: &str) -> PyResult<Arc<Run>> {
    if run.is_empty() {
        return Err(refused(py, format!("{what}: there is no query in it")));
    }
    Ok(Arc::new(run))
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
        taken(value, "qrels", &LEVEL, Listed::Nothing, level)?.into_qrels()
    };
    read.map(Arc::new).map_err(|error| raised(py, &error))
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
    if is_whole { Ok(value as i32) } else { Err("a level of relevance is a whole number") }
}

/// What a dict or a table lists.
fn taken<V: Copy>(
    value: &Bound<'_, PyAny>,
    what: &str,
    names: &[&str],
    listed: Listed,
    checked: impl Fn(f64) -> Result<V, &'static str>,
) -> PyResult<Gathering<V>> {
    if let Ok(dict) = value.cast::<PyDict>() {
        return nested::gathered(dict, what, listed, checked);
    }
    if let Some(table) = import(value, what)? {
        return from_table(value.py(), &table, what, names, checked);
    }
    let kind = value.get_type().name()?;
    let problem = format!(
        "{what}: {kind} was given; expected is a path, {{query: {{document: number}}}}, or a table \
         with Arrow's interface"
    );
    Err(refused(value.py(), problem))
}

fn from_table<V: Copy>(
    py: Python<'_>,
    table: &Table,
    what: &str,
    names: &[&str],
    checked: impl Fn(f64) -> Result<V, &'static str>,
) -> PyResult<Gathering<V>> {
    let query = table.wanted(py, what, &QUERY)?;
    let document = table.wanted(py, what, &DOCUMENT)?;
    let value = table.wanted(py, what, names)?;
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
    Ok(gathered)
}
