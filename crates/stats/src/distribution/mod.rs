//! The distributions that tests and intervals are read from.
//!
//! All of them come down to the incomplete beta and gamma functions and the error
//! function. Both tails are computed directly, so a tiny probability keeps its digits.

pub mod beta;
pub mod chi_squared;
pub mod fisher;
pub mod gamma;
pub mod normal;
pub mod student;

/// The two sides of a distribution at one point; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tails {
    /// The probability of a value at most as large.
    pub lower: f64,
    /// The probability of a larger value.
    pub upper: f64,
}

impl Tails {
    /// Both tails from the lower one.
    fn from_lower(lower: f64) -> Self {
        let lower = lower.clamp(0.0, 1.0);
        Self { lower, upper: 1.0 - lower }
    }

    /// Both tails from the upper one.
    fn from_upper(upper: f64) -> Self {
        let upper = upper.clamp(0.0, 1.0);
        Self { lower: 1.0 - upper, upper }
    }
}

/// The point between `low` and `high` where a condition that holds at first ends.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The positive point where a condition that holds near zero ends.
fn bisect_positive(holds: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    while high < 1e300 && holds(high) {
        high *= 2.0;
    }
    let mut low = high / 2.0;
    while low > 1e-300 && !holds(low) {
        low /= 2.0;
    }
    bisect(low, low * 2.0, holds)
}
