//! What a reader of the verdict should know that is not a number.

use assize_score::Finding;

use super::evidence::Evidence;
use super::standing::Standing;
use crate::council::authorship::Sameness;
use crate::council::ballot::Basis;
use crate::council::dimension::Dimension;
use crate::council::record::CouncilRecord;
use crate::council::settings::Settings;
use crate::council::suspicion;
use crate::council::verdict::{AnswerVerdict, Cell, CouncilVerdict, LeftOut, Status};

/// Fewer reviews than this say little about an answer.
const REVIEWS_FEW: usize = 3;

pub(super) fn of(
    evidence: &Evidence<'_>,
    settings: &Settings,
    verdict: &CouncilVerdict,
    standing: &Standing,
) -> Vec<Finding> {
    let record = evidence.record;
    let mut findings = Vec::new();
    whole(record, settings, verdict, standing, &mut findings);
    answers(verdict, &mut findings);
    disbelieved(evidence, &mut findings);
    reviewers(record, verdict, &mut findings);
    for answer in record.given() {
        let given = &record.answers[answer];
        findings.extend(suspicion::findings(&given.model, given.text().unwrap_or_default()));
    }
    findings
}

fn whole(
    record: &CouncilRecord,
    settings: &Settings,
    verdict: &CouncilVerdict,
    standing: &Standing,
    findings: &mut Vec<Finding>,
) {
    let given = record.given().len();
    if verdict.status == Status::NoQuorum {
        let message = format!("{given} answers arrived; the quorum is {}", settings.quorum);
        findings.push(Finding::new("no_quorum", message));
    }
    if verdict.answers.iter().all(|answer| answer.reviews_counted == 0) {
        findings.push(Finding::new("no_valid_ballots", "no review counts, so nothing is ranked"));
        return;
    }
    if verdict.ranking.is_empty() {
        let message = "every answer that could win fails the safety gate: there is no winner";
        findings.push(Finding::new("no_winner", message));
        return;
    }
    let heard = verdict.reviewers.iter().filter(|reviewer| reviewer.reviews_counted > 0);
    if heard.count() == 1 {
        let message = "only one reviewer counts: this is one opinion, not a council's";
        findings.push(Finding::new("one_reviewer", message));
    }
    if let Some(trust) = &settings.trust {
        let unknown = record.reviewers.iter().filter(|one| trust.weight(one.author()).is_none());
        let unknown: Vec<&str> = unknown.map(|one| one.model.as_str()).collect();
        let known = if unknown.is_empty() {
            String::new()
        } else {
            format!("; nothing is known of {}, counted like the mean", unknown.join(", "))
        };
        let message = format!("reviewers count by trust from {}{known}", trust.source);
        findings.push(Finding::new("trust", message));
    }
    if let Some(because) = &standing.fell_back {
        findings.push(Finding::new("aggregation_fell_back", because.clone()));
    }
    if !verdict.uncertainty.methods_agree {
        let named: Vec<String> = verdict
            .uncertainty
            .winners
            .iter()
            .map(|(method, winners)| format!("{method}: {}", models(record, winners)))
            .collect();
        let message =
            format!("the winner depends on the aggregation method ({})", named.join("; "));
        findings.push(Finding::new("methods_disagree", message));
    }
    let winners = standing.winners();
    if winners.len() > 1 {
        let message = format!("{} are level at the top", models(record, &winners));
        findings.push(Finding::new("tied_winners", message));
    }
}

fn answers(verdict: &CouncilVerdict, findings: &mut Vec<Finding>) {
    for answer in &verdict.answers {
        let model = &answer.model;
        if let Some(because) = &answer.missing {
            let message = format!("{model} gave no answer: {because}");
            findings.push(Finding::new("answer_missing", message));
            continue;
        }
        if answer.gate_passed == Some(false) {
            let gate = verdict.safety_gate.as_ref();
            let outcome = gate.and_then(|gate| gate.outcomes.get(answer.answer));
            let reasons = outcome.map(|outcome| outcome.reasons.join("; ")).unwrap_or_default();
            let reasons = if reasons.is_empty() { String::new() } else { format!(": {reasons}") };
            let message = format!("the answer of {model} fails the safety gate{reasons}");
            findings.push(Finding::new("gate_failed", message));
        }
        if answer.reviews_counted == 0 {
            let message = format!("no review of {model} counts, so it has no rank");
            findings.push(Finding::new("answer_unreviewed", message));
        }
        let unknown =
            answer.reviews_counted > 0 && !answer.marks.contains_key(&Dimension::Accuracy);
        if unknown {
            let message =
                format!("no reviewer marked the accuracy of {model}: its ceiling is unknown");
            findings.push(Finding::new("ceiling_unknown", message));
        }
    }
    let few = |answer: &&AnswerVerdict| (1..REVIEWS_FEW).contains(&answer.reviews_counted);
    let few: Vec<String> = verdict
        .answers
        .iter()
        .filter(few)
        .map(|answer| format!("{} ({})", answer.model, answer.reviews_counted))
        .collect();
    if !few.is_empty() {
        let message = format!("fewer than {REVIEWS_FEW} reviews count for {}", few.join(", "));
        findings.push(Finding::new("few_reviews", message));
    }
}

