//! What holds for any evidence whatever, in both Locks.

use assize_methods::summary::evidence::{
    AlignmentEvidence, BiasToxicityEvidence, Claim, CoverageEvidence, Deviation, Evidence, Format,
    HallucinationEvidence, Issue, KeyPoint, QuestionAnswer, Quote, RelevanceEvidence, Segment,
    Totals,
};
use assize_methods::summary::labels::{
    Answer, Coverage, DeviationKind, Drift, IssueKind, Support, Tone,
};
use assize_methods::summary::report::caps_of;
use assize_methods::summary::{Span, judge_lock, twin_lock};
use assize_score::{CapState, Explained, Working};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

type Five<N> = [Option<N>; 5];

/// The five scores of both frameworks; none where a metric is unscored.
fn both<N: Working>(evidence: &Evidence) -> [Five<N>; 2] {
    let twin = twin_lock::score::<N>(evidence).expect("complete evidence").overall();
    let judge = judge_lock::score::<N>(evidence).expect("complete evidence").overall();
    [twin, judge].map(|five| five.in_order().map(|(_, scored)| scored.clone().ok()))
}

fn quote() -> impl Strategy<Value = Option<Quote>> {
    let span = (0..300_usize, 0..80_usize).prop_map(|(at, len)| Span::new(at, at + len));
    option::of(option::of(span).prop_map(|span| Quote { text: "words".to_owned(), span }))
}

fn key_point() -> impl Strategy<Value = KeyPoint> {
    let label = select(vec![Coverage::Not, Coverage::Partial, Coverage::Fully]);
    (label, 1..12_usize, quote()).prop_map(|(coverage, tokens, in_article)| KeyPoint {
        text: "point".to_owned(),
        tokens,
        coverage,
        in_article,
        in_summary: None,
    })
}

fn claim(support: Support, in_article: Option<Quote>) -> Claim {
    Claim {
        text: "claim".to_owned(),
        support,
        extraneous_tokens: 0,
        note: String::new(),
        in_summary: None,
        in_article,
        soft_support: None,
        confidence: None,
    }
}

fn claims() -> impl Strategy<Value = Vec<Claim>> {
    let label = select(vec![Support::Unsupported, Support::Partial, Support::Supported]);
    // Rare invention: evidence that a first unsupported claim can make worse.
    let label = prop_oneof![3 => Just(Support::Supported), 1 => label];
    vec((label, quote()).prop_map(|(support, at)| claim(support, at)), 0..11)
}

fn questions() -> impl Strategy<Value = Vec<QuestionAnswer>> {
    let label = select(vec![Answer::Wrong, Answer::Partial, Answer::Correct]);
    let label = prop_oneof![3 => Just(Answer::Correct), 1 => label];
    let question = (label, quote()).prop_map(|(answer, in_article)| QuestionAnswer {
        question: "who".to_owned(),
        gold: "she".to_owned(),
        given: None,
        answer,
        in_article,
        in_summary: None,
    });
    vec(question, 0..8)
}

fn segments() -> impl Strategy<Value = Vec<Segment>> {
    let overlap = prop_oneof![0.0..=1.0_f64, select(vec![0.3, 0.8, 0.795, 0.2999, 1.0])];
    vec(
        (overlap, quote()).prop_map(|(overlap, in_article)| Segment {
            in_summary: Quote::not_found("segment"),
            overlap,
            in_article,
        }),
        0..9,
    )
}

fn alignment() -> impl Strategy<Value = AlignmentEvidence> {
    let deviation = select(vec![Drift::Mild, Drift::Severe]).prop_map(|drift| Deviation {
        kind: DeviationKind::Meaning,
        drift,
        note: String::new(),
        in_summary: None,
        in_article: None,
    });
    vec(deviation, 0..5)
        .prop_map(|deviations| AlignmentEvidence { deviations, ..Default::default() })
}

fn bias_toxicity() -> impl Strategy<Value = BiasToxicityEvidence> {
    let kinds = vec![
        IssueKind::StrongSlur,
        IssueKind::Stereotype,
        IssueKind::MildProfanity,
        IssueKind::BiasedWording,
    ];
    let issue = (select(kinds), quote()).prop_map(|(kind, in_article)| Issue {
        kind,
        in_summary: Quote::not_found("word"),
        in_article,
    });
    let tones = vec![Tone::Hostile, Tone::Subjective, Tone::Unclear, Tone::Neutral];
    (select(tones), vec(issue, 0..4))
        .prop_map(|(tone, issues)| BiasToxicityEvidence { tone, issues })
}

