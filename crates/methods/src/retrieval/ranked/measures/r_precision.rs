//! Precision at as many ranks as there are relevant documents.

use assize_score::{Working, arithmetic::ratio};

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// Precision at rank R, where R documents are relevant; there, precision equals recall.
///
/// Reference: Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC, MIT Press.
pub(crate) fn r_precision<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let relevant = ranking.relevant();
    let found = ranking.relevant_found(Some(relevant));
    ratio("r-precision", count("relevant in the first R", found), count("R", relevant))
}

/// Precision at a stated multiple of R.
pub(crate) fn at_multiple<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let rank = nearly_up(settings.number() * ranking.relevant() as f64);
    let found = ranking.relevant_found(Some(rank));
    ratio("precision", count("relevant retrieved", found), count("rank", rank))
}

/// A multiple of R as a rank: a fraction above a tenth goes up, as `trec_eval` has it.
fn nearly_up(multiple: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a multiple of a count is a small number of 0 or more"
    )]
    let rank = (multiple + 0.9) as usize;
    rank
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// R = 2: one of the first two is relevant, two of the first three.
    #[test]
    fn it_looks_at_as_many_ranks_as_are_relevant() {
        let levels = [Some(1), None, Some(1)];
        near(value("rprec", &levels, &[0, 2]), 0.5);
        near(value("rprec_mult@1.5", &levels, &[0, 2]), 2.0 / 3.0);
        near(value("rprec_mult@5", &levels, &[0, 2]), 0.2);
    }

    /// 0.2 * 2 = 0.4 is rank 1; 0.05 * 2 = 0.1 is rank 1; 0.04 * 2 is no rank at all.
    #[test]
    fn a_fraction_of_a_rank_goes_up_from_a_tenth() {
        near(value("rprec_mult@0.2", &[Some(1)], &[0, 2]), 1.0);
        near(value("rprec_mult@0.05", &[Some(1)], &[0, 2]), 1.0);
        near(value("rprec_mult@0.04", &[Some(1)], &[0, 2]), 0.0);
    }
}
