//! Pairs of English words that say opposite things.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// The pairs as they are written down: one a line.
const WRITTEN: &str = include_str!("../../../data/opposites.txt");

/// The pairs as stems, each the smaller word first, sorted.
static PAIRS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let stem =
        |word: &str| if word.len() > 3 { stemmer.stem(word).into_owned() } else { word.to_owned() };
    let mut pairs: Vec<(String, String)> = WRITTEN
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(left, right)| in_order(stem(left), stem(right)))
        .filter(|(left, right)| left != right)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
});

/// Whether two stems are opposites.
pub(super) fn are_opposites(left: &str, right: &str) -> bool {
    let (low, high) = if left <= right { (left, right) } else { (right, left) };
    PAIRS
        .binary_search_by(|(first, second)| (first.as_str(), second.as_str()).cmp(&(low, high)))
        .is_ok()
}

fn in_order(left: String, right: String) -> (String, String) {
    if left <= right { (left, right) } else { (right, left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_found_from_either_side_and_in_other_forms() {
        assert!(are_opposites("won", "lost") && are_opposites("lost", "won"));
        assert!(are_opposites("increas", "fell"));
        assert!(!are_opposites("won", "win"));
    }
}
