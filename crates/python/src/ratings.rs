//! Scores beside people's ratings, and judges beside raters.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assize_engine::judges::{
    FacetColumns, Inference, ItemTable, Items, ItemsError, Settings, Source, bench, infer,
    share_bound,
};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::summary::agreement::{Options, Point, measure};
use assize_engine::summary::wire::plotted;
use assize_page::summary::agreement::render_judges;
use assize_wire::text::line;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::error::{options, raised, refused};
use crate::score::repetitions;
use crate::work;

/// How sure figures are.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Uncertain {
    confidence: Option<f64>,
    resamples: Option<usize>,
    seed: Option<u64>,
    threshold: Option<f64>,
}

impl Uncertain {
    fn to_uncertainty(&self, py: Python<'_>) -> PyResult<Uncertainty> {
        let usual = Uncertainty::default();
        let level = self.confidence.unwrap_or(usual.level);
        if !(level > 0.0 && level < 1.0) {
            return Err(refused(py, format!("confidence: {level} is not between 0 and 1")));
        }
        Ok(Uncertainty {
            level,
            resamples: repetitions(py, "resamples", self.resamples.unwrap_or(usual.resamples))?,
            seed: self.seed.unwrap_or(usual.seed),
            ..usual
        })
    }
}

/// How near scores are to ratings, and a page that shows it; what lacks either was left out before.
#[pyfunction]
pub(crate) fn agree(
    py: Python<'_>,
    scores: Vec<f64>,
    ratings: Vec<f64>,
    groups: Option<Vec<String>>,
    settings: &str,
) -> PyResult<(String, String)> {
    let given: Uncertain = options(py, settings)?;
    let how = Options {
        uncertainty: given.to_uncertainty(py)?,
        threshold: given.threshold,
        ..Options::default()
    };
    for (name, values) in [("scores", &scores), ("ratings", &ratings)] {
        if let Some(row) = values.iter().position(|value| !value.is_finite()) {
            return Err(refused(py, format!("{name}[{row}]: {} is not a number", values[row])));
        }
    }
    if scores.len() < 2 {
        let found = scores.len();
        return Err(refused(py, format!("{found} items have both a score and a rating; 2 needed")));
    }
    let mut groups = groups.map(Vec::into_iter);
    let points: Vec<Point> = scores
        .into_iter()
        .zip(ratings)
        .map(|(score, human)| {
            let group = groups.as_mut().and_then(Iterator::next);
            Point { score, human, group, by: None }
        })
        .collect();
    work::run(py, move |_| {
        let found = measure(&points, &how);
        let drawn = render_judges(&[], &[("scores", &plotted(&points, &found))]);
        (line(&found.to_figures(&how)), drawn)
    })
}

/// Who is compared with whom on which items.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Benched {
    items: PathBuf,
    judges: Vec<String>,
    raters: Vec<String>,
    id: Option<String>,
    group: Option<String>,
    slice: Option<String>,
    length: Option<String>,
    order: Option<String>,
    author: Option<String>,
}

impl Benched {
    /// The items with who scored them, and with what else the file says of them.
    fn read(&self, judges: &[Source], raters: &[Source]) -> Result<Items, ItemsError> {
        let facets = FacetColumns {
            slice: self.slice.as_deref(),
            length: self.length.as_deref(),
            place: self.order.as_deref(),
            author: self.author.as_deref(),
        };
        let table = ItemTable::read(&self.items, self.id.as_deref(), self.group.as_deref())?;
        table.with_facets(facets)?.with(judges, raters, BTreeMap::new())
    }
}

/// What is asked of a judge and its labels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inferring {
    confidence: Option<f64>,
    share: Option<String>,
    width: Option<f64>,
    next: Option<usize>,
    seed: Option<u64>,
}

/// What people would say of all items, from a few labels and a judge.
#[pyfunction]
pub(crate) fn judges_infer(py: Python<'_>, benched: &str, asked: &str) -> PyResult<String> {
    let benched: Benched = options(py, benched)?;
    let judges = sources(py, "judge", &benched.judges)?;
    let raters = sources(py, "raters", &benched.raters)?;
    let Inferring { confidence, share, width, next, seed } = options(py, asked)?;
    let level = confidence.unwrap_or(0.95);
    if !(level > 0.0 && level < 1.0) {
        return Err(refused(py, "confidence: it must lie between 0 and 1"));
    }
    let share = share.as_deref().map(share_bound).transpose();
    let share = share.map_err(|problem| refused(py, format!("share: {problem}")))?;
    let asked =
        Inference { level, share, width, next: next.unwrap_or(10), seed: seed.unwrap_or(42) };
    let items = benched.read(&judges, &raters).map_err(|error| raised(py, &error))?;
    infer(&items, &asked).map(|found| line(&found)).map_err(|problem| refused(py, problem))
}

/// Where judges or raters are found, as they are typed.
fn sources(py: Python<'_>, field: &str, typed: &[String]) -> PyResult<Vec<Source>> {
    let source = |text: &String| {
        text.parse::<Source>().map_err(|error| refused(py, format!("{field}: {error}")))
    };
    typed.iter().map(source).collect()
}

/// Any number of judges against any number of raters on the items of a file, and a page that shows
/// it.
#[pyfunction]
pub(crate) fn judges_bench(
    py: Python<'_>,
    benched: &str,
    settings: &str,
) -> PyResult<(String, String)> {
    let benched: Benched = options(py, benched)?;
    let judges = sources(py, "judges", &benched.judges)?;
    let raters = sources(py, "raters", &benched.raters)?;
    let Uncertainty { level, resamples, seed, .. } =
        options::<Uncertain>(py, settings)?.to_uncertainty(py)?;
    let found = work::run(py, move |_| {
        let items = benched.read(&judges, &raters)?;
        let found = bench(&items, &Settings { resamples, level, seed });
        let judges: Vec<_> =
            found.judges.iter().map(|judge| (judge.name.as_str(), &judge.plotted)).collect();
        Ok((line(&found), render_judges(&found.everybody, &judges)))
    })?;
    found.map_err(|error: ItemsError| raised(py, &error))
}
