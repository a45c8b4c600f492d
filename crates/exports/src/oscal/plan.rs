//! A plan of action and milestones: one item for each criterion that the set does not satisfy.

use std::io::Write;

use serde_json::{Value, json};

use super::identity::{Identity, control_id, time_or};
use super::markup::{line, prose};
use super::row::Rows;
use super::{Options, metadata, object, properties, threshold};
use crate::ExportError;
use crate::report::{Report, Row, SetVerdict, State};
use crate::text;

/// Writes the plan. What the set satisfies, and what does not apply, is not in it.
pub fn write_plan(
    report: &Report,
    options: &Options,
    mut out: impl Write,
) -> Result<(), ExportError> {
    serde_json::to_writer_pretty(&mut out, &plan(report, options)?)?;
    out.write_all(b"\n")?;
    Ok(())
}

fn plan(report: &Report, options: &Options) -> Result<Value, ExportError> {
    let identity = Identity::of(report);
    let collected = time_or("finished_at", &report.run.finished_at, &report.exported_at)?;
    let threshold = threshold(report, options);
    let rows = Rows { report, identity: &identity, collected: &collected, threshold };
    let open: Vec<&SetVerdict> =
        report.set.verdicts.iter().filter(|one| is_open(one, threshold)).collect();
    if open.is_empty() {
        return Err(ExportError::NothingOpen);
    }
    let [mut observations, mut findings, mut poam_items]: [Vec<Value>; 3] = Default::default();
    for verdict in open {
        let own: Vec<(usize, &Row)> = report
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.criteria_id == verdict.criteria_id)
            .collect();
        observations.extend(own.iter().map(|(index, row)| rows.observation(*index, row)));
        let scored = own.iter().filter_map(|(index, row)| {
            let status = row.effective_score.and(row.status.as_ref())?;
            Some(rows.finding(*index, row, status))
        });
        let scored: Vec<_> = scored.collect();
        let related_findings: Vec<Value> =
            scored.iter().map(|finding| json!({"finding-uuid": finding["uuid"]})).collect();
        let observed = own.iter().map(|(index, row)| rows.id("observation", *index, row));
        let related: Vec<Value> = observed.map(|id| json!({"observation-uuid": id})).collect();
        let props = properties(&[
            ("control-id", Some(control_id(&verdict.criteria_id))),
            ("category", Some(verdict.category.clone())),
            ("weight", Some(verdict.weight.to_string())),
            ("score", verdict.score.map(text::score)),
            ("status", verdict.status.as_ref().map(|status| status.label.clone())),
            ("state", Some(verdict.state.name().to_owned())),
            ("contradicted-by", Some(verdict.contradicted_by.join(", "))),
        ]);
        let title = line(&format!("{}: {}", verdict.criteria_id, first_line(verdict)));
        poam_items.push(object([
            ("uuid", identity.uuid(&["poam-item", &verdict.criteria_id]).into()),
            ("title", title.into()),
            ("description", prose(&description(verdict)).into()),
            ("props", props.into()),
            ("related-findings", related_findings.into()),
            ("related-observations", related.into()),
        ]));
        findings.extend(scored);
    }
    let system = identity.uuid(&["system"]);
    let system = json!({"identifier-type": "https://ietf.org/rfc/rfc4122", "id": system});
    let plan = object([
        ("uuid", identity.uuid(&["poam", &report.exported_at]).into()),
        ("metadata", metadata(report, options, &identity)?),
        ("system-id", system),
        ("observations", observations.into()),
        ("findings", findings.into()),
        ("poam-items", poam_items.into()),
    ]);
    Ok(json!({"plan-of-action-and-milestones": plan}))
}

/// Whether something is to be done: below the tier, or without the score it should have.
fn is_open(verdict: &SetVerdict, threshold: u8) -> bool {
    match &verdict.status {
        Some(status) => status.tier < threshold || !verdict.contradicted_by.is_empty(),
        None => verdict.state != State::NotApplicable,
    }
}

fn first_line(verdict: &SetVerdict) -> &str {
    verdict.requirement.lines().next().unwrap_or_default()
}

fn description(verdict: &SetVerdict) -> String {
    let found = match (&verdict.status, verdict.score) {
        (Some(status), Some(score)) => {
            format!("{} ({} of 100) in {}.", status.label, text::score(score), verdict.document)
        }
        _ => format!("{}.", verdict.state.words()),
    };
    let denied = verdict.contradiction().map(|words| format!(" {words}.")).unwrap_or_default();
    format!("{}\n\n{found}{denied}", verdict.requirement)
}
