//! Normalised discounted cumulative gain.

use std::sync::LazyLock;

use assize_score::{Working, arithmetic::ratio, float};

use super::{count, total};
use crate::retrieval::ranked::{Gain, JudgedRanking, Settings};

/// The gain of the ranking, discounted by rank, as a share of what the best ranking of the
/// judged documents would earn.
///
/// `DCG = Σ gain_i / log2(i + 1)` over the ranks, up to the cutoff if there is one; the ideal
/// has the same cutoff.
///
/// Reference: Järvelin & Kekäläinen (2002), ACM TOIS 20(4).
///
/// ```
/// use assize_methods::retrieval::ranked::{Found, JudgedRanking, LevelCount, Measure};
/// // The one relevant document stands at rank 2: 1 / log2(3), against an ideal of 1.
/// let found = [Found { rank: 2, level: 1 }];
/// let judged = [LevelCount { level: 1, count: 1 }];
/// let ranking = JudgedRanking::new(10, &found, &judged, 1);
/// let ndcg: Measure = "ndcg@10".parse().unwrap();
/// assert!((ndcg.value(&ranking) - 0.6309).abs() < 1e-4);
/// ```
pub fn ndcg<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let ideal = ideal_dcg(ranking, &settings.gain, settings.cutoff);
    ratio("ndcg", discounted_cumulative_gain(ranking, settings), ideal)
}

/// The gain of the ranking, discounted by rank and not normalised.
pub(crate) fn discounted_cumulative_gain<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    total("dcg", || {
        let gains = ranking
            .found_within(settings.cutoff)
            .map(|found| (settings.gain.of(found.level), found.rank as usize));
        gains.filter(|(gain, _)| *gain != 0.0).map(|(gain, rank)| discounted(gain, rank))
    })
}

/// What the best ranking of the judged documents would earn up to `cutoff`.
pub(super) fn ideal_dcg<N: Working>(
    ranking: &JudgedRanking<'_>,
    gain: &Gain,
    cutoff: Option<usize>,
) -> N {
    let last = cutoff.unwrap_or(usize::MAX);
    if gain.rises() {
        // The judgements already fall from the highest level, and need no copy.
        let gains = ranking.judged().iter().map(|at| (gain.of(at.level), at.count as usize));
        return total("ideal dcg", || ideal_terms(gains.clone(), last));
    }
    let sorted = ideal_gains(ranking, gain);
    total("ideal dcg", || ideal_terms(sorted.iter().copied(), last))
}

/// What the judged documents are worth and how many of each there are: gains above 0, the
/// highest first.
pub(super) fn ideal_gains(ranking: &JudgedRanking<'_>, gain: &Gain) -> Vec<(f64, usize)> {
    let gains = ranking.judged().iter().map(|at| (gain.of(at.level), at.count as usize));
    let mut worth: Vec<_> = gains.filter(|(gain, count)| *gain > 0.0 && *count > 0).collect();
    worth.sort_by(|a, b| float::descending(a.0, b.0));
    worth
}

fn ideal_terms<N: Working>(
    gains: impl Iterator<Item = (f64, usize)>,
    last: usize,
) -> impl Iterator<Item = N> {
    gains
        .take_while(|(gain, _)| *gain > 0.0)
        .flat_map(|(gain, count)| std::iter::repeat_n(gain, count))
        .zip(1..=last)
        .map(|(gain, rank)| discounted(gain, rank))
}

fn discounted<N: Working>(gain: f64, rank: usize) -> N {
    let inputs = [N::given("gain", gain), count("rank", rank)];
    N::computed("discounted gain", "gain / log2(rank + 1)", gain / discount(rank), inputs)
}

/// log2(rank + 1): what a gain at a rank, counted from 1, is divided by.
pub(super) fn discount(rank: usize) -> f64 {
    /// Ranks that nearly every ranking has are looked up.
    const KNOWN: usize = 1024;
    static DISCOUNTS: LazyLock<[f64; KNOWN]> =
        LazyLock::new(|| std::array::from_fn(|rank| float::log2(rank as f64 + 1.0)));
    DISCOUNTS.get(rank).copied().unwrap_or_else(|| float::log2(rank as f64 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Levels 1, 0, 2 against an ideal of 2, 1: (1 + 2/2) / (2 + 1/log2(3)).
    #[test]
    fn the_ideal_puts_the_highest_level_first() {
        let ideal = 2.0 + 1.0 / 1.584_962_500_721_156;
        near(value("ndcg", &[Some(1), Some(0), Some(2)], &[1, 1, 1]), 2.0 / ideal);
        near(value("ndcg@1", &[Some(1), Some(0), Some(2)], &[1, 1, 1]), 0.5);
    }

    /// The same with gains 1 and 3.
    #[test]
    fn exponential_gain_weighs_high_levels_more() {
        let ideal = 3.0 + 1.0 / 1.584_962_500_721_156;
        let levels = [Some(1), Some(0), Some(2)];
        near(value("ndcg(gain=exponential)", &levels, &[1, 1, 1]), 2.5 / ideal);
        near(value("dcg(gain=exp)@3", &levels, &[1, 1, 1]), 2.5);
    }

    /// Level 1 is worth 9, level 2 only 2: the ideal starts with level 1.
    #[test]
    fn levels_may_have_a_worth_of_their_own() {
        let ideal = 9.0 + 2.0 / 1.584_962_500_721_156;
        near(value("ndcg(1=9)", &[Some(2), None, Some(1)], &[0, 1, 1]), 6.5 / ideal);
    }

    #[test]
    fn with_nothing_relevant_it_is_zero() {
        assert_eq!(value("ndcg@10", &[Some(0), None], &[5]), 0.0);
    }
}
