//! Hallucination: how much of what the summary claims is not in the article?

use assize_score::arithmetic::{product, times};
use assize_score::{Cap, Working};

use crate::summary::evidence::HallucinationEvidence;
use crate::summary::framework::Scoring;
use crate::summary::labels::Severity;
use crate::summary::metrics::{Scored, Unscored};
use crate::summary::questions::{is_unanswerable, mean_worth, share_evidence};
use crate::summary::shares::{has_unsupported, unsupported_fraction};

/// Where a summary starts that only stretches what the article says.
const START: f64 = 10.0;

/// What it loses when nothing is supported, before rounding: 0 is reached at five sevenths.
const PENALTY: f64 = 14.0;

/// Where a summary starts that makes something up.
const START_UNSUPPORTED: f64 = 4.0;

/// What it loses when nothing is supported, before rounding. As much as it starts with, so that
/// the whole range below 4 is used.
const PENALTY_UNSUPPORTED: f64 = 4.0;

/// The highest score when two of the questions rest on the same evidence.
pub(crate) const SAME_EVIDENCE_CAP: f64 = 7.0;

/// Hallucination and the numbers on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hallucination<N> {
    /// The share of the claims without support; none without claims.
    pub unsupported_fraction: Scored<N>,
    /// How bad that is; none without claims.
    pub severity: Option<Severity>,
    /// The whole number before the questions are taken into account.
    pub raw: Scored<N>,
    /// The mean worth of the answers that the article gives to questions on the claims.
    pub qag_precision: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

impl<N> Scoring<N> for Hallucination<N> {
    fn into_overall(self) -> Scored<N> {
        self.overall
    }
}

/// The raw score times the share of the claims that cross-examination bears out.
///
/// A summary that claims nothing is not thereby faithful: it has no score.
pub fn score<N: Working>(evidence: &HallucinationEvidence) -> Hallucination<N> {
    let qag_precision: Scored<N> = mean_worth("qag precision", &evidence.questions, evidence.qag);
    if evidence.claims.is_empty() {
        let none = Unscored("the summary makes no factual claim");
        return Hallucination {
            unsupported_fraction: Err(none),
            severity: None,
            raw: Err(none),
            qag_precision,
            overall: Err(none),
        };
    }
    let fraction: N = unsupported_fraction(&evidence.claims);
    let severity = Severity::of_fraction(fraction.value());
    let raw = raw(fraction.clone(), has_unsupported(&evidence.claims));
    let same = share_evidence(&evidence.questions);
    let because = "two questions rest on the same evidence";
    let examined = if is_unanswerable(&qag_precision) {
        Ok(raw.clone())
    } else {
        qag_precision.clone().map(|precision| product("hallucination", raw.clone(), precision))
    };
    let caps = vec![Cap::when(same, SAME_EVIDENCE_CAP, because)];
    let overall = examined.map(|score| score.capped(caps).rounded(2));
    Hallucination {
        unsupported_fraction: Ok(fraction),
        severity: Some(severity),
        raw: Ok(raw),
        qag_precision,
        overall,
    }
}

fn raw<N: Working>(fraction: N, unsupported: bool) -> N {
    let (start, factor, why) = if unsupported {
        (START_UNSUPPORTED, PENALTY_UNSUPPORTED, ": a claim is unsupported")
    } else {
        (START, PENALTY, "")
    };
    let penalty = times("penalty", factor, fraction).rounded(0);
    let formula = || format!("max(0, {start} - penalty){why}");
    N::computed_by("raw score", formula, (start - penalty.value()).max(0.0), [penalty])
}
