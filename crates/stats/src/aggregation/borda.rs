//! Borda's count.

use super::Preferences;

/// Points of each candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Borda {
    /// One point for each candidate below, on each ballot; half a point for a tie.
    pub points: Vec<f64>,
    /// Points as a share of those that could be had, 0 to 1; `None` if never compared.
    pub shares: Vec<Option<f64>>,
}

/// Counts for each candidate how many others it was put above.
///
/// Reference: de Borda (1781), Mémoire sur les élections au scrutin.
///
/// ```
/// use assize_stats::aggregation::{Preferences, borda};
/// let votes = Preferences::from_ballots(&[vec![0, 1, 2], vec![1, 0, 2]])?;
/// let count = borda(&votes);
/// assert_eq!(count.points, [3.0, 3.0, 0.0]);
/// assert_eq!(count.shares, [Some(0.75), Some(0.75), Some(0.0)]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn borda(votes: &Preferences) -> Borda {
    let others = 0..votes.candidates();
    let points: Vec<f64> = votes.wins().iter().map(|wins| wins.iter().sum()).collect();
    let shares = points.iter().enumerate().map(|(candidate, points)| {
        let compared: u64 = others
            .clone()
            .filter(|other| *other != candidate)
            .map(|other| votes.compared(candidate, other))
            .sum();
        (compared > 0).then(|| points / compared as f64)
    });
    Borda { shares: shares.collect(), points }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points and shares of these eight ballots by `pref_voting`.
    #[test]
    fn eight_ballots_agree_with_pref_voting() {
        let ballots = [
            [1, 2, 0],
            [1, 0, 2],
            [2, 0, 1],
            [0, 2, 1],
            [0, 1, 2],
            [1, 0, 2],
            [0, 2, 1],
            [0, 1, 2],
        ]
        .map(|ballot| ballot.to_vec());
        let count = borda(&Preferences::from_ballots(&ballots).unwrap());
        assert_eq!(count.points, [11.0, 8.0, 5.0]);
        assert_eq!(count.shares, [Some(0.6875), Some(0.5), Some(0.3125)]);
    }

    #[test]
    fn a_candidate_nobody_compared_has_no_share() {
        let votes = Preferences::from_marks(&[vec![Some(1.0), Some(2.0), None]]).unwrap();
        assert_eq!(borda(&votes).shares, [Some(0.0), Some(1.0), None]);
    }
}
