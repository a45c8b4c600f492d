//! Rows as observations, and those with a score as findings.

use serde_json::{Value, json};

use super::identity::{Identity, control_id};
use super::markup::{line, prose};
use super::{object, properties};
use crate::report::{Citation, Report, Row, Status};
use crate::text;

/// The rows of a report, with what all of them share.
pub(super) struct Rows<'a> {
    pub(super) report: &'a Report,
    /// Where ids come from.
    pub(super) identity: &'a Identity,
    /// When the documents were judged.
    pub(super) collected: &'a str,
    /// The lowest tier that satisfies.
    pub(super) threshold: u8,
}

impl Rows<'_> {
    /// An observation for each row.
    pub(super) fn observations(&self) -> Vec<Value> {
        (0..).zip(&self.report.rows).map(|(index, row)| self.observation(index, row)).collect()
    }

    /// A finding for each row with a score.
    pub(super) fn findings(&self) -> Vec<Value> {
        let rows = (0..).zip(&self.report.rows);
        rows.filter_map(|(index, row)| {
            let status = row.effective_score.and(row.status.as_ref())?;
            Some(self.finding(index, row, status))
        })
        .collect()
    }

    pub(super) fn observation(&self, index: usize, row: &Row) -> Value {
        let subject = self.identity.resource(self.report, &row.document);
        let is_known = self.report.documents.iter().any(|document| document.name == row.document);
        let said: Vec<_> = row
            .sections
            .iter()
            .map(|section| format!("{}: {}", section.name, text::value(&section.value)))
            .collect();
        let written = (!said.is_empty()).then(|| prose(&said.join("\n\n")));
        let remarks: Vec<_> = written.into_iter().chain(override_remarks(row)).collect();
        let quotes: Vec<Value> = row.citations.iter().map(|one| evidence(one, &subject)).collect();
        let subjects = is_known.then(|| json!([{"subject-uuid": subject, "type": "resource"}]));
        object([
            ("uuid", self.id("observation", index, row).into()),
            ("title", title(row).into()),
            ("description", prose(&row.requirement).into()),
            ("props", score_properties(row).into()),
            ("methods", json!(["EXAMINE"])),
            ("types", json!(["control-objective"])),
            ("relevant-evidence", quotes.into()),
            ("collected", self.collected.into()),
            ("subjects", subjects.into()),
            ("remarks", (!remarks.is_empty()).then(|| remarks.join("\n\n")).into()),
        ])
    }

    pub(super) fn finding(&self, index: usize, row: &Row, status: &Status) -> Value {
        let control = control_id(&row.criteria_id);
        // What one document states and another denies is not satisfied by the documents.
        let satisfied = status.tier >= self.threshold && row.contradicted_by.is_empty();
        let (state, reason) =
            if satisfied { ("satisfied", "pass") } else { ("not-satisfied", "fail") };
        let score = row.effective_score.map(text::score).unwrap_or_default();
        let mut remarks = format!("{}, {score} of 100", line(&status.label));
        if !row.contradicted_by.is_empty() {
            remarks += &line(&format!("; contradicted by {}", row.contradicted_by.join(", ")));
        }
        let observation_uuid = self.id("observation", index, row);
        let status = json!({"state": state, "reason": reason, "remarks": remarks});
        let target = json!({
            "type": "statement-id", "target-id": format!("{control}_smt"), "status": status,
        });
        object([
            ("uuid", self.id("finding", index, row).into()),
            ("title", title(row).into()),
            ("description", prose(&row.requirement).into()),
            ("props", score_properties(row).into()),
            ("target", target),
            ("related-observations", json!([{"observation-uuid": observation_uuid}])),
            ("remarks", override_remarks(row).into()),
        ])
    }

    /// The id of a row's part: by document and criterion, and its place, should both come twice.
    pub(super) fn id(&self, part: &str, index: usize, row: &Row) -> String {
        let subject = self.identity.resource(self.report, &row.document);
        self.identity.uuid(&[part, &subject, &row.criteria_id, &index.to_string()])
    }
}

fn title(row: &Row) -> String {
    line(&format!("{} in {}", row.criteria_id, row.document))
}

/// The judge's numbers and the override's, side by side.
fn score_properties(row: &Row) -> Vec<Value> {
    let made = row.current_override.as_ref();
    properties(&[
        ("criteria-id", Some(row.criteria_id.clone())),
        ("state", Some(row.effective_state().name().to_owned())),
        ("ai-state", Some(row.state.name().to_owned())),
        ("failure-reason", Some(row.state.reason().to_owned())),
        ("ai-score", row.ai_score.map(|score| score.to_string())),
        ("ai-confidence", row.ai_confidence.map(|sure| sure.to_string())),
        ("override-score", made.and_then(|made| made.score).map(|score| score.to_string())),
        (
            "override-state",
            made.and_then(|made| made.state.as_ref()).map(|to| to.name().to_owned()),
        ),
        ("override-by", made.map(|made| made.who.clone())),
        ("override-at", made.map(|made| made.when.clone())),
        ("override-reason", made.map(|made| made.why.clone())),
        ("effective-score", row.effective_score.map(|score| score.to_string())),
        ("status", row.status.as_ref().map(|status| status.label.clone())),
        ("tier", row.status.as_ref().map(|status| status.tier.to_string())),
        ("contradicted-by", Some(row.contradicted_by.join(", "))),
    ])
}

/// The override in words, with what it rewrote and what was there before.
fn override_remarks(row: &Row) -> Option<String> {
    let mut said = Vec::new();
    if let Some(made) = &row.current_override {
        said.push(format!("Override: {}", text::override_line(made)));
        let rewritten = made.sections.iter();
        said.extend(rewritten.map(|section| {
            format!("{} (override): {}", section.name, text::value(&section.value))
        }));
    }
    let before = row.override_history.iter().rev();
    said.extend(before.map(|made| format!("Earlier: {}", text::override_line(made))));
    (!said.is_empty()).then(|| prose(&said.join("\n\n")))
}

/// A quote and where it stands in its document; without a link if it was not found there.
fn evidence(citation: &Citation, subject: &str) -> Value {
    let is_checked = citation.found || citation.is_missing();
    let props = properties(&[
        ("found", is_checked.then(|| citation.found.to_string())),
        ("matched", Some(citation.matched.clone())),
        ("page", citation.page.map(|page| page.to_string())),
        ("start", citation.start.map(|start| start.to_string())),
        ("end", citation.end.map(|end| end.to_string())),
    ]);
    object([
        ("description", prose(&citation.quote).into()),
        ("href", citation.found.then(|| format!("#{subject}")).into()),
        ("props", props.into()),
    ])
}
