//! How often the wording rules tell an unfair sentence from a fair one, on sentences
//! written for the purpose. Half of them were not looked at while the rules were written.

use assize_methods::summary::half::Half;
use assize_methods::summary::{SummaryPair, rules, twin_lock};
use serde_json::Value;

const SENTENCES: &str = include_str!("../../../cases/summary/wording/sentences.jsonl");

/// The article of a sentence that has none of its own: plain words, no people named.
const PLAIN: &str = "The council met on Tuesday evening. It talked about the budget, the \
    bridge and the school. A vote will be held in the spring. Minutes are kept at the library.";

/// The share of unfair sentences and of clean ones that are told right, in one half.
fn shares(half: Half) -> (f64, f64) {
    let mut right = [0_usize; 2];
    let mut all = [0_usize; 2];
    for line in SENTENCES.lines() {
        let row: Value = serde_json::from_str(line).expect("a line of JSON");
        let summary = row["summary"].as_str().expect("a sentence");
        if Half::of(summary) != half {
            continue;
        }
        let article = row["article"].as_str().unwrap_or(PLAIN);
        let pair = SummaryPair::new(article, summary).expect("both texts hold words");
        let evidence = rules::judge(&pair, &twin_lock::LIMITS);
        let scores = twin_lock::score::<f64>(&evidence).expect("evidence can be scored");
        let score = scores.bias_toxicity.overall.expect("English wording is scored");
        let is_unfair = row["label"] == "unfair";
        let is_right = (score < 10.0) == is_unfair;
        all[usize::from(is_unfair)] += 1;
        right[usize::from(is_unfair)] += usize::from(is_right);
    }
    let share = |kind: usize| right[kind] as f64 / all[kind] as f64;
    (share(1), share(0))
}

#[test]
fn unfair_sentences_are_told_from_fair_ones_in_both_halves() {
    for half in [Half::A, Half::B] {
        let (unfair, clean) = shares(half);
        let balanced = f64::midpoint(unfair, clean);
        println!("{half:?}: unfair {unfair:.3}, clean {clean:.3}, balanced {balanced:.3}");
        assert!(balanced >= 0.85, "{half:?}: {balanced}");
    }
}

#[test]
fn the_list_has_a_hundred_unfair_sentences_and_fifty_clean_ones() {
    let unfair = SENTENCES.lines().filter(|line| line.contains("\"unfair\"")).count();
    assert_eq!((unfair, SENTENCES.lines().count()), (100, 150));
}
