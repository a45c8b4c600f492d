//! Inferred average precision.

use assize_score::{Working, arithmetic::ratio};

use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// Keeps a share of nothing from being undefined; `trec_eval`'s constant.
const EPSILON: f64 = 0.000_01;

/// Average precision estimated from a pool of which only a sample was judged.
///
/// The precision at a relevant document is expected from the documents above it: the share of
/// them that was pooled, times the share of the judged ones that is relevant.
///
/// Reference: Yilmaz & Aslam (2006), CIKM.
pub(crate) fn inferred_average_precision<N: Working>(
    ranking: &JudgedRanking<'_>,
    _: &Settings,
) -> N {
    let precisions = || {
        ranking.found_within(None).scan(Above::default(), |above, found| {
            if !ranking.is_relevant(found.level) {
                above.not_relevant += f64::from(u8::from(found.level >= 0));
                above.unjudged += f64::from(u8::from(found.level < 0));
                return Some(None);
            }
            let precision = above.expected_precision::<N>(found.rank);
            above.relevant += 1.0;
            Some(Some(precision))
        })
    };
    let sum = total("expected precision at relevant ranks", || precisions().flatten());
    ratio("inferred average precision", sum, count("relevant", ranking.relevant()))
}

/// What stands above a document, of those that were pooled.
#[derive(Default)]
struct Above {
    relevant: f64,
    not_relevant: f64,
    unjudged: f64,
}

impl Above {
    fn expected_precision<N: Working>(&self, rank: u32) -> N {
        let rank = f64::from(rank);
        let above = rank - 1.0;
        let pooled = self.relevant + self.not_relevant + self.unjudged;
        let judged = self.relevant + self.not_relevant;
        let share = (self.relevant + EPSILON) / (judged + 2.0 * EPSILON);
        let value =
            if above == 0.0 { 1.0 } else { 1.0 / rank + (above / rank) * (pooled / above) * share };
        let inputs = [
            N::given("rank", rank),
            N::given("pooled above", pooled),
            N::given("relevant share of the judged above", share),
        ];
        N::computed("expected precision", "1 / rank + pooled / rank * share", value, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Rank 3 with one relevant, one not above: 1/3 + 2/3 * (1 + e) / (2 + 2e) = 2/3; rank 1: 1.
    #[test]
    fn with_everything_judged_it_is_nearly_average_precision() {
        near(value("infap", &[Some(1), Some(0), Some(1)], &[1, 2]), 5.0 / 6.0);
    }

    /// The pooled, unjudged document above is expected to be as relevant as the judged one.
    #[test]
    fn the_unjudged_count_as_the_judged_do() {
        let share = (1.0 + 1e-5) / (1.0 + 2e-5);
        let third = 1.0 / 3.0 + 2.0 / 3.0 * share;
        near(value("infap", &[Some(1), Some(-1), Some(1)], &[0, 2]), f64::midpoint(1.0, third));
    }
}
