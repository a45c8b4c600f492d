//! From ballots to evidence: who is heard, what they agree on, and how sure that is.

use std::collections::BTreeSet;

use assize_score::Finding;
use assize_text::tokens::alnum_tokens;
use serde::Serialize;

use super::agreement::{Agreement, agreement};
use super::interval::{Interval, Urn, intervals};
use super::vote::{Objection, objections, vote};
use super::{Ballot, canary, lock};
use crate::summary::asks::assemble::{self, extraneous};
use crate::summary::asks::locate::Sources;
use crate::summary::asks::{Frozen, Labels};
use crate::summary::evidence::{Claim, Evidence};
use crate::summary::input::SummaryPair;
use crate::summary::labels::Support;
use crate::summary::metrics::{FiveMetrics, Metric};

/// A vote needs so many.
pub(crate) const JUDGES_MIN: usize = 2;

/// What a panel adds to a verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// Everyone who was asked.
    pub judges: Vec<Seat>,
    /// How far those who were heard agree, for each metric.
    pub agreement: FiveMetrics<Agreement>,
    /// Where each score would lie with other judges and items, in nine of ten resamples.
    pub intervals: FiveMetrics<Option<Interval>>,
}

/// One judge of a panel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// Who.
    pub judge: String,
    /// Why it was not heard; `None` if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// How many of its labels went down because their words could not be found.
    pub labels_lowered: usize,
}

/// Hears the ballots. `absent` are those who were asked and gave no ballot, with the reason.
///
/// An error says why there is no verdict.
pub fn decide(
    pair: &SummaryPair<'_>,
    by_rules: &Evidence,
    frozen: &Frozen,
    ballots: Vec<Ballot>,
    absent: Vec<(String, String)>,
) -> Result<(Evidence, Panel), String> {
    let sources = Sources::of(pair);
    let (mut judges, mut heard) = (Vec::new(), Vec::new());
    for Ballot { judge, mut labels } in ballots {
        let left_out = canary::check(&mut labels).map(str::to_owned);
        let labels_lowered = lock::apply(&mut labels, &sources);
        if left_out.is_none() {
            heard.push(labels);
        }
        judges.push(Seat { judge, left_out, labels_lowered });
    }
    judges.extend(absent.into_iter().map(|(judge, because)| Seat {
        judge,
        left_out: Some(because),
        labels_lowered: 0,
    }));
    if heard.len() < JUDGES_MIN {
        let reasons = judges
            .iter()
            .filter_map(|seat| Some(format!("{}: {}", seat.judge, seat.left_out.as_ref()?)));
        let reasons: Vec<String> = reasons.collect();
        let (heard, all) = (heard.len(), judges.len());
        return Err(format!("{heard} of {all} judges could be heard ({})", reasons.join("; ")));
    }
    let heard: Vec<&Labels> = heard.iter().collect();
    let voted = vote(&heard, &sources);
    let mut evidence = assemble::evidence(pair, by_rules, frozen, &voted);
    let objections = objections(&heard, &sources);
    let agreement = agreement(&heard, &objections);
    let intervals = intervals(&Urn {
        panel: &heard,
        objections: &objections,
        evidence: &with_all_objections(pair, by_rules, frozen, &voted, &objections),
        extraneous: &extraneous_by_label(pair, evidence.hallucination.as_ref()),
    });
    let panel = Panel { judges, agreement, intervals };
    evidence.findings.extend(panel.findings());
    Ok((evidence, panel))
}

impl Panel {
    /// What a reader of the verdict should know.
    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for seat in &self.judges {
            if let Some(because) = &seat.left_out {
                let message = format!("{} was left out: {because}", seat.judge);
                findings.push(Finding::new("judge_left_out", message));
            } else if seat.labels_lowered > 0 {
                let (judge, count) = (&seat.judge, seat.labels_lowered);
                let message = format!("{count} labels of {judge} rest on words nobody can find");
                findings.push(Finding::new("labels_lowered", message));
            }
        }
        for metric in Metric::ALL.into_iter().filter(|m| self.agreement.get(*m).contested) {
            let name = metric.name();
            let message = match self.agreement.get(metric).alpha {
                Some(alpha) => format!("the judges do not agree on {name}: alpha is {alpha}"),
                None => format!("nobody can say how far the judges agree on {name}"),
            };
            findings.push(Finding::new("contested", message));
        }
        findings
    }
}

/// The evidence with every wording anybody objects to, upheld or not.
fn with_all_objections(
    pair: &SummaryPair<'_>,
    by_rules: &Evidence,
    frozen: &Frozen,
    voted: &Labels,
    objections: &[Objection],
) -> Evidence {
    let mut labels = voted.clone();
    labels.issues = objections.iter().map(|objection| objection.issue.clone()).collect();
    assemble::evidence(pair, by_rules, frozen, &labels)
}

/// The extraneous tokens of each claim under each label, the worst first.
fn extraneous_by_label(
    pair: &SummaryPair<'_>,
    hallucination: Option<&crate::summary::evidence::HallucinationEvidence>,
) -> Vec<[usize; 3]> {
    let article: BTreeSet<String> = alnum_tokens(pair.article()).into_iter().collect();
    let each = |claim: &Claim| {
        let quote = claim.in_summary.as_ref().filter(|quote| quote.span.is_some());
        let words = quote.map_or(claim.text.as_str(), |quote| quote.text.as_str());
        [Support::Unsupported, Support::Partial, Support::Supported]
            .map(|label| extraneous(words, label, &article))
    };
    hallucination.map_or(Vec::new(), |found| found.claims.iter().map(each).collect())
}
