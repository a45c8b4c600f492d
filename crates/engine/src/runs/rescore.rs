//! The same evidence scored another way: no model is asked, and both versions are kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_methods::compliance::Rubric;
use assize_methods::summary::asks::edited::{labels, locate};
use assize_methods::summary::{Evidence, SummaryPair};
use assize_store::{
    Decision, DecisionKind, Instrument, NewItem, NewVerdict, Run, RunState, RunVersion, Verdict,
};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use rayon::prelude::*;
use serde_json::Value as Json;
use tokio::task::spawn_blocking;

use super::draft::method;
use super::error::{Result, RunError};
use super::evidence::{self, EvidenceLine};
use super::rescore_request::{RescoreRequest, RetrievalChange};
use super::{council, retrieval, summary};
use crate::Workspace;
use crate::council::{CouncilRequest, rescored};
use crate::retrieval::request::{Inputs, ScoreRequest};
use crate::summary::{Framework, Pair, SummaryRequest};

/// Verdicts that are read at once.
const PAGE: i64 = 500;

/// Why evidence of a file is another one.
const IN_A_FILE: &str = "corrected in an evidence file";

/// Evidence in the place of what is stored, by the place of its pair, and why.
#[derive(Default)]
pub(super) struct Corrected<'a> {
    pub(super) evidence: BTreeMap<i64, Replacement<'a>>,
    pub(super) because: &'a str,
}

