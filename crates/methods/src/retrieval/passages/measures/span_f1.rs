//! Span F1 of the top passage.

use assize_score::Working;
use assize_score::arithmetic::{harmonic_mean, ratio};

use crate::retrieval::passages::label::Label;
use crate::retrieval::passages::overlap::Overlap;

/// The best F1 of the top passage's words over all golds; 0 when nothing was retrieved,
/// which is no overlap at all.
///
/// Two texts without any word agree: their F1 is 1.
///
/// Reference: Rajpurkar et al. (2016), SQuAD.
///
/// ```
/// # use assize_methods::retrieval::passages::{measures::span_f1, overlap::Overlap};
/// // One of three words of the passage is one of two of the gold: 1/3 and 1/2.
/// let overlap = Overlap { shared: 1, in_passage: 3, in_gold: 2 };
/// assert!((span_f1::<f64>(&[overlap]) - 0.4).abs() < 1e-12);
/// ```
pub fn span_f1<N: Working>(with_golds: &[Overlap]) -> N {
    let each = with_golds.iter().enumerate();
    let each: Vec<N> =
        each.map(|(gold, words)| f1::<N>(words).named(Label::OfGold(gold))).collect();
    let best = each.iter().map(N::value).fold(0.0, f64::max);
    N::computed("span_f1", "the best over all golds", best, each)
}

fn f1<N: Working>(words: &Overlap) -> N {
    let shared = || N::given("words in both", words.shared as f64);
    let in_passage = N::given("words in the passage", words.in_passage as f64);
    let in_gold = N::given("words in the gold", words.in_gold as f64);
    if words.in_passage == 0 && words.in_gold == 0 {
        return N::computed("f1", "1, for neither has a word", 1.0, [in_passage, in_gold]);
    }
    let precision = ratio("precision", shared(), in_passage);
    harmonic_mean("f1", precision, ratio("recall", shared(), in_gold))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(shared: usize, in_passage: usize, in_gold: usize) -> Overlap {
        Overlap { shared, in_passage, in_gold }
    }

    #[test]
    fn two_texts_without_words_agree_and_one_without_does_not() {
        assert_eq!(span_f1::<f64>(&[counted(0, 0, 0)]), 1.0);
        assert_eq!(span_f1::<f64>(&[counted(0, 0, 1)]), 0.0);
        assert_eq!(span_f1::<f64>(&[counted(0, 1, 0)]), 0.0);
    }

    #[test]
    fn nothing_retrieved_is_zero() {
        assert_eq!(span_f1::<f64>(&[]), 0.0);
    }

    #[test]
    fn the_best_gold_counts() {
        assert_eq!(span_f1::<f64>(&[counted(0, 2, 9), counted(2, 2, 2), counted(1, 2, 2)]), 1.0);
    }
}
