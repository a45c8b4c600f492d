//! The arithmetic that methods share, each formula giving value and workings at once.

use crate::explained::Working;

/// A part of a whole; 0 when there is no whole to be a part of.
///
/// ```
/// use assize_score::{Working, arithmetic::ratio};
/// let recall: f64 = ratio("recall", f64::given("found", 1.0), f64::given("gold", 4.0));
/// assert_eq!(recall, 0.25);
/// ```
pub fn ratio<N: Working>(name: &'static str, part: N, whole: N) -> N {
    let value = if whole.value() == 0.0 { 0.0 } else { part.value() / whole.value() };
    N::computed(name, "part / whole", value, [part, whole])
}

/// One minus a share.
pub fn complement<N: Working>(name: &'static str, share: N) -> N {
    N::computed(name, "1 - share", 1.0 - share.value(), [share])
}

/// The sum of all terms.
pub fn sum<N: Working>(name: &'static str, terms: Vec<N>) -> N {
    // The sum of no floats is -0.0 in Rust, which would print its sign.
    let value = terms.iter().fold(0.0, |sum, term| sum + term.value());
    N::computed(name, "sum", value, terms)
}

/// The mean of all terms; 0 when there are none.
pub fn mean<N: Working>(name: &'static str, terms: Vec<N>) -> N {
    let total: f64 = terms.iter().map(N::value).sum();
    let value = if terms.is_empty() { 0.0 } else { total / terms.len() as f64 };
    N::computed(name, "sum / count", value, terms)
}

/// A number times a constant that the reader should see.
pub fn times<N: Working>(name: &'static str, factor: f64, number: N) -> N {
    let value = factor * number.value();
    N::computed(name, "factor * number", value, [N::given("factor", factor), number])
}

/// The product of two numbers.
pub fn product<N: Working>(name: &'static str, left: N, right: N) -> N {
    N::computed(name, "left * right", left.value() * right.value(), [left, right])
}

/// The harmonic mean of two numbers; 0 as soon as one of them is 0.
///
/// ```
/// use assize_score::arithmetic::harmonic_mean;
/// assert_eq!(harmonic_mean::<f64>("f1", 1.0, 0.5), 2.0 / 3.0);
/// assert_eq!(harmonic_mean::<f64>("f1", 1.0, 0.0), 0.0);
/// ```
pub fn harmonic_mean<N: Working>(name: &'static str, left: N, right: N) -> N {
    let (a, b) = (left.value(), right.value());
    let value = if a <= 0.0 || b <= 0.0 { 0.0 } else { 2.0 * (a * b) / (a + b) };
    N::computed(name, "2 a b / (a + b)", value, [left, right])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_out_of_nothing_is_zero_not_nan() {
        assert_eq!(ratio::<f64>("r", 0.0, 0.0), 0.0);
        assert_eq!(mean::<f64>("m", vec![]), 0.0);
        assert!(sum::<f64>("s", vec![]).is_sign_positive());
        assert_eq!(harmonic_mean::<f64>("h", 0.0, 0.0), 0.0);
    }
}
