//! What the rule judge says about small articles written for the purpose.

use assize_methods::summary::evidence::{Claim, Evidence, OverlapWith};
use assize_methods::summary::labels::{Answer, Coverage, DeviationKind, IssueKind, Support, Tone};
use assize_methods::summary::{SummaryPair, judge_lock, rules, twin_lock};

const ARTICLE: &str = "\
The city council of Marlow voted on Tuesday to close the old bridge over the Thames. \
Engineers had found 14 cracks in its western tower. \
Mayor Ruth Abbott said the repair would cost £3.2 million and take two years. \
Shop owners in Bourne End, led by Peter Hall, opposed the plan. \
They fear that customers will not come to the high street without the bridge. \
The council will pay for a free bus from June. \
Traffic fell by a third when the bridge was closed for a week in 2016. \
A new bridge was ruled out because it would cost too much.";

fn judge(summary: &str) -> Evidence {
    let pair = SummaryPair::new(ARTICLE, summary).expect("both texts hold words");
    rules::judge(&pair, &judge_lock::LIMITS)
}

fn claims(evidence: &Evidence) -> &[Claim] {
    &evidence.hallucination.as_ref().expect("the judge looked at claims").claims
}

/// The label of the only statement of a summary as a whole, and why it is no better.
fn only(summary: &str) -> (Support, String) {
    let evidence = judge(summary);
    let [whole, facts @ ..] = claims(&evidence) else { panic!("a claim in: {summary}") };
    assert_eq!(whole.text, summary, "the whole statement comes before its facts");
    let is_within =
        |fact: &Claim| fact.in_summary.as_ref().is_some_and(|quote| summary.contains(&quote.text));
    assert!(facts.iter().all(is_within));
    (whole.support, whole.note.clone())
}

#[test]
fn a_fact_is_quoted_from_the_sentence_that_has_it() {
    let evidence = judge(
        "Marlow chose on Tuesday to shut its old bridge over the Thames, and runs a free bus from June.",
    );
    let facts = &claims(&evidence)[1..];
    let about_the_bus = |fact: &&Claim| fact.text.contains("bus") || fact.text.contains("June");
    let fact = facts.iter().find(about_the_bus).unwrap_or_else(|| panic!("{facts:?}"));
    let quote = fact.in_article.as_ref().expect("a fact with a quote");
    assert_eq!(quote.text, "The council will pay for a free bus from June.");
    let statement = claims(&evidence)[0].in_article.as_ref().expect("the nearest sentence");
    assert!(statement.text.starts_with("The city council of Marlow voted"), "{}", statement.text);
}

#[test]
fn a_copied_sentence_is_supported_and_quoted_with_its_place() {
    let evidence = judge("Engineers had found 14 cracks in its western tower.");
    let claim = &claims(&evidence)[0];
    assert_eq!((claim.support, claim.extraneous_tokens), (Support::Supported, 0));
    let quote = claim.in_article.as_ref().expect("a nearest sentence");
    assert_eq!(quote.text, "Engineers had found 14 cracks in its western tower.");
    assert_eq!(quote.span.expect("a place").cut(ARTICLE), Some(quote.text.as_str()));
    assert_eq!(claim.soft_support, Some(1.0));
}

#[test]
fn other_forms_of_the_same_words_and_numbers_are_supported() {
    let (support, note) = only("Engineers had found fourteen cracks in its western towers.");
    assert_eq!(support, Support::Supported, "{note}");
}

#[test]
fn words_from_several_sentences_are_partly_supported() {
    let (support, _) = only("Shop owners opposed the closing of the bridge in Marlow");
    assert_eq!(support, Support::Partial);
}

#[test]
fn another_number_is_a_contradiction() {
    let (support, note) = only("Engineers had found 19 cracks in its western tower.");
    assert_eq!(support, Support::Unsupported);
    assert_eq!(note, "the article gives another number here");
}

