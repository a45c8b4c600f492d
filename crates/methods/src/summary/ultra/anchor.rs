//! The rule judge on a panel: it labels the same lists as everybody else.
//!
//! It sees a claim as a summary of the article, and a key point as an article that the
//! summary may cover. Answers are compared word by word.

use assize_text::overlap::TokenBag;

use crate::summary::asks::labelling::{Quoted, Remark, Wording};
use crate::summary::asks::{Asked, Frozen, Given, Label, Labels};
use crate::summary::evidence::Evidence;
use crate::summary::input::SummaryPair;
use crate::summary::judge_lock;
use crate::summary::labels::{Answer, Coverage, Support, Tone};
use crate::summary::rules;

/// Answers with so many words in common are the same.
const CORRECT_FROM: f64 = 0.8;

/// Answers with so many words in common are the same in part.
const PARTIAL_FROM: f64 = 0.4;

/// What the rules say about everything that was listed, and about the planted claims.
pub fn labels(
    pair: &SummaryPair<'_>,
    by_rules: &Evidence,
    frozen: &Frozen,
    planted: &[String],
) -> Labels {
    let Frozen { article, summary, article_answers } = frozen;
    let points = article.key_points.iter().map(|point| coverage(&point.text, pair.summary()));
    let claims = summary.claims.iter().map(|claim| claim.text.as_str());
    let claims = claims.chain(planted.iter().map(String::as_str));
    let deviations = by_rules.alignment.iter().flat_map(|alignment| &alignment.deviations);
    let wording = by_rules.bias_toxicity.as_ref();
    Labels {
        key_points: points.collect(),
        claims: claims.map(|claim| support(claim, pair.article())).collect(),
        article_answers: compare_all(&article.questions, &summary.answers),
        claim_answers: compare_all(&summary.questions, article_answers),
        deviations: deviations
            .map(|deviation| Quoted {
                what: Remark {
                    kind: deviation.kind,
                    drift: deviation.drift,
                    note: deviation.note.clone(),
                },
                quote: deviation.in_summary.as_ref().map(|quote| quote.text.clone()),
            })
            .collect(),
        tone: wording.map_or(Tone::Unclear, |wording| wording.tone),
        issues: wording
            .iter()
            .flat_map(|wording| &wording.issues)
            .map(|issue| Quoted {
                what: Wording { kind: issue.kind },
                quote: Some(issue.in_summary.text.clone()),
            })
            .collect(),
    }
}

fn coverage(point: &str, summary: &str) -> Label<Coverage> {
    let nothing = Label { label: Coverage::Not, quote: None };
    let Ok(pair) = SummaryPair::new(point, summary) else { return nothing };
    let evidence = rules::judge(&pair, &judge_lock::LIMITS);
    let Some(coverage) = evidence.coverage else { return nothing };
    // A point in two sentences is covered as well as the worse of them.
    let worst = coverage.key_points.into_iter().min_by_key(|point| point.coverage);
    worst.map_or(nothing, |point| Label {
        label: point.coverage,
        quote: point.in_summary.map(|quote| quote.text),
    })
}

fn support(claim: &str, article: &str) -> Label<Support> {
    let nothing = Label { label: Support::Unsupported, quote: None };
    let Ok(pair) = SummaryPair::new(article, claim) else { return nothing };
    let evidence = rules::judge(&pair, &judge_lock::LIMITS);
    let Some(hallucination) = evidence.hallucination else { return nothing };
    let worst = hallucination.claims.into_iter().min_by_key(|claim| claim.support);
    worst.map_or(nothing, |claim| Label {
        label: claim.support,
        quote: claim.in_article.map(|quote| quote.text),
    })
}

fn compare_all(asked: &[Asked], given: &[Given]) -> Vec<Answer> {
    let given = given.iter().map(|given| given.answer.as_deref());
    asked.iter().zip(given).map(|(asked, given)| compare(&asked.answer, given)).collect()
}

/// How two answers compare, word by word.
fn compare(expected: &str, given: Option<&str>) -> Answer {
    let Some(given) = given else { return Answer::Wrong };
    let alike = TokenBag::of(expected).as_bags(&TokenBag::of(given)).f1();
    if alike >= CORRECT_FROM {
        Answer::Correct
    } else if alike >= PARTIAL_FROM {
        Answer::Partial
    } else {
        Answer::Wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "14 to 6" and "by 14 votes to 6": three words in common of three and five, f1 = 6/8.
    #[test]
    fn answers_are_compared_word_by_word() {
        assert_eq!(compare("14 votes to 6", Some("14 votes to 6")), Answer::Correct);
        assert_eq!(compare("14 to 6", Some("by 14 votes to 6")), Answer::Partial);
        assert_eq!(compare("14 to 6", Some("unanimously")), Answer::Wrong);
        assert_eq!(compare("14 to 6", None), Answer::Wrong);
    }

    #[test]
    fn a_sentence_of_the_article_is_supported_and_a_foreign_one_is_not() {
        let article = "The bridge opened in 1932. It cost nine million pounds. It is grey.";
        assert_eq!(support("The bridge opened in 1932.", article).label, Support::Supported);
        let foreign = "Nine violinists of the Berrick quintet resigned over a missing piano.";
        assert_eq!(support(foreign, article).label, Support::Unsupported);
        assert_eq!(
            coverage("The bridge opened in 1932.", "It opened in 1932, the bridge.").label,
            Coverage::Fully
        );
    }
}
