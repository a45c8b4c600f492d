//! One scored pair with everything a reader may want to see of it.

use std::collections::BTreeMap;

use assize_engine::summary::model::Trail;
use assize_engine::summary::{Judged, Pair, Settings};
use assize_methods::summary::report::{CapLine, caps_of};
use assize_methods::summary::{Evidence, FiveMetrics, Metric};
use assize_score::{CapState, Outcome, Verdict};

use crate::commands::summary::calibration::Calibrations;

/// A pair with its evidence and its verdict.
pub(crate) struct Card<'a> {
    pub(crate) pair: &'a Pair,
    pub(crate) evidence: &'a Evidence,
    pub(crate) verdict: Verdict,
    pub(crate) scores: FiveMetrics<Option<f64>>,
    pub(crate) settings: Settings,
    /// Who judged, if models did.
    pub(crate) trail: Option<&'a Trail>,
    /// What people would probably say, by metric.
    calibrated: BTreeMap<&'static str, f64>,
}

impl<'a> Card<'a> {
    /// The scorecard of a pair, or why there is none.
    pub(crate) fn of(judged: &'a Judged, settings: Settings) -> Result<Self, String> {
        let evidence = judged.evidence.as_ref().map_err(Clone::clone)?;
        let pair = judged.pair.as_ref().ok_or("there is no pair")?;
        let verdict =
            settings.framework.verdict(evidence).map_err(|refusal| refusal.code().to_owned())?;
        let value = |metric: Metric| verdict.score(metric.name()).and_then(Outcome::value);
        let scores = FiveMetrics {
            coverage: value(Metric::Coverage),
            alignment: value(Metric::Alignment),
            hallucination: value(Metric::Hallucination),
            relevance: value(Metric::Relevance),
            bias_toxicity: value(Metric::BiasToxicity),
        };
        let trail = judged.trail.as_deref();
        Ok(Self { pair, evidence, verdict, scores, settings, trail, calibrated: BTreeMap::new() })
    }

    /// The same, with what people would probably say beside it.
    pub(super) fn beside(mut self, calibrations: &Calibrations) -> Self {
        self.calibrated = calibrations.of(&self.scores).unwrap_or_default();
        self
    }

    /// Who judged, by name.
    pub(crate) fn judges(&self) -> String {
        match self.trail {
            Some(trail) => trail.judges.join(", "),
            None => self.settings.judge.name().to_owned(),
        }
    }

    /// Where a score would lie by a panel, whether it is contested, and what people would
    /// probably say; empty without a panel and a curve.
    pub(crate) fn sureness(&self, metric: Metric) -> String {
        let panel = self.panel(metric);
        match self.calibrated.get(metric.name()) {
            Some(rating) => format!("{panel}  people: {rating:.2}").trim().to_owned(),
            None => panel,
        }
    }

    fn panel(&self, metric: Metric) -> String {
        let Some(panel) = self.trail.and_then(|trail| trail.panel.as_ref()) else {
            return String::new();
        };
        let interval = panel.intervals.get(metric).map_or(String::new(), |interval| {
            format!("[{:.2}, {:.2}]", interval.low, interval.high)
        });
        let agreement = panel.agreement.get(metric);
        let contested = if agreement.contested { " contested" } else { "" };
        format!("{interval}{contested}").trim().to_owned()
    }

    /// The outcome of a metric with its workings.
    pub(crate) fn outcome(&self, metric: Metric) -> &Outcome {
        self.verdict.score(metric.name()).expect("a verdict has all five metrics")
    }

    /// What held a metric down, or why it has no score; empty if nothing did.
    pub(crate) fn remark(&self, metric: Metric) -> String {
        match self.outcome(metric) {
            Outcome::Unscored { because } => format!("no score: {because}"),
            Outcome::Scored(explained) => {
                let caps = caps_of(explained);
                let lowered =
                    |cap: &&CapLine| cap.state == CapState::Binding && cap.before > cap.after;
                // The highest before and the last cap tell the whole way down.
                let first = caps.iter().find(lowered);
                let last = caps.iter().rfind(lowered);
                match (first, last) {
                    (Some(first), Some(last))
                        if last.on == metric.name() || first.on == last.on =>
                    {
                        let before = format!("{:.2}", first.before);
                        format!("held at {} (from {before}): {}", last.at_most, last.because)
                    }
                    (_, Some(last)) => {
                        format!("{} held at {}: {}", last.on, last.at_most, last.because)
                    }
                    _ => String::new(),
                }
            }
        }
    }

    /// Every cap that was considered for a metric.
    pub(crate) fn caps(&self, metric: Metric) -> Vec<CapLine> {
        self.outcome(metric).explained().map(caps_of).unwrap_or_default()
    }
}
