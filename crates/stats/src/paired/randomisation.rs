//! The paired randomisation test.

use super::differences;
use crate::{error::StatsError, resample::Generator, sum::sum, summary};

/// Up to this many items that differ, every assignment of signs is gone through. The two halves
/// are then lists of 2^15 totals at most; each two further items would double both.
pub(crate) const EXACT_PAIRS_MAX: usize = 30;

/// Two totals nearer than this share of all differences count as equal: totals of the same
/// differences in another order differ by rounding, and must not change p.
const TOLERANCE: f64 = 1e-12;

/// What the randomisation test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomisation {
    /// Mean difference, first minus second.
    pub difference: f64,
    /// Two-sided p value.
    pub p: f64,
    /// How many assignments of signs were looked at.
    pub permutations: u64,
    /// Whether these were all there are.
    pub exact: bool,
}

/// Tests whether it matters which run a score came from.
///
/// If it did not, each difference would be as likely to have the other sign; p is the
/// share of sign assignments whose mean is at least as far from zero. With at most
/// [`EXACT_PAIRS_MAX`] items that differ all are counted. With more, `permutations` are
/// drawn and p = (b + 1) / (m + 1), which is never zero. The order of the items and of
/// the two runs does not change p.
///
/// References: Fisher (1935), The Design of Experiments, 21; Smucker, Allan & Carterette
/// (2007), CIKM; Phipson & Smyth (2010), SAGMB 9(1) for the added one.
///
/// ```
/// use assize_stats::paired::randomisation_test;
/// // Two of the eight sign assignments (all plus, all minus) are as extreme.
/// let test = randomisation_test(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0], 10_000, 42)?;
/// assert_eq!((test.p, test.permutations, test.exact), (0.25, 8, true));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn randomisation_test(
    first: &[f64],
    second: &[f64],
    permutations: u64,
    seed: u64,
) -> Result<Randomisation, StatsError> {
    if permutations == 0 {
        return Err(StatsError::Invalid("the number of permutations must be at least 1"));
    }
    let differences = differences(first, second)?;
    let difference = summary::mean(&differences)?;
    // Only sizes enter, sorted: neither the order of items nor that of runs is an input.
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).filter(|size| *size > 0.0).collect();
    let sizes = summary::sorted(&sizes);
    let observed = sum(differences.iter().copied()).abs();
    let threshold = observed - TOLERANCE * sum(sizes.iter().copied());
    if sizes.len() <= EXACT_PAIRS_MAX {
        let all = 1_u64 << sizes.len();
        let p = count_exact(&sizes, threshold) as f64 / all as f64;
        return Ok(Randomisation { difference, p, permutations: all, exact: true });
    }
    let extreme = count_drawn(&sizes, threshold, permutations, seed);
    let p = (extreme as f64 + 1.0) / (permutations as f64 + 1.0);
    Ok(Randomisation { difference, p, permutations, exact: false })
}

/// How many of all sign assignments reach the threshold on either side.
///
/// Every total is one from the first half of the sizes plus one from the second. With
/// both lists sorted, one pass over them counts the pairs that reach the threshold.
fn count_exact(sizes: &[f64], threshold: f64) -> u64 {
    if threshold <= 0.0 {
        return 1 << sizes.len();
    }
    let (left, right) = sizes.split_at(sizes.len() / 2);
    let (left, right) = (summary::sorted(&totals(left)), summary::sorted(&totals(right)));
    let mut short = right.len();
    let mut reaching = 0;
    for total in &left {
        while short > 0 && total + right[short - 1] >= threshold {
            short -= 1;
        }
        reaching += (right.len() - short) as u64;
    }
    // Turning all signs gives as many on the other side.
    2 * reaching
}

/// The totals of all sign assignments; bit i of the index set is a minus for size i.
fn totals(sizes: &[f64]) -> Vec<f64> {
    let mut totals = vec![0.0];
    for size in sizes {
        let minus: Vec<f64> = totals.iter().map(|total| total - size).collect();
        for total in &mut totals {
            *total += size;
        }
        totals.extend(minus);
    }
    totals
}

