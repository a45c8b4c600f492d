//! Binary preference.

use assize_score::{Working, arithmetic::ratio};

use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// How often a relevant document stands above the judged documents that are not relevant.
///
/// Each relevant document retrieved earns `1 - min(above, R) / min(N, R)`, where `above` of
/// the `N` documents judged not relevant stand above it and `R` are relevant. Unjudged
/// documents play no part.
///
/// Reference: Buckley & Voorhees (2004), SIGIR, as `trec_eval` computes it.
pub fn bpref<N: Working>(ranking: &JudgedRanking<'_>, _: &Settings) -> N {
    let (relevant, not_relevant) = (ranking.relevant(), ranking.not_relevant());
    let preferences = || {
        let judged = ranking.found_within(None).filter(|found| found.level >= 0);
        let marked = judged.scan(0, |above, found| {
            let hit = ranking.is_relevant(found.level);
            *above += usize::from(!hit);
            Some((hit, *above))
        });
        marked.filter(|(hit, _)| *hit).map(|(_, above)| {
            let limit = not_relevant.min(relevant);
            let value =
                if above == 0 { 1.0 } else { 1.0 - above.min(relevant) as f64 / limit as f64 };
            let inputs = [count::<N>("not relevant above", above), count("at most", limit)];
            N::computed("preference", "1 - above / at most", value, inputs)
        })
    };
    ratio("bpref", total("preferences", preferences), count("relevant", relevant))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// R = 2, N = 2. First relevant has 1 of 2 above it, the second 2 of 2: (0.5 + 0) / 2.
    #[test]
    fn judged_documents_above_cost_and_unjudged_do_not() {
        let levels = [None, Some(0), Some(1), Some(0), None, Some(1)];
        near(value("bpref", &levels, &[2, 2]), 0.25);
    }

    /// R = 1, N = 3, two above: min(2, 1) / min(3, 1) = 1, so nothing is earned.
    #[test]
    fn no_more_count_above_than_there_are_relevant() {
        near(value("bpref", &[Some(0), Some(0), Some(1)], &[3, 1]), 0.0);
    }
}
