//! Scores as other tools take them: OpenTelemetry events (`gen_ai.evaluation.result`, one for each measure
//! of an item, in OTLP JSON as its file exporter writes it), and the scores of Langfuse and Phoenix.

use assize_score::Finding;
use assize_store::Verdict;
use assize_wire::runs::{Item, RunEntry};
use serde::Deserialize;
use serde_json::{Value, json};

/// The name that the semantic conventions give such an event.
const EVENT: &str = "gen_ai.evaluation.result";
/// Severities of a log record.
const INFO: u8 = 9;
const WARN: u8 = 13;

/// One message with the events of an item. A measure without a value has no number, and says why.
pub(super) fn events(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> Value {
    let findings = findings(verdict);
    let time = verdict.map_or(run.created_at, |verdict| verdict.created_at);
    // Nanoseconds as text: they do not fit a number of JSON.
    let nanoseconds = time.timestamp_nanos_opt().unwrap_or_default().to_string();
    let record = |(measure, score): (&String, &Option<f64>)| {
        json!({
            "timeUnixNano": nanoseconds,
            "severityNumber": if score.is_some() { INFO } else { WARN },
            "eventName": EVENT,
            "attributes": attributes(item, (measure, *score), &findings),
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

/// The scores of an item as Langfuse takes them one by one; the item is called as its trace is.
pub(super) fn langfuse(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> Vec<Value> {
    let findings = findings(verdict);
    let score = |(measure, score): (&String, f64)| {
        json!({
            "id": format!("{}-{}-{measure}", run.run, item.position),
            "traceId": item.subject,
            "name": measure,
            "value": score,
            "dataType": "NUMERIC",
            "comment": item.reason,
            "metadata": {"assize_run": run.run, "method": run.method, "findings": findings},
        })
    };
    scored(item).map(score).collect()
}

/// The scores of an item as Phoenix annotates spans; the item is called as its span is.
pub(super) fn phoenix(run: &RunEntry, item: &Item, verdict: Option<&Verdict>) -> Vec<Value> {
    let findings = findings(verdict);
    let kind = |measure: &str| match &run.judge {
        _ if item.judged.contains_key(measure) => "HUMAN",
        Some(judge) if judge.contains('/') => "LLM",
        _ => "CODE",
    };
    let annotation = |(measure, score): (&String, f64)| {
        json!({
            "span_id": item.subject,
            "name": measure,
            "annotator_kind": kind(measure),
            "identifier": run.run,
            "result": {"score": score, "label": item.outcome, "explanation": item.reason},
            "metadata": {"method": run.method, "findings": findings},
        })
    };
    scored(item).map(annotation).collect()
}

/// The part of a ledger that says what a reader of the score should know.
#[derive(Default, Deserialize)]
struct Noted {
    #[serde(default)]
    verdict: Findings,
}

#[derive(Default, Deserialize)]
struct Findings {
    #[serde(default)]
    findings: Vec<Finding>,
}

/// Text that the document hides, quotes that are not in it, and what else a verdict notes, in words.
fn findings(verdict: Option<&Verdict>) -> Vec<String> {
    let ledger = verdict.and_then(|verdict| verdict.ledger.as_ref());
    let noted = ledger.and_then(|ledger| Noted::deserialize(ledger).ok());
    noted.unwrap_or_default().verdict.findings.into_iter().map(|one| one.message).collect()
}

/// What has a number: neither tool has a place for a score without one.
fn scored(item: &Item) -> impl Iterator<Item = (&String, f64)> {
    item.scores.iter().filter_map(|(measure, score)| Some((measure, (*score)?)))
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn attributes(
    item: &Item,
    (measure, score): (&str, Option<f64>),
    findings: &[String],
) -> Vec<Value> {
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
    if !findings.is_empty() {
        let values: Vec<Value> =
            findings.iter().map(|finding| json!({"stringValue": finding})).collect();
        attributes
            .push(json!({"key": "assize.findings", "value": {"arrayValue": {"values": values}}}));
    }
    attributes.push(text("assize.item", &item.subject));
    attributes.push(text("assize.item.outcome", outcome));
    if item.judged.contains_key(measure) {
        attributes.push(text("assize.decided_by", "person"));
    }
    attributes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;

    use super::*;
    use crate::input::foreign;

    fn run() -> RunEntry {
        RunEntry {
            number: 1,
            name: None,
            run: "r1".into(),
            instrument: "summary".into(),
            about: None,
            state: "done".into(),
            items: 1,
            done: 1,
            unscored: 0,
            judge: Some("local/qwen".into()),
            method: None,
            version: 1,
            baseline: false,
            tags: Vec::new(),
            who: "ann".into(),
            created_at: DateTime::UNIX_EPOCH,
            failure: None,
            approval: None,
            archived: false,
            exports: Vec::new(),
        }
    }

    #[test]
    fn scores_for_other_tools_are_read_back_as_those_tools_are_read() {
        let scores =
            BTreeMap::from([("bias".to_owned(), None), ("coverage".to_owned(), Some(7.5))]);
        let item = Item {
            position: 0,
            subject: "trace-1".into(),
            state: "done".into(),
            outcome: None,
            reason: Some("said so".into()),
            scores,
            judged: BTreeMap::new(),
        };
        for (made, rater) in [
            (langfuse(&run(), &item, None), "coverage"),
            (phoenix(&run(), &item, None), "coverage/LLM"),
        ] {
            let read = foreign::records(Value::from(made).to_string().as_bytes()).unwrap();
            assert_eq!(read, [json!({"id": "trace-1", "rater": rater, "score": 7.5})]);
        }
        let read = foreign::records(events(&run(), &item, None).to_string().as_bytes()).unwrap();
        let fields = ["id", "rater", "score"].map(|name| &read[0][name]);
        assert_eq!(fields, [&json!("trace-1"), &json!("coverage"), &json!(7.5)]);
        assert_eq!(read.len(), 1, "a measure without a value is no score");
    }
}