#[test]
fn a_denial_that_only_one_of_the_two_has_is_a_contradiction() {
    for summary in [
        "Engineers had not found 14 cracks in its western tower.",
        "They fear that customers will come to the high street without the bridge.",
    ] {
        let (support, note) = only(summary);
        assert_eq!(support, Support::Unsupported, "{summary}");
        assert_eq!(note, "one of the two denies what the other says", "{summary}");
    }
}

#[test]
fn another_name_in_the_same_place_is_a_contradiction() {
    let (support, note) = only("Mayor Peter Hall said the repair would cost £3.2 million.");
    assert_eq!(support, Support::Unsupported);
    assert_eq!(note, "the article gives another name here");
}

#[test]
fn a_part_of_the_same_name_is_no_contradiction() {
    let (support, note) = only("Mayor Ruth said the repair would cost £3.2 million.");
    assert_ne!(support, Support::Unsupported, "{note}");
}

#[test]
fn an_opposite_word_is_a_contradiction() {
    let (support, note) =
        only("The city council of Marlow voted on Tuesday to open the old bridge over the Thames.");
    assert_eq!(support, Support::Unsupported);
    assert_eq!(note, "the article says the opposite here");
}

#[test]
fn what_the_article_never_mentions_is_unsupported_and_named() {
    let (support, note) = only("The singer Maria Voss released 12 albums in Berlin.");
    assert_eq!(support, Support::Unsupported);
    assert_eq!(note, "not in the article: Maria, Voss, 12, Berlin");
}

#[test]
fn every_token_of_an_unsupported_claim_is_extraneous() {
    let evidence = judge("The singer Maria Voss released twelve albums in Berlin.");
    assert_eq!(evidence.totals.summary_tokens, 9);
    assert_eq!(evidence.totals.extraneous_tokens, 9);
}

#[test]
fn a_call_to_the_reader_is_no_claim() {
    let evidence = judge(
        "The council will pay for a free bus from June. Click here for all the latest news. \
         A new bridge was ruled out.",
    );
    let wholes = ["The council will pay for a free bus from June.", "A new bridge was ruled out."];
    let texts: Vec<&str> = claims(&evidence).iter().map(|claim| claim.text.as_str()).collect();
    assert!(wholes.iter().all(|whole| texts.contains(whole)), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("Click")), "{texts:?}");
}

#[test]
fn a_paraphrase_that_nothing_denies_is_supported_with_low_confidence() {
    let evidence =
        judge("The council voted to shut the old bridge after engineers discovered 14 cracks.");
    let facts = &claims(&evidence)[1..];
    assert!(facts.iter().all(|fact| fact.support == Support::Supported), "{facts:?}");
    let found = evidence.hallucination.as_ref().expect("the judge looked at claims");
    assert!(found.decided() < Some(found.claims.len()));
}

#[test]
fn who_did_what_to_whom_is_checked() {
    let article = "Vera Lund beat Carla Meyer in three sets. Rain delayed the match twice.";
    let label = |summary: &str| {
        let pair = SummaryPair::new(article, summary).expect("both texts hold words");
        let evidence = rules::judge(&pair, &twin_lock::LIMITS);
        (claims(&evidence)[0].support, claims(&evidence)[0].note.clone())
    };
    let (support, note) = label("Carla Meyer beat Vera Lund in three sets.");
    assert_eq!(support, Support::Unsupported, "{note}");
    let (support, note) = label("Carla Meyer was beaten by Vera Lund in three sets.");
    assert_ne!(support, Support::Unsupported, "{note}");
}

#[test]
fn a_key_point_that_the_summary_contradicts_is_not_covered() {
    let evidence = judge("Engineers had not found 14 cracks in its western tower.");
    let coverage = evidence.coverage.expect("the judge looked at coverage");
    let point = coverage.key_points.iter().find(|point| point.text.starts_with("Engineers"));
    assert!(point.is_none_or(|point| point.coverage == Coverage::Not));
}

