//! What is said about each part of a requirement, and about a set of documents together.

use assize_score::{Cap, Explained, Finding, Working, arithmetic::mean};
use serde::{Deserialize, Serialize};

use super::judge::RuleAssessment;
use crate::compliance::read::Stated;
use crate::compliance::set_verdicts::{CONTRADICTED_BECAUSE, CONTRADICTED_MAX};
use crate::compliance::tiers::{Rubric, Status};

/// A part is met from here on, and partly from there on: the bounds of the default tiers.
pub(super) const MET: f64 = 0.61;
pub(super) const PARTLY: f64 = 0.21;

/// What a document makes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartState {
    /// A statement says it.
    Met,
    /// A statement says it in part: with another number, as advice, in some of its words.
    Partly,
    /// No statement says it.
    Missing,
    /// A statement says the contrary.
    Denied,
}

/// One part of a requirement and what a document says about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartVerdict {
    /// What must be so.
    pub text: String,
    /// The obligation that it belongs to, counted from 1.
    pub obligation: usize,
    /// What it is worth, 0 to 1.
    pub worth: f64,
    /// The same as a word.
    pub state: PartState,
    /// The statement that says it, or the contrary.
    pub quote: Option<String>,
}

/// What a set of documents says about one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetVerdict {
    /// The score of the set with its workings; none where every document is without one.
    pub score: Option<Explained>,
    /// The label that follows from the score.
    pub status: Option<Status>,
    /// For each part the document that says most about it, if any says anything.
    pub best: Vec<(PartVerdict, Option<String>)>,
    /// What one document denies and another states.
    pub findings: Vec<Finding>,
}

/// The verdict on a set: of each part the best evidence in any document counts; what one
/// document denies and another states is shown, and keeps the set from being compliant.
///
/// ```
/// use assize_methods::compliance::rules::{RuleJudge, set_verdict};
/// use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
///
/// let text = "Backups are encrypted and stored at another site.";
/// let judge = RuleJudge::new(&[Criterion::new("B-1", text, "")]);
/// let judged = |text: &str| judge.judge(0, &judge.read(text), None, &ResponseStructure::default());
/// let (one, two) = (judged("Backups are encrypted."), judged("Backups are stored at another site."));
/// let set = set_verdict(&[("one", &one), ("two", &two)], &Rubric::default());
/// assert!(set.score.unwrap().value > 80.0 && one.coverage.value < 61.0);
/// ```
pub fn set_verdict(documents: &[(&str, &RuleAssessment)], rubric: &Rubric) -> SetVerdict {
    let scored: Vec<&(&str, &RuleAssessment)> = documents
        .iter()
        .filter(|(_, found)| matches!(found.assessment.stated, Stated::Score { .. }))
        .collect();
    let Some((_, first)) = scored.first() else {
        return SetVerdict { score: None, status: None, best: Vec::new(), findings: Vec::new() };
    };
    let mut best = Vec::new();
    let mut findings = Vec::new();
    for place in 0..first.parts.len() {
        let mut all =
            scored.iter().filter_map(|(name, found)| Some((*name, found.parts.get(place)?)));
        let Some(mut top) = all.next() else { continue };
        let mut denied = (top.1.state == PartState::Denied).then_some(top);
        for (name, part) in all {
            if part.worth > top.1.worth {
                top = (name, part);
            }
            if part.state == PartState::Denied {
                denied = denied.or(Some((name, part)));
            }
        }
        if let Some((name, part)) = denied.filter(|_| top.1.worth >= MET) {
            let quote = part.quote.as_deref().unwrap_or_default();
            let message = format!("{} states “{}”, {name} denies it: {quote}", top.0, top.1.text);
            findings.push(Finding::new("documents_disagree", message));
        }
        let says = top.1.worth > 0.0;
        best.push((top.1.clone(), says.then(|| top.0.to_owned())));
    }
    let score = combined(&best, &scored, !findings.is_empty());
    let status = Some(rubric.status(score.value));
    SetVerdict { score: Some(score), status, best, findings }
}

/// The best document alone, or the best of all parts together, whichever is more.
fn combined(
    best: &[(PartVerdict, Option<String>)],
    scored: &[&(&str, &RuleAssessment)],
    disagree: bool,
) -> Explained {
    let mut obligations: Vec<Vec<Explained>> = Vec::new();
    for (part, _) in best {
        let worth = Explained::given("best of the set", part.worth);
        match obligations.get_mut(part.obligation.saturating_sub(1)) {
            Some(parts) => parts.push(worth),
            None => obligations.push(vec![worth]),
        }
    }
    let parts = obligations.into_iter().map(|parts| mean("obligation", parts)).collect();
    let parts: Explained = mean("parts together", parts);
    let alone = scored.iter().map(|(_, found)| found.coverage.value).fold(0.0, f64::max);
    let value = alone.max(100.0 * parts.value);
    let inputs = [Explained::given("best document", alone), parts];
    let score = Explained::computed("set", "max(best document, 100 parts together)", value, inputs);
    let cap = Cap::when(disagree, CONTRADICTED_MAX, CONTRADICTED_BECAUSE);
    score.capped(vec![cap]).rounded(1).named("set score")
}

#[cfg(test)]
mod tests {
    use super::super::RuleJudge;
    use super::*;
    use crate::compliance::{Criterion, ResponseStructure};

    fn set(requirement: &str, texts: &[&str]) -> SetVerdict {
        let judge = RuleJudge::new(&[Criterion::new("1", requirement, "")]);
        let judged =
            |text: &&str| judge.judge(0, &judge.read(text), None, &ResponseStructure::default());
        let found: Vec<RuleAssessment> = texts.iter().map(judged).collect();
        let named: Vec<(&str, &RuleAssessment)> =
            ["one", "two", "three"].into_iter().zip(&found).collect();
        set_verdict(&named, &Rubric::default())
    }

    #[test]
    fn the_best_evidence_of_each_part_counts() {
        let requirement = "Visitors are registered and escorted.";
        let verdict = set(requirement, &["Visitors are registered.", "Visitors are escorted."]);
        assert!(verdict.score.unwrap().value > 80.0);
        let documents: Vec<&str> =
            verdict.best.iter().filter_map(|(_, document)| document.as_deref()).collect();
        assert_eq!(documents, ["one", "two"]);
    }

    #[test]
    fn documents_that_disagree_are_shown_and_keep_the_set_from_compliance() {
        let requirement = "Laptops are encrypted.";
        let verdict = set(requirement, &["Laptops are encrypted.", "We do not encrypt laptops."]);
        assert_eq!(verdict.findings[0].code, "documents_disagree");
        assert_eq!(verdict.score.unwrap().value, 60.0);
    }

    #[test]
    fn a_set_without_a_score_has_none() {
        assert_eq!(set("Laptops are encrypted.", &["", " "]).score, None);
        assert_eq!(set("Laptops are encrypted.", &[]).status, None);
    }
}
