//! One scored pair with everything a reader may want to see of it: what pages and tables show.

use std::collections::BTreeMap;

use assize_methods::summary::report::{CapLine, caps_of};
use assize_methods::summary::ultra::Panel;
use assize_methods::summary::{Evidence, FiveMetrics, Metric};
use assize_score::{CapState, Outcome, Verdict};
use serde::Serialize;

/// A pair with its evidence and its verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Card<'a> {
    /// Its place in the file, from 1.
    pub number: usize,
    /// Its name.
    pub id: Option<&'a str>,
    /// The source.
    pub article: &'a str,
    /// What is judged.
    pub summary: &'a str,
    /// What the judge found.
    pub evidence: &'a Evidence,
    /// The scores with their workings.
    pub verdict: Verdict,
    /// The scores alone.
    pub scores: FiveMetrics<Option<f64>>,
    /// Who judged, by name.
    pub judges: String,
    /// The hallucination score if every claim that is not decided were unsupported, and if all were
    /// supported; `None` where all are decided.
    pub range: Option<[f64; 2]>,
    /// What a panel adds.
    pub panel: Option<&'a Panel>,
    /// What people would probably say, by metric.
    pub calibrated: BTreeMap<&'static str, f64>,
}

impl Card<'_> {
    /// Where a score would lie by a panel or by what is not decided, whether it is contested, and
    /// what people would probably say; empty without any of them.
    pub fn uncertainty(&self, metric: Metric) -> String {
        let panel = match self.range {
            Some([low, high]) if metric == Metric::Hallucination && self.panel.is_none() => {
                format!("[{low:.2}, {high:.2}] by what is not decided")
            }
            _ => self.by_panel(metric),
        };
        match self.calibrated.get(metric.name()) {
            Some(rating) => format!("{panel}  people: {rating:.2}").trim().to_owned(),
            None => panel,
        }
    }

    fn by_panel(&self, metric: Metric) -> String {
        let Some(panel) = self.panel else {
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
    pub fn outcome(&self, metric: Metric) -> &Outcome {
        self.verdict.score(metric.name()).expect("a verdict has all five metrics")
    }

    /// What held a metric down, or why it has no score; empty if nothing did.
    pub fn remark(&self, metric: Metric) -> String {
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
                        format!("capped at {} (from {before}): {}", last.at_most, last.because)
                    }
                    (_, Some(last)) => {
                        format!("{} capped at {}: {}", last.on, last.at_most, last.because)
                    }
                    _ => String::new(),
                }
            }
        }
    }

    /// Every cap that was considered for a metric.
    pub fn caps(&self, metric: Metric) -> Vec<CapLine> {
        self.outcome(metric).explained().map(caps_of).unwrap_or_default()
    }
}
