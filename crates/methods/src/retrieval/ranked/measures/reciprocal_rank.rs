//! Reciprocal rank.

use assize_score::Working;

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// One divided by the rank of the first relevant document; 0 when there is none up to the
/// cutoff. Its mean over queries is MRR.
///
/// Reference: Voorhees (1999), The TREC-8 Question Answering Track Report.
pub(crate) fn reciprocal_rank<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let first = ranking.hits(settings.cutoff).next();
    let value = first.map_or(0.0, |(_, rank)| 1.0 / rank as f64);
    let inputs = first.map(|(_, rank)| count("rank of the first relevant", rank));
    N::computed("reciprocal rank", "1 / rank", value, inputs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::value;

    #[test]
    fn only_the_first_relevant_document_counts() {
        let levels = [Some(0), None, None, Some(1), Some(1)];
        assert_eq!(value("mrr", &levels, &[1, 2]), 0.25);
        assert_eq!(value("mrr@3", &levels, &[1, 2]), 0.0);
    }
}
