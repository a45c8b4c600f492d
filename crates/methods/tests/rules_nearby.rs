//! Which place of the article a word is held against, where the article has several.

use assize_methods::summary::labels::Support;
use assize_methods::summary::{SummaryPair, rules, twin_lock};

/// One thing rises and another falls, a second and a third of something, two days.
const ARTICLE: &str = "\
Sales in the Danish market rose by 12 percent in the second quarter. \
Sales in the Swedish shops fell by 3 percent over the same period. \
The third shop in Malmo was closed after a fire. \
The board of Brandt Foods met in Aarhus on Tuesday and approved a loan. \
Workers of the bakery will vote on the new contract on Friday.";

/// The worst label among the claims of a summary, and why.
fn worst(summary: &str) -> (Support, String) {
    let pair = SummaryPair::new(ARTICLE, summary).expect("both texts hold words");
    let evidence = rules::judge(&pair, &twin_lock::LIMITS);
    let claims = evidence.hallucination.expect("the judge looked at claims").claims;
    let rank = |support: Support| match support {
        Support::Unsupported => 2,
        Support::Partial => 1,
        Support::Supported => 0,
    };
    let worst = claims.into_iter().max_by_key(|claim| rank(claim.support));
    let worst = worst.expect("a claim");
    (worst.support, worst.note)
}

fn assert_unsupported(summary: &str, why: &str) {
    let (support, note) = worst(summary);
    assert_eq!(support, Support::Unsupported, "{summary}: {note}");
    assert!(note.contains(why), "{summary}: {note}");
}

fn assert_not_denied(summary: &str) {
    let (support, note) = worst(summary);
    assert_ne!(support, Support::Unsupported, "{summary}: {note}");
}

/// The article has `fell` as well, in the sentence after: it speaks of other sales.
#[test]
fn an_opposite_is_noticed_where_the_article_has_both_words() {
    let why = "the article says the opposite of: fell";
    assert_unsupported("12 percent went when in the second quarter the Danish market fell.", why);
    assert_not_denied("12 percent came when in the second quarter the Danish market rose.");
    assert_not_denied("12 percent came when in the second quarter the Danish market grew.");
}

#[test]
fn another_word_of_a_kind_is_noticed_where_the_article_has_both_words() {
    let why = "the article has another in the place of: third";
    assert_unsupported("In the third quarter the Danish market rose, by 12 percent in sales.", why);
    let why = "the article has another in the place of: Friday";
    assert_unsupported("In Aarhus on Friday the board of Brandt Foods approved a loan.", why);
    assert_not_denied("In Aarhus on Tuesday the board of Brandt Foods approved a loan.");
}

/// Two words around it do not tell which place is meant.
#[test]
fn without_enough_words_around_it_nothing_is_held_against_a_word() {
    assert_not_denied("Swedish shops rose.");
    assert_not_denied("The board met, and Friday is the day for the bakery.");
}

#[test]
fn giving_is_not_the_opposite_of_getting() {
    let article = "Lena Moser gave the museum in Graz a painting of the old harbour on Sunday.";
    let summary = "The museum in Graz received a painting of the old harbour on Sunday.";
    let pair = SummaryPair::new(article, summary).expect("both texts hold words");
    let evidence = rules::judge(&pair, &twin_lock::LIMITS);
    let claims = evidence.hallucination.expect("the judge looked at claims").claims;
    assert!(claims.iter().all(|claim| claim.support != Support::Unsupported), "{claims:?}");
}

#[test]
fn only_limits_what_the_article_leaves_open() {
    let why = "the article does not limit this: only";
    assert_unsupported("The board of Brandt Foods approved only a loan in Aarhus.", why);
    assert_not_denied("The board of Brandt Foods approved a loan in Aarhus.");
    assert_not_denied("The loan was the only thing the board of Brandt Foods approved in Aarhus.");
}
