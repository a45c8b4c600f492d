//! Summaries: one pair with its ledger, or a table of pairs.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judge, Judged, Pair, Settings, SummaryRequest};
use assize_methods::summary::Metric;
use assize_page::summary::{self as page, Refused};
use assize_wire::text::line;
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::Value;

use crate::column::Column;
use crate::error::{options, raised, refused};
use crate::table::{Table, import};
use crate::{pickle, work};

/// Pairs between two looks at Ctrl-C: a fraction of a second on one core.
const AT_A_TIME: usize = 256;
/// Rows of a batch of the result.
const IN_A_BATCH: usize = 1 << 16;
/// Why a row without a text has no score; codes, as the engine's own reasons are.
const NO_ARTICLE: &str = "null_article";
const NO_SUMMARY: &str = "null_summary";

/// How pairs are judged; Python's own functions judge by rules alone.
fn judging(py: Python<'_>, settings: &str) -> PyResult<Settings> {
    let settings = options::<SummaryRequest>(py, settings)?.settings();
    let settings = settings.map_err(|error| raised(py, &error))?;
    if settings.judge != Judge::Rules {
        return Err(refused(py, "judge: these functions judge by rules"));
    }
    Ok(settings)
}

/// A pair, judged.
#[pyclass(frozen, module = "assize")]
#[derive(Debug)]
pub(crate) struct Scorecard {
    judged: Judged,
    settings: Settings,
}

/// Scores one pair by rules.
#[pyfunction]
pub(crate) fn summary_score(
    py: Python<'_>,
    article: String,
    summary: String,
    settings: &str,
) -> PyResult<Scorecard> {
    let settings = judging(py, settings)?;
    let judged = work::run(py, move |_| Judged::of(None, pair(article, summary), settings))?;
    Ok(Scorecard { judged, settings })
}

fn pair(article: String, summary: String) -> Pair {
    Pair { place: Place::Line(1), article, summary, record: Value::Null }
}

#[pymethods]
impl Scorecard {
    #[expect(clippy::unused_self, reason = "Python calls it on an object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(pickle::refused("Summary", "`.to_dict()`"))
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }

    /// The scorecard as `assize summary score` prints it for programs, with its workings if asked.
    fn json(&self, explain: bool) -> String {
        line(&self.judged.to_wire(self.settings, explain, &Calibrations::default()))
    }

    /// What the judge found; `None` where there is no score.
    fn evidence(&self) -> Option<String> {
        self.judged.evidence.as_ref().ok().map(line)
    }

    /// The workings of the five numbers as a tree of lines.
    fn ledger(&self) -> String {
        let verdict = self
            .judged
            .evidence
            .as_ref()
            .ok()
            .and_then(|evidence| self.settings.framework.verdict(evidence).ok());
        let scores = verdict.map(|verdict| verdict.scores).unwrap_or_default();
        let trees: Vec<String> = scores.iter().map(|(_, outcome)| outcome.to_string()).collect();
        trees.join("\n")
    }

    /// The pair as a page.
    fn html(&self) -> String {
        let card = self.judged.to_card(1, self.settings, &Calibrations::default());
        let texts = self.judged.pair.as_ref().map(|pair| (&*pair.article, &*pair.summary));
        let card = card.as_ref().map_err(|reason| Refused { reason, texts });
        page::single(card, &self.settings.method(), self.settings.judge.name())
    }
}

/// Which columns of a table hold what, and what is wanted of each row.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    article: String,
    summary: String,
    id: Option<String>,
    /// Whether each row's whole scorecard is wanted too.
    scorecard: bool,
}

/// What is known of one row.
struct Row {
    id: Option<String>,
    scores: [Option<f64>; 5],
    reason: Option<String>,
    scorecard: Option<String>,
}

