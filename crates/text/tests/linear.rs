//! Hostile texts take no more than their share of time: four times the text, about
//! four times the time.

use std::time::{Duration, Instant};

use assize_text::quote::locate;
use assize_text::tokens::{count_alnum_tokens, for_each_alnum_token, for_each_word_token};
use assize_text::{sentences, treebank};

const SMALL: usize = 24 * 1024;
const TIMES_LARGER: usize = 4;
/// A quadratic walk would take sixteen times as long; a linear one takes four.
const TIMES_SLOWER_MAX: u32 = 10;
const NOISE: Duration = Duration::from_millis(20);

/// A busy machine may slow one try down; it cannot slow down all of them.
const TRIES: usize = 6;

fn time(text: &str) -> Duration {
    let start = Instant::now();
    let mut found = 0;
    for_each_alnum_token(text, |token| found += token.len());
    for_each_word_token(text, |token| found += token.len());
    assert!(found <= 4 * text.len());
    start.elapsed()
}

#[track_caller]
fn check(unit: &str) {
    let text = |size: usize| unit.repeat(size / unit.len());
    let (small, large) = (text(SMALL), text(SMALL * TIMES_LARGER));
    let is_linear = || time(&large) < time(&small) * TIMES_SLOWER_MAX + NOISE;
    assert!(
        (0..TRIES).any(|_| is_linear()),
        "{unit:?}: {:?} for {SMALL} bytes, {:?} for {TIMES_LARGER} times as many",
        time(&small),
        time(&large)
    );
}

#[test]
fn text_without_a_sentence_end_is_linear() {
    check("word ");
    check("word");
    check("Ωμέγα ");
}

#[test]
fn runs_of_one_mark_are_linear() {
    for unit in [".", "!", "\"", "'", "`", ",", "-", ")", "’", "Σ", " ", "\n", "\u{1c}"] {
        check(unit);
    }
}

#[test]
fn alternating_marks_are_linear() {
    for unit in [
        ". ", "! ", ".'", "' ", ", ", "a.'", "a.\" ", "\" ", " ''", "x.\n", "Σ.", "e.g. ", "a:",
        "a: ", "[(", "](", "a;b",
    ] {
        check(unit);
    }
}

#[test]
fn quotations_cost_about_a_walk_over_their_source() {
    let source = "a b ".repeat(50_000);
    let near = "a b a x ".repeat(90);
    for quotation in [near.as_str(), &source[1..], "a ... ", &"a b a ... ".repeat(5_000)] {
        let start = Instant::now();
        let located = locate(quotation, &source);
        assert!(start.elapsed() < Duration::from_secs(20), "{located:?}");
        assert!(located.is_none_or(|located| located.bytes.end <= source.len()));
    }
}

#[test]
fn four_megabytes_without_a_sentence_end_are_one_sentence() {
    let text = "no end in sight, ".repeat(4 * 1024 * 1024 / 17);
    assert_eq!(sentences(&text).count(), 1);
    assert_eq!(count_alnum_tokens(&text), text.len() / 17 * 4);
}

#[test]
fn a_megabyte_of_dots_is_one_token_and_of_quotes_one_each() {
    let dots = ".".repeat(1024 * 1024);
    assert_eq!(treebank::tokenize(&dots), [dots.as_str()]);
    let mut tokens = 0;
    for_each_word_token(&"\"".repeat(1024 * 1024), |_| tokens += 1);
    assert_eq!(tokens, 1024 * 1024);
}
