//! Curves from scores to people's ratings, as `summary agree` writes them and `summary score`
//! reads them: shown beside the raw score and never instead of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assize_methods::summary::ultra::Calibration;
use assize_methods::summary::{FiveMetrics, Metric};
use assize_wire::summary::CurveFile;
use thiserror::Error;

use super::agreement::{Number, UnknownNumber};
use crate::input::{InputError, Source};

/// Why a file gives no curve.
#[derive(Debug, Error)]
#[error("{} contains no calibration curve", file.display())]
pub struct CalibrationError {
    pub file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: CurveProblem,
}

/// What is wrong with a file of a curve.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CurveProblem {
    /// It cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It is something else.
    #[error("expected the JSON output of an agreement with ratings: {0}")]
    NotAgreement(#[from] serde_json::Error),
    /// It is about a number that there is not.
    #[error(transparent)]
    Unknown(#[from] UnknownNumber),
    /// It is about a number without a curve.
    #[error("it is for {0}, and curves only apply to the five scores")]
    NoScore(String),
    /// Too few ratings.
    #[error("fewer than ten pairs had a rating")]
    TooFew,
    /// The points are in no order.
    #[error("its points are not increasing")]
    Falling,
    /// Another file was about the same metric.
    #[error("there is already a curve for {0}")]
    Twice(&'static str),
}

/// At most one curve for each metric.
#[derive(Debug, Default)]
pub struct Calibrations(BTreeMap<&'static str, Calibration>);

impl Calibrations {
    /// The curves of several files.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Self, CalibrationError> {
        let mut curves = BTreeMap::new();
        for path in paths {
            let file = path.as_ref();
            let refused = |problem| CalibrationError { file: file.to_owned(), problem };
            let (metric, curve) = read(file).map_err(refused)?;
            if curves.insert(metric.name(), curve).is_some() {
                return Err(refused(CurveProblem::Twice(metric.name())));
            }
        }
        Ok(Self(curves))
    }

    /// What people would probably say, for metrics that have a score and a curve; `None`
    /// without any curve.
    pub fn of(&self, scores: &FiveMetrics<Option<f64>>) -> Option<BTreeMap<&'static str, f64>> {
        let at = |metric: Metric| {
            let value = self.0.get(metric.name())?.at((*scores.get(metric))?);
            Some((metric.name(), value))
        };
        (!self.0.is_empty()).then(|| Metric::ALL.into_iter().filter_map(at).collect())
    }
}

fn read(path: &Path) -> Result<(Metric, Calibration), CurveProblem> {
    let source = Source::open(path)?;
    let agreed: CurveFile = serde_json::from_slice(&source.bytes)?;
    let number = Number::named(&agreed.metric)?;
    if !number.is_score() {
        return Err(CurveProblem::NoScore(number.name()));
    }
    let written = agreed.calibration.ok_or(CurveProblem::TooFew)?;
    let curve = Calibration::from_knots(written.knots, written.quality);
    Ok((number.metric(), curve.ok_or(CurveProblem::Falling)?))
}
