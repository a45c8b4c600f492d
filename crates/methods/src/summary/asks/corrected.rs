//! Labels of claims that a person corrects: all that follows from a label follows again.

use std::collections::BTreeSet;

use assize_text::tokens::alnum_tokens;

use super::assemble::extraneous;
use super::claims::extraneous_in_all;
use crate::summary::evidence::{Claim, Evidence};
use crate::summary::labels::{Confidence, Support};

/// What is said of a claim that a person labelled.
const BY_PERSON: &str = "labelled by a person";

/// Gives claims the labels that a person says, in their order; a claim without one keeps its
/// own. One that gets back what the judge said is the judge's claim again, to the bit.
pub fn correct(
    article: &str,
    judged: &Evidence,
    mut evidence: Evidence,
    labels: &[Support],
) -> Evidence {
    let Some(found) = &mut evidence.hallucination else { return evidence };
    let by_judge = judged.hallucination.as_ref().map_or(&[][..], |found| &found.claims);
    let article_tokens: BTreeSet<String> = alnum_tokens(article).into_iter().collect();
    let mut is_changed = false;
    for (place, (claim, label)) in found.claims.iter_mut().zip(labels).enumerate() {
        if claim.support == *label {
            continue;
        }
        is_changed = true;
        let same = |by: &&Claim| by.text == claim.text && by.support == *label;
        if let Some(by) = by_judge.get(place).filter(same) {
            *claim = by.clone();
            continue;
        }
        claim.support = *label;
        claim.extraneous_tokens = extraneous(&claim.text, *label, &article_tokens);
        BY_PERSON.clone_into(&mut claim.note);
        claim.soft_support = None;
        claim.confidence = claim.confidence.map(|_| Confidence::High);
    }
    if !is_changed {
        return evidence;
    }
    evidence.totals.extraneous_tokens = if found.claims == by_judge {
        judged.totals.extraneous_tokens
    } else {
        extraneous_in_all(&found.claims).min(evidence.totals.summary_tokens)
    };
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::evidence::{HallucinationEvidence, Totals};

    fn claim(text: &str, support: Support, extraneous_tokens: usize) -> Claim {
        Claim {
            text: text.to_owned(),
            support,
            extraneous_tokens,
            note: "of the judge".to_owned(),
            in_summary: None,
            in_article: None,
            soft_support: Some(0.5),
            confidence: Some(Confidence::Low),
        }
    }

    fn judged() -> Evidence {
        let claims = vec![
            claim("The bridge is red.", Support::Unsupported, 4),
            claim("It is long.", Support::Supported, 0),
        ];
        Evidence {
            format: crate::summary::evidence::Format,
            coverage: None,
            alignment: None,
            hallucination: Some(HallucinationEvidence { claims, ..Default::default() }),
            relevance: None,
            bias_toxicity: None,
            // Another count than the sum of the claims: the judge's own stays the judge's.
            totals: Totals { summary_tokens: 7, extraneous_tokens: 5, article_sentences: 1 },
            findings: Vec::new(),
        }
    }

    #[test]
    fn a_corrected_label_takes_its_extraneous_tokens_along() {
        use Support::{Partial, Supported, Unsupported};
        let (article, judged) = ("The bridge is long.", judged());
        let all = correct(article, &judged, judged.clone(), &[Supported, Unsupported]);
        let claims = &all.hallucination.as_ref().unwrap().claims;
        assert_eq!((claims[0].support, claims[0].extraneous_tokens), (Supported, 0));
        assert_eq!((claims[1].support, claims[1].extraneous_tokens), (Unsupported, 3));
        assert_eq!(all.totals.extraneous_tokens, 3);
        assert_eq!(claims[0].note, BY_PERSON);
        assert_eq!((claims[0].soft_support, claims[0].confidence), (None, Some(Confidence::High)));
        let part = correct(article, &judged, judged.clone(), &[Partial]);
        // Of the four tokens only "red" is not in the article.
        assert_eq!(part.totals.extraneous_tokens, 1);
        assert_eq!(part.hallucination.unwrap().claims[1], claim("It is long.", Supported, 0));
    }

    #[test]
    fn what_is_corrected_back_is_the_judges_again() {
        use Support::{Supported, Unsupported};
        let judged = judged();
        let there = correct("A bridge.", &judged, judged.clone(), &[Supported, Supported]);
        assert_ne!(there, judged);
        assert_eq!(correct("A bridge.", &judged, there, &[Unsupported, Supported]), judged);
        assert_eq!(correct("A bridge.", &judged, judged.clone(), &[]), judged);
    }
}
