//! The only place that rounds.

/// How far below a half a binary number may lie and still be the decimal half that
/// somebody wrote: 2.675 is stored as 2.67499999999999982.
///
/// Sums of the size met here are off by about 1e-13, and no score is shown to more than four
/// places: 1e-9 lies far from both, so that neither noise nor a real digit decides.
const HALF_TOLERANCE: f64 = 1e-9;

/// Rounds half up (towards positive infinity) to `places` decimals, at most 15.
///
/// A decimal half rounds up even where its binary form lies a hair below it.
///
/// ```
/// use assize_score::rounding::half_up;
/// assert_eq!(half_up(2.5, 0), 3.0);
/// assert_eq!(half_up(-2.5, 0), -2.0);
/// assert_eq!(half_up(2.675, 2), 2.68);
/// ```
pub fn half_up(value: f64, places: u32) -> f64 {
    let scale = power_of_ten(places.min(15));
    let scaled = value * scale;
    // From 2^52 on, a double has no decimals left to round.
    if scaled.abs() >= 4_503_599_627_370_496.0 {
        return value;
    }
    libm::floor(scaled + 0.5 + HALF_TOLERANCE) / scale
}

fn power_of_ten(places: u32) -> f64 {
    (0..places).fold(1.0, |power, _| power * 10.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_go_up() {
        assert_eq!(half_up(0.5, 0), 1.0);
        assert_eq!(half_up(1.005, 2), 1.01);
        assert_eq!(half_up(3.5, 0), 4.0);
        assert_eq!(half_up(0.49, 0), 0.0);
    }

    #[test]
    fn huge_values_are_left_alone() {
        assert_eq!(half_up(1e300, 2), 1e300);
    }

    proptest! {
        #[test]
        fn rounding_twice_is_rounding_once(value in -1e6..1e6_f64, places in 0_u32..6) {
            let once = half_up(value, places);
            prop_assert_eq!(half_up(once, places), once);
        }
    }
}
