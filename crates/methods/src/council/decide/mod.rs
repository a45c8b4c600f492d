//! The single door to a verdict: every way in (asking, reviewing, rescoring, replaying, tools)
//! comes through [`decide`], so gate and ceiling hold on all of them.
//!
//! What a record says is checked first ([`evidence`]). Reviews become cells ([`table`]), cells become scores and ranks ([`standing`], with
//! [`strengths`] for methods that rank by something else), drawing the reviewers anew says how
//! sure that is ([`uncertainty`]), and the rest puts it into words.

mod answers;
mod evidence;
mod findings;
pub(super) mod reviewers;
mod standing;
mod strengths;
mod table;
mod uncertainty;

use assize_score::MethodVersion;

use self::evidence::Evidence;
use self::standing::{Rules, Standing};
use self::table::Sheet;
use super::jury;
use super::record::CouncilRecord;
use super::rounds;
use super::settings::Settings;
use super::verdict::{CouncilVerdict, ProfileUsed, SafetyGate, Status};
use super::weights::Weights;

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("council", 3);

/// Fewer reviewers than this are somebody's opinion, and the verdict is degraded.
const REVIEWERS_MIN: usize = 2;

/// The verdict on everything that was collected.
pub fn decide(record: &CouncilRecord, settings: &Settings) -> CouncilVerdict {
    let evidence = Evidence::of(record, settings);
    let table = table::cells(&evidence, settings);
    let sheet = Sheet::of(&table, record.answers.len(), trust(record, settings));
    let rules = Rules::new(&evidence, settings);
    let rows: Vec<usize> = (0..record.reviewers.len()).collect();
    let standing = standing::stand(&sheet, &rows, &rules, settings.aggregation);
    let (uncertainty, intervals) = uncertainty::look(record, &sheet, &rules, &standing);
    let answers = answers::verdicts(&evidence, settings, &table, &standing, &intervals);
    let reviewers = reviewers::verdicts(record, &table, &sheet);

    let mut verdict = CouncilVerdict {
        method: METHOD,
        profile: profile(settings),
        aggregation: settings.aggregation,
        own_reviews_counted: settings.count_own,
        trust: settings.trust.clone(),
        status: Status::Complete,
        answers,
        ranking: ranking(&standing),
        reviewers,
        table,
        safety_gate: safety_gate(&evidence),
        uncertainty,
        jury: None,
        revision: None,
        findings: Vec::new(),
    };
    verdict.jury = settings.jury.as_ref().map(|jury| jury::verdict(jury, &verdict));
    verdict.revision = rounds::revision(record, settings, &verdict);
    verdict.status = status(record, settings, &verdict);
    verdict.findings = findings::of(&evidence, settings, &verdict, &standing);
    verdict
}

/// Only who wins with each of several weights, without looking at how sure that is. What does
/// not depend on the weights, the gate above all, is done once.
pub(super) struct Winners<'a> {
    evidence: Evidence<'a>,
    settings: Settings,
}

impl<'a> Winners<'a> {
    pub(super) fn of(record: &'a CouncilRecord, settings: &Settings) -> Self {
        Self { evidence: Evidence::of(record, settings), settings: settings.clone() }
    }

    /// Who wins with these weights.
    pub(super) fn with(&mut self, weights: Weights) -> Vec<usize> {
        self.settings.profile.weights = weights;
        let table = table::cells(&self.evidence, &self.settings);
        let record = self.evidence.record;
        let sheet = Sheet::of(&table, record.answers.len(), trust(record, &self.settings));
        let rows: Vec<usize> = (0..self.evidence.record.reviewers.len()).collect();
        let rules = Rules::new(&self.evidence, &self.settings);
        standing::stand(&sheet, &rows, &rules, self.settings.aggregation).winners()
    }
}

/// How much each reviewer counts; empty if all count alike.
fn trust(record: &CouncilRecord, settings: &Settings) -> Vec<f64> {
    settings.trust.as_ref().map(|trust| trust.weights(record)).unwrap_or_default()
}

fn profile(settings: &Settings) -> ProfileUsed {
    let profile = &settings.profile;
    ProfileUsed {
        name: profile.name.clone(),
        version: profile.version,
        choice: settings.profile_choice.clone(),
        hash: profile.hash(),
        weights: profile.weights.clone(),
        ceiling: profile.ceiling.clone(),
    }
}

fn ranking(standing: &Standing) -> Vec<usize> {
    let mut ranked: Vec<(usize, usize)> = standing
        .ranks
        .iter()
        .enumerate()
        .filter_map(|(answer, rank)| Some(((*rank)?, answer)))
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, answer)| answer).collect()
}

fn safety_gate(evidence: &Evidence<'_>) -> Option<SafetyGate> {
    let (record, gate) = (evidence.record, evidence.gate.as_ref()?);
    let failed = record.given().into_iter().filter(|answer| !evidence.passes(*answer));
    Some(SafetyGate {
        cap: gate.cap(),
        failed_models: failed.map(|answer| record.answers[answer].model.clone()).collect(),
        outcomes: gate.outcomes.clone(),
    })
}

fn status(record: &CouncilRecord, settings: &Settings, verdict: &CouncilVerdict) -> Status {
    let given = record.given().len();
    let lost = verdict
        .table
        .iter()
        .flatten()
        .flatten()
        .any(|cell| cell.not_counted.is_some() && cell.recused.is_none());
    let heard = verdict.reviewers.iter().filter(|reviewer| reviewer.reviews_counted > 0).count();
    let gaps = verdict.reviewers.iter().zip(&verdict.table).any(|(reviewer, cells)| {
        reviewer.truncated
            || cells.iter().filter(|cell| cell.is_some()).count() < reviewer.order.len()
    });
    if given < settings.quorum {
        Status::NoQuorum
    } else if verdict.answers.iter().all(|answer| answer.reviews_counted == 0) {
        Status::NoValidBallots
    } else if verdict.ranking.is_empty() {
        Status::NoWinner
    } else if given < record.answers.len() || lost || gaps || heard < REVIEWERS_MIN {
        Status::Degraded
    } else {
        Status::Complete
    }
}