/// Scores a table of pairs by rules; a row without a score says why.
#[pyfunction]
pub(crate) fn summary_score_batch(
    table: &Bound<'_, PyAny>,
    columns: &str,
    settings: &str,
) -> PyResult<Table> {
    let py = table.py();
    let columns: Batch = options(py, columns)?;
    let settings = judging(py, settings)?;
    let mut wanted = vec![&*columns.article, &*columns.summary];
    wanted.extend(columns.id.as_deref());
    let Some(table) = import(table, "table", &wanted)? else {
        return Err(refused(py, "table: it has no Arrow interface (`__arrow_c_stream__`)"));
    };
    let article = table.wanted(py, "table", &[&columns.article])?;
    let summary = table.wanted(py, "table", &[&columns.summary])?;
    let id = columns.id.as_ref().map(|name| table.wanted(py, "table", &[name])).transpose()?;
    let wants_cards = columns.scorecard;
    let rows = work::run(py, move |stop| {
        let (mut rows, mut before) = (Vec::with_capacity(table.rows()), 0);
        for batch in &table.batches {
            let column =
                |index: usize| Column::of(table.schema.field(index).name(), batch.column(index));
            let (articles, summaries) = (column(article)?, column(summary)?);
            let ids = id.map(column).transpose()?;
            let name = |index: usize| table.schema.field(index).name().as_str();
            texts(name(article), &articles, batch.num_rows(), before)?;
            texts(name(summary), &summaries, batch.num_rows(), before)?;
            if let (Some(index), Some(ids)) = (id, &ids) {
                identifiers(name(index), ids, batch.num_rows(), before)?;
            }
            before += batch.num_rows();
            for start in (0..batch.num_rows()).step_by(AT_A_TIME) {
                if stop.is_asked() {
                    return Err("interrupted".to_owned());
                }
                let end = batch.num_rows().min(start + AT_A_TIME);
                let one = |row: usize| {
                    let id = ids.as_ref().and_then(|ids| ids.text(row)).map(Into::into);
                    match (articles.text(row), summaries.text(row)) {
                        (Some(article), Some(summary)) => {
                            let pair = pair(article.into(), summary.into());
                            scored(&Judged::of(id, pair, settings), settings, wants_cards)
                        }
                        (None, _) => unscored(id, NO_ARTICLE, settings, wants_cards),
                        (_, None) => unscored(id, NO_SUMMARY, settings, wants_cards),
                    }
                };
                rows.par_extend((start..end).into_par_iter().map(one));
            }
        }
        Ok(rows)
    })?;
    let rows = rows.map_err(|problem| refused(py, format!("table: {problem}")))?;
    written(&rows, id.is_some(), wants_cards)
        .map_err(|error| refused(py, format!("the result cannot be written: {error}")))
}

/// Refuses a column of numbers where texts belong: they would all be taken for nothing otherwise.
fn texts(name: &str, column: &Column<'_>, rows: usize, before: usize) -> Result<(), String> {
    let wrong = |row: &usize| !column.is_null(*row) && !column.is_text();
    refuse((0..rows).find(wrong), name, before, "a number, not text")
}

/// Refuses identifiers that are neither text nor whole numbers, as everywhere.
fn identifiers(name: &str, column: &Column<'_>, rows: usize, before: usize) -> Result<(), String> {
    let wrong = |row: &usize| !column.is_null(*row) && column.text(*row).is_none();
    refuse((0..rows).find(wrong), name, before, "an identifier is text or a whole number")
}

fn refuse(row: Option<usize>, name: &str, before: usize, problem: &str) -> Result<(), String> {
    row.map_or(Ok(()), |row| Err(format!("row {}, column `{name}`: {problem}", before + row)))
}

fn unscored(id: Option<String>, reason: &str, settings: Settings, wants_card: bool) -> Row {
    let judged = Judged { id, pair: None, evidence: Err(reason.to_owned()), trail: None };
    scored(&judged, settings, wants_card)
}

fn scored(judged: &Judged, settings: Settings, wants_card: bool) -> Row {
    let card = judged.to_wire(settings, false, &Calibrations::default());
    let (scores, reason) = match card.scores() {
        Ok(scores) => (Metric::ALL.map(|metric| *scores.get(metric)), None),
        Err(reason) => ([None; 5], Some(reason.to_owned())),
    };
    let scorecard = wants_card.then(|| line(&card));
    Row { id: judged.id.clone(), scores, reason, scorecard }
}

/// The rows as a table, in batches: a column of one batch holds two gigabytes of text at most.
fn written(rows: &[Row], has_id: bool, has_card: bool) -> Result<Table, ArrowError> {
    // No rows are one empty batch, which has the columns all the same.
    let mut parts = rows.chunks(IN_A_BATCH);
    let mut table = Table::of(batch(parts.next().unwrap_or_default(), has_id, has_card)?);
    for part in parts {
        table.batches.push(batch(part, has_id, has_card)?);
    }
    Ok(table)
}

fn batch(rows: &[Row], has_id: bool, has_card: bool) -> Result<RecordBatch, ArrowError> {
    let (mut fields, mut columns): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    let mut text = |name: &str, values: StringArray| {
        fields.push(Field::new(name, DataType::Utf8, true));
        columns.push(Arc::new(values));
    };
    if has_id {
        text("id", rows.iter().map(|row| row.id.as_deref()).collect());
    }
    let reasons: StringArray = rows.iter().map(|row| row.reason.as_deref()).collect();
    let cards: StringArray = rows.iter().map(|row| row.scorecard.as_deref()).collect();
    for (index, metric) in Metric::ALL.into_iter().enumerate() {
        fields.push(Field::new(metric.name(), DataType::Float64, true));
        let values: Float64Array = rows.iter().map(|row| row.scores[index]).collect();
        columns.push(Arc::new(values));
    }
    fields.push(Field::new("reason", DataType::Utf8, true));
    columns.push(Arc::new(reasons));
    if has_card {
        fields.push(Field::new("scorecard", DataType::Utf8, true));
        columns.push(Arc::new(cards));
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}