/// What is to be in the place of stored evidence.
#[derive(Debug, Clone, Copy)]
pub(super) enum Replacement<'a> {
    /// This, as it is.
    Evidence(&'a Evidence),
    /// A line of a file, in which anything may have been edited.
    Line(&'a EvidenceLine),
}

/// What a run is scored with.
pub(super) struct Scoring {
    run: Run,
    /// Whom the stored evidence was collected for.
    collected_for: Framework,
    framework: Framework,
}

/// Verdicts that were read and scored, and where those after them begin.
pub(super) struct Page {
    pub(super) next: i64,
    decisions: Vec<Decision>,
    pub(super) verdicts: Vec<(i64, NewVerdict)>,
}

/// A version to write: what decides it, in which method's words, and its verdicts.
struct NewVersion {
    configuration: Json,
    method_version: Option<String>,
    verdicts: Vec<(i64, NewVerdict)>,
    /// What belongs to the run as a whole from then on, if it is something else.
    material: Option<Json>,
}

impl Workspace {
    /// Scores a run again. Returns the number of the new version.
    #[boxed]
    pub async fn rescore(&self, run: &Run, request: &RescoreRequest) -> Result<i64> {
        request.check(run)?;
        if run.state != RunState::Done {
            let (number, state) = (run.number, run.state);
            let because = format!("run #{number} is {state}: only a finished run can be rescored");
            return Err(RunError::Refused(because));
        }
        let reason = &request.recorded_reason();
        let rescored = match run.instrument {
            Instrument::Summary => return self.summary_again(run, request, reason).await,
            Instrument::Retrieval => self.retrieval_again(run, &request.retrieval).await?,
            Instrument::Council => self.council_again(run, &request.council).await?,
            Instrument::Compliance => {
                return self.compliance_again(run, &request.rubric()?, reason).await;
            }
        };
        let NewVersion { configuration, method_version, verdicts, material } = rescored;
        let version = self.version(configuration, method_version, reason);
        let stored = self.store.verdicts();
        Ok(stored.add_version(&run.id, &version, &verdicts, material.as_ref()).await?)
    }

    fn version(&self, configuration: Json, method: Option<String>, reason: &str) -> RunVersion {
        RunVersion {
            version: 0,
            configuration: Some(configuration),
            method_version: method,
            reason: reason.to_owned(),
            who: self.who.clone(),
            created_at: Utc::now(),
        }
    }

    /// Page by page: evidence of a hundred thousand pairs does not fit into memory.
    async fn summary_again(&self, run: &Run, asked: &RescoreRequest, reason: &str) -> Result<i64> {
        let collected_for = summary::request(run)?.framework;
        let now = self.summary_request(run).await?;
        let framework = asked.framework.unwrap_or(now.framework);
        let request = SummaryRequest { framework, ..now };
        let corrected = self.by_position(run, &asked.evidence).await?;
        let corrected = Corrected { evidence: corrected, because: IN_A_FILE };
        self.summary_with(run, (request, collected_for), &corrected, reason).await
    }

    /// The same where it is known which pairs have other evidence.
    pub(super) async fn summary_with(
        &self,
        run: &Run,
        (request, collected_for): (SummaryRequest, Framework),
        corrected: &Corrected<'_>,
        reason: &str,
    ) -> Result<i64> {
        let framework = request.framework;
        let method = Some(method(&framework.method()));
        let version = self.version(summary::json(&request)?, method, reason);
        let scoring = Arc::new(Scoring { run: run.clone(), collected_for, framework });
        let mut page = self.page_again(&scoring, 0, corrected).await?;
        let mut writing = self.store.verdicts().begin_version(&run.id, &version).await?;
        if writing.number() != run.version + 1 {
            let because = format!(
                "run #{} was rescored by someone else in the meantime: review it and try again",
                run.number
            );
            return Err(RunError::Refused(because));
        }
        while let Some(Page { next, decisions, verdicts }) = page {
            // The next page is read and scored while this one is written.
            let writes = async {
                writing.decide(&decisions).await?;
                writing.add(&verdicts).await
            };
            let reads = self.page_again(&scoring, next, corrected);
            let (ahead, written) = tokio::join!(reads, writes);
            written?;
            page = ahead?;
        }
        Ok(writing.finish().await?)
    }

    /// What the version that counts is scored with.
    pub(super) async fn scoring_of(&self, run: &Run) -> Result<Arc<Scoring>> {
        let collected_for = summary::request(run)?.framework;
        let framework = self.summary_request(run).await?.framework;
        Ok(Arc::new(Scoring { run: run.clone(), collected_for, framework }))
    }

    /// Evidence by the place of its pair; of several with one name the first is meant.
    async fn by_position<'a>(
        &self,
        run: &Run,
        lines: &'a [EvidenceLine],
    ) -> Result<BTreeMap<i64, Replacement<'a>>> {
        let mut named = by_name(lines)?;
        let mut found = BTreeMap::new();
        if named.is_empty() {
            return Ok(found);
        }
        for (position, name) in self.names(run).await? {
            if let Some(line) = named.remove(name.as_str()) {
                found
                    .extend(line.evidence.is_some().then_some((position, Replacement::Line(line))));
            }
        }
        match named.keys().next() {
            None => Ok(found),
            Some(stranger) => {
                let because = format!("no pair `{stranger}` in run #{}", run.number);
                Err(RunError::Refused(because))
            }
        }
    }

    /// The verdicts of a run from a place on, scored another way; none where none are left.
    pub(super) async fn page_again(
        &self,
        scoring: &Arc<Scoring>,
        from: i64,
        corrected: &Corrected<'_>,
    ) -> Result<Option<Page>> {
        let run = &scoring.run;
        let stored = self.store.verdicts();
        let page = stored.page_to_rescore(&run.id, run.version, from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(None) };
        let next = last.position() + 1;
        let (mut changes, mut decisions) = (BTreeMap::new(), Vec::new());
        for one in &page {
            let position = one.position();
            let Some(wanted) = corrected.evidence.get(&position) else { continue };
            let stored = one.clone().for_rescoring()?;
            if let Some(evidence) = self.changed_evidence(run, stored, *wanted).await? {
                decisions.push(self.corrected(position, evidence.clone(), corrected.because));
                changes.insert(position, evidence);
            }
        }
        // Elsewhere: whoever computes keeps nobody from writing.
        let scoring = Arc::clone(scoring);
        let computed = spawn_blocking(move || {
            let again = page.into_par_iter().map(|one| {
                let (position, stored) = (one.position(), one.for_rescoring()?);
                Ok((position, again(&scoring, stored, changes.get(&position).cloned())?))
            });
            again.collect::<Result<Vec<(i64, NewVerdict)>>>()
        });
        let verdicts = computed.await.map_err(|error| RunError::Refused(error.to_string()))??;
        Ok(Some(Page { next, decisions, verdicts }))
    }

    /// The evidence that is wanted, if it says something else than what is stored.
    async fn changed_evidence(
        &self,
        run: &Run,
        stored: Verdict,
        wanted: Replacement<'_>,
    ) -> Result<Option<Json>> {
        let position = stored.position;
        let before = stored.evidence.map(|json| summary::evidence(run, json)).transpose()?;
        let evidence = match wanted {
            Replacement::Evidence(evidence) => evidence.clone(),
            Replacement::Line(line) if line.evidence == before => return Ok(None),
            Replacement::Line(line) => {
                let pair = self.stored_pair(run, position).await?;
                let Some(edited) = edited(line, before.as_ref(), pair.as_ref()) else {
                    return Ok(None);
                };
                edited
            }
        };
        if before.as_ref() == Some(&evidence) {
            return Ok(None);
        }
        Ok(Some(summary::json(&evidence)?))
    }

    fn corrected(&self, position: i64, evidence: Json, because: &str) -> Decision {
        Decision {
            position,
            sequence: 0,
            kind: DecisionKind::Label,
            target: "evidence".to_owned(),
            change: assize_store::Change { value: Some(evidence), ..Default::default() },
            is_current: true,
            author: self.who.clone(),
            reason: because.to_owned(),
            created_at: Utc::now(),
        }
    }

    /// What the items of a run are called, by place.
    async fn names(&self, run: &Run) -> Result<BTreeMap<i64, String>> {
        let (mut names, mut after) = (BTreeMap::new(), None);
        loop {
            let order = assize_store::Order::ByPosition { after };
            let page = self.store.run_items().page(&run.id, run.version, &order, PAGE).await?;
            let Some(last) = page.last() else { return Ok(names) };
            after = Some(last.position);
            names.extend(page.into_iter().map(|item| (item.position, item.subject)));
        }
    }

    async fn retrieval_again(&self, run: &Run, change: &RetrievalChange) -> Result<NewVersion> {
        let request = change.applied_to(self.scored_with(run).await?);
        let items = self.retrieval_items(run, request.clone()).await?;
        Ok(NewVersion {
            configuration: summary::json(&request)?,
            method_version: run.method_version.clone(),
            verdicts: (0..).zip(items).map(|(place, (_, new))| (place, new)).collect(),
            material: None,
        })
    }

    /// The queries of a run with the values that a request gives them.
    pub(super) async fn retrieval_items(
        &self,
        run: &Run,
        request: ScoreRequest,
    ) -> Result<Vec<(NewItem, NewVerdict)>> {
        let files = self.stored_files(run).await?;
        let scored =
            spawn_blocking(move || request.score(Inputs::Files(&files.predictions, &files.gold)));
        let scored = scored.await.map_err(|error| RunError::Refused(error.to_string()))?;
        let report = scored.map_err(|error| RunError::Refused(error.to_string()))?;
        let items = retrieval::items(&report.board);
        let known = self.names(run).await?;
        if !known.values().eq(items.iter().map(|(item, _)| &item.subject)) {
            let because =
                "these settings would change which queries are scored: score the files again";
            return Err(RunError::Refused(because.to_owned()));
        }
        Ok(items)
    }

    /// From the council as it counts now: what is not said stays as the last rescore left it.
    async fn council_again(&self, run: &Run, request: &CouncilRequest) -> Result<NewVersion> {
        let material = self.store.runs().material(&run.id).await?;
        let council = self.council_of(run).await?;
        let council = rescored(&council, request).map_err(|e| RunError::Refused(e.to_string()))?;
        let verdict = council.verdict();
        let items = council::items(&verdict)?;
        Ok(NewVersion {
            configuration: summary::json(&CouncilRequest::from(&council))?,
            method_version: Some(method(&verdict.method)),
            verdicts: (0..).zip(items).map(|(place, (_, new))| (place, new)).collect(),
            material: Some(council::held(material, &council)?),
        })
    }

    /// A rubric gives labels to scores; what the judge said stays.
    async fn compliance_again(&self, run: &Run, rubric: &Rubric, reason: &str) -> Result<i64> {
        let mut configuration = self.configuration_of(run).await?;
        configuration["rubric"] = summary::json(rubric)?;
        let version = self.version(configuration, run.method_version.clone(), reason);
        let mut writing = self.store.verdicts().begin_version(&run.id, &version).await?;
        writing.carry(run.version).await?;
        Ok(writing.finish().await?)
    }

    /// What decides the version that counts.
    #[boxed]
    pub(crate) async fn configuration_of(&self, run: &Run) -> Result<Json> {
        let versions = self.store.verdicts().versions(&run.id).await?;
        let last = versions.into_iter().find(|one| one.version == run.version);
        let json = last.map_or_else(|| run.configuration.clone(), |last| last.configuration);
        Ok(json.unwrap_or_default())
    }
}

