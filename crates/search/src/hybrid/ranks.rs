//! Reciprocal rank fusion: what a place in one ranking is worth in the next.
//!
//! Reference: Cormack, Clarke & Buettcher (2009), Reciprocal rank fusion outperforms
//! Condorcet and individual rank learning methods, SIGIR.

use assize_score::Working;
use assize_score::float::descending;

/// How flat the top is: the constant of the reference.
const FLATNESS: f64 = 60.0;

/// The place of every passage by one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks(Vec<f64>);

impl Ranks {
    /// Places from 1; passages with equal scores share the first place of their group, so
    /// that the order of files gives no advantage.
    pub fn of(scores: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&left, &right| descending(scores[left], scores[right]));
        let mut places = vec![0.0; scores.len()];
        let mut place = 0.0;
        for (index, &passage) in order.iter().enumerate() {
            if index == 0 || scores[order[index - 1]] != scores[passage] {
                place = (index + 1) as f64;
            }
            places[passage] = place;
        }
        Self(places)
    }

    /// What a passage's place adds, with workings if the caller wants them.
    pub fn share<N: Working>(&self, name: &'static str, passage: usize, score: N) -> N {
        let place = self.0[passage];
        N::computed(
            name,
            "1 / (60 + place)",
            1.0 / (FLATNESS + place),
            [N::given("place", place), score],
        )
    }
}

#[cfg(test)]
mod tests {
    use assize_score::Explained;

    use super::*;

    #[test]
    fn places_fall_with_the_score_and_equal_scores_share_one() {
        assert_eq!(Ranks::of(&[0.5, 2.0, 0.5, 1.0]), Ranks(vec![3.0, 1.0, 3.0, 2.0]));
        assert_eq!(Ranks::of(&[]), Ranks(Vec::new()));
    }

    #[test]
    fn a_first_place_is_worth_a_sixty_first() {
        let ranks = Ranks::of(&[1.0, 3.0]);
        assert_eq!(ranks.share::<f64>("place", 1, 3.0), 1.0 / 61.0);
        let second: Explained = ranks.share("place", 0, Explained::given("score", 1.0));
        assert_eq!(second.value(), 1.0 / 62.0);
    }
}
