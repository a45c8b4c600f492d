//! How alike two paragraphs are in their words, for the accuracy of a section.

use crate::overlap::TokenBag;

/// From 0, no word in common, to 1, the same words in the same order: the mean of the
/// F1 of their tokens and the F1 of their pairs of neighbouring tokens.
///
/// It knows nothing of meaning. Paragraphs of one token have no pairs, and are compared
/// by their tokens alone; two paragraphs without any token are alike.
///
/// ```
/// # use assize_text::similarity::similarity;
/// // Tokens: 2·3 / (4 + 4); pairs: 2·1 / (3 + 3).
/// let alike = similarity("the dog bit him", "him the dog saw");
/// assert!((alike - (6.0 / 8.0 + 2.0 / 6.0) / 2.0).abs() < 1e-12);
/// ```
pub fn similarity(left: &str, right: &str) -> f64 {
    let tokens = TokenBag::of(left).as_bags(&TokenBag::of(right));
    let pairs = TokenBag::of_pairs(left).as_bags(&TokenBag::of_pairs(right));
    if pairs.left + pairs.right == 0 { tokens.f1() } else { f64::midpoint(tokens.f1(), pairs.f1()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_but_case_and_marks_do_not() {
        assert_eq!(similarity("Keep logs, daily.", "keep logs daily"), 1.0);
        assert_eq!(similarity("a b", "b a"), 0.5);
        assert_eq!(similarity("a b", "c d"), 0.0);
    }

    #[test]
    fn very_short_paragraphs_are_compared_by_tokens() {
        assert_eq!(similarity("yes", "Yes."), 1.0);
        assert_eq!(similarity("", "--"), 1.0);
        assert_eq!(similarity("", "yes"), 0.0);
    }
}
