//! Kemeny's rule: the rankings nearest to all votes.

use super::Preferences;
use crate::{check, error::StatsError};

/// More candidates would need more than 2^16 subsets.
pub(crate) const CANDIDATES_MAX: usize = 16;

/// Of equally good rankings no more than these are listed: with all answers tied there would be
/// as many as there are permutations.
pub(crate) const RANKINGS_MAX: usize = 1000;

/// The rankings nearest to all votes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kemeny {
    /// How many times a voter's order of two candidates is turned round.
    pub distance: u64,
    /// All rankings at that distance, best candidate first, in the order of their numbers.
    pub rankings: Vec<Vec<usize>>,
    /// Whether the list holds all of them; it stops at [`RANKINGS_MAX`].
    pub complete: bool,
}

/// Finds every ranking that turns round as few of the voters' preferences as possible.
///
/// Exact, by going through the subsets of candidates; at most [`CANDIDATES_MAX`].
///
/// Reference: Kemeny (1959), Daedalus 88(4).
///
/// ```
/// use assize_stats::aggregation::{Preferences, kemeny};
/// let votes = Preferences::from_ballots(&[vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2]])?;
/// let nearest = kemeny(&votes)?;
/// assert_eq!((nearest.distance, nearest.rankings), (2, vec![vec![0, 1, 2]]));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn kemeny(votes: &Preferences) -> Result<Kemeny, StatsError> {
    let candidates = votes.candidates();
    check::count(candidates, 1)?;
    if candidates > CANDIDATES_MAX {
        return Err(StatsError::TooMany { limit: CANDIDATES_MAX, found: candidates });
    }
    let all = (1_usize << candidates) - 1;
    // The least distance that ranking the rest costs, once these stand at the top.
    let mut rest = vec![0; all + 1];
    for top in (0..all).rev() {
        rest[top] = (0..candidates)
            .filter(|next| top >> next & 1 == 0)
            .map(|next| cost(votes, top, next) + rest[top | 1 << next])
            .min()
            .unwrap_or(0);
    }
    let mut search = Search { votes, rest: &rest, rankings: Vec::new(), complete: true };
    search.extend(0, &mut Vec::with_capacity(candidates));
    let Search { rankings, complete, .. } = search;
    Ok(Kemeny { distance: rest[0], rankings, complete })
}

/// How many preferences are turned round by ranking `next` right below `top`.
fn cost(votes: &Preferences, top: usize, next: usize) -> u64 {
    (0..votes.candidates())
        .filter(|below| *below != next && top >> below & 1 == 0)
        .map(|below| votes.above(below, next))
        .sum()
}

/// Walks along all rankings of least distance.
struct Search<'a> {
    votes: &'a Preferences,
    rest: &'a [u64],
    rankings: Vec<Vec<usize>>,
    complete: bool,
}

impl Search<'_> {
    fn extend(&mut self, top: usize, ranking: &mut Vec<usize>) {
        if ranking.len() == self.votes.candidates() {
            if self.rankings.len() < RANKINGS_MAX {
                self.rankings.push(ranking.clone());
            } else {
                self.complete = false;
            }
            return;
        }
        for next in 0..self.votes.candidates() {
            let free = top >> next & 1 == 0;
            let with = top | 1 << next;
            let leads = free && cost(self.votes, top, next) + self.rest[with] == self.rest[top];
            if leads && self.complete {
                ranking.push(next);
                self.extend(with, ranking);
                ranking.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_ballots_leave_every_ranking_equally_near() {
        let votes = Preferences::from_ballots(&[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]).unwrap();
        let nearest = kemeny(&votes).unwrap();
        assert_eq!((nearest.distance, nearest.rankings.len(), nearest.complete), (6, 24, true));
    }

    #[test]
    fn a_list_too_long_says_so() {
        let forward: Vec<usize> = (0..9).collect();
        let backward: Vec<usize> = (0..9).rev().collect();
        let votes = Preferences::from_ballots(&[forward, backward]).unwrap();
        let nearest = kemeny(&votes).unwrap();
        assert_eq!((nearest.rankings.len(), nearest.complete), (RANKINGS_MAX, false));
    }

    #[test]
    fn too_many_candidates_are_refused() {
        let votes = Preferences::from_ballots(&[(0..17).collect()]).unwrap();
        assert_eq!(kemeny(&votes), Err(StatsError::TooMany { limit: 16, found: 17 }));
    }
}
