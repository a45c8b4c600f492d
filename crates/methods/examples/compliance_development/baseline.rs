//! What needs no judge: a constant, and words in common.

use std::collections::BTreeSet;

use assize_text::{alnum_tokens, sentences};

/// The constant with the smallest mean absolute error.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The share of the requirement's words of four letters and more that the best sentence of
/// the document has, of 100.
pub(crate) fn best_sentence(requirement: &str, document: &str) -> f64 {
    let long = |text: &str| -> BTreeSet<String> {
        alnum_tokens(&text.to_lowercase()).into_iter().filter(|word| word.len() > 3).collect()
    };
    let wanted = long(requirement);
    let share = |sentence: &str| {
        let there = long(sentence);
        100.0 * wanted.intersection(&there).count() as f64 / wanted.len().max(1) as f64
    };
    sentences(document).map(|range| share(&document[range])).fold(0.0, f64::max)
}
