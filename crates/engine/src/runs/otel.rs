//! Scores as OpenTelemetry events: `gen_ai.evaluation.result`, one for each measure of an item, in
//! OTLP JSON as its file exporter writes it.

use assize_store::Verdict;
use assize_wire::otel::{
    OtelAttribute, OtelLogs, OtelRecord, OtelResource, OtelResourceLogs, OtelScope, OtelScopeLogs,
    OtelValue,
};
use assize_wire::runs::{Item, RunEntry};

/// The name that the semantic conventions give such an event.
const EVENT: &str = "gen_ai.evaluation.result";
/// Severities of a log record.
const INFO: u8 = 9;
const WARN: u8 = 13;

/// One message with the events of an item. A measure without a value has no number, and says why.
pub(super) fn events(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> OtelLogs {
    let text = OtelAttribute::text;
    let time = verdict.map_or(run.created_at, |verdict| verdict.created_at);
    let nanoseconds = time.timestamp_nanos_opt().unwrap_or_default().to_string();
    let record = |(measure, score): (&String, &Option<f64>)| OtelRecord {
        time_unix_nano: nanoseconds.clone(),
        severity_number: if score.is_some() { INFO } else { WARN },
        event_name: EVENT,
        attributes: attributes(item, measure, *score),
    };
    let resource = OtelResource {
        attributes: vec![
            text("service.name", "assize"),
            text("assize.run.id", &run.run),
            text("assize.instrument", &run.instrument),
            text("assize.evaluator.id", run.judge.as_deref().unwrap_or(&run.instrument)),
            text("assize.evaluator.version", run.method.as_deref().unwrap_or("unknown")),
        ],
    };
    let scope = OtelScope { name: "assize", version: env!("CARGO_PKG_VERSION") };
    let log_records = item.scores.iter().map(record).collect();
    let scope_logs = [OtelScopeLogs { scope, log_records }];
    OtelLogs { resource_logs: [OtelResourceLogs { resource, scope_logs }] }
}

fn attributes(item: &Item, measure: &str, score: Option<f64>) -> Vec<OtelAttribute> {
    let text = OtelAttribute::text;
    let outcome = item.outcome.as_deref().unwrap_or(&item.state);
    let mut attributes = vec![text("gen_ai.evaluation.name", measure)];
    attributes.push(match score {
        Some(score) => OtelAttribute {
            key: "gen_ai.evaluation.score.value",
            value: OtelValue::DoubleValue(score),
        },
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
