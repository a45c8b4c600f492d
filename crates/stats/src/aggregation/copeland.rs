//! Copeland's rule: duels won minus duels lost.

use std::cmp::Ordering;

use super::Preferences;

/// Duels won minus duels lost, for each candidate; the majority decides a duel.
///
/// Reference: Copeland (1951), A reasonable social welfare function.
///
/// ```
/// use assize_stats::aggregation::{Preferences, copeland};
/// let votes = Preferences::from_ballots(&[vec![0, 1, 2], vec![1, 0, 2]])?;
/// assert_eq!(copeland(&votes), [1, 1, -2]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn copeland(votes: &Preferences) -> Vec<i64> {
    let others = 0..votes.candidates();
    let balance = |candidate| {
        let duels = others.clone().map(|other| duel(votes, candidate, other));
        duels.map(|outcome| outcome as i64).sum()
    };
    others.clone().map(balance).collect()
}

fn duel(votes: &Preferences, first: usize, second: usize) -> Ordering {
    votes.above(first, second).cmp(&votes.above(second, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_every_duel_comes_first() {
        let votes = Preferences::from_ballots(&[vec![2, 0, 1], vec![2, 1, 0]]).unwrap();
        assert_eq!(copeland(&votes), [-1, -1, 2]);
    }
}
