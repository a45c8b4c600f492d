//! nDCG averaged over several depths instead of measured at one.

use assize_score::{
    Working,
    arithmetic::{mean, ratio},
};

use super::ndcg::{discount, ideal_dcg, ideal_gains};
use super::{count, total};
use crate::retrieval::ranked::{Gain, JudgedRanking, Settings};

/// nDCG at the rank of each document that has a gain, averaged over all that have one; one
/// that was not retrieved counts with the nDCG of the whole ranking.
///
/// An experiment of `trec_eval`'s authors, there called `ndcg_rel`.
pub(crate) fn at_relevant_ranks<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let gain = &settings.gain;
    let worth: usize = ideal_gains(ranking, gain).iter().map(|(_, count)| count).sum();
    let whole: f64 = ndcg_at(ranking, gain, None);
    let missing = worth.saturating_sub(gaining_ranks(ranking, gain).count());
    let points = || {
        let found = gaining_ranks(ranking, gain).map(|rank| ndcg_at(ranking, gain, Some(rank)));
        found.chain(std::iter::repeat_with(move || N::given("not retrieved", whole)).take(missing))
    };
    ratio("average", total("ndcg at ranks with a gain", points), count("with a gain", worth))
}

/// nDCG at each depth where the ideal ranking passes from one level to the next, averaged.
///
/// With 5 documents at level 3 and 3 at level 2, that is nDCG at 5 and at 8; and at the end
/// when the ranking goes on for more than one rank after that. `trec_eval` calls it `Rndcg`.
pub(crate) fn at_level_changes<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    if ranking.relevant() == 0 {
        return N::given("average", 0.0);
    }
    let gain = &settings.gain;
    let mut depths: Vec<Option<usize>> = Vec::new();
    let mut depth = 0;
    let gains = ideal_gains(ranking, gain);
    for (index, (worth, count)) in gains.iter().enumerate() {
        depth += count;
        if gains.get(index + 1).is_none_or(|next| next.0 < *worth) {
            depths.push(Some(depth));
        }
    }
    if ranking.retrieved > depth + 1 {
        depths.push(None);
    }
    mean("average", depths.into_iter().map(|depth| ndcg_at(ranking, gain, depth)).collect())
}

fn gaining_ranks(ranking: &JudgedRanking<'_>, gain: &Gain) -> impl Iterator<Item = usize> {
    let found = ranking.found_within(None).filter(|found| gain.of(found.level) > 0.0);
    found.map(|found| found.rank as usize)
}

/// nDCG at one depth, as one line of the workings.
fn ndcg_at<N: Working>(ranking: &JudgedRanking<'_>, gain: &Gain, depth: Option<usize>) -> N {
    let gains = ranking
        .found_within(depth)
        .map(|found| gain.of(found.level) / discount(found.rank as usize));
    let dcg = gains.fold(0.0, |sum, gain| sum + gain);
    let ideal: f64 = ideal_dcg(ranking, gain, depth);
    let value = if ideal > 0.0 { dcg / ideal } else { 0.0 };
    let depth = depth.unwrap_or(ranking.retrieved);
    let inputs = [N::given("dcg", dcg), N::given("ideal dcg", ideal), count("depth", depth)];
    N::computed("ndcg", "dcg / ideal dcg", value, inputs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    const LOG2_3: f64 = 1.584_962_500_721_156;

    /// Two relevant, one found at rank 2. At rank 2 and for the whole ranking alike the gain
    /// is 1/log2(3) and the ideal 1 + 1/log2(3).
    #[test]
    fn a_document_not_retrieved_counts_with_the_whole_ranking() {
        let whole = (1.0 / LOG2_3) / (1.0 + 1.0 / LOG2_3);
        near(value("ndcg_rel", &[None, Some(1)], &[0, 2]), whole);
    }

    /// One document at level 2, one at level 1: depths 1 and 2; the ranking ends at 3, so the
    /// whole of it is not a depth of its own. Depth 1 earns 0, depth 2 (2/log2(3)) of the ideal.
    #[test]
    fn each_change_of_level_is_a_depth() {
        let second = (2.0 / LOG2_3) / (2.0 + 1.0 / LOG2_3);
        near(value("rndcg", &[None, Some(2), None], &[0, 1, 1]), second / 2.0);
    }

    /// A fourth rank makes the end a depth too, and there level 1 has been found: 1/log2(5).
    #[test]
    fn a_long_tail_is_a_depth_too() {
        let ideal = 2.0 + 1.0 / LOG2_3;
        let (second, end) =
            (2.0 / LOG2_3 / ideal, (2.0 / LOG2_3 + 1.0 / 2.321_928_094_887_362_6) / ideal);
        near(value("rndcg", &[None, Some(2), None, Some(1)], &[0, 1, 1]), (second + end) / 3.0);
    }
}