fn by_name(lines: &[EvidenceLine]) -> Result<BTreeMap<&str, &EvidenceLine>> {
    let mut named = BTreeMap::new();
    for (place, line) in lines.iter().enumerate() {
        let Some(name) = line.id.as_deref() else {
            let because = format!("line {} of the evidence has no id", place + 1);
            return Err(RunError::Refused(because));
        };
        if named.insert(name, line).is_some() {
            return Err(RunError::Refused(format!("`{name}` appears twice in the evidence")));
        }
    }
    Ok(named)
}

/// What a line says, with all that follows from edited labels, and edited quotes looked up in the
/// stored texts.
fn edited(line: &EvidenceLine, before: Option<&Evidence>, pair: Option<&Pair>) -> Option<Evidence> {
    let article = pair.map(|pair| pair.article.as_str());
    let evidence = line.followed(before.map(labels).as_deref(), article)?;
    let texts = pair.and_then(|pair| SummaryPair::new(&pair.article, &pair.summary).ok());
    Some(match (before, texts) {
        (Some(before), Some(texts)) => locate(evidence, before, &texts),
        _ => evidence,
    })
}

fn again(scoring: &Scoring, stored: Verdict, changed: Option<Json>) -> Result<NewVerdict> {
    let Scoring { run, collected_for, framework } = scoring;
    let Some(json) = changed.clone().or(stored.evidence) else {
        return Ok(NewVerdict {
            outcome: stored.outcome,
            reason: stored.reason,
            scores: Vec::new(),
            ledger: stored.ledger,
            evidence: None,
            exchange_keys: stored.exchange_keys,
            assessment: None,
            created_at: Utc::now(),
        });
    };
    let found = summary::evidence(run, json)?;
    evidence::check(&found, *collected_for, *framework)?;
    let new = summary::scored(*framework, &found)?;
    Ok(NewVerdict { evidence: changed, exchange_keys: stored.exchange_keys, ..new })
}
