//! The stated score as a verdict: clamp recorded, tier derived, defects kept.

use assize_score::{Cap, Explained, Finding, MethodVersion, Outcome, Verdict, Working};
use serde::{Deserialize, Serialize};

use super::citations::Citation;
use super::read::{Assessment, Stated};
use super::set_verdicts::met_from;
use super::tiers::{Rubric, Status};

/// Which arithmetic makes a verdict out of a stated score.
pub const METHOD: MethodVersion = MethodVersion::new("compliance", 3);

/// What is said about one criterion and one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// `score`, 0 to 100 or unscored with the reason; `confidence` likewise.
    pub verdict: Verdict,
    /// The label that follows from the score; none without a score.
    pub status: Option<Status>,
}

impl Judged {
    /// The score, if there is one.
    pub fn score(&self) -> Option<f64> {
        self.verdict.score("score").and_then(Outcome::value)
    }
}

/// The highest score of a criterion.
const SCALE_END: f64 = 100.0;

/// Why a score that no quote or only invented ones support is held below what is met.
const UNPROVEN_BECAUSE: &str = "no quote of the document supports it";

fn unproven(stated: f64) -> String {
    format!(
        "no quote of the document supports the stated score of {stated}, so it does not count as \
         met until a person confirms it"
    )
}

/// Makes a verdict out of what a judge stated.
pub fn judged(assessment: &Assessment, citations: &[Citation], rubric: &Rubric) -> Judged {
    let mut findings = assessment.findings.clone();
    let is_unproven = !citations.iter().any(Citation::is_found);
    let score = match assessment.stated {
        Stated::Score { given } => {
            let score = on_the_scale(Explained::given("stated score", given));
            // Everything that counts what is met counts by the score, so the score says it.
            let below = met_from(rubric) - 1.0;
            let is_too_high = is_unproven && score.value() > below;
            let score = if is_too_high {
                findings.push(Finding::new("unproven", unproven(given)));
                score.capped(vec![Cap::when(true, below, UNPROVEN_BECAUSE)]).named("score")
            } else {
                score
            };
            if !(0.0..=SCALE_END).contains(&given) {
                let message = format!("the stated score {given} lies outside 0 to {SCALE_END}");
                findings.push(Finding::new("score_clamped", message));
            }
            Outcome::from(score)
        }
        Stated::NotApplicable => Outcome::unscored("the criterion does not apply"),
        Stated::NeedsInformation => Outcome::unscored("more information is needed"),
    };
    for citation in citations.iter().filter(|citation| !citation.is_found()) {
        let message = format!("not found in the document: {}", citation.quote);
        findings.push(Finding::new("citation_not_found", message));
    }
    let confidence = match assessment.confidence {
        Some(confidence) => {
            Outcome::from(Explained::given("stated confidence", f64::from(confidence)))
        }
        None => Outcome::unscored("the judge stated none"),
    };
    let status = score.value().map(|score| rubric.status(score));
    let scores = vec![("score".into(), score), ("confidence".into(), confidence)];
    Judged { verdict: Verdict { method: METHOD, scores, findings }, status }
}

/// A stated number brought onto the scale from 0 to 100, with a trace of it where it was not.
fn on_the_scale<N: Working>(stated: N) -> N {
    let value = stated.value();
    if value < 0.0 {
        N::computed("score", "max(stated score, 0)", 0.0, [stated])
    } else if value > SCALE_END {
        let because = format!("the scale ends at {SCALE_END}");
        stated.capped(vec![Cap::when(true, SCALE_END, because)]).named("score")
    } else {
        stated
    }
}

#[cfg(test)]
mod tests {
    use assize_score::{How, explained::Name};

    use super::*;
    use crate::compliance::citations::Matched;
    use crate::compliance::read::read_assessment;

    /// What comes of a reply that rests on one quote of the document.
    fn judge(reply: &str) -> Judged {
        judge_citing(reply, &[Citation::copied("it is so", 4)])
    }

    fn judge_citing(reply: &str, citations: &[Citation]) -> Judged {
        judged(&read_assessment(reply, None).unwrap(), citations, &Rubric::default())
    }

    fn codes(judged: &Judged) -> Vec<&Name> {
        judged.verdict.findings.iter().map(|finding| &finding.code).collect()
    }

    #[test]
    fn a_stated_score_never_looks_computed() {
        let judged = judge(r#"{"score": 73.25, "confidence": 85}"#);
        assert_eq!(judged.score(), Some(73.25));
        assert_eq!(judged.status.as_ref().unwrap().label, "Mostly Compliant");
        let score = judged.verdict.score("score").and_then(Outcome::explained).unwrap();
        assert_eq!(score.how, How::Given);
        assert!(codes(&judged).is_empty());
    }

    #[test]
    fn a_clamped_score_keeps_what_was_stated() {
        let high = judge(r#"{"score": 104, "confidence": 85}"#);
        assert_eq!((high.score(), codes(&high)), (Some(100.0), vec![&Name::from("score_clamped")]));
        let score = high.verdict.score("score").and_then(Outcome::explained).unwrap();
        let How::Capped { before, .. } = &score.how else { panic!("{score:?}") };
        assert_eq!(before.value, 104.0);
        assert_eq!(judge(r#"{"score": -3, "confidence": 85}"#).score(), Some(0.0));
        let far = judge(r#"{"score": 150, "confidence": 85}"#);
        assert_eq!((far.score(), codes(&far)), (Some(100.0), vec![&Name::from("score_clamped")]));
    }

    #[test]
    fn what_does_not_apply_has_neither_score_nor_label() {
        for state in ["N/A", "needs information"] {
            let judged = judge(&format!("{{\"score\": \"{state}\", \"confidence\": 1}}"));
            assert_eq!((judged.score(), judged.status), (None, None));
        }
    }

    #[test]
    fn a_citation_that_is_not_found_is_a_finding() {
        let missing = Citation { matched: Matched::NotFound, ..Citation::copied("made up", 0) };
        let judged = judge_citing(r#"{"score": 1, "confidence": 1}"#, &[missing]);
        assert_eq!(codes(&judged), [&Name::from("citation_not_found")]);
    }

    #[test]
    fn a_high_score_that_no_quote_of_the_document_supports_is_unproven() {
        let reply = |score: f64| format!("{{\"score\": {score}, \"confidence\": 1}}");
        let missing = Citation { matched: Matched::NotFound, ..Citation::copied("made up", 0) };
        let code = Name::from("unproven");
        for citations in [&[][..], std::slice::from_ref(&missing)] {
            let high = judge_citing(&reply(100.0), citations);
            // What is met begins at 61.
            assert_eq!((high.score(), codes(&high).contains(&&code)), (Some(60.0), true));
            let low = judge_citing(&reply(60.0), citations);
            assert_eq!((low.score(), codes(&low).contains(&&code)), (Some(60.0), false));
        }
        let one = judge_citing(&reply(100.0), &[missing, Citation::copied("it is so", 4)]);
        assert_eq!((one.score(), codes(&one).contains(&&code)), (Some(100.0), false));
    }
}
