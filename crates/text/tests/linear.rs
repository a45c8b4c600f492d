//! Hostile texts take no more than their share of time: four times the text, about
//! four times the time.

use std::time::{Duration, Instant};

use assize_text::tokens::{count_alnum_tokens, for_each_alnum_token, for_each_word_token};
use assize_text::{sentences, treebank};

const SMALL: usize = 24 * 1024;
const TIMES_LARGER: usize = 4;
/// A quadratic walk would take sixteen times as long; a linear one takes four.
const TIMES_SLOWER_MAX: u32 = 10;
const NOISE: Duration = Duration::from_millis(20);

/// The shorter of two runs.
fn time(text: &str) -> Duration {
    let run = || {
        let start = Instant::now();
        let mut found = 0;
        for_each_alnum_token(text, |token| found += token.len());
        for_each_word_token(text, |token| found += token.len());
        assert!(found <= 4 * text.len());
        start.elapsed()
    };
    run().min(run())
}

#[track_caller]
fn check(unit: &str) {
    let text = |size: usize| unit.repeat(size / unit.len());
    let small = time(&text(SMALL));
    let large = time(&text(SMALL * TIMES_LARGER));
    assert!(
        large < small * TIMES_SLOWER_MAX + NOISE,
        "{unit:?}: {small:?} for {SMALL} bytes, {large:?} for {TIMES_LARGER} times as many"
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
    for unit in [". ", "! ", ".'", "' ", ", ", "a.'", "a.\" ", "\" ", " ''", "x.\n", "Σ.", "e.g. "]
    {
        check(unit);
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
