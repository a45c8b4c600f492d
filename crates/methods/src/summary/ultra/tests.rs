//! Panels small enough to be worked out on paper.

use super::anchor;
use super::interval::Interval;
use super::*;
use crate::summary::asks::{
    ArticleReading, Asked, Frozen, Given, Label, Labels, Point, SummaryReading,
};
use crate::summary::labels::{Answer, Coverage, Support, Tone};
use crate::summary::{Evidence, SummaryPair, judge_lock, rules};

const ARTICLE: &str = "The bridge opened in 1932. It cost nine million pounds. It is painted grey. Trains cross it daily. Nobody lives there.";
const SUMMARY: &str = "The bridge opened in 1932. It sank in the year 2001.";

fn pair() -> (SummaryPair<'static>, Evidence) {
    let pair = SummaryPair::new(ARTICLE, SUMMARY).unwrap();
    (pair, rules::judge(&pair, &judge_lock::LIMITS))
}

fn point(text: &str) -> Point {
    Point { text: text.to_owned(), quote: Some(text.to_owned()) }
}

fn frozen() -> Frozen {
    let asked = |number: usize| Asked {
        question: format!("Question {number}?"),
        answer: "1932".to_owned(),
        quote: None,
    };
    let given = Given { answer: Some("1932".to_owned()), quote: None };
    let (questions, answers): (Vec<Asked>, _) = ((0..6).map(asked).collect(), vec![given; 6]);
    Frozen {
        article: ArticleReading {
            key_points: vec![point("The bridge opened in 1932."); 4],
            theme: "a bridge".to_owned(),
            intent: "inform".to_owned(),
            stance: "none".to_owned(),
            tone: "plain".to_owned(),
            questions: questions.clone(),
        },
        summary: SummaryReading {
            claims: vec![point("The bridge opened in 1932."), point("It sank in the year 2001.")],
            questions,
            answers: answers.clone(),
        },
        article_answers: answers,
    }
}

/// A judge who finds everything said, the first claim as given and the second unsupported.
fn ballot(judge: &str, first: Support) -> Ballot {
    fn said<T>(label: T, quote: &str) -> Label<T> {
        Label { label, quote: Some(quote.to_owned()) }
    }
    let opened = "The bridge opened in 1932.";
    let labels = Labels {
        key_points: vec![said(Coverage::Fully, opened); 4],
        claims: vec![
            said(first, opened),
            said(Support::Unsupported, opened),
            said(Support::Supported, opened),
            said(Support::Unsupported, opened),
        ],
        article_answers: vec![Answer::Correct; 6],
        claim_answers: vec![Answer::Correct; 6],
        deviations: Vec::new(),
        tone: Tone::Neutral,
        issues: Vec::new(),
    };
    Ballot { judge: judge.to_owned(), labels }
}

/// Two judges of one mind, two claims, one unsupported. Drawn with replacement: both
/// unsupported in a quarter of the resamples (f = 1, 4 - 4 = 0), one in a half (f = 0.5,
/// 4 - 2 = 2), none in a quarter (10). So nine of ten lie between 0 and 10, and the score
/// itself is 2. What does not vary has no width.
#[test]
fn an_interval_is_that_of_scores_with_their_caps() {
    let (pair, by_rules) = pair();
    let ballots = vec![ballot("a", Support::Supported), ballot("b", Support::Supported)];
    let (evidence, panel) = decide(&pair, &by_rules, &frozen(), ballots, Vec::new()).unwrap();
    let scores = judge_lock::score::<f64>(&evidence).unwrap();
    assert_eq!(scores.hallucination.overall, Ok(2.0));
    assert_eq!(panel.intervals.hallucination, Some(Interval { low: 0.0, high: 10.0 }));
    assert_eq!(panel.intervals.bias_toxicity, Some(Interval { low: 10.0, high: 10.0 }));
    // Coverage is held at 3 while any claim is unsupported. Where both are, every token is
    // extraneous: precision and coverage are 0. Where none is, everything is right: 10.
    assert_eq!(scores.coverage.overall, Ok(3.0));
    assert_eq!(panel.intervals.coverage, Some(Interval { low: 0.0, high: 10.0 }));
    assert!(
        panel.agreement.hallucination.unanimous || panel.agreement.hallucination.alpha.is_some()
    );
}

#[test]
fn the_vote_of_two_goes_to_the_stricter_and_a_lone_judge_is_not_a_panel() {
    let (pair, by_rules) = pair();
    let ballots = vec![ballot("a", Support::Supported), ballot("b", Support::Partial)];
    let (evidence, _) = decide(&pair, &by_rules, &frozen(), ballots, Vec::new()).unwrap();
    let claims = &evidence.hallucination.as_ref().unwrap().claims;
    assert_eq!(claims[0].support, Support::Partial);
    let absent = vec![("b".to_owned(), "it was silent".to_owned())];
    let alone = vec![ballot("a", Support::Supported)];
    let reason = decide(&pair, &by_rules, &frozen(), alone, absent).unwrap_err();
    assert_eq!(reason, "1 of 2 judges could be heard (b: it was silent)");
}

#[test]
fn the_rules_pass_their_own_canary() {
    let (pair, by_rules) = pair();
    let planted = canary::plant(ARTICLE, &by_rules);
    let mut labels = anchor::labels(&pair, &by_rules, &frozen(), &planted);
    assert_eq!(canary::check(&mut labels), None, "{planted:?}");
    let supports: Vec<Support> = labels.claims.iter().map(|said| said.label).collect();
    assert_eq!(supports, [Support::Supported, Support::Unsupported]);
}
