//! Average precision.

use assize_score::{Working, arithmetic::ratio};

use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The precision at each relevant document retrieved, summed and divided by the number of
/// relevant documents, so that one never found adds 0. With a cutoff, ranks below it add 0 too.
///
/// Reference: Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC, MIT Press.
pub(crate) fn average_precision<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let precisions = || {
        ranking.hits(settings.cutoff).map(|(nth, rank)| {
            ratio("precision", count::<N>("relevant so far", nth), count("rank", rank))
        })
    };
    let sum = total("precision at relevant ranks", precisions);
    ratio("average precision", sum, count("relevant", ranking.relevant()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Relevant at ranks 1 and 4 of three relevant: (1/1 + 2/4) / 3.
    #[test]
    fn a_relevant_document_never_found_adds_nothing() {
        let levels = [Some(1), None, Some(0), Some(1)];
        near(value("map", &levels, &[1, 3]), 0.5);
        near(value("map@3", &levels, &[1, 3]), 1.0 / 3.0);
    }

    #[test]
    fn with_nothing_relevant_it_is_zero() {
        assert_eq!(value("map", &[Some(0)], &[1]), 0.0);
    }
}
