//! What was counted on the way: not measures, and summed over the queries.

use assize_score::Working;

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// One for each query.
pub fn queries<N: Working>(_: &JudgedRanking<'_>, _: &Settings) -> N {
    count("queries", 1)
}

/// The documents retrieved.
pub fn retrieved<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    count("retrieved", ranking.retrieved)
}

/// The relevant documents, retrieved or not.
pub fn relevant<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    count("relevant", ranking.relevant())
}

/// The relevant documents retrieved.
pub(crate) fn relevant_retrieved<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    count("relevant retrieved", ranking.relevant_found(settings.cutoff))
}

/// The documents retrieved that were judged and are not relevant.
pub(crate) fn not_relevant_retrieved<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let judged = ranking.found_within(None).filter(|found| found.level >= 0).count();
    count("judged not relevant retrieved", judged - ranking.relevant_found(None))
}

#[cfg(test)]
mod tests {
    use super::super::testing::value;

    #[test]
    fn unjudged_documents_are_not_counted_as_judged_not_relevant() {
        let levels = [Some(1), Some(0), None, Some(-1)];
        assert_eq!(value("num_nonrel_judged_ret", &levels, &[1, 1]), 1.0);
        assert_eq!(value("num_ret", &levels, &[1, 1]), 4.0);
        assert_eq!(value("num_rel_ret", &levels, &[1, 1]), 1.0);
    }
}
