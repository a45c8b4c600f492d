//! Bradley-Terry: strengths from duels.

use super::luce::log_strengths;
use crate::{check, error::StatsError, linear::solve};

/// Steps after which a fit that still moves is given up.
const STEPS_MAX: usize = 200;

/// A fit has settled when no strength moves further than this.
const SETTLED: f64 = 1e-12;

/// Log-strengths that make the duels most likely, zero on average.
///
/// `wins[a][b]` is how often a beat b; a tie is half a win for either. The first beats the
/// second with probability `1 / (1 + exp(second - first))`. Without regularisation (`alpha`
/// 0) everyone must have lost to someone in a chain that leads to everyone else; with it
/// (0.01, say) any table will do.
///
/// References: Bradley & Terry (1952), Biometrika 39(3/4); Maystre & Grossglauser (2015), NIPS.
///
/// ```
/// use assize_stats::aggregation::bradley_terry;
/// // Three wins of four: odds of 3, split evenly around zero.
/// let strengths = bradley_terry(&[vec![0.0, 3.0], vec![1.0, 0.0]], 0.0)?;
/// assert!((strengths[0] - strengths[1] - 3.0_f64.ln()).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bradley_terry(wins: &[Vec<f64>], alpha: f64) -> Result<Vec<f64>, StatsError> {
    checked(wins)?;
    log_strengths(wins.len(), alpha, |strengths, flow| {
        for (winner, row) in wins.iter().enumerate() {
            for (loser, count) in row.iter().enumerate() {
                if winner != loser {
                    flow[loser][winner] += count / (strengths[winner] + strengths[loser]);
                }
            }
        }
    })
}

/// Log-strengths that make the duels most likely, with a penalty on their squares.
///
/// The penalty times the sum of squares is taken from the log-likelihood, as a normal
/// prior would; it must be above zero.
///
/// Reference: Caron & Doucet (2012), Journal of Computational and Graphical Statistics 21(1),
/// on priors for these models.
///
/// ```
/// use assize_stats::aggregation::bradley_terry_penalised;
/// // Even who never lost gets a finite strength.
/// let strengths = bradley_terry_penalised(&[vec![0.0, 3.0], vec![0.0, 0.0]], 0.1)?;
/// assert!(strengths[0] > 0.0 && (strengths[0] + strengths[1]).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bradley_terry_penalised(wins: &[Vec<f64>], penalty: f64) -> Result<Vec<f64>, StatsError> {
    checked(wins)?;
    if !(penalty > 0.0 && penalty.is_finite()) {
        return Err(StatsError::Invalid("the penalty must be a number above 0"));
    }
    let mut strengths = vec![0.0; wins.len()];
    for _ in 0..STEPS_MAX {
        let (slope, curvature) = derivatives(wins, penalty, &strengths);
        let step = solve(curvature, slope)?;
        // Halved until it does not lead uphill (beyond rounding); the loss is convex.
        let limit = loss(wins, penalty, &strengths) * (1.0 + SETTLED);
        let mut share = 1.0;
        let moved = loop {
            let moved: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, step)| strength - share * step)
                .collect();
            if loss(wins, penalty, &moved) <= limit || share < SETTLED {
                break moved;
            }
            share /= 2.0;
        };
        strengths = moved;
        if step.iter().all(|step| step.abs() < SETTLED) {
            return Ok(strengths);
        }
    }
    Err(StatsError::NotSettled { rounds: STEPS_MAX })
}

/// The negative log-likelihood with its penalty.
fn loss(wins: &[Vec<f64>], penalty: f64, strengths: &[f64]) -> f64 {
    let mut loss: f64 = penalty * strengths.iter().map(|value| value * value).sum::<f64>();
    for (row, winner) in wins.iter().zip(strengths) {
        for (count, loser) in row.iter().zip(strengths) {
            loss += count * softplus(loser - winner);
        }
    }
    loss
}

/// ln(1 + exp(x)) that does not overflow.
fn softplus(value: f64) -> f64 {
    value.max(0.0) + libm::log1p(libm::exp(-value.abs()))
}

/// Slope and curvature of the loss.
fn derivatives(wins: &[Vec<f64>], penalty: f64, strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let items = strengths.len();
    let mut slope: Vec<f64> = strengths.iter().map(|value| 2.0 * penalty * value).collect();
    let mut curvature = vec![vec![0.0; items]; items];
    for winner in 0..items {
        curvature[winner][winner] += 2.0 * penalty;
        for loser in 0..items {
            let upset = 1.0 / (1.0 + libm::exp(strengths[winner] - strengths[loser]));
            let pull = wins[winner][loser] * upset;
            slope[winner] -= pull;
            slope[loser] += pull;
            let bend = pull * (1.0 - upset);
            curvature[winner][winner] += bend;
            curvature[loser][loser] += bend;
            curvature[winner][loser] -= bend;
            curvature[loser][winner] -= bend;
        }
    }
    (slope, curvature)
}

/// Refuses what is no square table of counts; a duel with oneself counts for nothing.
fn checked(wins: &[Vec<f64>]) -> Result<(), StatsError> {
    check::count(wins.len(), 1)?;
    for row in wins {
        check::lengths(wins.len(), row.len())?;
        check::values(row, 1)?;
        if row.iter().any(|count| *count < 0.0) {
            return Err(StatsError::Invalid("a number of wins must not be below 0"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WINS: [[f64; 3]; 3] = [[0.0, 9.0, 12.0], [3.0, 0.0, 17.0], [1.0, 3.0, 0.0]];

    fn table() -> Vec<Vec<f64>> {
        WINS.map(|row| row.to_vec()).to_vec()
    }

    /// `choix.ilsr_pairwise` without regularisation, and `choix.opt_pairwise(alpha=0.1)`.
    #[test]
    fn three_candidates_agree_with_choix() {
        let expected =
            [1.237_748_713_022_375_2, 0.215_075_999_316_854_45, -1.452_824_712_339_229_7];
        for (found, expected) in bradley_terry(&table(), 0.0).unwrap().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        let expected =
            [1.177_805_201_343_272_5, 0.212_437_769_360_863_12, -1.390_242_970_704_135_7];
        let found = bradley_terry_penalised(&table(), 0.1).unwrap();
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn who_never_lost_needs_regularisation() {
        let wins = vec![vec![0.0, 2.0], vec![0.0, 0.0]];
        assert_eq!(bradley_terry(&wins, 0.0), Err(StatsError::Disconnected));
        assert!(bradley_terry(&wins, 0.01).unwrap()[0] > 0.0);
        assert!(bradley_terry(&wins, -1.0).is_err());
        assert!(bradley_terry_penalised(&wins, 0.0).is_err());
        assert!(bradley_terry(&[vec![0.0, -1.0], vec![1.0, 0.0]], 0.1).is_err());
        assert!(bradley_terry(&[], 0.1).is_err());
    }

    proptest! {
        #[test]
        fn turning_every_duel_turns_every_strength(
            cells in prop::collection::vec(1..9_u8, 16),
        ) {
            let wins: Vec<Vec<f64>> =
                cells.chunks(4).map(|row| row.iter().map(|cell| f64::from(*cell)).collect()).collect();
            let turned: Vec<Vec<f64>> =
                (0..4).map(|row| wins.iter().map(|other| other[row]).collect()).collect();
            let (found, other) =
                (bradley_terry(&wins, 0.0).unwrap(), bradley_terry(&turned, 0.0).unwrap());
            prop_assert!(found.iter().zip(&other).all(|(left, right)| (left + right).abs() < 1e-8));
        }
    }
}
