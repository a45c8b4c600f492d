//! Scores of different rankings made comparable.

use super::{FusionError, Retrieved};

/// How the scores of a ranking are made comparable to those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// As they are.
    None,
    /// The lowest becomes 0, the highest 1; where all are equal, all are 1.
    ///
    /// Reference: Lee (1997), SIGIR; Montague & Aslam (2001), CIKM, "standard".
    #[default]
    MinMax,
    /// Divided by the largest magnitude.
    Max,
    /// The lowest becomes 0, and all together 1. Reference: Montague & Aslam (2001), CIKM.
    Sum,
    /// Distance from the mean in standard deviations; where all are equal, all are 0.
    /// A document below the mean is worth less than one that was not retrieved.
    ZScore,
    /// 1 for the first of n ranks, 1/n for the last.
    Rank,
    /// Points by rank among all documents that any ranking retrieved; those that this ranking
    /// did not retrieve share the points that are left. Reference: Aslam & Montague (2001), SIGIR.
    Borda,
}

impl Norm {
    /// Every norm with its name.
    pub const ALL: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("min-max", Self::MinMax),
        ("max", Self::Max),
        ("sum", Self::Sum),
        ("z", Self::ZScore),
        ("rank", Self::Rank),
        ("borda", Self::Borda),
    ];

    /// The norm of a name.
    pub fn named(name: &str) -> Result<Self, FusionError> {
        let known = Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, norm)| *norm).ok_or_else(|| FusionError::Norm { name: name.to_owned() })
    }

    /// What each document of a ranking, best first, is worth; and what one that it did not
    /// retrieve is worth, when there are `documents` in all.
    pub(crate) fn worths(self, ranking: &[Retrieved], documents: usize) -> (Vec<f64>, f64) {
        let scores = || ranking.iter().map(|retrieved| retrieved.score);
        let count = ranking.len() as f64;
        let lowest = scores().fold(f64::INFINITY, f64::min);
        let highest = scores().fold(f64::NEG_INFINITY, f64::max);
        let ranks = || (0..ranking.len()).map(|index| index as f64 + 1.0);
        match self {
            Self::None => (scores().collect(), 0.0),
            Self::MinMax if lowest == highest => (vec![1.0; ranking.len()], 0.0),
            Self::MinMax => {
                (scores().map(|score| (score - lowest) / (highest - lowest)).collect(), 0.0)
            }
            Self::Max => {
                let largest = lowest.abs().max(highest.abs());
                (scores().map(|score| share(score, largest)).collect(), 0.0)
            }
            Self::Sum if lowest == highest => (vec![1.0 / count; ranking.len()], 0.0),
            Self::Sum => {
                let total = scores().fold(0.0, |sum, score| sum + (score - lowest));
                (scores().map(|score| (score - lowest) / total).collect(), 0.0)
            }
            Self::ZScore => {
                let mean = scores().fold(0.0, |sum, score| sum + score) / count;
                let squares =
                    scores().fold(0.0, |sum, score| sum + (score - mean) * (score - mean));
                let deviation = (squares / count).sqrt();
                (scores().map(|score| share(score - mean, deviation)).collect(), 0.0)
            }
            Self::Rank => (ranks().map(|rank| 1.0 - (rank - 1.0) / count).collect(), 0.0),
            Self::Borda => {
                let all = documents as f64;
                let left = f64::midpoint(1.0, all - count) / all;
                (ranks().map(|rank| (all - rank + 1.0) / all).collect(), left)
            }
        }
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worths(norm: Norm, scores: &[f64]) -> Vec<f64> {
        let ranking: Vec<_> = scores
            .iter()
            .enumerate()
            .map(|(document, score)| Retrieved { document, score: *score })
            .collect();
        norm.worths(&ranking, 5).0
    }

    #[test]
    fn each_norm_has_its_range() {
        let scores = [6.0, 4.0, 2.0];
        assert_eq!(worths(Norm::None, &scores), scores);
        assert_eq!(worths(Norm::MinMax, &scores), [1.0, 0.5, 0.0]);
        assert_eq!(worths(Norm::Max, &[4.0, 2.0, -1.0]), [1.0, 0.5, -0.25]);
        assert_eq!(worths(Norm::Sum, &scores), [4.0 / 6.0, 2.0 / 6.0, 0.0]);
        assert_eq!(worths(Norm::ZScore, &[3.0, 1.0]), [1.0, -1.0]);
        assert_eq!(worths(Norm::Rank, &[9.0, 1.0]), [1.0, 0.5]);
        assert_eq!(worths(Norm::Borda, &scores), [1.0, 0.8, 0.6]);
    }

    /// Of 5, 4, 3, 2, 1 points three are given out; 2 and 1 are shared, 1.5 each, of 5.
    #[test]
    fn borda_shares_what_is_left_among_the_others() {
        let ranking = [6.0, 4.0, 2.0].map(|score| Retrieved { document: 0, score });
        assert_eq!(Norm::Borda.worths(&ranking, 5).1, 0.3);
    }

    #[test]
    fn equal_scores_and_single_documents_are_no_trouble() {
        for (_, norm) in Norm::ALL {
            for scores in [[2.0].as_slice(), &[0.0, 0.0], &[]] {
                assert!(worths(norm, scores).iter().all(|worth| worth.is_finite()), "{norm:?}");
            }
        }
        assert_eq!(worths(Norm::MinMax, &[2.0]), [1.0]);
    }
}