#[test]
fn the_sentences_of_the_article_are_key_points_and_those_said_are_covered() {
    let evidence = judge("Engineers had found 14 cracks in its western tower.");
    let coverage = evidence.coverage.expect("the judge looked at coverage");
    assert!((4..=7).contains(&coverage.key_points.len()));
    for point in &coverage.key_points {
        let is_said = point.text.starts_with("Engineers");
        assert_eq!(point.coverage == Coverage::Fully, is_said, "{}", point.text);
        assert!(ARTICLE.contains(&point.text) && point.tokens >= 6);
    }
}

#[test]
fn a_contradiction_is_a_deviation_in_meaning() {
    let evidence = judge("Engineers had not found 14 cracks in its western tower.");
    let deviations = evidence.alignment.expect("the judge looked at alignment").deviations;
    assert!(deviations.iter().any(|deviation| deviation.kind == DeviationKind::Meaning));
}

#[test]
fn a_summary_of_something_else_loses_the_focus() {
    let evidence = judge("Bananas ripen faster beside apples.");
    let deviations = evidence.alignment.expect("the judge looked at alignment").deviations;
    assert!(deviations.iter().any(|deviation| deviation.kind == DeviationKind::Focus));
}

#[test]
fn swearing_counts_unless_the_article_swears_too() {
    let own = judge("The damn council closed the bridge.").bias_toxicity.expect("wording");
    assert_eq!(own.issues[0].kind, IssueKind::MildProfanity);
    assert!(own.issues[0].is_asserted());
    assert_eq!(own.tone, Tone::Subjective);

    let article = "“This damn bridge is falling down,” said the mayor of the town on Monday.";
    let pair = SummaryPair::new(article, "The mayor spoke of a damn bridge.").unwrap();
    let quoted = rules::judge(&pair, &twin_lock::LIMITS).bias_toxicity.expect("wording");
    assert!(!quoted.issues[0].is_asserted());
    assert_eq!(quoted.tone, Tone::Neutral);
}

#[test]
fn plain_words_are_neutral() {
    let wording = judge("The council voted to close the bridge.").bias_toxicity.expect("wording");
    assert_eq!(wording.tone, Tone::Neutral);
    assert!(wording.issues.is_empty());
}

#[test]
fn six_questions_are_asked_and_a_copy_of_the_article_answers_them() {
    let evidence = judge(ARTICLE);
    let coverage = evidence.coverage.expect("the judge looked at coverage");
    assert_eq!(coverage.questions.len(), 6);
    for question in &coverage.questions {
        assert!(question.question.contains("____"), "{}", question.question);
        assert_eq!(question.answer, Answer::Correct, "{}", question.question);
    }
    let about_claims = evidence.hallucination.expect("the judge looked at claims").questions;
    assert_eq!(about_claims.len(), 6);
    assert!(about_claims.iter().all(|question| question.answer == Answer::Correct));
}

#[test]
fn a_summary_that_leaves_a_fact_out_cannot_answer_for_it() {
    let evidence = judge("The council will pay for a free bus from June.");
    let coverage = evidence.coverage.expect("the judge looked at coverage");
    let open = coverage.questions.iter().filter(|question| question.answer == Answer::Unanswered);
    assert!(open.count() >= 4);
    assert!(coverage.questions.iter().all(|question| question.answer != Answer::Wrong));
}

/// The article has 8 distinct tokens, the summary 6, and they share those 6.
#[test]
fn overlap_is_with_the_best_sentence_or_to_the_letter_with_the_whole_article() {
    let article = "Rain fell on the old town. Snow came.";
    let pair = SummaryPair::new(article, "Rain fell on the old town.").unwrap();
    let overlap = |overlap_with| {
        let evidence = rules::judge_with(&pair, &twin_lock::LIMITS, overlap_with);
        evidence.relevance.expect("the judge looked at relevance").segments[0].overlap
    };
    assert_eq!(overlap(OverlapWith::BestSentence), 1.0);
    assert_eq!(overlap(OverlapWith::WholeArticle), 6.0 / 8.0);
}
