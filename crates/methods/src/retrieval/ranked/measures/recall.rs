//! Recall at a cutoff, and its harmonic mean with precision.

use assize_score::{
    Working,
    arithmetic::{harmonic_mean, ratio},
};

use super::{count, precision::precision};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The share of the relevant documents that stand in the first k ranks.
pub fn recall<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let found = ranking.relevant_found(settings.cutoff);
    ratio("recall", count("relevant retrieved", found), count("relevant", ranking.relevant()))
}

/// The harmonic mean of precision and recall at k.
pub fn f1<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    harmonic_mean("f1", precision(ranking, settings), recall(ranking, settings))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// One of four relevant in the first two ranks: recall 1/4, precision 1/2.
    #[test]
    fn recall_and_precision_meet_in_f1() {
        let levels = [Some(1), None, Some(1)];
        near(value("recall@2", &levels, &[0, 4]), 0.25);
        near(value("f1@2", &levels, &[0, 4]), 1.0 / 3.0);
        near(value("recall@100", &levels, &[0, 4]), 0.5);
    }

    #[test]
    fn with_nothing_relevant_recall_is_zero() {
        assert_eq!(value("recall@10", &[Some(0)], &[3]), 0.0);
    }
}
