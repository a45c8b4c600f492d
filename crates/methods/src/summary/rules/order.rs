//! Whether words stand in the same order in a claim and in its evidence.

use super::vocabulary::Stem;

/// A word of the claim and the word of the evidence it goes with, by position.
pub(super) type Pair = (usize, usize);

/// The heaviest sequence of words that both hold in the same order.
///
/// Gives its weight and its pairs, in order. Quadratic; sentences are short by
/// construction.
pub(super) fn common_sequence(
    claim: &[Stem],
    evidence: &[Stem],
    weight: impl Fn(Stem) -> f64,
) -> (f64, Vec<Pair>) {
    let width = evidence.len() + 1;
    let mut best = vec![0.0_f64; (claim.len() + 1) * width];
    for (row, &stem) in claim.iter().enumerate() {
        let gain = weight(stem);
        for (column, &other) in evidence.iter().enumerate() {
            let (above, left) = (best[row * width + column + 1], best[(row + 1) * width + column]);
            let mut value = above.max(left);
            if stem == other {
                value = value.max(best[row * width + column] + gain);
            }
            best[(row + 1) * width + column + 1] = value;
        }
    }
    let total = best.last().copied().unwrap_or(0.0);
    let mut pairs = Vec::new();
    let (mut row, mut column) = (claim.len(), evidence.len());
    while row > 0 && column > 0 {
        let value = best[row * width + column];
        if value == best[(row - 1) * width + column] {
            row -= 1;
        } else if value == best[row * width + column - 1] {
            column -= 1;
        } else {
            row -= 1;
            column -= 1;
            pairs.push((row, column));
        }
    }
    pairs.reverse();
    (total, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heavier_of_two_crossing_words_is_kept() {
        let weight = |stem: Stem| if stem == 3 { 5.0 } else { 1.0 };
        let (total, pairs) = common_sequence(&[1, 2, 3], &[3, 1, 2], weight);
        assert_eq!((total, pairs), (5.0, vec![(2, 0)]));
    }

    #[test]
    fn nothing_in_common_is_nothing() {
        assert_eq!(common_sequence(&[], &[1], |_| 1.0), (0.0, vec![]));
        assert_eq!(common_sequence(&[2], &[1], |_| 1.0), (0.0, vec![]));
    }
}
