//! ROUGE precision of a summary against its article: what needs no judge.

use std::collections::BTreeMap;

use assize_text::alnum_tokens;

/// The shares of the summary's tokens, pairs of tokens and longest common sequence that the article
/// has.
pub(crate) fn precision(summary: &str, article: &str) -> [f64; 3] {
    let (summary, article) = (alnum_tokens(summary), alnum_tokens(article));
    let longest = longest_common(&summary, &article) as f64 / summary.len().max(1) as f64;
    [grams(&summary, &article, 1), grams(&summary, &article, 2), longest]
}

fn grams(summary: &[String], article: &[String], length: usize) -> f64 {
    let counts = |tokens: &[String]| {
        let mut counts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for gram in tokens.windows(length) {
            *counts.entry(gram.to_vec()).or_insert(0) += 1;
        }
        counts
    };
    let (ours, theirs) = (counts(summary), counts(article));
    let both: usize =
        ours.iter().map(|(gram, count)| *count.min(theirs.get(gram).unwrap_or(&0))).sum();
    both as f64 / ours.values().sum::<usize>().max(1) as f64
}

fn longest_common(left: &[String], right: &[String]) -> usize {
    let mut row = vec![0_usize; right.len() + 1];
    for token in left {
        let mut diagonal = 0;
        for (column, other) in right.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = if token == other { diagonal + 1 } else { above.max(row[column]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}