prop_compose! {
    fn evidence()(
        (key_points, asked, cross) in (vec(key_point(), 1..9), questions(), questions()),
        (claims, segments) in (claims(), segments()),
        (alignment, bias_toxicity) in (alignment(), bias_toxicity()),
        (summary_tokens, share, article_sentences) in (1..400_usize, 0.0..=1.0_f64, 0..12_usize),
    ) -> Evidence {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share")]
        let extraneous_tokens = (share * share * summary_tokens as f64) as usize;
        Evidence {
            format: Format,
            coverage: Some(CoverageEvidence { key_points, questions: asked, ..Default::default() }),
            alignment: Some(alignment),
            hallucination: Some(HallucinationEvidence {
                claims,
                questions: cross,
                ..Default::default()
            }),
            relevance: Some(RelevanceEvidence { segments, ..Default::default() }),
            bias_toxicity: Some(bias_toxicity),
            totals: Totals { summary_tokens, extraneous_tokens, article_sentences },
            findings: Vec::new(),
        }
    }
}

/// The same evidence with every list turned round and its first element put last.
fn reordered(evidence: &Evidence) -> Evidence {
    fn turn<T>(list: &mut [T]) {
        list.reverse();
        let steps = list.len().min(1);
        list.rotate_left(steps);
    }
    let mut other = evidence.clone();
    if let Some(coverage) = &mut other.coverage {
        turn(&mut coverage.key_points);
        turn(&mut coverage.questions);
    }
    if let Some(hallucination) = &mut other.hallucination {
        turn(&mut hallucination.claims);
        turn(&mut hallucination.questions);
    }
    if let Some(relevance) = &mut other.relevance {
        turn(&mut relevance.segments);
    }
    other
}

/// The same summary with one more sentence that nothing in the article supports.
fn with_an_invention(evidence: &Evidence, tokens: usize) -> Evidence {
    let mut other = evidence.clone();
    other.totals.summary_tokens += tokens;
    other.totals.extraneous_tokens += tokens;
    if let Some(hallucination) = &mut other.hallucination {
        hallucination.claims.push(claim(Support::Unsupported, None));
    }
    other
}

fn bits(five: &Five<f64>) -> [Option<u64>; 5] {
    five.map(|score| score.map(f64::to_bits))
}

/// The score as it would be if a perfect scorecard were never doubted.
fn before_the_guard(score: &Explained) -> f64 {
    let caps = caps_of(score);
    let guard = caps.iter().find(|cap| cap.at_most == judge_lock::safeguards::PERFECT_CAP);
    guard.map_or(score.value, |guard| guard.before)
}

proptest! {
    #[test]
    fn every_score_lies_between_zero_and_ten(evidence in evidence()) {
        for score in both::<f64>(&evidence).into_iter().flatten().flatten() {
            prop_assert!((0.0..=10.0).contains(&score), "{}", score);
        }
    }

    #[test]
    fn every_score_has_at_most_two_decimals(evidence in evidence()) {
        for score in both::<f64>(&evidence).into_iter().flatten().flatten() {
            prop_assert_eq!(assize_score::rounding::half_up(score, 2), score);
        }
    }

    #[test]
    fn caps_never_raise_and_at_most_one_of_those_put_on_a_number_binds(evidence in evidence()) {
        for score in both::<Explained>(&evidence).into_iter().flatten().flatten() {
            let caps = caps_of(&score);
            for cap in &caps {
                prop_assert!(cap.after <= cap.before);
                let held = cap.state == CapState::NotTriggered || cap.after <= cap.at_most;
                prop_assert!(held, "{:?}", cap);
                let others = caps.iter().filter(|other| other.on == cap.on);
                let binding = others.filter(|other| other.state == CapState::Binding).count();
                prop_assert!(binding <= 1, "{:?}", caps);
            }
        }
    }

    #[test]
    fn workings_do_not_change_a_score(evidence in evidence()) {
        let explained = both::<Explained>(&evidence);
        let explained = explained.map(|five| five.map(|score| score.map(|score| score.value)));
        let bare = both::<f64>(&evidence);
        prop_assert_eq!(explained.each_ref().map(bits), bare.each_ref().map(bits));
    }

    #[test]
    fn scoring_again_gives_the_same_bits(evidence in evidence()) {
        let json = serde_json::to_string(&evidence).unwrap();
        let stored: Evidence = serde_json::from_str(&json).unwrap();
        let (now, later) = (both::<f64>(&evidence), both::<f64>(&stored));
        prop_assert_eq!(now.each_ref().map(bits), later.each_ref().map(bits));
    }

    #[test]
    fn the_order_of_what_was_found_does_not_matter(evidence in evidence()) {
        let (one, other) = (both::<f64>(&evidence), both::<f64>(&reordered(&evidence)));
        prop_assert_eq!(one.each_ref().map(bits), other.each_ref().map(bits));
    }

    /// The guard against perfect scorecards stands aside: it looks at all five together,
    /// so that whatever spoils one of them lifts it from the others.
    #[test]
    fn one_more_invention_raises_no_metric(evidence in evidence(), tokens in 0..40_usize) {
        let before = both::<Explained>(&evidence);
        let after = both::<f64>(&with_an_invention(&evidence, tokens));
        for (before, after) in before.iter().flatten().zip(after.into_iter().flatten()) {
            // Without any claim there was no hallucination score to compare with.
            if let (Some(before), Some(after)) = (before, after) {
                let before = before_the_guard(before);
                prop_assert!(after <= before, "{} rose to {}", before, after);
            }
        }
    }
}
