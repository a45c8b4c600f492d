//! Councils as runs: one item an answer, the whole record beside them.

use assize_methods::council::{CouncilVerdict, Dimension};
use assize_store::{Instrument, NewItem, NewVerdict, ResultOutcome, Run};
use chrono::Utc;

use super::draft::{Draft, method};
use super::error::RunError;
use super::summary::json;
use crate::council::{CouncilRequest, CouncilRun};

/// What decides a council's verdict, all of which is part of its record.
pub fn draft(council: &CouncilRun) -> Result<Draft, RunError> {
    Ok(Draft {
        instrument: Instrument::Council,
        configuration: json(&CouncilRequest::from(council))?,
        method_version: method(&council.verdict().method),
        material: Some(json(council)?),
    })
}

/// The council of a run.
pub fn stored(run: &Run, material: Option<serde_json::Value>) -> Result<CouncilRun, RunError> {
    let material = material.ok_or_else(|| RunError::unreadable(run, "nothing was stored"))?;
    serde_json::from_value(material).map_err(|error| RunError::unreadable(run, &error))
}

/// The answers with what the council says of each.
pub fn items(verdict: &CouncilVerdict) -> Result<Vec<(NewItem, NewVerdict)>, RunError> {
    let mut items = Vec::with_capacity(verdict.answers.len());
    for answer in &verdict.answers {
        let score = answer.score.as_ref().map(|score| score.value);
        let reason = match (&answer.missing, score) {
            (Some(because), _) => Some(because.clone()),
            (None, None) => Some("no review of it counts".to_owned()),
            (None, Some(_)) => None,
        };
        let mut scores = Vec::new();
        if let Some(score) = score {
            scores.push(("score".to_owned(), Some(score)));
            scores.push(("rank".to_owned(), answer.rank.map(|rank| rank as f64)));
            for dimension in Dimension::ALL {
                let mark = answer.marks.get(&dimension).copied();
                scores.push((dimension.to_string(), mark));
            }
        }
        let outcome = if score.is_some() { ResultOutcome::Scored } else { ResultOutcome::Failed };
        let new = NewVerdict {
            outcome,
            reason,
            scores,
            ledger: Some(json(answer)?),
            evidence: None,
            exchange_keys: None,
            assessment: None,
            created_at: Utc::now(),
        };
        items.push((NewItem { subject: answer.model.clone(), material: None }, new));
    }
    Ok(items)
}