/// Where the record's own notes about the gate differ from what the gate says of the texts.
fn disbelieved(evidence: &Evidence<'_>, findings: &mut Vec<Finding>) {
    let noted = evidence.record.gate.iter().flat_map(|gate| &gate.outcomes);
    for (answer, noted) in noted.enumerate() {
        let Some(given) = evidence.record.answers.get(answer) else { break };
        if noted.passed && !evidence.passes(answer) {
            let message = format!(
                "the record says that the answer of {} passed the gate; its text does not",
                given.model
            );
            findings.push(Finding::new("gate_record_differs", message));
        }
    }
}

fn reviewers(record: &CouncilRecord, verdict: &CouncilVerdict, findings: &mut Vec<Finding>) {
    for (row, (reviewer, cells)) in verdict.reviewers.iter().zip(&verdict.table).enumerate() {
        let model = &reviewer.model;
        if let Some((_, because)) = &reviewer.abstained {
            let message = format!("{model} did not review: {because}");
            findings.push(Finding::new("reviewer_abstained", message));
            continue;
        }
        let mut say = |code, message: String| findings.push(Finding::new(code, message));
        if reviewer.truncated {
            say(
                "ballot_truncated",
                format!("the ballot of {model} is incomplete; its complete parts count"),
            );
        }
        for (answer, cell) in cells.iter().enumerate() {
            let of = &record.answers[answer].model;
            let doubt = record.authorship(row, answer);
            if let Some(cell) = cell {
                review((model, of), &doubt, cell, &mut say);
            }
        }
        let missing = reviewer.order.len().saturating_sub(cells.iter().flatten().count());
        if missing > 0 {
            say(
                "reviews_missing",
                format!("{model} left out {missing} of {} answers", reviewer.order.len()),
            );
        }
        let holistic =
            cells.iter().flatten().filter(|cell| cell.basis == Some(Basis::Holistic)).count();
        if holistic > 0 {
            say(
                "reviews_holistic",
                format!("{model} gave {holistic} answers one score instead of marks"),
            );
        }
        let coerced: usize = cells.iter().flatten().map(|cell| cell.coerced.len()).sum();
        if coerced > 0 {
            say("marks_coerced", format!("{coerced} marks of {model} were not written as numbers"));
        }
        if reviewer.stated_ranking_tau.is_some_and(|tau| tau < 1.0) {
            let tau = reviewer.stated_ranking_tau.unwrap_or_default();
            say(
                "stated_ranking_differs",
                format!(
                    "the ranking stated by {model} differs from its own marks (tau {tau:.2}); the \
                     marks count"
                ),
            );
        }
    }
}

/// What is unusual about one review: whose it is, of whom.
fn review(
    (model, of): (&str, &str),
    doubt: &Sameness,
    cell: &Cell,
    say: &mut impl FnMut(&'static str, String),
) {
    if let Sameness::Doubtful(why) = doubt {
        let effect = if cell.recused.is_some() { "does not count" } else { "counts" };
        let message = format!("{model}'s review of {of} {effect}: {why}");
        say("authorship_doubtful", message);
    }
    if cell.refusal_unconfirmed {
        say(
            "refusal_unconfirmed",
            format!(
                "{model} calls {of}'s answer a refusal; nothing confirms it, and \
                 completeness counts"
            ),
        );
    }
    for left in cell.left_out.iter().filter(|_| cell.appropriate_refusal) {
        let LeftOut { dimension, because, .. } = left;
        say(
            "dimension_left_out",
            format!("{model}'s review of {of} is counted without {dimension}: {because}"),
        );
    }
    if let Some(because) = cell.not_counted.as_ref().filter(|_| cell.recused.is_none()) {
        say("review_dropped", format!("{model}'s review of {of} does not count: {because}"));
    } else if cell.basis == Some(Basis::Rubric) && cell.coverage < 1.0 {
        let share = cell.coverage * 100.0;
        say(
            "review_partial",
            format!("{model}'s review of {of} covers {share:.0} % of the weights"),
        );
    }
}

fn models(record: &CouncilRecord, answers: &[usize]) -> String {
    let names: Vec<&str> =
        answers.iter().map(|answer| record.answers[*answer].model.as_str()).collect();
    names.join(" and ")
}
