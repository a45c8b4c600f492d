//! Scores as OpenTelemetry events: `gen_ai.evaluation.result`, one for each measure of an item, in
//! OTLP JSON as its file exporter writes it.

use assize_store::Verdict;
use assize_wire::runs::{Item, RunEntry};
use serde_json::{Value, json};

/// The name that the semantic conventions give such an event.
const EVENT: &str = "gen_ai.evaluation.result";
/// Severities of a log record.
const INFO: u8 = 9;
const WARN: u8 = 13;

/// One message with the events of an item. A measure without a value has no number, and says why.
pub(super) fn events(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> Value {
    let time = verdict.map_or(run.created_at, |verdict| verdict.created_at);
    // Nanoseconds as text: they do not fit a number of JSON.
    let nanoseconds = time.timestamp_nanos_opt().unwrap_or_default().to_string();
    let record = |(measure, score): (&String, &Option<f64>)| {
        json!({
            "timeUnixNano": nanoseconds,
            "severityNumber": if score.is_some() { INFO } else { WARN },
            "eventName": EVENT,
            "attributes": attributes(item, measure, *score),
        })
    };
    let program = [
        text("service.name", "assize"),
        text("assize.run.id", &run.run),
        text("assize.instrument", &run.instrument),
        text("assize.evaluator.id", run.judge.as_deref().unwrap_or(&run.instrument)),
        text("assize.evaluator.version", run.method.as_deref().unwrap_or("unknown")),
    ];
    let records: Vec<Value> = item.scores.iter().map(record).collect();
    let scope = json!({"name": "assize", "version": env!("CARGO_PKG_VERSION")});
    let logs = json!([{"scope": scope, "logRecords": records}]);
    json!({"resourceLogs": [{"resource": {"attributes": program}, "scopeLogs": logs}]})
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn attributes(item: &Item, measure: &str, score: Option<f64>) -> Vec<Value> {
    let outcome = item.outcome.as_deref().unwrap_or(&item.state);
    let mut attributes = vec![text("gen_ai.evaluation.name", measure)];
    attributes.push(match score {
        Some(score) => {
            json!({"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": score}})
        }
        None => text("error.type", outcome),
    });
    if let Some(reason) = &item.reason {
        attributes.push(text("gen_ai.evaluation.explanation", reason));
    }
    attributes.push(text("assize.item", &item.subject));
    attributes.push(text("assize.item.outcome", outcome));
    if item.judged.contains_key(measure) {
        attributes.push(text("assize.decided_by", "person"));
    }
    attributes
}
