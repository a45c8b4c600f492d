//! Summary tokens that nothing in the article supports.

use assize_text::tokens::for_each_alnum_token;

use super::judge::{Case, Judged};
use super::reading::Sentence;
use crate::summary::labels::Support;

/// The extraneous tokens of a claim: all of an unsupported one; of a partly supported one
/// those whose content its evidence lacks; none of a supported one.
pub(super) fn of_claim(case: &Case, judged: &Judged) -> usize {
    match judged.assessment.support {
        Support::Supported => 0,
        Support::Partial => of_stretch(case, &judged.claim),
        Support::Unsupported => {
            let mut count = 0;
            for_each_alnum_token(case.summary.text_of(&judged.claim), |_| count += 1);
            count
        }
    }
}

/// The extraneous tokens of the whole summary, in and outside its claims.
pub(super) fn of_summary(case: &Case, judged: &[Judged]) -> usize {
    let in_claims: usize = judged.iter().map(|judged| of_claim(case, judged)).sum();
    let is_claimed = |sentence: &&Sentence| {
        judged.iter().any(|judged| {
            let claim = &judged.claim.words;
            claim.start >= sentence.words.start && claim.end <= sentence.words.end
        })
    };
    let elsewhere = case.summary.sentences.iter().filter(|sentence| !is_claimed(sentence));
    in_claims + elsewhere.map(|sentence| of_stretch(case, sentence)).sum::<usize>()
}

/// Tokens whose content stands nowhere in the article.
fn of_stretch(case: &Case, stretch: &Sentence) -> usize {
    let mut count = 0;
    for_each_alnum_token(case.summary.text_of(stretch), |token| {
        let is_foreign = case
            .vocabulary
            .known(token)
            .is_some_and(|stem| case.vocabulary.is_content(stem) && !case.index.holds(stem));
        count += usize::from(is_foreign);
    });
    count
}
