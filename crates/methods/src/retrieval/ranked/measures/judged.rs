//! How much of the ranking was judged at all.

use assize_score::{Working, arithmetic::ratio};

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The share of the first k ranks that hold a judged document.
///
/// Low values say that the judgements know little about this run.
pub fn judged<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let cutoff = settings.cutoff.unwrap_or(ranking.retrieved);
    ratio("judged", count("judged documents", judged_within(ranking, cutoff)), count("k", cutoff))
}

/// The share of the first k ranks that hold a document nobody judged; empty ranks do not count.
pub fn unjudged<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let cutoff = settings.cutoff.unwrap_or(ranking.retrieved);
    let unjudged = cutoff.min(ranking.retrieved) - judged_within(ranking, cutoff);
    ratio("unjudged", count("unjudged documents", unjudged), count("k", cutoff))
}

fn judged_within(ranking: &JudgedRanking<'_>, cutoff: usize) -> usize {
    ranking.found_within(Some(cutoff)).filter(|found| found.level >= 0).count()
}

#[cfg(test)]
mod tests {
    use super::super::testing::value;

    #[test]
    fn ranks_beyond_the_list_are_neither_judged_nor_unjudged() {
        let levels = [Some(0), None, Some(-1), Some(2)];
        assert_eq!(value("judged@5", &levels, &[1, 0, 1]), 0.4);
        assert_eq!(value("unj@5", &levels, &[1, 0, 1]), 0.4);
        assert_eq!(value("judged@1", &levels, &[1, 0, 1]), 1.0);
    }
}
