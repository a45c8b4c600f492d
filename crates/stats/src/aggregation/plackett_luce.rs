//! Plackett-Luce: strengths from rankings.

use super::luce::log_strengths;
use crate::{check, error::StatsError};

/// Log-strengths that make the rankings most likely, zero on average.
///
/// Each ranking lists some or all of the `items`, best first: the first is chosen among
/// all of them by strength, the next among the rest. `alpha` is as in
/// [`super::bradley_terry()`].
///
/// References: Plackett (1975), Applied Statistics 24(2); Maystre & Grossglauser (2015), NIPS.
///
/// ```
/// use assize_stats::aggregation::plackett_luce;
/// // Of two items it is Bradley-Terry: two of three rankings put item 1 first.
/// let strengths = plackett_luce(&[vec![1, 0], vec![1, 0], vec![0, 1]], 2, 0.0)?;
/// assert!((strengths[1] - strengths[0] - 2.0_f64.ln()).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn plackett_luce(
    rankings: &[Vec<usize>],
    items: usize,
    alpha: f64,
) -> Result<Vec<f64>, StatsError> {
    check::count(items, 1)?;
    check::count(rankings.len(), 1)?;
    for ranking in rankings {
        let mut seen = vec![false; items];
        for item in ranking {
            match seen.get_mut(*item) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(StatsError::Invalid("a ranking must not repeat or invent items")),
            }
        }
    }
    log_strengths(items, alpha, |strengths, flow| {
        for ranking in rankings {
            // From the worst up, so that what is left is only ever added to.
            let mut left = 0.0;
            for (place, winner) in ranking.iter().enumerate().rev() {
                left += strengths[*winner];
                for loser in &ranking[place + 1..] {
                    flow[*loser][*winner] += 1.0 / left;
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the three orders of a circle each item is first once: all are equal.
    #[test]
    fn a_circle_has_no_strongest() {
        let circle = [vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]];
        let strengths = plackett_luce(&circle, 3, 0.0).unwrap();
        assert!(strengths.iter().all(|strength| strength.abs() < 1e-9), "{strengths:?}");
    }

    /// `choix.ilsr_rankings`.
    #[test]
    fn nine_rankings_agree_with_choix() {
        let rankings = [
            [2, 1, 0],
            [2, 1, 0],
            [1, 0, 2],
            [1, 2, 0],
            [1, 2, 0],
            [0, 2, 1],
            [1, 2, 0],
            [2, 1, 0],
            [0, 2, 1],
        ]
        .map(|ranking| ranking.to_vec());
        let expected =
            [-0.741_118_657_553_268_3, 0.348_115_459_247_445_25, 0.393_003_198_305_823_14];
        for (found, expected) in plackett_luce(&rankings, 3, 0.0).unwrap().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn items_that_are_always_last_need_regularisation() {
        assert_eq!(plackett_luce(&[vec![0, 1]], 2, 0.0), Err(StatsError::Disconnected));
        assert!(plackett_luce(&[vec![0, 1]], 2, 0.1).is_ok());
        assert!(plackett_luce(&[vec![0, 0]], 2, 0.1).is_err());
        assert!(plackett_luce(&[vec![0, 5]], 2, 0.1).is_err());
        assert!(plackett_luce(&[], 2, 0.1).is_err());
    }
}
