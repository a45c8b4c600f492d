//! Councils as runs: one item an answer, the whole record beside them.
//!
//! A council that is to be held is planned: its answers are items without a verdict, and what
//! belongs to the run as a whole says what is to be done. Once it was held the record stands
//! beside that.

use assize_methods::council::{CouncilVerdict, Dimension, METHOD};
use assize_store::{Instrument, NewItem, NewVerdict, ResultOutcome, Run};
use assize_wire::runs::CouncilStep;
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json as object};

use super::draft::{Draft, method};
use super::error::{Result, RunError};
use super::summary::json;
use crate::Workspace;
use crate::council::{CouncilRequest, CouncilRun, Hearing, step};

/// Where the material of a run says what was to be done.
const HEARING: &str = "hearing";
/// What the material of a run has once the council was held.
const RECORD: &str = "record";

#[derive(Debug, Clone)]
pub enum StoredCouncil {
    /// It was held.
    Held(Box<CouncilRun>),
    /// It is to be held, or is being held.
    Planned(Box<Hearing>),
}

/// What decides a council's verdict, all of which is part of its record.
pub fn draft(council: &CouncilRun) -> Result<Draft> {
    Ok(Draft {
        instrument: Instrument::Council,
        configuration: json(&CouncilRequest::from(council))?,
        method_version: method(&council.verdict().method),
        material: Some(json(council)?),
    })
}

/// A council that is to be held, as a run.
fn planned(hearing: &Hearing) -> Result<(Draft, Vec<NewItem>)> {
    let draft = Draft {
        instrument: Instrument::Council,
        configuration: json(&CouncilRequest::from(hearing))?,
        method_version: method(&METHOD),
        material: Some(unheld(hearing)?),
    };
    let item = |name: &str| NewItem { subject: name.to_owned(), material: None };
    Ok((draft, hearing.authors().into_iter().map(item).collect()))
}

/// The material of a run whose council was not held.
pub(super) fn unheld(hearing: &Hearing) -> Result<Json> {
    Ok(object!({HEARING: json(hearing)?}))
}

/// The material of a run whose council was held; what was to be done stays in it.
pub(super) fn held(before: Option<Json>, council: &CouncilRun) -> Result<Json> {
    let mut after = json(council)?;
    if let Some(hearing) = before.and_then(|mut before| Some(before.get_mut(HEARING)?.take())) {
        after[HEARING] = hearing;
    }
    Ok(after)
}

/// What was to be done in a run; none in one that was saved when it was done.
pub(super) fn hearing(run: &Run, material: Option<&Json>) -> Result<Option<Hearing>> {
    let json = material.and_then(|material| material.get(HEARING));
    json.map(|json| read(run, json.clone())).transpose()
}

/// The council of a run.
pub fn stored(run: &Run, material: Option<Json>) -> Result<StoredCouncil> {
    let material = material.ok_or_else(|| RunError::unreadable(run, "nothing was stored"))?;
    if material.get(RECORD).is_some() {
        return Ok(StoredCouncil::Held(read(run, material)?));
    }
    let hearing = hearing(run, Some(&material))?;
    let hearing = hearing.ok_or_else(|| RunError::unreadable(run, "nothing was stored"))?;
    Ok(StoredCouncil::Planned(Box::new(hearing)))
}

fn read<T: DeserializeOwned>(run: &Run, json: Json) -> Result<T> {
    serde_json::from_value(json).map_err(|error| RunError::unreadable(run, &error))
}

impl Workspace {
    /// Plans a council. Returns the run, which whoever works on runs can hold; it may cost so
    /// much in its life.
    #[boxed]
    pub async fn plan_council(
        &self,
        hearing: &Hearing,
        name: Option<&str>,
        budget_nanodollars: Option<u64>,
    ) -> Result<Run> {
        let (draft, items) = planned(hearing)?;
        let run = self.plan_run(draft, name, &items).await?;
        if let Some(ceiling) = budget_nanodollars {
            self.limit_run(&run.id, ceiling).await?;
        }
        Ok(run)
    }

    /// The council of a run, held or not.
    #[boxed]
    pub async fn stored_council(&self, run: &Run) -> Result<StoredCouncil> {
        stored(run, self.store.runs().material(&run.id).await?)
    }

    /// The council of a run that was held.
    #[boxed]
    pub async fn council_of(&self, run: &Run) -> Result<CouncilRun> {
        match self.stored_council(run).await? {
            StoredCouncil::Held(council) => Ok(*council),
            StoredCouncil::Planned(_) => {
                let because = format!("the council of run #{} is not finished", run.number);
                Err(RunError::Refused(because))
            }
        }
    }

    /// Who of a council is how far; empty for runs of other instruments, and for councils that
    /// were saved when they were done.
    #[boxed]
    pub async fn council_steps(&self, run: &Run) -> Result<Vec<CouncilStep>> {
        if run.instrument != Instrument::Council {
            return Ok(Vec::new());
        }
        if let Some(noted) = self.store.runs().progress(&run.id).await? {
            return read(run, noted);
        }
        match self.stored_council(run).await? {
            StoredCouncil::Planned(hearing) => Ok(step::waiting(&hearing)),
            StoredCouncil::Held(_) => Ok(Vec::new()),
        }
    }
}

/// The answers with what the council says of each.
pub fn items(verdict: &CouncilVerdict) -> Result<Vec<(NewItem, NewVerdict)>> {
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
