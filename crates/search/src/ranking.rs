//! Scores into a ranking: highest first, then by file, then by span.

use assize_score::float::descending;

/// A passage that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Index of the passage in its collection.
    pub passage: usize,
    /// How well it fits, on the scale of the method that found it.
    pub score: f64,
}

/// The `k` highest scores; equal ones in the order of file and span.
///
/// Passages are numbered in that order, so their index breaks the tie. A passage with
/// `None` has nothing in common with the query and is never a hit.
pub fn best(scores: impl IntoIterator<Item = Option<f64>>, k: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = scores
        .into_iter()
        .enumerate()
        .filter_map(|(passage, score)| Some(Hit { passage, score: score? }))
        .collect();
    let order = |left: &Hit, right: &Hit| {
        descending(left.score, right.score).then(left.passage.cmp(&right.passage))
    };
    if k < hits.len() {
        hits.select_nth_unstable_by(k, order);
        hits.truncate(k);
        // An answer is kept for as long as its run; room for every passage is not.
        hits.shrink_to_fit();
    }
    hits.sort_unstable_by(order);
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passages(scores: &[Option<f64>], k: usize) -> Vec<usize> {
        best(scores.iter().copied(), k).iter().map(|hit| hit.passage).collect()
    }

    #[test]
    fn equal_scores_stand_in_the_order_of_file_and_span() {
        let scores = [Some(1.0), Some(2.0), None, Some(1.0), Some(2.0), Some(0.0)];
        assert_eq!(passages(&scores, 3), [1, 4, 0]);
        assert_eq!(passages(&scores, 10), [1, 4, 0, 3, 5]);
        assert!(passages(&scores, 0).is_empty());
    }
}
