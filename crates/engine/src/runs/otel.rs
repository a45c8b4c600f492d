//! Scores as OpenTelemetry events: `gen_ai.evaluation.result`, one for each measure of an item, in
//! OTLP JSON as its file exporter writes it.

use assize_store::Verdict;
use assize_wire::runs::{Item, RunEntry};
use serde_json::{Value as Json, json};

/// The name that the semantic conventions give such an event.
const EVENT: &str = "gen_ai.evaluation.result";
/// Severities of a log record.
const INFO: u8 = 9;
const WARN: u8 = 13;

/// One message with the events of an item. A measure without a value has no number, and says why.
pub(super) fn events(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> Json {
    let time = verdict.map_or(run.created_at, |verdict| verdict.created_at);
    let nanoseconds = time.timestamp_nanos_opt().unwrap_or_default().to_string();
    let record = |(measure, score): (&String, &Option<f64>)| {
        let mut attributes = vec![text("gen_ai.evaluation.name", measure)];
        if let Some(score) = score {
            let value = json!({ "doubleValue": score });
            attributes.push(json!({ "key": "gen_ai.evaluation.score.value", "value": value }));
        } else {
            attributes.push(text("error.type", item.outcome.as_deref().unwrap_or(&item.state)));
        }
        if let Some(reason) = &item.reason {
            attributes.push(text("gen_ai.evaluation.explanation", reason));
        }
        attributes.push(text("assize.item", &item.subject));
        attributes
            .push(text("assize.item.outcome", item.outcome.as_deref().unwrap_or(&item.state)));
        if item.judged.contains_key(measure) {
            attributes.push(text("assize.decided_by", "person"));
        }
        json!({
            "timeUnixNano": nanoseconds,
            "severityNumber": if score.is_some() { INFO } else { WARN },
            "eventName": EVENT,
            "attributes": attributes,
        })
    };
    let records: Vec<Json> = item.scores.iter().map(record).collect();
    let resource = [
        text("service.name", "assize"),
        text("assize.run.id", &run.run),
        text("assize.instrument", &run.instrument),
        text("assize.evaluator.id", run.judge.as_deref().unwrap_or(&run.instrument)),
        text("assize.evaluator.version", run.method.as_deref().unwrap_or("unknown")),
    ];
    let scope = json!({ "name": "assize", "version": env!("CARGO_PKG_VERSION") });
    json!({ "resourceLogs": [{
        "resource": { "attributes": resource },
        "scopeLogs": [{ "scope": scope, "logRecords": records }],
    }] })
}

fn text(key: &str, value: &str) -> Json {
    json!({ "key": key, "value": { "stringValue": value } })
}
