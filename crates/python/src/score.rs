//! A retrieval run scored, with all that its result can be asked.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use assize_engine::retrieval::passages::PassageError;
use assize_engine::retrieval::ranked::{Qrels, RankedError, Run};
use assize_engine::retrieval::request::{Explained, Inputs, ScoreError, ScoreReport, ScoreRequest};
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_engine::retrieval::uncertainty::REPETITIONS_MAX;
use assize_methods::retrieval::ranked::Measure;
use assize_page::tables::{Sheet, render};
use assize_wire::text::line;
use pyo3::prelude::*;
use serde_json::Value;

use crate::error::{missing, options, raised, refused};
use crate::seen::ScoredFile;
use crate::table::Table;
use crate::{pickle, ranked, work};

/// A number of resamples or permutations, unless memory could not hold them.
pub(crate) fn repetitions(py: Python<'_>, field: &str, asked: usize) -> PyResult<usize> {
    if asked <= REPETITIONS_MAX {
        return Ok(asked);
    }
    Err(refused(py, format!("{field}: {asked} is more than {REPETITIONS_MAX}")))
}

/// Where the run and its gold are; kept, so that a query can be explained later.
#[derive(Debug, Clone)]
pub(crate) enum RunSource {
    Files(PathBuf, PathBuf),
    Values(Arc<(Value, Value)>),
    Ranked(Arc<Run>, Arc<Qrels>),
}

impl RunSource {
    /// A run and its gold. Two paths stay paths, so that the engine can read and score at once.
    pub(crate) fn of(run: &Bound<'_, PyAny>, gold: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::named("run", run, gold)
    }

    /// The same for one run of several.
    pub(crate) fn named(
        what: &str,
        run: &Bound<'_, PyAny>,
        gold: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        if let (Some(run), Some(gold)) = (ranked::path(run), ranked::path(gold)) {
            return Ok(Self::Files(run, gold));
        }
        let (run, qrels) = ranked::both(run, what, gold)?;
        Ok(Self::Ranked(run, qrels))
    }

    pub(crate) fn inputs(&self) -> Inputs<'_> {
        match self {
            Self::Files(run, gold) => Inputs::Files(run, gold),
            Self::Values(both) => Inputs::Values(&both.0, &both.1),
            Self::Ranked(run, qrels) => Inputs::Ranked(run, qrels),
        }
    }
}

/// A run's results.
#[pyclass(frozen, module = "assize")]
#[derive(Debug)]
pub(crate) struct Score {
    request: ScoreRequest,
    held: RunSource,
    /// The files as they were when they were scored.
    files: Vec<ScoredFile>,
    report: ScoreReport,
}

/// Scores a run against its judgements or gold.
#[pyfunction]
#[pyo3(signature = (run, gold, settings))]
pub(crate) fn score(
    run: &Bound<'_, PyAny>,
    gold: &Bound<'_, PyAny>,
    settings: &str,
) -> PyResult<Score> {
    let py = run.py();
    let request: ScoreRequest = options(py, settings)?;
    scored(py, request, RunSource::of(run, gold)?)
}

/// Scores passages that the Python side wrote as JSON.
#[pyfunction]
pub(crate) fn score_values(
    py: Python<'_>,
    run: &str,
    gold: &str,
    settings: &str,
) -> PyResult<Score> {
    let request: ScoreRequest = options(py, settings)?;
    // These may be files, so the line and column of a mistake are worth something.
    let parsed = |what: &str, text: &str| {
        let value = serde_json::from_str(text);
        value.map_err(|error| refused(py, format!("{what}: not JSON: {error}")))
    };
    let both: (Value, Value) = (parsed("predictions", run)?, parsed("gold", gold)?);
    scored(py, request, RunSource::Values(Arc::new(both)))
}

/// The values of a part's queries; `None` where no query of the part has judgements, which is no
/// mistake in a part as it is in a whole run.
#[pyfunction]
pub(crate) fn score_part(
    run: &Bound<'_, PyAny>,
    gold: &Bound<'_, PyAny>,
    settings: &str,
) -> PyResult<Option<Table>> {
    let py = run.py();
    let request: ScoreRequest = options(py, settings)?;
    let held = RunSource::of(run, gold)?;
    match work::run(py, move |_| request.score_part(held.inputs()))? {
        Ok(report) => table(py, &report.board).map(Some),
        Err(ScoreError::Ranked(RankedError::NothingInCommon { .. })) => Ok(None),
        Err(error) => Err(raised(py, &error)),
    }
}

/// Every query's values.
fn table(py: Python<'_>, board: &Scoreboard) -> PyResult<Table> {
    let mut fields = vec![Field::new("query", DataType::Utf8, false)];
    let names = board.rows.iter().map(|row| row.query.as_str());
    let mut columns: Vec<ArrayRef> = vec![Arc::new(StringArray::from_iter_values(names))];
    for (index, column) in board.columns.iter().enumerate() {
        fields.push(Field::new(&column.name, DataType::Float64, false));
        columns.push(Arc::new(board.column(index).collect::<Float64Array>()));
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns);
    Ok(Table::of(batch.map_err(|error| refused(py, error.to_string()))?))
}

