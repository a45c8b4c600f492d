//! Kendall's tau-b: pairs in the same order against pairs in the opposite order.

use super::Correlation;
use crate::{check, distribution::normal::two_sided, error::StatsError, rank::tie_sizes, sum::sum};

/// Up to this many items without ties p is exact, as in `SciPy`.
const EXACT_ITEMS_MAX: usize = 33;

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

/// Kendall's tau-b with its p value.
///
/// Exact for at most 33 items without ties; otherwise the normal approximation with the
/// variance that ties leave.
///
/// Reference: Kendall (1970), Rank Correlation Methods, 4th edition.
///
/// ```
/// use assize_stats::correlation::kendall_test;
/// // Perfect order has 2 of the 6 orders of three items on its side or opposite.
/// let found = kendall_test(&[1.0, 2.0, 3.0], &[4.0, 5.0, 9.0])?;
/// assert!((found.value - 1.0).abs() < 1e-15 && (found.p - 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn kendall_test(first: &[f64], second: &[f64]) -> Result<Correlation, StatsError> {
    let pairs = Pairs::count(first, second)?;
    let count = first.len();
    let fewest = pairs.opposite.min(pairs.all - pairs.opposite);
    let untied = pairs.first_tied == 0 && pairs.second_tied == 0;
    let p = if untied && (count <= EXACT_ITEMS_MAX || fewest <= 1) {
        exact_p(count, fewest)
    } else {
        normal_p(&pairs, first, second)?
    };
    Ok(Correlation { value: pairs.tau(), p, count })
}

/// Kendall's tau-b with the p value of the normal approximation, however few the items.
///
/// ```
/// use assize_stats::correlation::kendall::kendall_normal;
/// // Five of six pairs in order: 4 / √(4 · 3 · 13 / 18) deviations.
/// let found = kendall_normal(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])?;
/// assert!((found.p - 0.1742).abs() < 1e-4);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn kendall_normal(first: &[f64], second: &[f64]) -> Result<Correlation, StatsError> {
    let pairs = Pairs::count(first, second)?;
    check::count(first.len(), 3)?;
    let p = normal_p(&pairs, first, second)?;
    Ok(Correlation { value: pairs.tau(), p, count: first.len() })
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
    /// Pairs in the opposite order.
    opposite: u64,
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
        Ok(Self { all, first_tied, second_tied, balance, opposite })
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

/// The share of all orders with at most `fewest` swaps, on either side.
fn exact_p(count: usize, fewest: u64) -> f64 {
    let limit = usize::try_from(fewest).unwrap_or(usize::MAX - 1);
    // The probability of each number of swaps among the items so far.
    let mut probability = vec![0.0; limit + 1];
    probability[0] = 1.0;
    for placed in 2..=count {
        // One more item makes 0 to placed - 1 swaps, each equally likely.
        let mut next = vec![0.0; limit + 1];
        let mut window = 0.0;
        for swaps in 0..=limit {
            window += probability[swaps];
            if swaps >= placed {
                window -= probability[swaps - placed];
            }
            next[swaps] = window / placed as f64;
        }
        probability = next;
    }
    (2.0 * sum(probability)).clamp(0.0, 1.0)
}

/// The p value of the normal approximation, with the variance corrected for ties.
fn normal_p(pairs: &Pairs, first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    let count = first.len() as f64;
    let ordered_pairs = count * (count - 1.0);
    let (first_triples, first_spread) = tie_terms(first);
    let (second_triples, second_spread) = tie_terms(second);
    let spread = (ordered_pairs * (2.0 * count + 5.0) - first_spread - second_spread) / 18.0;
    let tied = 2.0 * pairs.first_tied as f64 * pairs.second_tied as f64 / ordered_pairs;
    let triples = first_triples * second_triples / (9.0 * ordered_pairs * (count - 2.0));
    let variance = check::finite(spread + tied + triples)?;
    Ok(two_sided(check::finite(pairs.balance as f64 / variance.sqrt())?))
}

/// Σ t(t-1)(t-2) and Σ t(t-1)(2t+5) over the groups of equal values.
fn tie_terms(values: &[f64]) -> (f64, f64) {
    tie_sizes(values).into_iter().fold((0.0, 0.0), |(triples, spread), size| {
        let size = size as f64;
        let pairs = size * (size - 1.0);
        (triples + pairs * (size - 2.0), spread + pairs * (2.0 * size + 5.0))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `scipy.stats.kendalltau`.
    #[test]
    fn ties_agree_with_scipy() {
        let found =
            kendall_test(&[-0.0, 2.0, 1.0, 0.0, -1.0], &[1.0, 1.0, -1.0, -2.0, 3.0]).unwrap();
        assert!((found.value + 0.222_222_222_222_222_2).abs() < 1e-12);
        assert!((found.p - 0.602_741_829_129_080_4).abs() < 1e-12);
    }

    /// `scipy.stats.kendalltau` of the same four items, exact and approximate.
    #[test]
    fn exact_and_approximate_p_agree_with_scipy() {
        let first = [0.572, 0.507, -0.098, -0.116];
        let second = [-2.015, 2.590, -0.911, 0.375];
        assert!((kendall_test(&first, &second).unwrap().p - 0.75).abs() < 1e-15);
        let p = kendall_normal(&first, &second).unwrap().p;
        assert!((p - 0.496_905_847_564_767_97).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]), Err(StatsError::Constant));
        assert!(kendall(&[1.0], &[1.0]).is_err());
        assert_eq!(kendall_test(&[1.0, 2.0], &[1.0, 2.0]).unwrap().p, 1.0);
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
                prop_assert!((0.0..=1.0).contains(&kendall_test(&first, &second).unwrap().p));
            }
        }
    }
}
