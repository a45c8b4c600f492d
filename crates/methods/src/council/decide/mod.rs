//! The single door to a verdict: every way in (asking, reviewing, rescoring, replaying, tools)
//! comes through [`decide`], so gate and ceiling hold on all of them.
//!
//! Reviews become cells ([`table`]), cells become scores and ranks ([`standing`], with
//! [`strengths`] for methods that rank by something else), drawing the reviewers anew says how
//! sure that is ([`sureness`]), and the rest puts it into words.

mod answers;
mod findings;
pub(super) mod reviewers;
mod standing;
mod strengths;
mod sureness;
mod table;

use assize_score::MethodVersion;

use self::standing::{Rules, Standing};
use self::table::Sheet;
use super::record::CouncilRecord;
use super::settings::Settings;
use super::verdict::{CouncilVerdict, ProfileUsed, SafetyGate, Status};

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("council", 1);

/// The verdict on everything that was collected.
pub fn decide(record: &CouncilRecord, settings: &Settings) -> CouncilVerdict {
    let table = table::cells(record, settings);
    let sheet = Sheet::of(&table, record.answers.len());
    let rules = Rules::new(record, settings);
    let rows: Vec<usize> = (0..record.reviewers.len()).collect();
    let standing = standing::stand(&sheet, &rows, &rules, settings.aggregation);
    let (sureness, intervals) = sureness::look(record, &sheet, &rules, &standing);
    let answers = answers::verdicts(record, settings, &table, &standing, &intervals);
    let reviewers = reviewers::verdicts(record, &table, &sheet);
    let mut verdict = CouncilVerdict {
        method: METHOD,
        profile: profile(settings),
        aggregation: settings.aggregation,
        own_reviews_counted: settings.count_own,
        status: Status::Complete,
        answers,
        ranking: ranking(&standing),
        reviewers,
        table,
        safety_gate: safety_gate(record),
        sureness,
        findings: Vec::new(),
    };
    verdict.status = status(record, settings, &verdict);
    verdict.findings = findings::of(record, settings, &verdict, &standing);
    verdict
}

/// Only who wins, without looking at how sure that is.
pub(super) fn winners(record: &CouncilRecord, settings: &Settings) -> Vec<usize> {
    let table = table::cells(record, settings);
    let sheet = Sheet::of(&table, record.answers.len());
    let rows: Vec<usize> = (0..record.reviewers.len()).collect();
    let rules = Rules::new(record, settings);
    standing::stand(&sheet, &rows, &rules, settings.aggregation).winners()
}

fn profile(settings: &Settings) -> ProfileUsed {
    let profile = &settings.profile;
    ProfileUsed {
        name: profile.name.clone(),
        version: profile.version,
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

fn safety_gate(record: &CouncilRecord) -> Option<SafetyGate> {
    let gate = record.gate.as_ref()?;
    let failed = record.given().into_iter().filter(|answer| !gate.passes(*answer));
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
        .any(|cell| cell.not_counted.is_some() && (!cell.own || settings.count_own));
    let gaps = verdict.reviewers.iter().zip(&verdict.table).any(|(reviewer, cells)| {
        reviewer.truncated
            || cells.iter().filter(|cell| cell.is_some()).count() < reviewer.order.len()
    });
    if given < settings.quorum {
        Status::NoQuorum
    } else if verdict.ranking.is_empty() {
        Status::NoValidBallots
    } else if given < record.answers.len() || lost || gaps {
        Status::Degraded
    } else {
        Status::Complete
    }
}
