//! Summary tokens that nothing in the article supports.

use assize_text::tokens::for_each_alnum_token;

use super::claims::{LabelledClaim, LabelledStatement};
use super::judge::Case;
use super::reading::Sentence;
use crate::summary::labels::Support;

/// The extraneous tokens of a fact: all of an unsupported one; of a partly supported one
/// those whose content the article lacks; none of a supported one.
pub(super) fn of_fact(case: &Case, fact: &LabelledClaim) -> usize {
    match fact.ruling.support {
        Support::Supported => 0,
        Support::Partial => of_stretch(case, fact.claim),
        Support::Unsupported => {
            let mut count = 0;
            for_each_alnum_token(case.summary.text_of(fact.claim), |_| count += 1);
            count
        }
    }
}

/// The extraneous tokens of a statement: those of its facts.
pub(super) fn of_statement(case: &Case, labelled: &LabelledStatement) -> usize {
    labelled.facts.iter().map(|fact| of_fact(case, fact)).sum()
}

/// The extraneous tokens of the whole summary, in and outside its statements.
pub(super) fn of_summary(case: &Case, labelled: &[LabelledStatement]) -> usize {
    let in_statements: usize = labelled.iter().map(|one| of_statement(case, one)).sum();
    let is_stated = |sentence: &&Sentence| {
        let starts = |one: &LabelledStatement| one.whole.claim.words.start;
        labelled.binary_search_by_key(&sentence.words.start, starts).is_ok()
    };
    let elsewhere = case.summary.sentences.iter().filter(|sentence| !is_stated(sentence));
    in_statements + elsewhere.map(|sentence| of_stretch(case, sentence)).sum::<usize>()
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
