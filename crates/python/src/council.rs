//! The safety gate, and councils whose reviews are there already. No model is asked.

use std::collections::BTreeMap;
use std::path::Path;

use assize_engine::asking::Variables;
use assize_engine::council::{
    CouncilRequest, CouncilRun, SigningKey, Supplied, rescored, reviewed,
};
use assize_methods::gate::Gate;
use assize_wire::text::line;
use pyo3::prelude::*;

use crate::error::{options, raised, refused};

/// Checks one answer; the report as JSON.
#[pyfunction]
pub(crate) fn gate(
    py: Python<'_>,
    text: &str,
    learned: &Bound<'_, PyAny>,
    rate: Option<f64>,
    patterns: Vec<String>,
) -> PyResult<String> {
    let learned: bool = learned.extract().or_else(|_| {
        let kind = learned.get_type().name()?;
        Err(refused(py, format!("learned: {kind} was given; expected True or False")))
    })?;
    let gate = patterns
        .iter()
        .try_fold(Gate::built_in(), |gate, patterns| gate.with_patterns(patterns))
        .and_then(|gate| gate.with_learned(learned, rate))
        .map_err(|error| raised(py, &error))?;
    Ok(py.detach(|| line(&gate.check(text))))
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
    let request = options::<CouncilRequest>(py, counting)?;
    let supplied = Supplied::from_text(Path::new("answers"), answers);
    let supplied = supplied.map_err(|error| raised(py, &error))?;
    let question = match (question, supplied.question) {
        ("", Some(question)) => question,
        ("", None) => return Err(refused(py, "question: it is empty")),
        (question, _) => question.to_owned(),
    };
    let key = signing_key(py)?;
    let run = py.detach(|| reviewed(&question, supplied.answers, &reviews, &request));
    Ok(shown(&run.map_err(|error| raised(py, &error))?, key.as_ref()))
}

/// Counts a kept council another way: the content of its file, or its record.
#[pyfunction]
pub(crate) fn council_rescore(
    py: Python<'_>,
    record: &str,
    counting: &str,
) -> PyResult<(String, String)> {
    let request = options::<CouncilRequest>(py, counting)?;
    let key = signing_key(py)?;
    let run = CouncilRun::from_text(Path::new("record"), record, key.as_ref());
    let run = run.map_err(|error| raised(py, &error))?;
    let run = py.detach(|| rescored(&run, &request)).map_err(|error| raised(py, &error))?;
    Ok(shown(&run, key.as_ref()))
}

/// The operator's key, as on the command line, from the environment that Python programs see.
fn signing_key(py: Python<'_>) -> PyResult<Option<SigningKey>> {
    let environment = py.import("os")?.getattr("environ")?.call_method0("copy")?;
    let environment: BTreeMap<String, String> = environment.extract()?;
    SigningKey::from_variables(&Variables::new(move |name| environment.get(name).cloned()))
        .map_err(|_| refused(py, "ASSIZE_COUNCIL_KEY: expected a secret of at least 16 characters"))
}

fn shown(run: &CouncilRun, key: Option<&SigningKey>) -> (String, String) {
    let council = run.to_wire_with_record(run.verdict(), key);
    (line(&council), assize_page::council::verdict::render(&council))
}
