//! Expected reciprocal rank.

use assize_score::{Working, float};

use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The reciprocal of the rank at which a reader who goes down the list stops, on average.
///
/// A document at level `g` satisfies with chance `(2^g - 1) / 2^max`; the highest level is
/// stated (4, as TREC's web track has it), because a maximum taken from each query would make
/// queries incomparable. A level above it counts as the highest.
///
/// Reference: Chapelle, Metzler, Zhang & Grinspan (2009), CIKM.
pub(crate) fn expected_reciprocal_rank<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    let highest = settings.number();
    let terms = || {
        ranking.found_within(settings.cutoff).filter(|found| found.level > 0).scan(
            1.0,
            move |going_on, found| {
                let level = f64::from(found.level).min(highest);
                let satisfied = (float::pow(2.0, level) - 1.0) / float::pow(2.0, highest);
                let reached = *going_on;
                *going_on *= 1.0 - satisfied;
                Some(stop::<N>(reached, satisfied, found.rank))
            },
        )
    };
    total("expected reciprocal rank", terms)
}

fn stop<N: Working>(reached: f64, satisfied: f64, rank: u32) -> N {
    let value = reached * satisfied / f64::from(rank);
    let inputs = [
        N::given("reached", reached),
        N::given("satisfied", satisfied),
        count("rank", rank as usize),
    ];
    N::computed("stops here", "reached * satisfied / rank", value, inputs)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// Level 4 at rank 1 satisfies 15/16; level 1 at rank 3: 1/16 * 1/16 / 3.
    #[test]
    fn a_reader_satisfied_early_rarely_reaches_the_rest() {
        let levels = [Some(4), None, Some(1)];
        near(value("err", &levels, &[0, 1, 0, 0, 1]), 15.0 / 16.0 + 1.0 / 768.0);
        near(value("err@1", &levels, &[0, 1, 0, 0, 1]), 15.0 / 16.0);
        near(value("err(max=1)", &[None, Some(1)], &[0, 1]), 0.25);
    }
}