/// How many of the drawn sign assignments reach the threshold on either side.
///
/// Four signs at a time: the sixteen totals of four sizes are looked up, not added.
fn count_drawn(sizes: &[f64], threshold: f64, permutations: u64, seed: u64) -> u64 {
    let tables: Vec<[f64; 16]> = sizes
        .chunks(4)
        .map(|four| {
            let totals = totals(four);
            std::array::from_fn(|signs| totals[signs % totals.len()])
        })
        .collect();
    let reaches = |permutation: &u64| {
        let mut generator = Generator::stream(seed, *permutation);
        let mut lanes = [0.0; 4];
        for word_tables in tables.chunks(16) {
            let mut signs = generator.next_u64();
            for (index, table) in word_tables.iter().enumerate() {
                lanes[index % 4] += table[(signs & 15) as usize];
                signs >>= 4;
            }
        }
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])).abs() >= threshold
    };
    (0..permutations).filter(reaches).count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every sign assignment, one by one.
    fn by_hand(sizes: &[f64], threshold: f64) -> u64 {
        (0..1_u32 << sizes.len())
            .filter(|signs| {
                let total: f64 = sizes
                    .iter()
                    .enumerate()
                    .map(|(index, size)| if signs >> index & 1 == 1 { -size } else { *size })
                    .sum();
                total.abs() >= threshold
            })
            .count() as u64
    }

    /// Counts by `scipy.stats.permutation_test`: 8 of 32 with the zero, 32 of 64, 4 of 64.
    #[test]
    fn small_runs_agree_with_scipy() {
        let cases: [(&[f64], f64); 3] = [
            (&[-1.0, 0.5, -1.0, 0.0, -1.0], 0.25),
            (&[-1.0, -2.0, -1.5, -0.5, 2.0, 0.0], 0.5),
            (&[-0.923, -1.060, -1.226, -0.268, -1.829, 0.212], 0.0625),
        ];
        for (differences, p) in cases {
            let zeros = vec![0.0; differences.len()];
            let test = randomisation_test(differences, &zeros, 1, 0).unwrap();
            assert_eq!((test.p, test.exact), (p, true));
        }
    }

    #[test]
    fn equal_runs_are_what_chance_would_do() {
        let test = randomisation_test(&[1.0, 2.0], &[1.0, 2.0], 10, 1).unwrap();
        assert_eq!((test.p, test.permutations), (1.0, 1));
    }

    #[test]
    fn drawing_comes_near_the_exact_answer() {
        let sizes: Vec<f64> = (1..=20).map(|size| f64::from(size) / 7.0).collect();
        let threshold = 12.0;
        let exact = count_exact(&sizes, threshold) as f64 / f64::from(1 << 20);
        let drawn = count_drawn(&sizes, threshold, 40_000, 5) as f64 / 40_000.0;
        assert!((exact - drawn).abs() < 0.012, "{exact} against {drawn}");
    }

    #[test]
    fn many_items_are_drawn_and_p_is_never_zero() {
        let first: Vec<f64> = (0..200).map(|index| 1.0 + f64::from(index % 3)).collect();
        let test = randomisation_test(&first, &[0.0; 200], 999, 7).unwrap();
        assert_eq!((test.p, test.permutations, test.exact), (0.001, 999, false));
    }

    #[test]
    fn no_permutations_are_refused() {
        assert!(randomisation_test(&[1.0], &[2.0], 0, 1).is_err());
    }

    proptest! {
        #[test]
        fn counting_by_halves_is_counting_all(
            sizes in prop::collection::vec(1..50_u8, 1..11),
            threshold in 1..200_u8,
        ) {
            let sizes: Vec<f64> = sizes.iter().map(|size| f64::from(*size)).collect();
            let threshold = f64::from(threshold) - 0.5;
            prop_assert_eq!(count_exact(&sizes, threshold), by_hand(&sizes, threshold));
        }

        #[test]
        fn neither_the_order_of_runs_nor_of_items_changes_p(
            pairs in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..60),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let (turned, other): (Vec<f64>, Vec<f64>) = pairs.iter().rev().copied().unzip();
            let p = randomisation_test(&first, &second, 200, 3).unwrap().p;
            prop_assert_eq!(p, randomisation_test(&other, &turned, 200, 3).unwrap().p);
            prop_assert!(p > 0.0 && p <= 1.0);
        }
    }
}
