//! Replies as models write them, read for the limits of both frameworks.

use serde_json::Value;

use super::labelling::LabelAll;
use super::*;
use crate::ask::Ask;
use crate::summary::labels::{Answer, Coverage, Support, Tone};
use crate::summary::{SummaryPair, judge_lock, rules, twin_lock};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const ARTICLE: &str = "The bridge opened in 1932. It cost nine million pounds. It is grey. Trains cross it. Nobody lives there.";
const SUMMARY: &str = "The bridge opened in 1932. It cost ten million pounds.";

fn read_article(limits: &crate::summary::limits::Limits) -> ReadArticle<'_> {
    ReadArticle { article: ARTICLE, sentences: 5, limits }
}

fn article_reply(points: usize, questions: usize) -> Value {
    let listed = |count: usize, one: &dyn Fn(usize) -> String| {
        (0..count).map(one).collect::<Vec<_>>().join(", ")
    };
    let points = listed(points, &|n| {
        format!(r#"{{"point": "Point {n} of the article.", "quote": "It is grey."}}"#)
    });
    let questions = listed(questions, &|n| {
        format!(r#"{{"question": "What {n}?", "answer": "grey", "quote": null}}"#)
    });
    json(&format!(
        r#"{{"key_points": [{points}], "theme": "a bridge", "intent": "inform",
            "stance": "neutral", "tone": "plain", "questions": [{questions}]}}"#
    ))
}

#[test]
fn key_points_keep_to_the_limits_of_their_framework() {
    let says = |limits, points| {
        read_article(limits).read(&article_reply(points, 6).to_string()).map_err(|e| e.to_string())
    };
    assert!(says(&judge_lock::LIMITS, 4).is_ok() && says(&judge_lock::LIMITS, 7).is_ok());
    assert_eq!(
        says(&judge_lock::LIMITS, 3).unwrap_err(),
        "`key_points` has 3 entries; 4 to 7 were asked for"
    );
    assert!(says(&judge_lock::LIMITS, 8).is_err());
    assert!(says(&twin_lock::LIMITS, 3).is_ok() && says(&twin_lock::LIMITS, 2).is_err());
    let short = ReadArticle { article: "It rained.", sentences: 1, limits: &judge_lock::LIMITS };
    assert!(short.read(&article_reply(1, 6).to_string()).is_ok());
}

#[test]
fn questions_are_six_in_judge_lock_and_none_in_twin_lock() {
    let asked = |limits, questions| {
        let read = read_article(limits).read(&article_reply(4, questions).to_string());
        read.map(|reading| reading.questions.len()).map_err(|error| error.to_string())
    };
    assert_eq!(asked(&judge_lock::LIMITS, 6), Ok(6));
    let complaint = "`questions` has 5 entries; exactly 6 were asked for";
    assert_eq!(asked(&judge_lock::LIMITS, 5), Err(complaint.to_owned()));
    assert_eq!(asked(&twin_lock::LIMITS, 6), Ok(0));
}

