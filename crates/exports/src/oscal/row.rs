//! Rows as observations, and those with a score as findings.

use serde_json::{Value, json};

use super::identity::{Identity, control_id};
use super::markup::{line, prose};
use super::{properties, without_empty};
use crate::report::{Citation, Report, Row, Status};
use crate::text;

/// The rows of a report, with what all of them share.
pub(super) struct Rows<'a> {
    /// The report.
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
    pub(super) fn observations(&self) -> Value {
        (0..).zip(&self.report.rows).map(|(index, row)| self.observation(index, row)).collect()
    }

    /// A finding for each row with a score.
    pub(super) fn findings(&self) -> Value {
        let rows = (0..).zip(&self.report.rows);
        rows.filter_map(|(index, row)| {
            let status = row.effective_score.and(row.status.as_ref())?;
            Some(self.finding(index, row, status))
        })
        .collect()
    }

    fn observation(&self, index: usize, row: &Row) -> Value {
        let subject = self.identity.resource(self.report, &row.document);
        let evidence: Vec<Value> =
            row.citations.iter().map(|citation| evidence(citation, &subject)).collect();
        let mut observation = json!({
            "uuid": self.id("observation", index, row),
            "title": title(row),
            "description": prose(&row.requirement),
            "props": score_properties(row),
            "methods": ["EXAMINE"],
            "types": ["control-objective"],
            "relevant-evidence": evidence,
            "collected": self.collected,
        });
        if self.report.documents.iter().any(|document| document.name == row.document) {
            observation["subjects"] = json!([{ "subject-uuid": subject, "type": "resource" }]);
        }
        let said: Vec<_> = row
            .sections
            .iter()
            .map(|section| format!("{}: {}", section.name, text::value(&section.value)))
            .collect();
        let written = (!said.is_empty()).then(|| prose(&said.join("\n\n")));
        let remarks: Vec<_> = written.into_iter().chain(override_remarks(row)).collect();
        if !remarks.is_empty() {
            observation["remarks"] = json!(remarks.join("\n\n"));
        }
        without_empty(observation)
    }

    fn finding(&self, index: usize, row: &Row, status: &Status) -> Value {
        let control = control_id(&row.criteria_id);
        let satisfied = status.tier >= self.threshold;
        let (state, reason) =
            if satisfied { ("satisfied", "pass") } else { ("not-satisfied", "fail") };
        let score = row.effective_score.map(text::score).unwrap_or_default();
        let remarks = format!("{}, {score} of 100", line(&status.label));
        let mut finding = json!({
            "uuid": self.id("finding", index, row),
            "title": title(row),
            "description": prose(&row.requirement),
            "props": score_properties(row),
            "target": {
                "type": "statement-id",
                "target-id": format!("{control}_smt"),
                "status": { "state": state, "reason": reason, "remarks": remarks },
            },
            "related-observations": [{ "observation-uuid": self.id("observation", index, row) }],
        });
        if let Some(remarks) = override_remarks(row) {
            finding["remarks"] = json!(remarks);
        }
        finding
    }

    /// The id of a row's part: by document and criterion, and its place, should both come twice.
    fn id(&self, part: &str, index: usize, row: &Row) -> String {
        let subject = self.identity.resource(self.report, &row.document);
        self.identity.uuid(&[part, &subject, &row.criteria_id, &index.to_string()])
    }
}

fn title(row: &Row) -> String {
    line(&format!("{} in {}", row.criteria_id, row.document))
}

/// The judge's numbers and the override's, side by side.
fn score_properties(row: &Row) -> Value {
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
    said.extend(before.map(|made| format!("Before that: {}", text::override_line(made))));
    (!said.is_empty()).then(|| prose(&said.join("\n\n")))
}

/// A quote and where it stands in its document; without a link if it was not found there.
fn evidence(citation: &Citation, subject: &str) -> Value {
    let mut evidence = json!({ "description": prose(&citation.quote) });
    if citation.found {
        evidence["href"] = json!(format!("#{subject}"));
    }
    evidence["props"] = properties(&[
        ("found", Some(citation.found.to_string())),
        ("matched", Some(citation.matched.clone())),
        ("page", citation.page.map(|page| page.to_string())),
        ("start", citation.start.map(|start| start.to_string())),
        ("end", citation.end.map(|end| end.to_string())),
    ]);
    evidence
}
