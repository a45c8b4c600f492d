//! Coverage: does the summary say what matters, and could a reader answer from it?

use assize_score::arithmetic::{harmonic_mean, times};
use assize_score::{Cap, Working};

use super::QUESTIONS;
use crate::summary::evidence::{Claim, CoverageEvidence, QagReading, Totals};
use crate::summary::framework::Scoring;
use crate::summary::metrics::Scored;
use crate::summary::questions::{
    correct, counted, is_unanswerable, mean_worth, share_evidence, unanswered,
};
use crate::summary::shares::{has_unsupported, precision, recall};

/// The highest score of a summary with an extraneous claim.
pub(crate) const EXTRANEOUS_CLAIM_CAP: f64 = 3.0;

/// The highest score when a question, precision or recall gives cause for doubt.
pub(crate) const DOUBT_CAP: f64 = 7.0;

/// Precision below this gives cause for doubt.
pub(crate) const PRECISION_MIN: f64 = 0.95;

/// Recall below this gives cause for doubt.
pub(crate) const RECALL_MIN: f64 = 0.90;

// The framework writes "six or fewer correct answers" of six questions, which would always hold;
// we read "fewer than six", and where fewer than six can be answered, "fewer than those". Precision and recall are compared unrounded: 0.8999 is below 0.90.

/// Coverage and the numbers on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage<N> {
    /// The share of the key points that is said.
    pub recall: N,
    /// The share of the summary that the article supports.
    pub precision: N,
    /// Their harmonic mean.
    pub f1: N,
    /// The mean worth of the answers that the summary gives to questions on the article.
    pub qag_accuracy: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

impl<N> Scoring<N> for Coverage<N> {
    fn into_overall(self) -> Scored<N> {
        self.overall
    }
}

/// Ten times the harmonic mean of f1 and the accuracy of the answers.
pub fn score<N: Working>(
    evidence: &CoverageEvidence,
    claims: &[Claim],
    totals: &Totals,
) -> Coverage<N> {
    let recall: N = recall(&evidence.key_points);
    let precision: N = precision(totals);
    let f1 = harmonic_mean("f1", precision.clone(), recall.clone());
    let qag_accuracy: Scored<N> = mean_worth("qag accuracy", &evidence.questions, evidence.qag);
    let questions = &evidence.questions;
    let answerable = QUESTIONS.min(counted(questions, evidence.qag));
    let (is_unanswered, too_few) = match evidence.qag {
        QagReading::Answerable if unanswered(questions) > 0 => {
            let reason =
                format!("not all of the {answerable} questions with an answer are correct");
            (correct(questions) < answerable, reason)
        }
        QagReading::Answerable => {
            let reason = format!("fewer than {QUESTIONS} answers are correct");
            (correct(questions) < answerable, reason)
        }
        QagReading::Literal => {
            let reason = format!("{QUESTIONS} answers or fewer are correct");
            (correct(questions) <= QUESTIONS, reason)
        }
    };
    let imprecise = format!("precision is below {PRECISION_MIN:.2}");
    let incomplete = format!("recall is below {RECALL_MIN:.2}");
    let caps = vec![
        Cap::when(has_unsupported(claims), EXTRANEOUS_CLAIM_CAP, "a claim is extraneous"),
        Cap::when(is_unanswered, DOUBT_CAP, too_few),
        Cap::when(share_evidence(questions), DOUBT_CAP, "two questions rest on the same evidence"),
        Cap::when(precision.value() < PRECISION_MIN, DOUBT_CAP, imprecise),
        Cap::when(recall.value() < RECALL_MIN, DOUBT_CAP, incomplete),
    ];
    let both = if is_unanswerable(&qag_accuracy) {
        Ok(f1.clone())
    } else {
        let both = |accuracy| harmonic_mean("f1 with accuracy", f1.clone(), accuracy);
        qag_accuracy.clone().map(both)
    };
    let overall = both.map(|both| times("coverage", 10.0, both).capped(caps).rounded(2));
    Coverage { recall, precision, f1, qag_accuracy, overall }
}
