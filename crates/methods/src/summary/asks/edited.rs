//! Evidence that a person edited in a file: what follows from a label follows again, and words
//! that their source does not hold have no place in it.

use assize_text::tokens::{alnum_tokens, count_alnum_tokens};

use super::assemble::extraneous;
use super::claims::extraneous_in_all;
use super::locate::Sources;
use crate::summary::evidence::{Evidence, Quote};
use crate::summary::input::SummaryPair;
use crate::summary::labels::Support;

/// The labels of the claims, in their order.
pub fn labels(evidence: &Evidence) -> Vec<Support> {
    let claims = evidence.hallucination.iter().flat_map(|found| &found.claims);
    claims.map(|claim| claim.support).collect()
}

/// Counts again what follows from labels that differ from those before: a supported claim has no
/// extraneous tokens, an unsupported one nothing else, and the total follows from the claims. How
/// many a partly supported claim has is known only with the article; without it the number stays.
/// Evidence with the labels of before stays as it is, to the bit.
pub fn follow(mut evidence: Evidence, before: &[Support], article: Option<&str>) -> Evidence {
    let Some(found) = &mut evidence.hallucination else { return evidence };
    if found.claims.len() != before.len() {
        return evidence;
    }
    let article = article.map(|article| alnum_tokens(article).into_iter().collect());
    let mut is_changed = false;
    for (claim, _) in found.claims.iter_mut().zip(before).filter(|(now, was)| now.support != **was)
    {
        is_changed = true;
        claim.extraneous_tokens = match (claim.support, &article) {
            (Support::Supported, _) => 0,
            (Support::Unsupported, _) => count_alnum_tokens(&claim.text),
            (Support::Partial, Some(article)) => extraneous(&claim.text, claim.support, article),
            (Support::Partial, None) => claim.extraneous_tokens,
        };
        claim.soft_support = None;
    }
    if is_changed {
        evidence.totals.extraneous_tokens =
            extraneous_in_all(&found.claims).min(evidence.totals.summary_tokens);
    }
    evidence
}

/// Looks up every quote that was not there before: one that its source does not hold loses its
/// place, which is a finding when the evidence is counted.
pub fn locate(mut evidence: Evidence, before: &Evidence, pair: &SummaryPair<'_>) -> Evidence {
    let mut known = before.clone();
    let known: Vec<(Side, Quote)> =
        quotes(&mut known).into_iter().map(|(side, quote)| (side, quote.clone())).collect();
    let sources = Sources::of(pair);
    for (side, quote) in quotes(&mut evidence) {
        if known.iter().any(|(of, one)| *of == side && one == quote) {
            continue;
        }
        let words = Some(quote.text.as_str());
        let found = match side {
            Side::Article => sources.in_article(words),
            Side::Summary => sources.in_summary(words),
        };
        if let Some(found) = found {
            *quote = found;
        }
    }
    evidence
}

/// Which of the two texts a quote is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Article,
    Summary,
}

fn quotes(evidence: &mut Evidence) -> Vec<(Side, &mut Quote)> {
    let mut article: Vec<&mut Option<Quote>> = Vec::new();
    let mut summary: Vec<&mut Option<Quote>> = Vec::new();
    let mut all: Vec<(Side, &mut Quote)> = Vec::new();
    let mut questions = Vec::new();
    if let Some(found) = &mut evidence.coverage {
        for point in &mut found.key_points {
            article.push(&mut point.in_article);
            summary.push(&mut point.in_summary);
        }
        questions.extend(&mut found.questions);
    }
    if let Some(found) = &mut evidence.alignment {
        for deviation in &mut found.deviations {
            article.push(&mut deviation.in_article);
            summary.push(&mut deviation.in_summary);
        }
    }
    if let Some(found) = &mut evidence.hallucination {
        for claim in &mut found.claims {
            article.push(&mut claim.in_article);
            summary.push(&mut claim.in_summary);
        }
        questions.extend(&mut found.questions);
    }
    for question in questions {
        article.push(&mut question.in_article);
        summary.push(&mut question.in_summary);
    }
    for segment in evidence.relevance.iter_mut().flat_map(|found| &mut found.segments) {
        article.push(&mut segment.in_article);
        all.push((Side::Summary, &mut segment.in_summary));
    }
    for issue in evidence.bias_toxicity.iter_mut().flat_map(|found| &mut found.issues) {
        article.push(&mut issue.in_article);
        all.push((Side::Summary, &mut issue.in_summary));
    }
    all.extend(article.into_iter().flatten().map(|quote| (Side::Article, quote)));
    all.extend(summary.into_iter().flatten().map(|quote| (Side::Summary, quote)));
    all
}

