//! Curves from scores to people's ratings, as `summary agree` writes them and `summary score`
//! reads them: shown beside the raw score and never instead of it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use assize_engine::input::Source;
use assize_engine::summary::agreement::Number;
use assize_methods::summary::ultra::Calibration;
use assize_methods::summary::ultra::calibration::Quality;
use assize_methods::summary::{FiveMetrics, Metric};
use serde::{Deserialize, Serialize};

/// One curve as it stands in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Written {
    /// Points of the curve: score, rating.
    knots: Vec<(f64, f64)>,
    #[serde(flatten)]
    quality: Quality,
}

impl Written {
    /// A curve for a file.
    pub(crate) fn of(calibration: &Calibration) -> Self {
        Self { knots: calibration.knots().to_vec(), quality: calibration.quality }
    }
}

/// What `summary agree --format json` wrote, as far as it matters here.
#[derive(Deserialize)]
struct Agreed {
    metric: String,
    calibration: Option<Written>,
}

/// At most one curve for each metric.
#[derive(Debug, Default)]
pub(crate) struct Calibrations(BTreeMap<&'static str, Calibration>);

impl Calibrations {
    /// The curves of several files.
    pub(crate) fn read(paths: &[impl AsRef<Path>]) -> Result<Self> {
        let mut curves = BTreeMap::new();
        for path in paths {
            let path = path.as_ref();
            let (metric, curve) =
                read(path).with_context(|| format!("{} holds no curve", path.display()))?;
            if curves.insert(metric.name(), curve).is_some() {
                bail!("{}: there is already a curve for {}", path.display(), metric.name());
            }
        }
        Ok(Self(curves))
    }

    /// What people would probably say, for metrics that have a score and a curve; `None`
    /// without any curve.
    pub(crate) fn of(
        &self,
        scores: &FiveMetrics<Option<f64>>,
    ) -> Option<BTreeMap<&'static str, f64>> {
        let at = |metric: Metric| {
            let value = self.0.get(metric.name())?.at((*scores.get(metric))?);
            Some((metric.name(), value))
        };
        (!self.0.is_empty()).then(|| Metric::ALL.into_iter().filter_map(at).collect())
    }
}

fn read(path: &Path) -> Result<(Metric, Calibration)> {
    let source = Source::open(path)?;
    let agreed: Agreed = serde_json::from_slice(&source.bytes)
        .context("it should be what `assize summary agree --format json` writes")?;
    let number = Number::named(&agreed.metric)?;
    if !number.is_score() {
        bail!("it is about {}, and curves are for the five scores", number.name());
    }
    let written = agreed.calibration.context("fewer than ten pairs had a rating")?;
    let curve = Calibration::from_knots(written.knots, written.quality);
    Ok((number.metric(), curve.context("its points do not rise")?))
}
