//! Scorecards for programs: the metric objects in their strict order.

use assize_engine::summary::{Judged, Settings};
use assize_score::Outcome;
use serde_json::{Map, Value, json};

/// One line of JSON, with its end.
pub(super) fn line(judged: &Judged, settings: Settings, explain: bool) -> String {
    format!("{}\n", object(judged, settings, explain))
}

/// The same, indented.
pub(super) fn pretty(judged: &Judged, settings: Settings, explain: bool) -> String {
    format!("{:#}\n", object(judged, settings, explain))
}

/// The scorecard, or `{"error": "<reason>"}`; either begins with the pair's name if it has one.
pub(super) fn object(judged: &Judged, settings: Settings, explain: bool) -> Value {
    let mut object = Map::new();
    if let Some(id) = &judged.id {
        object.insert("id".to_owned(), json!(id));
    }
    let report = match &judged.evidence {
        Ok(evidence) => {
            settings.framework.report(evidence).map_err(|refusal| refusal.code().to_owned())
        }
        Err(reason) => Err(reason.clone()),
    };
    match report {
        Err(reason) => {
            object.insert("error".to_owned(), json!(reason));
        }
        Ok(report) => {
            let report = serde_json::to_value(report).expect("a scorecard is plain data");
            if let Value::Object(fields) = report {
                object.extend(fields);
            }
            if explain {
                object.insert("workings".to_owned(), workings(judged, settings));
            }
        }
    }
    if let Some(trail) = &judged.trail {
        object.insert("judge".to_owned(), json!(trail));
    }
    Value::Object(object)
}

/// How each of the five numbers came about.
fn workings(judged: &Judged, settings: Settings) -> Value {
    let verdict = judged
        .evidence
        .as_ref()
        .ok()
        .and_then(|evidence| settings.framework.verdict(evidence).ok());
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
