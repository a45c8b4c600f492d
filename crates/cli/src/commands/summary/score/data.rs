//! Scorecards for programs: the metric objects in their strict order.

use std::collections::BTreeMap;

use assize_engine::summary::{Judged, Report, Settings};
use assize_methods::summary::FiveMetrics;
use assize_score::Outcome;
use serde::Serialize;
use serde_json::{Value, json};

use super::line::Look;

/// What is printed of one record: its name if it has one, and then its scorecard or
/// `{"error": "<reason>"}`.
#[derive(Serialize)]
pub(super) struct Printed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(flatten)]
    card: Printable<'a>,
    /// What people would probably say, where curves were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibrated: Option<BTreeMap<&'static str, f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workings: Option<Value>,
    /// What was asked of a model, where one judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Printable<'a> {
    Report(Report<'a>),
    Refused { error: String },
}

impl<'a> Printed<'a> {
    /// The scorecard of a record, with how its numbers came about and what people would say
    /// to them where that is asked for.
    pub(super) fn of(judged: &'a Judged, settings: Settings, look: &Look) -> Self {
        let report = match &judged.evidence {
            Ok(evidence) => {
                settings.framework.report(evidence).map_err(|refusal| refusal.code().to_owned())
            }
            Err(reason) => Err(reason.clone()),
        };
        let workings = (look.explain && report.is_ok()).then(|| workings(judged, settings));
        let card = match report {
            Ok(report) => Printable::Report(report),
            Err(error) => Printable::Refused { error },
        };
        let judge = judged.trail.as_ref().map(|trail| json!(trail));
        let mut printed =
            Self { id: judged.id.as_deref(), card, calibrated: None, workings, judge };
        printed.calibrated = printed.scores().ok().and_then(|scores| look.calibrations.of(&scores));
        printed
    }

    /// The five scores, or why there are none.
    pub(super) fn scores(&self) -> Result<FiveMetrics<Option<f64>>, String> {
        match &self.card {
            Printable::Report(report) => Ok(report.scores()),
            Printable::Refused { error } => Err(error.clone()),
        }
    }

    /// On one line, without its end.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("a scorecard is plain data")
    }

    /// Indented, with its end.
    pub(super) fn pretty(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a scorecard is plain data");
        format!("{text}\n")
    }
}

/// How each of the five numbers came about.
fn workings(judged: &Judged, settings: Settings) -> Value {
    let evidence = judged.evidence.as_ref().ok();
    let verdict = evidence.and_then(|evidence| settings.framework.verdict(evidence).ok());
    let scores = verdict.map(|verdict| verdict.scores).unwrap_or_default();
    let entries = scores.into_iter().map(|(name, outcome)| {
        let value = match outcome {
            Outcome::Scored(explained) => json!(explained),
            Outcome::Unscored { because } => json!({ "unscored": because }),
        };
        (name.into_owned(), value)
    });
    Value::Object(entries.collect())
}
