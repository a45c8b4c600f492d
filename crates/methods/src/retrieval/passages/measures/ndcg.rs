//! Normalised discounted cumulative gain at k.

use assize_score::arithmetic::ratio;
use assize_score::float::log2;
use assize_score::{Cap, Working};

use crate::retrieval::passages::label::Label;
use crate::retrieval::passages::matching::Matches;
use crate::retrieval::passages::options::{NdcgIdeal, PassageOptions};

/// The greatest value that nDCG promises.
const MOST: f64 = 1.0;

/// Gain discounted by rank, as a share of the ideal ranking's gain.
///
/// `DCG = Σ 1 / log2(rank + 1)` over the ranks up to k whose passage matches any gold.
/// The ideal ranking has its relevant passages first; how many they are is a reading
/// ([`NdcgIdeal`]). With one for each gold, a query can pass 1 as soon as several
/// passages hold the same gold: see [`held_at_one`].
///
/// Reference: Järvelin & Kekäläinen (2002), ACM TOIS 20(4).
///
/// ```
/// # use assize_methods::retrieval::passages::{PassageOptions, matching::*, measures::ndcg};
/// // One gold, found at rank 2: 1 / log2(3), against an ideal of 1.
/// let matches = vec![Match { rank: 2, gold: 0, rule: Rule::Equal }];
/// let query = Matches { matches, gold_count: 1, ..Matches::default() };
/// let value: f64 = ndcg(&query, &PassageOptions::default());
/// assert!((value - 0.6309).abs() < 1e-4);
/// ```
pub fn ndcg<N: Working>(query: &Matches, options: &PassageOptions) -> N {
    let relevant = query.by_rank().count();
    let ideal_count = match options.ndcg_ideal {
        NdcgIdeal::Gold => query.gold_count,
        NdcgIdeal::Retrieved => relevant,
        NdcgIdeal::Matched => query.gold_count.max(relevant),
    };
    let gains = query
        .by_rank()
        .map(|matches| gain::<N>(matches[0].rank).named(Label::RelevantPassage(matches)));
    let ideal_gains = (1..=ideal_count.min(options.k.get()))
        .map(|rank| gain::<N>(rank).named(Label::IdealRank(rank)));
    let dcg = total("dcg", gains.collect());
    ratio("ndcg", dcg, total("ideal dcg", ideal_gains.collect()))
}

/// Whether the bare formula leaves the range that nDCG promises.
pub(crate) fn passes_one<N: Working>(ndcg: &N) -> bool {
    ndcg.value() > MOST
}

/// The value after the cap that keeps nDCG in its range.
///
/// ```
/// # use assize_methods::retrieval::passages::measures::held_at_one;
/// assert_eq!(held_at_one(1.63), 1.0);
/// assert_eq!(held_at_one(0.63), 0.63);
/// ```
pub fn held_at_one<N: Working>(ndcg: N) -> N {
    let because = "more passages match than there are golds, and nDCG promises 0 to 1";
    let cap = Cap::when(passes_one(&ndcg), MOST, because);
    ndcg.capped(vec![cap])
}

/// The sum of all gains; of none, 0 and not the -0 that the sum of nothing is.
fn total<N: Working>(name: &'static str, gains: Vec<N>) -> N {
    let value = gains.iter().map(N::value).fold(0.0, |sum, gain| sum + gain);
    N::computed(name, "sum", value, gains)
}

/// The worth of a relevant passage at a rank, from 1.
fn gain<N: Working>(rank: usize) -> N {
    let rank = rank as f64;
    let value = 1.0 / log2(rank + 1.0);
    N::computed("gain", "1 / log2(rank + 1)", value, [N::given("rank", rank)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gain_at_all_is_printed_without_a_minus() {
        let query = Matches { gold_count: 1, ..Matches::default() };
        assert!(ndcg::<f64>(&query, &PassageOptions::default()).is_sign_positive());
    }
}
