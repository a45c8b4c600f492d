//! Interpolated precision at a level of recall, and its mean over eleven of them.

use assize_score::{Working, arithmetic::mean};

use super::count;
use crate::retrieval::ranked::{JudgedRanking, Settings};

/// The best precision at any rank where recall is at least the stated share.
///
/// Reference: Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, 8.4.
pub(crate) fn at_recall<N: Working>(ranking: &JudgedRanking<'_>, settings: &Settings) -> N {
    at_point(ranking, settings.number())
}

/// The mean of interpolated precision over the stated levels of recall, eleven by default.
pub(crate) fn eleven_point_average<N: Working>(
    ranking: &JudgedRanking<'_>,
    settings: &Settings,
) -> N {
    mean("average", settings.numbers.iter().map(|&point| at_point(ranking, point)).collect())
}

fn at_point<N: Working>(ranking: &JudgedRanking<'_>, point: f64) -> N {
    let needed = documents_needed(point, ranking.relevant());
    let reached = ranking.hits(None).filter(|(nth, _)| *nth >= needed);
    let best = reached.map(|(nth, rank)| nth as f64 / rank as f64).fold(0.0, f64::max);
    let inputs = [N::given("recall", point), count("relevant documents needed", needed)];
    N::computed("interpolated precision", "best precision from there on", best, inputs)
}

/// How many relevant documents make up a share of recall: to the nearest whole document,
/// halves up, on the bare product. `trec_eval` 10 rounds so; 9 and earlier added 0.9.
fn documents_needed(point: f64, relevant: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count is a small number of 0 or more"
    )]
    let needed = (point * relevant as f64 + 0.5) as usize;
    needed
}

#[cfg(test)]
mod tests {
    use super::super::testing::{near, value};
    use super::*;

    /// Relevant at ranks 2 and 3 of four: precision 1/2 and 2/3; half of recall is reached at
    /// rank 3, three quarters never.
    #[test]
    fn precision_further_down_counts_when_it_is_better() {
        let levels = [None, Some(1), Some(1)];
        near(value("iprec@0", &levels, &[0, 4]), 2.0 / 3.0);
        near(value("iprec@.25", &levels, &[0, 4]), 2.0 / 3.0);
        near(value("iprec@0.75", &levels, &[0, 4]), 0.0);
        near(value("11pt_avg(0,.5,1)", &levels, &[0, 4]), 4.0 / 9.0);
    }

    /// 0.7 * 45 is 31.499999999999996 in binary, and `trec_eval` takes it as it is.
    #[test]
    fn a_half_that_binary_misses_rounds_down() {
        assert_eq!(documents_needed(0.7, 45), 31);
        assert_eq!(documents_needed(0.5, 77), 39);
        assert_eq!(documents_needed(0.0, 77), 0);
    }
}
