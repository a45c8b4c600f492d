//! Labels of a summary's claims that a person corrects: the scores follow again from the
//! corrected evidence, no model is asked, and the judge's labels are kept beside it.

use std::collections::BTreeMap;

use assize_methods::summary::asks::corrected::correct;
use assize_methods::summary::evidence::Claim;
use assize_methods::summary::labels::Support;
use assize_methods::summary::{Evidence, Metric};
use assize_store::{Instrument, Run, RunState};
use assize_wire::workplace::{ClaimLabel, LabelsView, MetricByLabels};
use async_recursion::async_recursion as boxed;

use super::error::{Result, RunError};
use super::rescore::{Corrected, Replacement};
use super::summary;
use crate::Workspace;
use crate::summary::{Framework, SummaryRequest};

/// The labels of a claim, from the best to the worst.
const LABELS: [(&str, Support); 3] = [
    ("supported", Support::Supported),
    ("partial", Support::Partial),
    ("unsupported", Support::Unsupported),
];

/// What came of correcting labels.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelsKept {
    /// They are kept, as this version of the run.
    Version(i64),
    /// They are not; the view says why.
    Refused(Box<LabelsView>),
    /// The run has another version since it was opened; the view has what counts now.
    Conflict(Box<LabelsView>),
}

/// A pair with its evidence: the judge's, and what counts.
struct EditedPair {
    article: String,
    judged: Evidence,
    now: Evidence,
    request: SummaryRequest,
    collected_for: Framework,
}

impl Workspace {
    /// The labels of a pair's claims; `chosen` are those that somebody tries. None where the run
    /// is no run of summaries that is done, or the pair has no claims.
    #[boxed]
    pub async fn labels_view(
        &self,
        run: &Run,
        number: i64,
        chosen: &[String],
    ) -> Result<Option<LabelsView>> {
        let Some(found) = self.labelled(run, number).await? else { return Ok(None) };
        let labels = read(chosen, claims(&found.now))?;
        view(run, &found, (!chosen.is_empty()).then_some(&labels)).map(Some)
    }

    /// Keeps other labels of a pair's claims as a new version of the run, unless it has another
    /// version than `seen` by now.
    #[boxed]
    pub async fn correct_labels(
        &self,
        run: &Run,
        number: i64,
        (chosen, reason): (&[String], &str),
        seen: i64,
    ) -> Result<LabelsKept> {
        let Some(found) = self.labelled(run, number).await? else {
            let because = format!("item {number} of run #{} has no claims", run.number);
            return Err(RunError::Refused(because));
        };
        let labels = read(chosen, claims(&found.now))?;
        let mut shown = view(run, &found, Some(&labels))?;
        reason.trim().clone_into(&mut shown.reason);
        if run.version != seen {
            return Ok(LabelsKept::Conflict(Box::new(shown)));
        }
        let changes = said(claims(&found.now), &labels);
        if changes.is_empty() {
            shown.problem = Some("no label was changed".to_owned());
            return Ok(LabelsKept::Refused(Box::new(shown)));
        }
        if shown.reason.is_empty() {
            shown.problem = Some("a correction needs a reason".to_owned());
            return Ok(LabelsKept::Refused(Box::new(shown)));
        }
        let EditedPair { article, judged, now, request, collected_for } = found;
        let evidence = correct(&article, &judged, now, &labels);
        let because = format!("{changes}: {}", shown.reason);
        let evidence = BTreeMap::from([(number - 1, Replacement::Evidence(&evidence))]);
        let corrected = Corrected { evidence, because: &because };
        let reason = format!("item {number}, {because}");
        let settings = (request, collected_for);
        let version = self.summary_with(run, settings, &corrected, &reason).await?;
        Ok(LabelsKept::Version(version))
    }

