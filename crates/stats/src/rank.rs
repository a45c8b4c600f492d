//! Ranks, with ties.

use std::cmp::Ordering;

/// Ranks from 1 for the lowest value; equal values share the mean of their ranks.
///
/// ```
/// use assize_stats::rank::average_ranks;
/// assert_eq!(average_ranks(&[0.2, 0.9, 0.2, 0.1]), [2.5, 4.0, 2.5, 1.0]);
/// ```
pub fn average_ranks(values: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    for (first, group) in groups(values, f64::total_cmp) {
        // The ranks first + 1 to first + size have this mean.
        let rank = first as f64 + f64::midpoint(1.0, group.len() as f64);
        for index in group {
            ranks[index] = rank;
        }
    }
    ranks
}

/// Ranks from 1 for the highest value; equal values share the best of their ranks.
///
/// ```
/// use assize_stats::rank::competition_ranks;
/// assert_eq!(competition_ranks(&[7.5, 9.0, 9.0, 6.0]), [3, 1, 1, 4]);
/// ```
pub fn competition_ranks(scores: &[f64]) -> Vec<usize> {
    let mut ranks = vec![0; scores.len()];
    for (first, group) in groups(scores, |left, right| right.total_cmp(left)) {
        for index in group {
            ranks[index] = first + 1;
        }
    }
    ranks
}

/// The sizes of the groups of equal values, without those that stand alone.
///
/// ```
/// use assize_stats::rank::tie_sizes;
/// assert_eq!(tie_sizes(&[1.0, 3.0, 1.0, 2.0, 3.0, 3.0]), [2, 3]);
/// ```
pub fn tie_sizes(values: &[f64]) -> Vec<usize> {
    let sizes = groups(values, f64::total_cmp).into_iter().map(|(_, group)| group.len());
    sizes.filter(|size| *size > 1).collect()
}

/// Indices of equal values together, in the order asked for, with the place each begins at.
fn groups(
    values: &[f64],
    order: impl Fn(&f64, &f64) -> Ordering,
) -> impl IntoIterator<Item = (usize, Vec<usize>)> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    indices.sort_by(|left, right| order(&values[*left], &values[*right]));
    let groups: Vec<Vec<usize>> = indices
        .chunk_by(|left, right| values[*left] == values[*right])
        .map(<[_]>::to_vec)
        .collect();
    let mut first = 0;
    groups.into_iter().map(move |group| {
        let begin = first;
        first += group.len();
        (begin, group)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zero_and_minus_zero_are_equal() {
        assert_eq!(average_ranks(&[0.0, -0.0, 1.0]), [1.5, 1.5, 3.0]);
    }

    #[test]
    fn nothing_has_no_ranks() {
        assert!(average_ranks(&[]).is_empty());
        assert!(competition_ranks(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn ranks_sum_as_if_there_were_no_ties(values in prop::collection::vec(0..5_u8, 0..40)) {
            let values: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
            let count = values.len() as f64;
            let total: f64 = average_ranks(&values).iter().sum();
            prop_assert_eq!(total, count * (count + 1.0) / 2.0);
        }
    }
}
