//! Sums that do not depend on the order of what is added.

/// The sum of the values, rounded once at the end.
///
/// Every rounding error made on the way is kept as a partial sum of its own, so the
/// result is the double nearest to the true sum, and the order of the values does not
/// matter. A value that is not finite, or a sum beyond the range of a double, gives a
/// result that is not finite.
///
/// Reference: Shewchuk (1997), Discrete & Computational Geometry 18.
///
/// ```
/// use assize_stats::sum::sum;
/// assert_eq!(sum([1e100, 1.0, -1e100]), 1.0);
/// assert_eq!(sum([0.1; 10]), 1.0);
/// ```
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    // Rising in size, and no two share a binary digit.
    let mut partials: Vec<f64> = Vec::with_capacity(8);
    for value in values {
        let mut carried = value;
        let mut kept = 0;
        for index in 0..partials.len() {
            let (total, error) = add(carried, partials[index]);
            if error != 0.0 {
                partials[kept] = error;
                kept += 1;
            }
            carried = total;
        }
        partials.truncate(kept);
        partials.push(carried);
    }
    round(&partials)
}

/// The sum of two numbers and what rounding it lost.
fn add(left: f64, right: f64) -> (f64, f64) {
    let (large, small) = if left.abs() < right.abs() { (right, left) } else { (left, right) };
    let total = large + small;
    (total, small - (total - large))
}

/// Partial sums as one number, rounded half to even as a single addition would.
fn round(partials: &[f64]) -> f64 {
    let Some((&largest, mut rest)) = partials.split_last() else { return 0.0 };
    let mut total = largest;
    let mut error = 0.0;
    while let Some((&next, lower)) = rest.split_last() {
        (total, error) = add(total, next);
        rest = lower;
        if error != 0.0 {
            break;
        }
    }
    // Exactly half a step was lost, and what lies below decides the direction.
    if let Some(&below) = rest.last()
        && below * error > 0.0
    {
        let doubled = error * 2.0;
        let moved = total + doubled;
        if moved - total == doubled {
            total = moved;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_sums_to_zero() {
        assert_eq!(sum([]), 0.0);
    }

    /// 1 + 2^-53 lies half way between two doubles; a hair more must round up.
    #[test]
    fn a_half_step_is_decided_by_what_lies_below_it() {
        let half_step = f64::EPSILON / 2.0;
        assert_eq!(sum([1.0, half_step]), 1.0);
        assert_eq!(sum([1.0, half_step, 1e-40]), 1.0 + f64::EPSILON);
    }

    #[test]
    fn what_is_not_finite_does_not_vanish() {
        assert!(!sum([1.0, f64::NAN, 2.0]).is_finite());
        assert!(!sum([f64::MAX, f64::MAX]).is_finite());
    }

    proptest! {
        #[test]
        fn the_order_does_not_change_a_bit(values in prop::collection::vec(-1e9..1e9_f64, 0..40)) {
            let forward = sum(values.iter().copied());
            let backward = sum(values.iter().rev().copied());
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!(forward.to_bits(), backward.to_bits());
            prop_assert_eq!(forward, sum(sorted));
        }
    }
}