fn scored(py: Python<'_>, request: ScoreRequest, held: RunSource) -> PyResult<Score> {
    let (asked, given) = (request.clone(), held.clone());
    // Looked at before they are read: what changes meanwhile is noticed too.
    let (held, files) = match held {
        RunSource::Files(run, gold) => {
            let files = [ScoredFile::of(&run), ScoredFile::of(&gold)];
            (RunSource::Files(files[0].path.clone(), files[1].path.clone()), files.into())
        }
        other => (other, Vec::new()),
    };
    let report = work::run(py, move |_| asked.score(given.inputs()))?;
    let report = report.map_err(|error| raised(py, &error))?;
    Ok(Score { request, held, files, report })
}

#[pymethods]
impl Score {
    #[expect(clippy::unused_self, reason = "Python calls it on an object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(pickle::refused("Score", "`.to_dict()` or `.per_query`"))
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }

    /// The results as `assize score` prints them for programs.
    fn json(&self, py: Python<'_>, with_queries: bool) -> String {
        py.detach(|| line(&self.report.to_wire(with_queries)))
    }

    /// Every query's values.
    fn table(&self, py: Python<'_>) -> PyResult<Table> {
        table(py, &self.report.board)
    }

    /// The queries in the order of the input.
    fn queries(&self) -> Vec<String> {
        self.report.board.rows.iter().map(|row| row.query.clone()).collect()
    }

    /// The values of one measure in the order of the queries, by the measure's place.
    fn column(&self, index: usize) -> Vec<f64> {
        let board = &self.report.board;
        if index < board.columns.len() { board.column(index).collect() } else { Vec::new() }
    }

    /// One query's ledger: its title, the tree as text, and the tree as a page.
    fn explain(&self, py: Python<'_>, query: String) -> PyResult<(String, String, String)> {
        for file in &self.files {
            file.unchanged().map_err(|problem| refused(py, problem))?;
        }
        let (request, held) = (self.request.clone(), self.held.clone());
        let found = work::run(py, move |_| request.explain_named(held.inputs(), &query))?;
        let found = found.map_err(|error| unexplained(py, &error))?;
        Ok((found.title.clone(), ledger(&found), ledger_page(&found)))
    }

    /// The results as a page.
    fn html(&self) -> String {
        let measures = self.report.to_wire(false);
        let rows = measures.measures.0.iter().map(|(name, measure)| {
            vec![name.clone(), measure.shown(), assize_wire::number::interval(measure.interval())]
        });
        let level = assize_wire::number::percent(measures.confidence);
        let headings = [("measure", false), ("value", true), (&format!("{level} interval"), true)];
        let headings = headings.map(|(name, number)| (name.to_owned(), number));
        let sheet = Sheet {
            title: assize_wire::number::counted(measures.num_examples, "query", "queries"),
            headings: headings.to_vec(),
            rows: rows.collect(),
            note: measures.notices.join(". "),
        };
        render("Retrieval run", &[], &[sheet], None)
    }
}

/// Why a query cannot be explained. Python has no places of queries, of which the engine speaks.
fn unexplained(py: Python<'_>, error: &ScoreError) -> PyErr {
    match error {
        ScoreError::Ranked(RankedError::NoSuchQuery { .. }) => missing(py, error.to_string()),
        ScoreError::Passages(PassageError::NoSuchQuery { asked, count }) => {
            missing(py, format!("no query matches {asked:?}; there are {count}"))
        }
        ScoreError::Passages(PassageError::SeveralQueries { asked, count, .. }) => {
            refused(py, format!("{count} queries match {asked:?}: give the whole text of one"))
        }
        other => raised(py, other),
    }
}

/// A query's workings as lines.
fn ledger(explained: &Explained) -> String {
    let mut text = String::new();
    for verdict in &explained.verdicts {
        for (_, outcome) in &verdict.scores {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{outcome}");
        }
        for finding in &verdict.findings {
            let _ = writeln!(text, "noticed: {}", finding.message);
        }
    }
    text
}

fn ledger_page(explained: &Explained) -> String {
    let outcomes: Vec<&assize_score::Outcome> = explained
        .verdicts
        .iter()
        .flat_map(|verdict| verdict.scores.iter().map(|(_, outcome)| outcome))
        .collect();
    assize_page::ledger::outcomes(&explained.title, &outcomes)
}

/// Each measure in our notation and under `trec_eval`'s name, if it has one there.
#[pyfunction]
pub(crate) fn measures(
    py: Python<'_>,
    names: Vec<String>,
) -> PyResult<Vec<(String, Option<String>)>> {
    let mut found = Vec::new();
    for name in names {
        let all = Measure::parse_all(&name).map_err(|error| raised(py, &error))?;
        found.extend(all.iter().map(|measure| (measure.to_string(), measure.trec_name())));
    }
    Ok(found)
}
