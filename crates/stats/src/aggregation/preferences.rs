//! Who is put above whom, and how often.

use crate::{check, error::StatsError, standardize::checked};

/// How often each candidate was put above each other one.
///
/// Both tables are square, and `tied` is symmetric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    above: Vec<Vec<u64>>,
    tied: Vec<Vec<u64>>,
}

impl Preferences {
    /// Counts ballots, each a list of all candidates from best to worst.
    ///
    /// ```
    /// use assize_stats::aggregation::Preferences;
    /// let votes = Preferences::from_ballots(&[vec![0, 1, 2], vec![1, 0, 2]])?;
    /// assert_eq!((votes.above(0, 1), votes.above(0, 2)), (1, 2));
    /// # Ok::<(), assize_stats::StatsError>(())
    /// ```
    pub fn from_ballots(ballots: &[Vec<usize>]) -> Result<Self, StatsError> {
        check::count(ballots.len(), 1)?;
        let candidates = ballots[0].len();
        let mut votes = Self::none(candidates);
        for ballot in ballots {
            check::lengths(candidates, ballot.len())?;
            let mut seen = vec![false; candidates];
            for candidate in ballot {
                match seen.get_mut(*candidate) {
                    Some(seen) if !*seen => *seen = true,
                    _ => {
                        return Err(StatsError::Invalid(
                            "a ballot must name every candidate exactly once",
                        ));
                    }
                }
            }
            for (place, better) in ballot.iter().enumerate() {
                for worse in &ballot[place + 1..] {
                    votes.above[*better][*worse] += 1;
                }
            }
        }
        Ok(votes)
    }

    /// Reads ballots out of marks, `marks[reviewer][candidate]`; equal marks are a tie, and
    /// a reviewer says nothing about a candidate left unmarked.
    ///
    /// ```
    /// use assize_stats::aggregation::Preferences;
    /// let marks = [vec![None, Some(7.0), Some(7.0)], vec![Some(9.0), None, Some(4.0)]];
    /// let votes = Preferences::from_marks(&marks)?;
    /// assert_eq!((votes.above(0, 2), votes.tied(1, 2), votes.compared(0, 1)), (1, 1, 0));
    /// # Ok::<(), assize_stats::StatsError>(())
    /// ```
    pub fn from_marks(marks: &[Vec<Option<f64>>]) -> Result<Self, StatsError> {
        check::count(marks.len(), 1)?;
        let mut votes = Self::none(checked(marks)?);
        for row in marks {
            for (left, own) in row.iter().enumerate() {
                for (right, other) in row.iter().enumerate() {
                    if let (Some(own), Some(other)) = (own, other)
                        && left != right
                    {
                        votes.above[left][right] += u64::from(own > other);
                        votes.tied[left][right] += u64::from(own == other);
                    }
                }
            }
        }
        Ok(votes)
    }

    /// The number of candidates.
    pub fn candidates(&self) -> usize {
        self.above.len()
    }

    /// How often the first was put above the second.
    pub fn above(&self, first: usize, second: usize) -> u64 {
        self.above[first][second]
    }

    /// How often both were put level.
    pub fn tied(&self, first: usize, second: usize) -> u64 {
        self.tied[first][second]
    }

    /// How often both were seen together.
    pub fn compared(&self, first: usize, second: usize) -> u64 {
        self.above(first, second) + self.above(second, first) + self.tied(first, second)
    }

    /// Wins as Bradley-Terry takes them: a tie is half a win for either.
    pub fn wins(&self) -> Vec<Vec<f64>> {
        let half = |above: &u64, tied: &u64| *above as f64 + *tied as f64 / 2.0;
        let rows = self.above.iter().zip(&self.tied);
        rows.map(|(above, tied)| above.iter().zip(tied).map(|(a, t)| half(a, t)).collect())
            .collect()
    }

    fn none(candidates: usize) -> Self {
        let empty = vec![vec![0; candidates]; candidates];
        Self { above: empty.clone(), tied: empty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ballots_that_repeat_or_leave_out_a_candidate_are_refused() {
        assert!(Preferences::from_ballots(&[vec![0, 0]]).is_err());
        assert!(Preferences::from_ballots(&[vec![0, 2]]).is_err());
        assert!(Preferences::from_ballots(&[vec![0, 1], vec![0]]).is_err());
        assert!(Preferences::from_ballots(&[]).is_err());
    }

    #[test]
    fn a_tie_is_half_a_win_for_either() {
        let votes = Preferences::from_marks(&[vec![Some(5.0), Some(5.0), Some(1.0)]]).unwrap();
        assert_eq!(votes.wins(), [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [0.0, 0.0, 0.0]]);
    }
}
