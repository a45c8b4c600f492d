//! The safety gate, and councils whose reviews are there already. No model is asked.

use std::path::Path;

use assize_engine::council::{Choices, CouncilRun, Supplied, rescored, reviewed};
use assize_methods::council::{ByDimension, Dimension};
use assize_methods::gate::Gate;
use assize_wire::text::line;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::error::{options, raised, refused};

/// Checks one answer; the report as JSON.
#[pyfunction]
pub(crate) fn gate(
    py: Python<'_>,
    text: &str,
    learned: &Bound<'_, PyAny>,
    patterns: Vec<String>,
) -> PyResult<String> {
    let learned: bool = learned.extract().or_else(|_| {
        let kind = learned.get_type().name()?;
        Err(refused(py, format!("learned: {kind} was given; expected True or False")))
    })?;
    let gate = patterns
        .iter()
        .try_fold(Gate::built_in(), |gate, patterns| gate.with_patterns(patterns))
        .map_err(|error| raised(py, &error))?;
    let gate = if learned { gate.with_learned() } else { gate };
    Ok(py.detach(|| line(&gate.check(text))))
}

/// How a council is counted; what is left out is as the profile or the record has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counting {
    profile: Option<String>,
    #[serde(default)]
    weights: ByDimension<f64>,
    aggregate: Option<String>,
    safety_gate: Option<bool>,
    safety_score_cap: Option<f64>,
    include_self: Option<bool>,
    recuse: Option<String>,
    break_ties: Option<bool>,
    quorum: Option<usize>,
    seed: Option<u64>,
}

impl From<Counting> for Choices {
    fn from(counting: Counting) -> Self {
        let weights = counting.weights.into_iter();
        Self {
            profile: counting.profile,
            weights: weights.map(|(name, weight): (Dimension, f64)| (name, weight)).collect(),
            aggregate: counting.aggregate,
            safety_gate: counting.safety_gate,
            safety_score_cap: counting.safety_score_cap,
            include_self: counting.include_self,
            recuse: counting.recuse,
            break_ties: counting.break_ties,
            quorum: counting.quorum,
            seed: counting.seed,
            ..Self::default()
        }
    }
}

/// Counts reviews that were made elsewhere: answers as a file holds them, and each reviewer's
/// reply. Gives the verdict with its record, and its page.
#[pyfunction]
pub(crate) fn council_review(
    py: Python<'_>,
    question: &str,
    answers: &str,
    reviews: Vec<(String, String)>,
    counting: &str,
) -> PyResult<(String, String)> {
    let choices = Choices::from(options::<Counting>(py, counting)?);
    let supplied = Supplied::from_text(Path::new("answers"), answers);
    let supplied = supplied.map_err(|error| raised(py, &error))?;
    let question = match (question, supplied.question) {
        ("", Some(question)) => question,
        ("", None) => return Err(refused(py, "question: it is empty")),
        (question, _) => question.to_owned(),
    };
    let run = py.detach(|| reviewed(&question, supplied.answers, &reviews, &choices));
    Ok(shown(&run.map_err(|error| raised(py, &error))?))
}

/// Counts a kept council another way: the content of its file, or its record.
#[pyfunction]
pub(crate) fn council_rescore(
    py: Python<'_>,
    record: &str,
    counting: &str,
) -> PyResult<(String, String)> {
    let choices = Choices::from(options::<Counting>(py, counting)?);
    let run = CouncilRun::from_text(Path::new("record"), record, None);
    let run = run.map_err(|error| raised(py, &error))?;
    let run = py.detach(|| rescored(&run, &choices)).map_err(|error| raised(py, &error))?;
    Ok(shown(&run))
}

fn shown(run: &CouncilRun) -> (String, String) {
    let council = run.to_wire_with_record(run.verdict(), None);
    (line(&council), assize_page::council::verdict::render(&council))
}
