//! Two planted claims, one true and one false: whoever gets them wrong is not heard.

use std::collections::BTreeSet;

use assize_text::tokens::alnum_tokens;

use crate::summary::asks::Labels;
use crate::summary::evidence::Evidence;
use crate::summary::labels::Support;

/// How many claims are planted.
pub(crate) const PLANTED: usize = 2;

/// Claims about things that exist nowhere. The first one counts of whose telling words the
/// article has none.
const FALSE_CLAIMS: [(&str, [&str; 3]); 4] = [
    (
        "The Orvandel Institute withdrew its licence for the Keskin process in 1987.",
        ["orvandel", "keskin", "licence"],
    ),
    (
        "Professor Ilsabet Morrow lost the appeal over the Tannery Road bakery.",
        ["ilsabet", "morrow", "bakery"],
    ),
    (
        "The Quillon archive sold eleven lighthouses to a buyer from Straum.",
        ["quillon", "lighthouses", "straum"],
    ),
    (
        "Nine violinists of the Berrick quintet resigned over a missing piano.",
        ["violinists", "berrick", "piano"],
    ),
];

/// A true claim and a false one: the weightiest sentence of the article, and something of
/// which it has no word.
pub fn plant(article: &str, by_rules: &Evidence) -> Vec<String> {
    let points = by_rules.coverage.as_ref().map_or(&[][..], |coverage| &coverage.key_points);
    let truth = points.iter().map(|point| point.text.as_str()).max_by_key(|text| {
        // A sentence of middling length is the easiest to check.
        let tokens = alnum_tokens(text).len();
        if tokens <= 30 { tokens } else { 0 }
    });
    let words: BTreeSet<String> = alnum_tokens(article).into_iter().collect();
    let is_foreign = |telling: &[&str; 3]| telling.iter().all(|word| !words.contains(*word));
    let falsehood = FALSE_CLAIMS.iter().find(|(_, telling)| is_foreign(telling));
    let falsehood = falsehood.unwrap_or(&FALSE_CLAIMS[0]).0;
    vec![truth.unwrap_or(article).trim().to_owned(), falsehood.to_owned()]
}

/// Takes the planted claims off a ballot; says what was wrong with their labels, if anything.
pub fn check(labels: &mut Labels) -> Option<&'static str> {
    let own = labels.claims.len().saturating_sub(PLANTED);
    let planted = labels.claims.split_off(own);
    match planted.iter().map(|said| said.label).collect::<Vec<_>>()[..] {
        [Support::Supported, Support::Unsupported] => None,
        [_, Support::Supported | Support::Partial] => Some("it believed a planted falsehood"),
        [Support::Partial | Support::Unsupported, _] => Some("it denied a planted truth"),
        _ => Some("it did not label the planted claims"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::asks::Label;
    use crate::summary::labels::Tone;
    use crate::summary::{SummaryPair, judge_lock, rules};

    fn labels(claims: &[Support]) -> Labels {
        let claims = claims.iter().map(|label| Label { label: *label, quote: None }).collect();
        Labels {
            key_points: Vec::new(),
            claims,
            article_answers: Vec::new(),
            claim_answers: Vec::new(),
            deviations: Vec::new(),
            tone: Tone::Neutral,
            issues: Vec::new(),
        }
    }

    #[test]
    fn only_both_right_is_heard_and_the_planted_claims_are_taken_off() {
        use Support::{Partial, Supported, Unsupported};
        for (planted, heard) in [
            ([Supported, Unsupported], true),
            ([Supported, Partial], false),
            ([Supported, Supported], false),
            ([Partial, Unsupported], false),
            ([Unsupported, Unsupported], false),
        ] {
            let mut ballot = labels(&[Partial, planted[0], planted[1]]);
            assert_eq!(check(&mut ballot).is_none(), heard, "{planted:?}");
            assert_eq!(ballot.claims.len(), 1);
        }
        assert!(check(&mut labels(&[Supported])).is_some());
    }

    #[test]
    fn the_falsehood_shares_no_telling_word_with_the_article() {
        let article = "The Keskin process is old. It was licensed to a mill in the valley.";
        let pair = SummaryPair::new(article, "The process is old.").unwrap();
        let by_rules = rules::judge(&pair, &judge_lock::LIMITS);
        let planted = plant(article, &by_rules);
        assert!(article.contains(&planted[0]));
        assert!(planted[1].starts_with("Professor Ilsabet"), "{planted:?}");
    }
}
