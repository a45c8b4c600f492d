//! Summaries as runs: pairs with their evidence, judged at once or together with others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use assize_methods::summary::{Evidence, Metric};
use assize_store::{Claimed, Instrument, NewItem, NewVerdict, ResultOutcome, Run, RunState};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::draft::{Draft, method};
use super::error::{Result, RunError};
use super::leased::{Left, Share, Slice, left_as};
use crate::Workspace;
use crate::asking::{AskError, AskSession, Halt};
use crate::summary::input::Place;
use crate::summary::model::SummaryJudge;
use crate::summary::{Framework, Judged, Pair, SummaryRequest};

/// What is judged: a pair, or a record that holds none.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Material {
    id: Option<String>,
    #[serde(default)]
    article: Option<String>,
    #[serde(default)]
    summary: Option<String>,
    /// Why there is no pair.
    #[serde(default)]
    unreadable: Option<String>,
}

/// The draft of a summary run.
pub fn draft(request: &SummaryRequest) -> Result<Draft> {
    let framework = request.settings().map_err(AskError::from)?.framework;
    Ok(Draft {
        instrument: Instrument::Summary,
        configuration: json(request)?,
        method_version: method(&framework.method()),
        material: None,
    })
}

/// What the pairs of a summary run were first judged with.
pub fn request(run: &Run) -> Result<SummaryRequest> {
    let json = run.configuration.clone().unwrap_or_default();
    serde_json::from_value(json).map_err(|error| RunError::unreadable(run, &error))
}

/// Who judges the pairs of a run: as it was configured when it was planned, by rules too.
pub fn judge(run: &Run, session: impl Into<Arc<AskSession>>) -> Result<SummaryJudge> {
    Ok(SummaryJudge::new(session, &request(run)?)?)
}

/// A pair as an item; one that has no name is called after its place.
pub fn item(judged: &Judged, place: usize) -> Result<NewItem> {
    let subject = judged.id.clone().unwrap_or_else(|| format!("pair {}", place + 1));
    let pair = judged.pair.as_ref();
    let material = Material {
        id: judged.id.clone(),
        article: pair.map(|pair| pair.article.clone()),
        summary: pair.map(|pair| pair.summary.clone()),
        unreadable: judged.pair.is_none().then(|| judged.evidence.clone().err()).flatten(),
    };
    Ok(NewItem { subject, material: Some(json(&material)?) })
}

/// What came of a pair, ready to be kept.
pub fn verdict(framework: Framework, judged: &Judged) -> Result<NewVerdict> {
    let mut verdict = match &judged.evidence {
        Ok(evidence) => {
            NewVerdict { evidence: Some(json(evidence)?), ..scored(framework, evidence)? }
        }
        Err(because) => NewVerdict::failed(because),
    };
    if let Some(trail) = &judged.trail {
        verdict.exchange_keys = Some(json(&trail.exchanges)?);
        // Without a score too: repeats that come to none are just those that tell of flips.
        if (verdict.ledger.is_some() || !trail.repeats.is_empty())
            && let Json::Object(ledger) =
                verdict.ledger.get_or_insert_with(|| Json::Object(Map::new()))
        {
            ledger.insert("judge".to_owned(), json(trail)?);
        }
    }
    Ok(verdict)
}

/// What a framework makes of evidence; the evidence itself is left out.
pub fn scored(framework: Framework, evidence: &Evidence) -> Result<NewVerdict> {
    let computed = match (framework.scores(evidence), framework.verdict(evidence)) {
        (Ok(scores), Ok(verdict)) => (scores, verdict),
        (Err(refusal), _) | (_, Err(refusal)) => return Ok(NewVerdict::failed(refusal.code())),
    };
    let (scores, verdict) = computed;
    let scores = Metric::ALL.map(|metric| (metric.name().to_owned(), *scores.get(metric)));
    let ledger = [("verdict".to_owned(), json(&verdict)?)];
    Ok(NewVerdict {
        outcome: ResultOutcome::Scored,
        reason: None,
        scores: scores.to_vec(),
        ledger: Some(Json::Object(ledger.into_iter().collect())),
        evidence: None,
        exchange_keys: None,
        assessment: None,
        created_at: Utc::now(),
    })
}

/// Evidence as it was stored, every number to the bit.
pub fn evidence(run: &Run, stored: Json) -> Result<Evidence> {
    serde_json::from_value(stored).map_err(|error| RunError::unreadable(run, &error))
}

/// How working on a summary run ended.
#[derive(Debug)]
pub struct Worked {
    /// What was judged now, by its place.
    pub judged: BTreeMap<i64, Judged>,
    /// Why it ended before its end, if it did.
    pub halt: Option<Halt>,
}

