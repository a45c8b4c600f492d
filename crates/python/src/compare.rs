//! Several runs on the same judgements.

use assize_engine::retrieval::compare::{
    Comparison as Compared, ComparisonOptions, Correction, Test, compare as compared,
};
use assize_engine::retrieval::request::{ScoreError, ScoreRequest};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::retrieval::wire::Setting;
use assize_wire::retrieval as shape;
use assize_wire::text::line;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::error::{options, raised, refused};
use crate::score::{RunSource, repetitions};
use crate::{pickle, work};

/// Below which corrected p a difference is marked, unless told otherwise; the command line's.
const ALPHA: f64 = 0.05;

/// How runs are compared.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparing {
    test: Option<String>,
    correction: Option<String>,
    all_pairs: Option<bool>,
    permutations: Option<usize>,
    alpha: Option<f64>,
}

impl Comparing {
    fn to_options(&self, py: Python<'_>) -> PyResult<ComparisonOptions> {
        let mut usual = ComparisonOptions::default();
        let unknown = |field: &str, value: &str, known: &str| {
            refused(py, format!("{field}: `{value}` is not one of {known}"))
        };
        usual.test = match self.test.as_deref() {
            None => usual.test,
            Some("randomization") => Test::Randomization,
            Some("t") => Test::T,
            Some("wilcoxon") => Test::Wilcoxon,
            Some("bootstrap") => Test::Bootstrap,
            Some(other) => {
                return Err(unknown("test", other, "randomization, t, wilcoxon, bootstrap"));
            }
        };
        usual.correction = match self.correction.as_deref() {
            None => usual.correction,
            Some("holm") => Some(Correction::Holm),
            Some("bh") => Some(Correction::BenjaminiHochberg),
            Some("none") => None,
            Some(other) => return Err(unknown("correction", other, "holm, bh, none")),
        };
        usual.all_pairs = self.all_pairs.unwrap_or(usual.all_pairs);
        let permutations = self.permutations.unwrap_or(usual.uncertainty.permutations);
        usual.uncertainty.permutations = repetitions(py, "permutations", permutations)?;
        Ok(usual)
    }
}

/// Runs compared.
#[pyclass(frozen, module = "assize")]
#[derive(Debug)]
pub(crate) struct Comparison(shape::Comparison);

/// Compares runs by name; the first is the baseline.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    runs: Vec<(String, Bound<'_, PyAny>)>,
    gold: &Bound<'_, PyAny>,
    settings: &str,
    comparing: &str,
) -> PyResult<Comparison> {
    let request: ScoreRequest = options(py, settings)?;
    let comparing: Comparing = options(py, comparing)?;
    let mut how = comparing.to_options(py)?;
    let permutations = how.uncertainty.permutations;
    how.uncertainty = Uncertainty { permutations, ..request.uncertainty() };
    let alpha = comparing.alpha.unwrap_or(ALPHA);
    if runs.len() < 2 {
        return Err(refused(py, "runs: two or more are compared"));
    }
    let mut held = Vec::with_capacity(runs.len());
    for (name, run) in runs {
        let what = format!("runs[{name:?}]");
        held.push((name, RunSource::named(&what, &run, gold)?));
    }
    let title = format!("Comparison of {} runs", held.len());
    let done = work::run(py, move |_| {
        let mut boards = Vec::with_capacity(held.len());
        for (name, held) in held {
            boards.push((name, request.score(held.inputs())?.board));
        }
        let compared: Compared = compared(boards, &how);
        Ok::<_, ScoreError>(compared.to_wire(&how, alpha, Setting { title, ..Setting::default() }))
    })?;
    let shown = done.map_err(|error| raised(py, &error))?;
    if shown.queries == 0 {
        return Err(refused(py, "the runs have no query in common"));
    }
    Ok(Comparison(shown))
}

#[pymethods]
impl Comparison {
    #[expect(clippy::unused_self, reason = "Python calls it on an object")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(pickle::refused("Comparison", "`.to_dict()`"))
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        // It never changes, so it may be shared.
        slf
    }

    /// The comparison as `assize compare` prints it for programs.
    fn json(&self) -> String {
        line(&self.0)
    }

    /// What the user should know.
    fn notices(&self) -> Vec<String> {
        self.0.notices.clone()
    }

    /// A table for a paper.
    fn latex(&self) -> String {
        assize_cli::comparison_as_latex(&self.0)
    }

    /// Tables in Markdown.
    fn markdown(&self) -> String {
        assize_cli::comparison_as_markdown(&self.0)
    }

    /// One page with plots.
    fn html(&self) -> String {
        assize_page::compare::render(&self.0)
    }
}