#[test]
fn a_point_that_is_made_twice_is_sent_back() {
    let mut reply = article_reply(4, 6);
    reply["key_points"][3]["point"] = json(r#""POINT 0 of the article""#);
    let error = read_article(&judge_lock::LIMITS).read(&reply.to_string()).unwrap_err();
    assert!(error.to_string().contains("the same entry twice"), "{error}");
}

#[test]
fn more_than_ten_claims_are_sent_back_and_none_are_allowed() {
    let ask = ReadSummary { summary: SUMMARY, questions: &[], limits: &twin_lock::LIMITS };
    let reply = |count| {
        let claim = |n| format!(r#"{{"claim": "Claim {n}.", "quote": null}}"#);
        let claims: Vec<String> = (0..count).map(claim).collect();
        format!(r#"{{"claims": [{}]}}"#, claims.join(", "))
    };
    assert_eq!(ask.read(&reply(10)).unwrap().claims.len(), 10);
    assert!(ask.read(&reply(11)).is_err());
    assert!(ask.read(&reply(0)).unwrap().claims.is_empty());
}

fn frozen() -> Frozen {
    let point = |text: &str| Point { text: text.to_owned(), quote: Some(text.to_owned()) };
    let asked = |text: &str| Asked {
        question: text.to_owned(),
        answer: "1932".to_owned(),
        quote: Some("opened in 1932".to_owned()),
    };
    let given = Given { answer: None, quote: None };
    Frozen {
        article: ArticleReading {
            key_points: vec![point("The bridge opened in 1932."), point("It is grey.")],
            theme: "a bridge".to_owned(),
            intent: "inform".to_owned(),
            stance: "none".to_owned(),
            tone: "plain".to_owned(),
            questions: vec![asked("When?")],
        },
        summary: SummaryReading {
            claims: vec![point("The bridge opened in 1932."), point("It cost ten million pounds.")],
            questions: Vec::new(),
            answers: vec![given],
        },
        article_answers: Vec::new(),
    }
}

fn label_reply() -> Value {
    json(
        r#"{
        "key_points": [
            {"id": "K1", "label": "fully", "quote": "The bridge opened in 1932."},
            {"id": "K2", "label": "not", "quote": null}
        ],
        "claims": [
            {"id": "C2", "label": "Partially", "quote": "It cost nine million pounds."},
            {"id": "C1", "label": "supported", "quote": "The bridge was opened by the king."}
        ],
        "article_answers": [{"id": "A1", "label": "correct"}],
        "claim_answers": [],
        "deviations": [{"kind": "meaning", "drift": "severe", "note": "cost", "quote": "ten million"}],
        "tone": "neutral",
        "issues": []
    }"#,
    )
}

/// Claim 2 has six tokens, of which the article lacks only "ten"; an answer that was not
/// given is wrong whatever the judge says; a quote that is not there has no place.
#[test]
fn labels_become_evidence_and_every_number_is_counted_here() {
    let frozen = frozen();
    let (article, summary) = (ARTICLE, SUMMARY);
    let ask = LabelAll { article, summary, frozen: &frozen, planted: &[], order: None };
    let labels = ask.read(&label_reply().to_string()).unwrap();
    let pair = SummaryPair::new(ARTICLE, SUMMARY).unwrap();
    let by_rules = rules::judge(&pair, &judge_lock::LIMITS);
    let evidence = assemble::evidence(&pair, &by_rules, &frozen, &labels);
    let hallucination = evidence.hallucination.as_ref().unwrap();
    assert_eq!(hallucination.claims[0].support, Support::Supported);
    assert_eq!(hallucination.claims[0].in_article.as_ref().unwrap().span, None);
    assert_eq!(hallucination.claims[1].support, Support::Partial);
    assert_eq!(hallucination.claims[1].extraneous_tokens, 1);
    assert_eq!(evidence.totals.extraneous_tokens, 1);
    let coverage = evidence.coverage.as_ref().unwrap();
    assert_eq!(coverage.key_points[0].coverage, Coverage::Fully);
    assert_eq!(coverage.questions[0].answer, Answer::Wrong);
    assert_eq!(evidence.bias_toxicity.as_ref().unwrap().tone, Tone::Neutral);
    let verdict = judge_lock::verdict(&evidence).unwrap();
    let codes: Vec<&str> = verdict.findings.iter().map(|finding| &*finding.code).collect();
    assert!(codes.contains(&"quote_not_found"), "{codes:?}");
}

#[test]
fn a_judge_that_sees_another_order_says_the_same_about_the_same() {
    let frozen = frozen();
    let planted = ["It is grey.".to_owned(), "It sank.".to_owned()];
    for seed in 0..8 {
        let (article, summary) = (ARTICLE, SUMMARY);
        let order = Some(seed);
        let ask = LabelAll { article, summary, frozen: &frozen, planted: &planted, order };
        let prompt = ask.prompt().render("abc123").unwrap().question;
        // Whoever labels by content, not by place, is read back by content.
        let claims = prompt.lines().filter_map(|line| line.strip_prefix('C')?.split_once(": "));
        let claims: Vec<Value> = claims
            .map(|(id, text)| {
                let label = if text == "It sank." { "unsupported" } else { "supported" };
                json(&format!(r#"{{"id": "C{id}", "label": "{label}", "quote": "{text}"}}"#))
            })
            .collect();
        let mut reply = label_reply();
        reply["claims"] = claims.into();
        let labels = ask.read(&reply.to_string()).unwrap();
        assert_eq!(labels.claims.len(), 4);
        assert_eq!(labels.claims[3].label, Support::Unsupported, "seed {seed}");
        assert_eq!(labels.claims[1].quote.as_deref(), Some("It cost ten million pounds."));
    }
}

#[test]
fn every_prompt_renders_and_no_place_is_left_open() {
    let frozen = frozen();
    let (article, summary) = (ARTICLE, SUMMARY);
    for limits in [&twin_lock::LIMITS, &judge_lock::LIMITS] {
        let prompts = [
            read_article(limits).prompt(),
            ReadSummary { summary, questions: &frozen.article.questions, limits }.prompt(),
            AnswerFromArticle { article, questions: &frozen.article.questions }.prompt(),
            LabelAll { article, summary, frozen: &frozen, planted: &[], order: None }.prompt(),
        ];
        for prompt in prompts {
            let question = prompt.render("abc123").unwrap();
            assert!(question.defused.is_empty(), "{}", prompt.name);
            assert!(!question.question.contains("{count}"), "{}", prompt.name);
            assert_eq!(prompt.schema.as_ref().unwrap()["additionalProperties"], false);
        }
    }
}
