//! Precision at a cutoff.

use assize_score::{Working, arithmetic::ratio};

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The share of the first k ranks that hold a relevant document; ranks beyond the end of the
/// list hold none.
pub fn precision<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let cutoff = settings.cutoff.unwrap_or(ranking.retrieved);
    let found = ranking.relevant_found(Some(cutoff));
    ratio("precision", count("relevant retrieved", found), count("k", cutoff))
}

/// Precision as a share of the best precision possible at k: precision while k is below the
/// number of relevant documents, recall from there on.
pub(crate) fn relative_precision<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    let cutoff = settings.cutoff.unwrap_or(ranking.retrieved);
    let found = ranking.relevant_found(Some(cutoff));
    let possible = cutoff.min(ranking.relevant());
    ratio("relative precision", count("relevant retrieved", found), count("possible", possible))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    #[test]
    fn a_short_list_is_padded_with_nothing() {
        let levels = [Some(1), Some(0), Some(2)];
        near(value("p@5", &levels, &[1, 1, 1]), 0.4);
        near(value("p@1", &levels, &[1, 1, 1]), 1.0);
        near(value("p(rel=2)@5", &levels, &[1, 1, 1]), 0.2);
        near(value("relative_p@5", &levels, &[1, 1, 1]), 1.0);
        near(value("relative_p@2", &levels, &[1, 1, 1]), 0.5);
    }
}
