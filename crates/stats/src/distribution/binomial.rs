//! The binomial distribution of a fair coin.

use super::beta::beta;

/// The probability of at most `heads` in `throws` of a fair coin.
///
/// ```
/// use assize_stats::distribution::binomial::fair_at_most;
/// assert!((fair_at_most(1, 3) - 0.5).abs() < 1e-15);
/// ```
pub fn fair_at_most(heads: u64, throws: u64) -> f64 {
    if heads >= throws {
        return 1.0;
    }
    beta((throws - heads) as f64, heads as f64 + 1.0, 0.5, 0.5).lower
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 5 and 10 of the 32 ways to throw five coins have 0, 1 and 2 heads.
    #[test]
    fn five_coins_can_be_counted() {
        for (heads, ways) in [(0, 1.0), (1, 6.0), (2, 16.0), (5, 32.0)] {
            assert!((fair_at_most(heads, 5) - ways / 32.0_f64).abs() < 1e-15);
        }
    }
}
