//! ROUGE of a summary against its article: the plain baseline.
//!
//! Lowercase alphanumeric tokens, no stemming. Precision is the share of the summary
//! that the article holds, recall the share of the article that the summary holds.

use std::collections::BTreeMap;

use assize_text::alnum_tokens;

/// Precision and recall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The share of the summary that the article holds.
    pub precision: f64,
    /// The share of the article that the summary holds.
    pub recall: f64,
}

/// ROUGE-1, ROUGE-2 and ROUGE-L.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rouge {
    /// Of single tokens.
    pub one: Shares,
    /// Of two tokens in a row.
    pub two: Shares,
    /// Of the longest common sequence.
    pub longest: Shares,
}

/// Compares a summary with its article.
pub fn rouge(summary: &str, article: &str) -> Rouge {
    let (summary, article) = (alnum_tokens(summary), alnum_tokens(article));
    let longest = longest_common(&summary, &article);
    Rouge {
        one: overlap(&summary, &article, 1),
        two: overlap(&summary, &article, 2),
        longest: shares(longest, summary.len(), article.len()),
    }
}

fn overlap(summary: &[String], article: &[String], length: usize) -> Shares {
    let ours = counts(summary, length);
    let theirs = counts(article, length);
    let both = ours.iter().map(|(gram, count)| *count.min(theirs.get(gram).unwrap_or(&0))).sum();
    shares(both, ours.values().sum(), theirs.values().sum())
}

fn counts(tokens: &[String], length: usize) -> BTreeMap<&[String], usize> {
    let mut counts = BTreeMap::new();
    for gram in tokens.windows(length) {
        *counts.entry(gram).or_insert(0) += 1;
    }
    counts
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

fn shares(both: usize, ours: usize, theirs: usize) -> Shares {
    let share = |all: usize| if all == 0 { 0.0 } else { both as f64 / all as f64 };
    Shares { precision: share(ours), recall: share(theirs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Summary: the cat sat; article: the cat lay and the dog sat. One token in a row:
    /// 3 of 3 and 3 of 7. Two: `the cat`, 1 of 2 and 1 of 6. Sequence: 3 of 3 and 3 of 7.
    #[test]
    fn shares_are_those_counted_by_hand() {
        let found = rouge("The cat sat.", "The cat lay and the dog sat.");
        assert_eq!(found.one, Shares { precision: 1.0, recall: 3.0 / 7.0 });
        assert_eq!(found.two, Shares { precision: 0.5, recall: 1.0 / 6.0 });
        assert_eq!(found.longest, Shares { precision: 1.0, recall: 3.0 / 7.0 });
    }

    #[test]
    fn nothing_shares_nothing() {
        assert_eq!(rouge("", "A cat.").one, Shares { precision: 0.0, recall: 0.0 });
    }
}
