//! The retrieved documents as a set, ranks aside.

use assize_score::{
    Working,
    arithmetic::{product, ratio},
};

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The share of the retrieved documents that is relevant.
pub fn precision<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let found = ranking.relevant_found(None);
    ratio("precision", count("relevant retrieved", found), count("retrieved", ranking.retrieved))
}

/// The share of the relevant documents that was retrieved.
pub fn recall<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let found = ranking.relevant_found(None);
    ratio("recall", count("relevant retrieved", found), count("relevant", ranking.relevant()))
}

/// Precision as a share of the best precision that a set of this size can have.
pub(crate) fn relative_precision<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let found = ranking.relevant_found(None);
    let possible = ranking.retrieved.min(ranking.relevant());
    ratio("relative precision", count("relevant retrieved", found), count("possible", possible))
}

/// Average precision of a set: precision times recall.
pub(crate) fn average_precision<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    product("average precision", precision(ranking, settings), recall(ranking, settings))
}

/// The weighted harmonic mean of precision and recall, `(x + 1) P R / (R + x P)`.
///
/// Reference: van Rijsbergen (1979), Information Retrieval, after his E.
pub(crate) fn f_measure<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let weight = settings.number();
    let (precision, recall): (N, N) = (precision(ranking, settings), recall(ranking, settings));
    let (p, r) = (precision.value(), recall.value());
    let value = if p == 0.0 || r == 0.0 { 0.0 } else { (weight + 1.0) * p * r / (r + weight * p) };
    let inputs = [N::given("x", weight), precision, recall];
    N::computed("F", "(x + 1) P R / (R + x P)", value, inputs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Two of four retrieved, two of three relevant.
    #[test]
    fn ranks_do_not_matter() {
        let levels = [None, Some(1), Some(0), Some(1)];
        near(value("set_p", &levels, &[1, 3]), 0.5);
        near(value("set_recall", &levels, &[1, 3]), 2.0 / 3.0);
        near(value("set_relative_p", &levels, &[1, 3]), 2.0 / 3.0);
        near(value("set_map", &levels, &[1, 3]), 1.0 / 3.0);
        near(value("set_f", &levels, &[1, 3]), 4.0 / 7.0);
        // x = 3: 4 * 1/3 / (2/3 + 3/2) = 8/13
        near(value("set_f(x=3)", &levels, &[1, 3]), 8.0 / 13.0);
    }
}
