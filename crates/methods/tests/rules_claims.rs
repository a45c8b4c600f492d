//! What counts as a claim: predications, compared by what they mean and counted once.

use assize_methods::summary::evidence::{Claim, Evidence};
use assize_methods::summary::labels::{Confidence, Support};
use assize_methods::summary::{SummaryPair, rules, twin_lock};
use assize_readers::ScriptedReader;

const ARTICLE: &str = include_str!("../../../examples/summary/article.txt");

const BARRIER: &str = "The council of Lindhaven voted on Tuesday to build a tidal barrier across \
    the mouth of the Vale estuary. The barrier will be 310 metres long and is expected to cost 86 \
    million crowns. Mayor Ilse Brandt called the vote a promise kept. Work is to begin in March.";

fn judge(article: &str, summary: &str) -> Evidence {
    let pair = SummaryPair::new(article, summary).expect("both texts have words");
    rules::judge(&pair, &twin_lock::LIMITS)
}

fn claims(article: &str, summary: &str) -> Vec<Claim> {
    judge(article, summary).hallucination.expect("the judge looked at claims").claims
}

fn unsupported(claims: &[Claim]) -> Vec<&str> {
    let is_denied = |claim: &&Claim| claim.support == Support::Unsupported;
    claims.iter().filter(is_denied).map(|claim| claim.text.as_str()).collect()
}

#[test]
fn a_month_may_be_abbreviated() {
    let article = "The bridge at Mill Lane was opened on 15 Jan 2019. It is painted grey.";
    let found = claims(article, "The bridge at Mill Lane was opened on 15 January 2019.");
    assert!(unsupported(&found).is_empty(), "{found:?}");
    let other = claims(article, "The bridge at Mill Lane was opened on 15 February 2019.");
    assert!(!unsupported(&other).is_empty(), "{other:?}");
}

#[test]
fn digits_may_be_grouped_by_low_lines() {
    let found = claims(BARRIER, "The barrier is expected to cost 86_000_000 crowns.");
    assert!(unsupported(&found).is_empty(), "{found:?}");
}

#[test]
fn a_word_with_hyphens_is_not_cut() {
    let article = "Home is a horror film that was made for television. It was shot in Leeds.";
    let found =
        claims(article, "Home is a made-for-television horror film that was shot in Leeds.");
    for claim in &found {
        let text = &claim.text;
        assert!(!text.ends_with("made") && !text.starts_with("for-"), "{text}");
        assert!(text.contains("is a made-for-television"), "{text}");
    }
}

#[test]
fn every_claim_has_a_subject_and_a_verb() {
    let article = "A man died in a fire at a house in Largs on Friday. Police named him.";
    let found = claims(article, "A man died in a house fire in Largs on Friday.");
    assert!(found.len() > 1, "{found:?}");
    for claim in &found {
        assert!(claim.text.starts_with("A man died"), "{}", claim.text);
    }
}

/// Two facts, of which one has a wrong number: f = 1 of 2 claims or less, never the sentence too.
#[test]
fn one_error_is_counted_once() {
    let summary = "The barrier will be 310 metres long and is expected to cost 96 million crowns.";
    let found = claims(BARRIER, summary);
    assert_eq!(unsupported(&found).len(), 1, "{found:?}");
}

#[test]
fn a_small_count_in_words_is_not_an_invention() {
    let article = "Steve: Drinks at Kings on Friday? | Carly: Yes, see you there on Friday.";
    let found = claims(article, "Two friends, Steve and Carly, plan drinks at Kings on Friday.");
    assert!(unsupported(&found).is_empty(), "{found:?}");
}

#[test]
fn a_small_count_of_what_the_article_counts_otherwise_is_wrong() {
    let article = "The council voted to close the Mill Bridge for six months. Shops fear losses.";
    let found = claims(article, "The council will close the Mill Bridge for nine months.");
    assert_eq!(unsupported(&found).len(), 1, "{found:?}");
}

