//! G: gain that depends on how much better the documents above could have been.

use assize_score::{Working, arithmetic::ratio, float};

use super::ndcg::ideal_gains;
use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The least that a rank costs, whatever the ideal ranking has there.
const COST_MIN: f64 = 1.0;

/// Each gain divided by the logarithm of what the ranks so far could have earned and did not,
/// as a share of all gain there is.
///
/// An experiment of `trec_eval`'s authors (2008) between average precision and nDCG.
pub(crate) fn normalized_gain<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let ideal = ideal_gains(ranking, &settings.gain);
    let terms = || {
        let gains = ranking.found_within(None).map(|found| (settings.gain.of(found.level), found));
        gains.filter(|(gain, _)| *gain != 0.0).scan(0.0, |earned, (gain, found)| {
            *earned += gain;
            let missed = cost(&ideal, found.rank as usize) - *earned;
            let inputs = [N::given("gain", gain), N::given("missed", missed)];
            let value = gain / float::log2(2.0 + missed);
            Some(N::computed("discounted gain", "gain / log2(2 + missed)", value, inputs))
        })
    };
    let whole = || ideal.iter().map(|(gain, count)| N::given("gains", gain * *count as f64));
    ratio("normalised gain", total("gain", terms), total("all gain", whole))
}

/// The same with every relevant document worth 1: each is divided by the logarithm of how many
/// others stand above it.
pub(crate) fn binary_normalized_gain<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let terms = || {
        ranking.hits(None).map(|(nth, rank)| {
            let above = rank - nth;
            let value = 1.0 / float::log2(2.0 + above as f64);
            let inputs = [count::<N>("not relevant above", above)];
            N::computed("discounted gain", "1 / log2(2 + above)", value, inputs)
        })
    };
    ratio("normalised gain", total("gain", terms), count("relevant", ranking.relevant()))
}

/// What the ideal ranking has at ranks up to `depth`, each rank costing at least [`COST_MIN`].
fn cost(ideal: &[(f64, usize)], depth: usize) -> f64 {
    let mut left = depth;
    let mut sum = 0.0;
    for (gain, count) in ideal {
        let taken = left.min(*count);
        sum += taken as f64 * gain.max(COST_MIN);
        left -= taken;
    }
    sum + left as f64 * COST_MIN
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Relevant at ranks 1 and 3 of two: 1/log2(2) and 1/log2(3), over 2.
    #[test]
    fn each_hit_is_discounted_by_the_misses_above_it() {
        let levels = [Some(1), None, Some(1)];
        let expected = f64::midpoint(1.0, 1.0 / 1.584_962_500_721_156);
        near(value("bing", &levels, &[0, 2]), expected);
        near(value("g", &levels, &[0, 2]), expected);
    }

    /// Level 1 first, level 2 second. Rank 1: ideal 2, earned 1: 1/log2(3). Rank 2: ideal 3,
    /// earned 3: 2/log2(2). Of 3 in all.
    #[test]
    fn graded_gain_is_held_against_the_ideal_so_far() {
        let expected = (1.0 / 1.584_962_500_721_156 + 2.0) / 3.0;
        near(value("g", &[Some(1), Some(2)], &[0, 1, 1]), expected);
    }
}
