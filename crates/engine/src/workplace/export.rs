//! What a page shows, as a table.

use assize_wire::workplace::Lines;

use crate::runs::Result;
use crate::runs::export::row;

/// The lines that a page shows, as a table: the same rows in the same order.
pub fn lines_table(lines: &Lines) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let head = [
        "number",
        "criteria_id",
        "requirement",
        "document",
        "outcome",
        "score",
        "status",
        "judge_score",
        "confidence",
        "citations_found",
        "citations",
        "decided",
        "assigned",
        "reason",
    ];
    row(&mut bytes, head.into_iter().map(ToOwned::to_owned))?;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for line in &lines.lines {
        let cells = [
            line.number.to_string(),
            line.criteria_id.clone(),
            line.requirement.clone(),
            line.document.clone(),
            line.outcome.clone(),
            number(line.score),
            line.status.as_ref().map(|status| status.label.clone()).unwrap_or_default(),
            number(line.ai_score),
            line.confidence.map(|sure| sure.to_string()).unwrap_or_default(),
            line.citations.0.to_string(),
            line.citations.1.to_string(),
            line.is_decided.to_string(),
            line.assignee.clone().unwrap_or_default(),
            line.reason.clone().unwrap_or_default(),
        ];
        row(&mut bytes, cells.into_iter())?;
    }
    Ok(bytes)
}