#[test]
fn an_invented_stereotype_is_unsupported() {
    let summary = "The council voted on Tuesday to build a tidal barrier, because women are too \
        emotional to decide.";
    let found = claims(ARTICLE, summary);
    let denied = unsupported(&found);
    assert!(denied.iter().any(|text| text.contains("emotional")), "{found:?}");
}

#[test]
fn relevance_of_a_faithful_short_summary_is_not_nothing() {
    let evidence =
        judge(ARTICLE, "The council voted to build a barrier. It costs 86 million crowns.");
    let scores = twin_lock::score::<f64>(&evidence).expect("all metrics are there");
    assert!(scores.relevance.overall.is_ok_and(|score| score >= 4.0), "{:?}", scores.relevance);
}

fn read(reader: &ScriptedReader, summary: &str) -> (Evidence, Claim) {
    let pair = SummaryPair::new(BARRIER, summary).expect("both texts have words");
    let evidence = rules::read_and_judge(reader, &pair, &twin_lock::LIMITS).expect("it reads");
    let claims = &evidence.hallucination.as_ref().expect("claims").claims;
    let claim = claims[0].clone();
    (evidence, claim)
}

const PARAPHRASE: &str = "Politicians have decided that flood gates shall be constructed.";

#[test]
fn what_a_reader_finds_stated_is_supported_and_shows_its_shares() {
    let reader = ScriptedReader::new().says("The council", "flood gates", [0.9, 0.08, 0.02]);
    let (evidence, claim) = read(&reader, PARAPHRASE);
    assert_eq!((claim.support, claim.confidence), (Support::Supported, Some(Confidence::High)));
    assert!(claim.note.contains("stated 0.90, open 0.08, denied 0.02"), "{}", claim.note);
    let quote = claim.in_article.expect("the sentence that states it");
    assert!(quote.text.starts_with("The council"), "{}", quote.text);
    assert_eq!(evidence.hallucination.expect("claims").read_by.len(), 1);
}

#[test]
fn what_a_reader_leaves_open_counts_in_part_only_if_something_is_about_it() {
    let reader = ScriptedReader::new();
    let about = "The council shall construct what holds the tidal estuary back.";
    let (_, claim) = read(&reader, about);
    assert_eq!((claim.support, claim.confidence), (Support::Partial, Some(Confidence::Low)));
    let (_, claim) = read(&reader, "Bananas ripen faster beside apples.");
    assert_eq!((claim.support, claim.confidence), (Support::Unsupported, Some(Confidence::Low)));
}

/// A number that the article lacks stays wrong, however sure the reader is.
#[test]
fn a_wrong_number_overrides_the_reader() {
    let reader = ScriptedReader::new().says("", "", [1.0, 0.0, 0.0]);
    let (evidence, _) = read(&reader, "Politicians will spend 97 million crowns on flood gates.");
    let claims = evidence.hallucination.expect("claims").claims;
    assert!(!unsupported(&claims).is_empty(), "{claims:?}");
}

/// 10 claims of which one is open: f between 0 and 1/10, so 10 - round(0) and 10 - round(1.4).
#[test]
fn the_range_goes_from_all_open_claims_unsupported_to_all_supported() {
    let open = Claim {
        text: "open".to_owned(),
        support: Support::Partial,
        extraneous_tokens: 0,
        note: String::new(),
        in_summary: None,
        in_article: None,
        soft_support: None,
        confidence: Some(Confidence::Low),
    };
    let decided =
        Claim { support: Support::Supported, confidence: Some(Confidence::High), ..open.clone() };
    let mut evidence = judge(BARRIER, "The council voted on Tuesday.");
    let found = evidence.hallucination.as_mut().expect("claims");
    found.claims = [vec![decided; 9], vec![open]].concat();
    let report = twin_lock::report(&evidence).expect("all metrics are there");
    assert_eq!(report.hallucination.range, Some([9.0, 10.0]));
}
