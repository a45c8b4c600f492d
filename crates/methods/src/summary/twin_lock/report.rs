//! The two metric objects that Twin-Lock prints in its own way.

use assize_score::Explained;

use super::coverage::Coverage;
use super::hallucination::{Hallucination, score};
use crate::summary::limits::Complete;
use crate::summary::metric_objects::{CoverageObject, HallucinationObject, value};
use crate::summary::report::Overall;

pub(super) fn coverage<'a>(
    evidence: &Complete<'a>,
    scores: &Coverage<Explained>,
) -> CoverageObject<'a> {
    CoverageObject {
        key_points: &evidence.coverage.key_points,
        recall: scores.recall.value,
        extraneous_tokens: evidence.totals.extraneous_tokens,
        summary_tokens: evidence.totals.summary_tokens,
        precision: scores.precision.value,
        f1: scores.f1.value,
        asked: None,
        overall: Overall::of(&scores.overall),
    }
}

pub(super) fn hallucination<'a>(
    evidence: &Complete<'a>,
    scores: &Hallucination<Explained>,
) -> HallucinationObject<'a> {
    let claims = evidence.hallucination;
    HallucinationObject {
        claims: &claims.claims,
        unsupported_fraction: value(&scores.unsupported_fraction),
        asked: None,
        soft_support: claims.soft_support,
        regime: claims.regime,
        read_by: &claims.read_by,
        range: claims.range(|open| score::<f64>(open).overall.ok()),
        decided: claims.decided(),
        overall: Overall::of(&scores.overall),
    }
}
