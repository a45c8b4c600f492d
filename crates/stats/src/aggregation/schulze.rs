//! Schulze's method: the strongest chain of duels.

use super::Preferences;

/// Chains of duels and who wins by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schulze {
    /// `strength[a][b]`: the weakest duel, in votes, on the strongest chain from a to b.
    pub strength: Vec<Vec<u64>>,
    /// How many others each candidate beats by chains; higher is better.
    pub beaten: Vec<usize>,
    /// Candidates whom nobody beats.
    pub winners: Vec<usize>,
}

/// Ranks by the strongest chains of duels, counted in winning votes.
///
/// Ordering by `beaten` is the method's ranking; it always elects who wins every duel.
///
/// Reference: Schulze (2011), Social Choice and Welfare 36(2).
///
/// ```
/// use assize_stats::aggregation::{Preferences, schulze};
/// let votes = Preferences::from_ballots(&[vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2]])?;
/// let ranking = schulze(&votes);
/// assert_eq!((ranking.winners, ranking.beaten), (vec![0], vec![2, 1, 0]));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn schulze(votes: &Preferences) -> Schulze {
    let candidates = 0..votes.candidates();
    let duel = |first, second| {
        let (for_it, against) = (votes.above(first, second), votes.above(second, first));
        if for_it > against { for_it } else { 0 }
    };
    let mut strength: Vec<Vec<u64>> = candidates
        .clone()
        .map(|first| candidates.clone().map(|second| duel(first, second)).collect())
        .collect();
    for through in candidates.clone() {
        let onward = strength[through].clone();
        for (start, row) in strength.iter_mut().enumerate() {
            let first_part = row[through];
            for (end, current) in row.iter_mut().enumerate() {
                if start != end {
                    *current = (*current).max(first_part.min(onward[end]));
                }
            }
        }
    }
    let beats = |first: usize, second: usize| strength[first][second] > strength[second][first];
    let count = |first| candidates.clone().filter(|second| beats(first, *second)).count();
    let unbeaten = |second: &usize| !candidates.clone().any(|first| beats(first, *second));
    Schulze {
        beaten: candidates.clone().map(count).collect(),
        winners: candidates.clone().filter(unbeaten).collect(),
        strength,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first example in Schulze's paper as Wikipedia gives it: 45 voters, E > A > C > B > D.
    #[test]
    fn the_published_example_comes_out() {
        let groups: [(usize, [usize; 5]); 8] = [
            (5, [0, 2, 1, 4, 3]),
            (5, [0, 3, 4, 2, 1]),
            (8, [1, 4, 3, 0, 2]),
            (3, [2, 0, 1, 4, 3]),
            (7, [2, 0, 4, 1, 3]),
            (2, [2, 1, 0, 3, 4]),
            (7, [3, 2, 4, 1, 0]),
            (8, [4, 1, 0, 3, 2]),
        ];
        let ballots: Vec<Vec<usize>> =
            groups.iter().flat_map(|(voters, ballot)| vec![ballot.to_vec(); *voters]).collect();
        let ranking = schulze(&Preferences::from_ballots(&ballots).unwrap());
        assert_eq!(ranking.strength[0], [0, 28, 28, 30, 24]);
        assert_eq!(ranking.strength[4], [25, 28, 28, 31, 0]);
        assert_eq!((ranking.beaten, ranking.winners), (vec![3, 1, 2, 0, 4], vec![4]));
    }
}