#[cfg(test)]
mod tests {
    use assize_text::Span;

    use super::*;
    use crate::summary::evidence::{Claim, Format, HallucinationEvidence, Totals};

    fn claim(text: &str, support: Support, extraneous_tokens: usize) -> Claim {
        Claim {
            text: text.to_owned(),
            support,
            extraneous_tokens,
            note: String::new(),
            in_summary: None,
            in_article: Some(Quote::at("bridge", Span::new(2, 8))),
            soft_support: Some(0.5),
            confidence: None,
        }
    }

    fn judged() -> Evidence {
        let claims = vec![
            // The rules found support for three of its words.
            claim("The bridge is red.", Support::Unsupported, 1),
            claim("It is long.", Support::Supported, 0),
        ];
        Evidence {
            format: Format,
            coverage: None,
            alignment: None,
            hallucination: Some(HallucinationEvidence { claims, ..Default::default() }),
            relevance: None,
            bias_toxicity: None,
            // One more outside the claims.
            totals: Totals { summary_tokens: 7, extraneous_tokens: 2, article_sentences: 1 },
            findings: Vec::new(),
        }
    }

    fn edited(labels: [Support; 2]) -> Evidence {
        let mut evidence = judged();
        let claims = &mut evidence.hallucination.as_mut().unwrap().claims;
        claims[0].support = labels[0];
        claims[1].support = labels[1];
        evidence
    }

    #[test]
    fn extraneous_tokens_follow_from_edited_labels() {
        use Support::{Partial, Supported, Unsupported};
        let before = labels(&judged());
        let count = |labels, article| {
            let found = follow(edited(labels), &before, article);
            let claims = found.hallucination.unwrap().claims;
            ([0, 1].map(|at: usize| claims[at].extraneous_tokens), found.totals.extraneous_tokens)
        };
        assert_eq!(count([Supported, Supported], None), ([0, 0], 0));
        assert_eq!(count([Unsupported, Unsupported], None), ([1, 3], 4));
        assert_eq!(count([Partial, Supported], None), ([1, 0], 1));
        assert_eq!(count([Partial, Supported], Some("A bridge")), ([3, 0], 3));
    }

    #[test]
    fn labels_as_they_were_leave_everything_as_it_was() {
        let judged = judged();
        assert_eq!(follow(judged.clone(), &labels(&judged), Some("A bridge.")), judged);
        // Claims that were added or removed are the editor's to count.
        assert_eq!(follow(judged.clone(), &[], None), judged);
    }

    #[test]
    fn an_edited_quote_that_is_not_in_the_article_has_no_place() {
        let pair = SummaryPair::new("A bridge was built.", "The bridge is red.").unwrap();
        let before = judged();
        let quoted = |words: &str| {
            let mut evidence = judged();
            let claims = &mut evidence.hallucination.as_mut().unwrap().claims;
            claims[0].in_article = Some(Quote::at(words, Span::new(0, 5)));
            locate(evidence, &before, &pair).hallucination.unwrap().claims.remove(0).in_article
        };
        assert_eq!(quoted("It is red."), Some(Quote::not_found("It is red.")));
        assert_eq!(quoted("was built"), Some(Quote::at("was built", Span::new(9, 18))));
        assert_eq!(locate(judged(), &before, &pair), before);
    }
}
