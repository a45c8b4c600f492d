//! Whether confidence is deserved.

use crate::{check, error::StatsError, sum::sum};

/// Items of similar confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityBin {
    /// The lowest confidence that falls in.
    pub low: f64,
    /// The confidence from which items fall in the next bin; 1 belongs to the last.
    pub high: f64,
    /// How many items fell in.
    pub count: usize,
    /// Their mean confidence; none if there are none.
    pub confidence: Option<f64>,
    /// The share of them that were right; none if there are none.
    pub accuracy: Option<f64>,
}

/// Confidence against accuracy.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    /// From low to high confidence, of equal width.
    pub bins: Vec<ReliabilityBin>,
    /// The mean gap between confidence and accuracy, by items (ECE).
    pub expected_error: f64,
    /// The largest gap of a bin that holds any item.
    pub largest_error: f64,
}

/// Compares stated confidence, 0 to 1, with how often the items were right.
///
/// Reference: Naeini, Cooper & Hauskrecht (2015), AAAI.
///
/// ```
/// use assize_stats::classification::reliability;
/// // Two items at 0.9, one right; two at 0.1, none right.
/// let found = reliability(&[0.9, 0.9, 0.1, 0.1], &[true, false, false, false], 10)?;
/// assert!((found.expected_error - 0.25).abs() < 1e-12);
/// assert!((found.largest_error - 0.4).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn reliability(
    confidence: &[f64],
    right: &[bool],
    bins: usize,
) -> Result<Reliability, StatsError> {
    checked(confidence, right)?;
    if bins == 0 {
        return Err(StatsError::Invalid("there must be at least 1 bin"));
    }
    let edge = |bin: usize| bin as f64 / bins as f64;
    let inside =
        |bin: usize, value: f64| value >= edge(bin) && (value < edge(bin + 1) || bin + 1 == bins);
    let found: Vec<ReliabilityBin> = (0..bins)
        .map(|bin| {
            let items = confidence.iter().zip(right).filter(|(value, _)| inside(bin, **value));
            let items: Vec<(f64, bool)> = items.map(|(value, right)| (*value, *right)).collect();
            let count = items.len();
            let share = |total: f64| (count > 0).then(|| total / count as f64);
            let hits = items.iter().filter(|(_, right)| *right).count();
            ReliabilityBin {
                low: edge(bin),
                high: edge(bin + 1),
                count,
                confidence: share(sum(items.iter().map(|(value, _)| *value))),
                accuracy: share(hits as f64),
            }
        })
        .collect();
    let gap = |bin: &ReliabilityBin| Some((bin.confidence? - bin.accuracy?).abs());
    let weighted = |bin: &ReliabilityBin| Some(gap(bin)? * bin.count as f64);
    Ok(Reliability {
        expected_error: sum(found.iter().filter_map(weighted)) / confidence.len() as f64,
        largest_error: found.iter().filter_map(gap).fold(0.0, f64::max),
        bins: found,
    })
}

/// The mean squared gap between confidence and what happened (1 right, 0 wrong).
///
/// Reference: Brier (1950), Monthly Weather Review 78(1).
///
/// ```
/// use assize_stats::classification::brier_score;
/// assert_eq!(brier_score(&[1.0, 0.5], &[true, false])?, 0.125);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn brier_score(confidence: &[f64], right: &[bool]) -> Result<f64, StatsError> {
    checked(confidence, right)?;
    let squared = |(value, right): (&f64, &bool)| {
        let gap = value - f64::from(u8::from(*right));
        gap * gap
    };
    Ok(sum(confidence.iter().zip(right).map(squared)) / confidence.len() as f64)
}

fn checked(confidence: &[f64], right: &[bool]) -> Result<(), StatsError> {
    check::lengths(confidence.len(), right.len())?;
    check::values(confidence, 1)?;
    if confidence.iter().all(|value| (0.0..=1.0).contains(value)) {
        Ok(())
    } else {
        Err(StatsError::Invalid("confidence must lie in 0 to 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certainty_falls_in_the_last_bin_and_edges_in_the_upper() {
        let found = reliability(&[1.0, 0.5], &[true, true], 2).unwrap();
        assert_eq!((found.bins[0].count, found.bins[1].count), (0, 2));
        assert_eq!((found.bins[0].confidence, found.bins[1].accuracy), (None, Some(1.0)));
        assert!((found.expected_error - 0.25).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_confidence_is_refused() {
        assert!(reliability(&[1.1], &[true], 2).is_err());
        assert!(reliability(&[], &[], 2).is_err());
        assert!(reliability(&[0.5], &[true], 0).is_err());
        assert!(brier_score(&[0.5], &[]).is_err());
    }
}
