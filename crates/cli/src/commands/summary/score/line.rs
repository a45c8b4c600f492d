//! What is kept of one record until all are done.

use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::{Judged, Settings};
use assize_methods::summary::{FiveMetrics, Metric};
use assize_wire::text::line;

use super::args::Format;
use super::ledger;

/// How records are shown.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) format: Format,
    /// Whether numbers are explained.
    pub(super) explain: bool,
    /// What people would say to a score.
    pub(super) calibrations: Calibrations,
}

/// One record's scores, and what its format prints.
pub(super) struct Line {
    pub(super) id: Option<String>,
    pub(super) scores: Result<FiveMetrics<Option<f64>>, String>,
    /// What is printed of it at once.
    pub(super) text: String,
    /// Whether it has no scores because its judge failed.
    pub(super) is_unscored: bool,
    /// The whole pair, for a page that may show it in full.
    pub(super) judged: Option<Judged>,
}

impl Line {
    /// Done in parallel: everything that depends on this record alone.
    pub(super) fn of(judged: Judged, settings: Settings, look: &Look) -> Self {
        let Look { format, explain, .. } = *look;
        let (scores, text) = match format {
            Format::Json | Format::Jsonl => {
                let scorecard = judged.to_wire(settings, explain, &look.calibrations);
                (scorecard.scores().map_err(str::to_owned), line(&scorecard))
            }
            Format::Table | Format::Html => {
                let card = judged.to_card(1, settings, &look.calibrations);
                let text = match &card {
                    _ if format == Format::Html || !explain => String::new(),
                    Ok(card) => ledger::scorecard(card, true),
                    Err(reason) => format!("error: {reason}\n"),
                };
                (card.map(|card| card.scores), text)
            }
        };
        let id = judged.id.clone();
        let is_unscored = judged.trail.as_ref().is_some_and(|trail| trail.is_unscored);
        let judged = (format == Format::Html && scores.is_ok()).then_some(judged);
        Self { id, scores, text, is_unscored, judged }
    }

    /// The mean of the scores there are: what the weakest pairs are found by.
    pub(super) fn mean(&self) -> f64 {
        let Ok(scores) = &self.scores else { return f64::INFINITY };
        let values: Vec<f64> =
            Metric::ALL.into_iter().filter_map(|metric| *scores.get(metric)).collect();
        if values.is_empty() {
            f64::INFINITY
        } else {
            values.iter().sum::<f64>() / values.len() as f64
        }
    }
}
