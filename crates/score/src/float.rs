//! Floating point that gives the same bits on every machine.
//!
//! The standard library passes these to the platform's C library, which may differ in
//! the last digit from one system to the next. `libm` is the same code everywhere.

use std::cmp::Ordering;

/// Logarithm to base 2.
pub fn log2(value: f64) -> f64 {
    libm::log2(value)
}

/// Natural logarithm.
pub fn ln(value: f64) -> f64 {
    libm::log(value)
}

/// e to the power of `value`.
pub fn exp(value: f64) -> f64 {
    libm::exp(value)
}

/// `base` to the power of `exponent`.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// Highest first, and a total order even where NaN turns up.
pub fn descending(left: f64, right: f64) -> Ordering {
    right.total_cmp(&left)
}
