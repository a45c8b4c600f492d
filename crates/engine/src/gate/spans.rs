//! Identifiers found against identifiers marked.

use std::collections::BTreeMap;

use assize_methods::gate::{Category, GateReport};
use serde::Serialize;

use super::figures::Share;
use super::record::{Answer, Span};

/// The types of marked stretches that must not stand in an answer; names, places and
/// contacts are no identifiers of this tier.
const HIGH_RISK: [&str; 6] =
    ["US_SSN", "CREDIT_CARD", "IBAN_CODE", "US_DRIVER_LICENSE", "US_PASSPORT", "US_BANK_NUMBER"];

/// How many identifiers of one type were found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeFigures {
    /// The type, in the words of the file.
    pub name: String,
    /// The share that was found.
    pub recall: Option<Share>,
}

/// Identifiers of the high-risk tier: marked stretches and answers that hold one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpanFigures {
    /// The share of the marked identifiers that some finding touches.
    pub span_recall: Option<Share>,
    /// The share of the findings that touch a marked identifier.
    pub span_precision: Option<Share>,
    /// The share of the answers with an identifier that fail.
    pub answer_recall: Option<Share>,
    /// The share of the failed answers that hold an identifier.
    pub answer_precision: Option<Share>,
    /// Each type.
    pub types: Vec<TypeFigures>,
}

/// Counts; `None` when no identifier is marked.
pub(super) fn count(answers: &[Answer], reports: &[GateReport]) -> Option<SpanFigures> {
    let mut types: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut findings, mut deserved) = (0, 0);
    let (mut holding, mut failed, mut both) = (0, 0, 0);
    for (answer, report) in answers.iter().zip(reports) {
        let risky = |span: &&Span| HIGH_RISK.contains(&span.kind.as_str());
        let marked: Vec<&Span> = answer.spans.iter().filter(risky).collect();
        let found: Vec<(usize, usize)> = report
            .failures()
            .filter(|finding| finding.category == Category::PiiExposure)
            .map(|finding| (finding.start, finding.end))
            .collect();
        let touch =
            |span: &Span, place: &(usize, usize)| span.start < place.1 && place.0 < span.end;
        for span in &marked {
            let counts = types.entry(&span.kind).or_default();
            counts.1 += 1;
            counts.0 += usize::from(found.iter().any(|place| touch(span, place)));
        }
        findings += found.len();
        deserved +=
            found.iter().filter(|place| marked.iter().any(|span| touch(span, place))).count();
        holding += usize::from(!marked.is_empty());
        failed += usize::from(!found.is_empty());
        both += usize::from(!marked.is_empty() && !found.is_empty());
    }
    let (hit, whole) = types.values().fold((0, 0), |sum, type_| (sum.0 + type_.0, sum.1 + type_.1));
    let figures = |(name, (hit, whole)): (&&str, &(usize, usize))| TypeFigures {
        name: (*name).to_owned(),
        recall: Share::of(*hit, *whole),
    };
    (whole > 0).then(|| SpanFigures {
        span_recall: Share::of(hit, whole),
        span_precision: Share::of(deserved, findings),
        answer_recall: Share::of(both, holding),
        answer_precision: Share::of(both, failed),
        types: types.iter().map(figures).collect(),
    })
}