    async fn labelled(&self, run: &Run, number: i64) -> Result<Option<EditedPair>> {
        if run.instrument != Instrument::Summary || run.state != RunState::Done {
            return Ok(None);
        }
        let stored = self.store.verdicts();
        let position = number - 1;
        let first = stored.page(&run.id, 1, position, 1).await?.pop();
        let last = stored.page(&run.id, run.version, position, 1).await?.pop();
        let of_pair = |verdict: Option<assize_store::Verdict>| {
            let json = verdict.filter(|verdict| verdict.position == position)?.evidence?;
            Some(summary::evidence(run, json))
        };
        let (Some(judged), Some(now)) = (of_pair(first), of_pair(last)) else { return Ok(None) };
        let (judged, now) = (judged?, now?);
        if claims(&now).is_empty() {
            return Ok(None);
        }
        let pair = self.stored_summaries(run, position, 1).await?.pop().and_then(|one| one.pair);
        let Some(pair) = pair else { return Ok(None) };
        let collected_for = summary::request(run)?.framework;
        let request = self.summary_request(run).await?;
        let article = pair.article;
        Ok(Some(EditedPair { article, judged, now, request, collected_for }))
    }

    /// What decides the version of a run of summaries that counts.
    #[boxed]
    pub(crate) async fn summary_request(&self, run: &Run) -> Result<SummaryRequest> {
        let json = self.configuration_of(run).await?;
        serde_json::from_value(json).map_err(|error| RunError::unreadable(run, &error))
    }
}

pub(crate) fn claims(evidence: &Evidence) -> &[Claim] {
    evidence.hallucination.as_ref().map_or(&[], |found| &found.claims)
}

pub(crate) fn word(support: Support) -> &'static str {
    LABELS.iter().find(|(_, label)| *label == support).map_or("", |(word, _)| word)
}

/// The labels that somebody chose, in the order of the claims; what is left out stays.
fn read(chosen: &[String], claims: &[Claim]) -> Result<Vec<Support>> {
    if chosen.len() > claims.len() {
        let because = format!("{} labels were given for {} claims", chosen.len(), claims.len());
        return Err(RunError::Refused(because));
    }
    let label = |(place, claim): (usize, &Claim)| {
        let Some(named) = chosen.get(place) else { return Ok(claim.support) };
        let found = LABELS.iter().find(|(word, _)| word == named);
        found.map(|(_, label)| *label).ok_or_else(|| {
            let all = LABELS.map(|(word, _)| word).join(", ");
            RunError::Refused(format!("`{named}` is not one of {all}"))
        })
    };
    claims.iter().enumerate().map(label).collect()
}

/// What is another label, in words: `claim 2 is supported, was unsupported`.
fn said(claims: &[Claim], labels: &[Support]) -> String {
    let changed =
        claims.iter().zip(labels).enumerate().filter(|(_, (was, is))| was.support != **is);
    let words = changed.map(|(place, (was, is))| {
        format!("claim {} is {}, was {}", place + 1, word(*is), word(was.support))
    });
    words.collect::<Vec<_>>().join("; ")
}

fn view(run: &Run, found: &EditedPair, chosen: Option<&Vec<Support>>) -> Result<LabelsView> {
    let (judged, now) = (claims(&found.judged), claims(&found.now));
    let scores = |evidence: &Evidence| -> Result<BTreeMap<String, Option<f64>>> {
        Ok(summary::scored(found.request.framework, evidence)?.scores.into_iter().collect())
    };
    let (by_judge, by_now) = (scores(&found.judged)?, scores(&found.now)?);
    let tried = chosen
        .map(|labels| scores(&correct(&found.article, &found.judged, found.now.clone(), labels)));
    let tried = tried.transpose()?;
    let of =
        |scores: &BTreeMap<String, Option<f64>>, name: &str| scores.get(name).copied().flatten();
    let metric = |metric: Metric| {
        let name = metric.name();
        MetricByLabels {
            metric: name.to_owned(),
            judge: of(&by_judge, name),
            now: of(&by_now, name),
            chosen: tried.as_ref().map(|tried| of(tried, name)),
        }
    };
    let claim = |(place, claim): (usize, &Claim)| ClaimLabel {
        text: claim.text.clone(),
        judge: judged.get(place).map(|claim| word(claim.support).to_owned()),
        now: word(claim.support).to_owned(),
        chosen: word(chosen.map_or(claim.support, |labels| labels[place])).to_owned(),
    };
    Ok(LabelsView {
        claims: now.iter().enumerate().map(claim).collect(),
        scores: Metric::ALL.map(metric).into(),
        is_corrected: judged != now,
        version: run.version,
        reason: String::new(),
        problem: None,
    })
}