impl Workspace {
    /// Judges whatever of a summary run has no verdict, together with whoever else does.
    pub async fn work_on_summaries(
        &self,
        run: &Run,
        judge: &SummaryJudge,
        mut progress: impl FnMut(i64),
    ) -> Result<Worked> {
        if run.state == RunState::Done {
            return Ok(Worked { judged: BTreeMap::new(), halt: None });
        }
        let runs = self.store.runs();
        runs.set_state(&self.organisation, &run.id, RunState::Running, None).await?;
        let kept: Mutex<BTreeMap<i64, Judged>> = Mutex::default();
        let mut done = run.items_done;
        let count = || {
            done += 1;
            progress(done);
        };
        let slice = Slice::default();
        let work = self.summaries(run, judge, (&slice, Some(&kept)), count);
        let halt = match Box::pin(work).await? {
            Ok(Left::Complete | Left::Paused) => None,
            Ok(Left::Stopped) => Some(Halt::Asked),
            Err(halt) => Some(halt),
        };
        let (state, failure) = left_as(halt.as_ref());
        // A database that is gone cannot be told; the run stays `running`, and can go on.
        let _ = runs.leave(&run.id, state, failure.as_deref()).await;
        Ok(Worked { judged: kept.into_inner().unwrap_or_else(PoisonError::into_inner), halt })
    }

    /// Judges items of a summary run that is going on, for a while.
    pub(crate) async fn work_on_summaries_slice(
        &self,
        run: &Run,
        judge: &SummaryJudge,
        slice: &Slice,
        count: impl FnMut(),
    ) -> Result<Result<Left, Halt>> {
        self.summaries(run, judge, (slice, None), count).await
    }

    async fn summaries(
        &self,
        run: &Run,
        judge: &SummaryJudge,
        (slice, kept): (&Slice, Option<&Mutex<BTreeMap<i64, Judged>>>),
        count: impl FnMut(),
    ) -> Result<Result<Left, Halt>> {
        let framework = request(run)?.framework;
        let work = |claimed: Claimed| async move {
            let judged = self.judge_summary(&claimed, judge).await?;
            let new = verdict(framework, &judged).map_err(|error| unstorable(&error))?;
            if let Some(kept) = kept {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(claimed.position, judged);
            }
            Ok::<NewVerdict, Halt>(new)
        };
        let share = Share::new(self, &run.id, judge.session(), slice).await?;
        Ok(Box::pin(share.work(work, count)).await)
    }

    async fn judge_summary(&self, claimed: &Claimed, judge: &SummaryJudge) -> Result<Judged, Halt> {
        let stored = self.store.run_items().material(&claimed.run_id, claimed.position).await?;
        let judged = judged_of(claimed.position, stored, Err("not judged yet".to_owned()));
        match judged.pair {
            Some(pair) => judge.judge(judged.id, pair).await,
            None => Ok(judged),
        }
    }

    /// The pairs of a run with what was stored about them, from a place on.
    #[boxed]
    pub async fn stored_summaries(&self, run: &Run, from: i64, limit: i64) -> Result<Vec<Judged>> {
        let mut all = Vec::new();
        for stored in self.store.verdicts().page(&run.id, run.version, from, limit).await? {
            let material = self.store.run_items().material(&run.id, stored.position).await?;
            let found = match stored.evidence {
                Some(json) => Ok(evidence(run, json)?),
                None => Err(stored.reason.unwrap_or_default()),
            };
            all.push(judged_of(stored.position, material, found));
        }
        Ok(all)
    }

    /// The texts of a pair, if they were stored.
    pub(super) async fn stored_pair(&self, run: &Run, position: i64) -> Result<Option<Pair>> {
        let material = self.store.run_items().material(&run.id, position).await?;
        Ok(judged_of(position, material, Err(String::new())).pair)
    }
}

fn judged_of(position: i64, stored: Option<Json>, found: Result<Evidence, String>) -> Judged {
    let material = stored.and_then(|json| serde_json::from_value::<Material>(json).ok());
    let Some(Material { id, article: Some(article), summary: Some(summary), .. }) = material else {
        let because = material.and_then(|material| material.unreadable);
        let because = because.unwrap_or_else(|| "no stored pair to judge".to_owned());
        return Judged { id: None, pair: None, evidence: Err(because), trail: None };
    };
    let place = Place::Line(usize::try_from(position).unwrap_or_default() + 1);
    let pair = Pair { place, article, summary, record: Json::Null };
    Judged { id, pair: Some(pair), evidence: found, trail: None }
}

pub(super) fn unstorable(error: &RunError) -> Halt {
    Halt::Store(assize_store::StoreError::Refused(error.to_string()))
}

/// A value as JSON with every number as it is.
pub(super) fn json(value: &impl Serialize) -> Result<Json> {
    let json = serde_json::to_value(value);
    json.map_err(|error| RunError::Refused(format!("cannot be stored: {error}")))
}
