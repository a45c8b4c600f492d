//! Rank-biased precision.

use assize_score::{
    Working,
    arithmetic::{complement, times},
    float,
};

use super::{count, total};
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// Gain weighted by the chance that a reader who goes on with chance p from each rank to the
/// next gets there: `(1 - p) Σ gain_i p^(i-1)`.
///
/// Gains above 1 are scaled so that the query's highest is worth 1. When a level of relevance
/// is stated (`rbp(p=0.8,rel=1)`), every relevant document is worth 1, as in the article.
///
/// Reference: Moffat & Zobel (2008), ACM TOIS 27(1).
pub(crate) fn rank_biased_precision<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    let persistence = settings.number();
    let scale = gain_scale(ranking, settings);
    let terms = || {
        let gains = ranking.found_within(settings.cutoff).map(|found| {
            let binary = f64::from(u8::from(ranking.is_relevant(found.level)));
            let graded = settings.gain.of(found.level) / scale;
            (if settings.relevant_from.is_some() { binary } else { graded }, found.rank)
        });
        gains.filter(|(gain, _)| *gain != 0.0).map(|(gain, rank)| {
            let value = gain * weight(persistence, rank);
            let inputs = [N::given("gain", gain), count::<N>("rank", rank as usize)];
            N::computed("weighted gain", "gain * p^(rank - 1)", value, inputs)
        })
    };
    times("rank-biased precision", 1.0 - persistence, total("weighted gain", terms))
}

/// How much rank-biased precision could still rise if every unjudged document were of the
/// highest level; 0 when no unjudged document was retrieved.
pub fn residual<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    let persistence = settings.number();
    let judged = || ranking.found_within(None).filter(|found| found.level >= 0);
    if judged().count() == ranking.retrieved {
        return N::given("residual", 0.0);
    }
    let weights = || {
        judged().map(|found| N::given("weight of a judged rank", weight(persistence, found.rank)))
    };
    complement("residual", times("judged", 1.0 - persistence, total("weights", weights)))
}

/// What gains are divided by to lie between 0 and 1.
fn gain_scale(ranking: &JudgedRanking<'_>, settings: &Settings) -> f64 {
    ranking.judged().iter().map(|at| settings.gain.of(at.level)).fold(1.0, f64::max)
}

fn weight(persistence: f64, rank: u32) -> f64 {
    float::pow(persistence, f64::from(rank) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};

    /// (1 - 0.5) * (1 + 0.25).
    #[test]
    fn each_rank_weighs_less_than_the_one_above() {
        near(value("rbp(p=.5)", &[Some(1), None, Some(1)], &[0, 2]), 0.625);
        near(value("rbp(p=.5)@2", &[Some(1), None, Some(1)], &[0, 2]), 0.5);
    }

    /// Level 1 of 4 is worth a quarter; stated as relevant, it is worth 1.
    #[test]
    fn graded_gain_is_scaled_to_the_highest_level_of_the_query() {
        near(value("rbp(p=.5)", &[Some(1)], &[0, 1, 0, 0, 1]), 0.125);
        near(value("rbp(p=.5,rel=1)", &[Some(1)], &[0, 1, 0, 0, 1]), 0.5);
    }

    /// Rank 1 is judged and weighs 0.5; everything else might be relevant.
    #[test]
    fn the_residual_is_the_weight_of_all_that_is_not_judged() {
        near(value("rbp_resid(p=.5)", &[Some(0), None], &[1]), 0.5);
        near(value("rbp_resid(p=.5)", &[Some(0)], &[1]), 0.0);
    }
}
