//! Kendall's tau-b: pairs in the same order against pairs in the opposite order.

use crate::{check, error::StatsError, rank::tie_sizes};

/// Kendall's tau-b, which allows for ties in either list.
///
/// Takes time in proportion to n log n.
///
/// References: Kendall (1945), Biometrika 33(3); Knight (1966), JASA 61(314).
///
/// ```
/// use assize_stats::correlation::kendall;
/// // Two pairs in order, one against it.
/// assert!((kendall(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])? - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn kendall(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    Ok(Pairs::count(first, second)?.tau())
}

/// How the pairs of items fall.
struct Pairs {
    /// All pairs.
    all: u64,
    /// Pairs equal in the first list.
    first_tied: u64,
    /// Pairs equal in the second list.
    second_tied: u64,
    /// Pairs in the same order minus pairs in the opposite order.
    balance: i64,
}

impl Pairs {
    fn count(first: &[f64], second: &[f64]) -> Result<Self, StatsError> {
        check::pair(first, second, 2)?;
        // Adding zero makes minus zero plus zero, which the sort would tell apart.
        let mut items: Vec<(f64, f64)> =
            first.iter().zip(second).map(|(x, y)| (x + 0.0, y + 0.0)).collect();
        items.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)));
        let both_tied = items.chunk_by(|left, right| left == right).map(<[_]>::len);
        let both_tied: u64 = both_tied.map(pairs_of).sum();
        let mut seconds: Vec<f64> = items.iter().map(|item| item.1).collect();
        let opposite = sort_counting_swaps(&mut seconds);
        let first_tied: u64 = tie_sizes(first).into_iter().map(pairs_of).sum();
        let second_tied: u64 = tie_sizes(second).into_iter().map(pairs_of).sum();
        let all = pairs_of(first.len());
        if first_tied == all || second_tied == all {
            return Err(StatsError::Constant);
        }
        let ordered: u64 = all + both_tied - first_tied - second_tied;
        let balance = ordered.cast_signed() - 2 * opposite.cast_signed();
        Ok(Self { all, first_tied, second_tied, balance })
    }

    fn tau(&self) -> f64 {
        let first = (self.all - self.first_tied) as f64;
        let second = (self.all - self.second_tied) as f64;
        (self.balance as f64 / (first * second).sqrt()).clamp(-1.0, 1.0)
    }
}

fn pairs_of(size: usize) -> u64 {
    let size = size as u64;
    size * size.saturating_sub(1) / 2
}

/// Sorts by merging, and counts the pairs that stood in falling order.
fn sort_counting_swaps(values: &mut Vec<f64>) -> u64 {
    let mut merged = vec![0.0; values.len()];
    let mut swaps = 0;
    let mut width = 1;
    while width < values.len() {
        for (source, target) in values.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (left, right) = source.split_at(width.min(source.len()));
            swaps += merge(left, right, target);
        }
        std::mem::swap(values, &mut merged);
        width *= 2;
    }
    swaps
}

/// Merges two sorted runs and counts how often a right one passes a left one.
fn merge(left: &[f64], right: &[f64], target: &mut [f64]) -> u64 {
    let (mut from_left, mut from_right, mut swaps) = (0, 0, 0);
    for slot in target {
        let take_right = from_left == left.len()
            || (from_right < right.len() && right[from_right] < left[from_left]);
        if take_right {
            *slot = right[from_right];
            from_right += 1;
            swaps += (left.len() - from_left) as u64;
        } else {
            *slot = left[from_left];
            from_left += 1;
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `scipy.stats.kendalltau`.
    #[test]
    fn ties_agree_with_scipy() {
        let tau = kendall(&[-0.0, 2.0, 1.0, 0.0, -1.0], &[1.0, 1.0, -1.0, -2.0, 3.0]).unwrap();
        assert!((tau + 0.222_222_222_222_222_2).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]), Err(StatsError::Constant));
        assert!(kendall(&[1.0], &[1.0]).is_err());
    }

    proptest! {
        #[test]
        fn counting_by_merging_is_counting_all_pairs(
            items in prop::collection::vec((0..6_i8, 0..6_i8), 2..40),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) =
                items.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
            let mut balance = 0;
            for (index, left) in items.iter().enumerate() {
                for right in &items[..index] {
                    balance += i64::from(
                        (left.0 - right.0).signum() * (left.1 - right.1).signum(),
                    );
                }
            }
            if let Ok(pairs) = Pairs::count(&first, &second) {
                prop_assert_eq!(pairs.balance, balance);
                let tau = pairs.tau();
                prop_assert!((-1.0..=1.0).contains(&tau));
                prop_assert_eq!(kendall(&second, &first), Ok(tau));
            }
        }
    }
}
