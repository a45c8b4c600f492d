//! A mean that people would give, from a few of their labels and many scores of a judge.

use super::Interval;
use crate::distribution::student;
use crate::error::StatsError;
use crate::sum::sum;
use crate::{check, summary};

/// A mean by labels, made sharper by a judge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictionPowered {
    /// The mean.
    pub estimate: f64,
    /// Where it lies.
    pub interval: Interval,
    /// How much the judge counts: 0 leaves the mean of the labels as it is, 1 corrects the
    /// judge's own mean by how far it is off on what is labelled.
    pub weight: f64,
    /// The variance of what the judge gets wrong, over one label.
    pub residual: f64,
    /// The variance of the judge's own mean, as far as it counts.
    pub imputed: f64,
}

/// Two things are fitted to the labels, their level and the weight of the judge, so that many of
/// them say nothing about how much they vary.
pub const FITTED: usize = 2;

/// Estimates the mean of labels for items of which only some are labelled and all are judged.
///
/// `judged` are the judge's scores of the labelled items, `others` those of the rest. The labelled
/// items must be a random part of all. The estimate and the weight are those of PPI++ (reference:
/// Angelopoulos, Duchi, Zrnic (2023), arXiv:2311.01453). The interval uses Student's quantile with
/// n - 2 degrees of freedom and divides by n - 2, because the normal quantile of the paper covers
/// too little of few labels: 92 instead of 95 % of 20.
///
/// ```
/// use assize_stats::interval::prediction_powered_mean;
/// // A judge that is always one too high needs no labels but to show that.
/// let found = prediction_powered_mean(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0], &[5.0; 600], 0.95)?;
/// assert!(found.weight > 0.0 && found.weight <= 1.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn prediction_powered_mean(
    labels: &[f64],
    judged: &[f64],
    others: &[f64],
    level: f64,
) -> Result<PredictionPowered, StatsError> {
    check::level(level)?;
    let tuned = TunedMean::new(labels, judged, others)?;
    let (count, fitted) = (labels.len() as f64, FITTED as f64);
    let residual = tuned.residual * count / (count - fitted);
    let error = (tuned.imputed + residual / count).sqrt();
    let reach = student::two_sided_quantile(1.0 - level, count - fitted) * error;
    let TunedMean { estimate, weight, imputed, .. } = tuned;
    Ok(PredictionPowered {
        estimate,
        interval: around(estimate, reach)?,
        weight,
        residual,
        imputed,
    })
}

fn around(middle: f64, reach: f64) -> Result<Interval, StatsError> {
    Ok(Interval { low: check::finite(middle - reach)?, high: check::finite(middle + reach)? })
}

/// What both intervals share.
struct TunedMean {
    estimate: f64,
    weight: f64,
    residual: f64,
    imputed: f64,
}

impl TunedMean {
    fn new(labels: &[f64], judged: &[f64], others: &[f64]) -> Result<Self, StatsError> {
        check::pair(labels, judged, FITTED + 1)?;
        check::values(others, 1)?;
        let (few, many) = (labels.len() as f64, others.len() as f64);
        let weight = {
            let all: Vec<f64> = judged.iter().chain(others).copied().collect();
            let (label_mean, judged_mean) = (summary::mean(labels)?, summary::mean(judged)?);
            let products =
                labels.iter().zip(judged).map(|(y, f)| (y - label_mean) * (f - judged_mean));
            let together = sum(products) / few;
            let spread = (1.0 + few / many) * summary::variance(&all)?;
            // A judge that always says the same tells nothing.
            if spread > 0.0 { (together / spread).clamp(0.0, 1.0) } else { 0.0 }
        };
        let rest: Vec<f64> = labels.iter().zip(judged).map(|(y, f)| y - weight * f).collect();
        let estimate = weight * summary::mean(others)? + summary::mean(&rest)?;
        let spread = |values: &[f64]| -> Result<f64, StatsError> {
            let mean = summary::mean(values)?;
            let squared = values.iter().map(|value| (value - mean) * (value - mean));
            Ok(sum(squared) / values.len() as f64)
        };
        let imputed = weight * weight * spread(others)? / many;
        Ok(Self { estimate: check::finite(estimate)?, weight, residual: spread(&rest)?, imputed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resample::Generator;

    /// Labels 1, 2, 3 and a judge one too high: together = 2/3. All of the judge: 2, 3, 4, 3 with
    /// variance 2/3, times 1 + 3/1: the weight is 1/4. The rest: 0.5, 1.25, 2. Estimate:
    /// 0.25 * 3 + 1.25 = 2.
    #[test]
    fn the_weight_and_the_estimate_are_those_of_a_calculation_by_hand() {
        let found = prediction_powered_mean(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0], &[3.0], 0.95);
        let found = found.unwrap();
        assert!((found.weight - 0.25).abs() < 1e-15, "{found:?}");
        assert!((found.estimate - 2.0).abs() < 1e-15, "{found:?}");
        // The rest varies by 0.375 (divided by 3), of which n - 2 = 1 is left: 1.125.
        assert!((found.residual - 1.125).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_judge_that_always_says_the_same_changes_nothing() {
        let labels = [1.0, 5.0, 3.0, 4.0];
        let found = prediction_powered_mean(&labels, &[2.0; 4], &[2.0; 9], 0.9).unwrap();
        assert_eq!((found.weight, found.estimate), (0.0, 3.25));
    }

    #[test]
    fn too_few_labels_and_unpaired_scores_are_refused() {
        let two = [1.0, 2.0];
        assert!(prediction_powered_mean(&two, &two, &[1.0], 0.95).is_err());
        assert!(prediction_powered_mean(&[1.0; 5], &two, &[1.0], 0.95).is_err());
        assert!(prediction_powered_mean(&[1.0; 5], &[1.0; 5], &[], 0.95).is_err());
        assert!(prediction_powered_mean(&[1.0; 5], &[1.0; 5], &[f64::NAN], 0.95).is_err());
    }

    /// Of 2,000 draws with a judge that is half a deviation too high, 93 to 97 % of the intervals
    /// hold the mean, at 20, 50 and 200 labels.
    #[test]
    fn intervals_hold_the_mean_as_often_as_they_say() {
        let mut drawn = Generator::new(7);
        // Four uniform values, to a variance of 1: close to normal.
        let mut noise = move || ((0..4).map(|_| drawn.unit()).sum::<f64>() - 2.0) * 3_f64.sqrt();
        for count in [20, 50, 200] {
            let (mut held, mut shorter) = (0_u32, 0_u32);
            for _ in 0..2_000 {
                let labels: Vec<f64> = (0..count + 200).map(|_| noise()).collect();
                let judge: Vec<f64> = labels.iter().map(|y| y + 0.5 + 0.7 * noise()).collect();
                let (judged, others) = judge.split_at(count);
                let labels = &labels[..count];
                let found = prediction_powered_mean(labels, judged, others, 0.95).unwrap();
                held += u32::from(found.interval.contains(0.0));
                let alone = crate::interval::t_interval(labels, 0.95).unwrap();
                shorter += u32::from(found.interval.width() < alone.width());
            }
            assert!((1_860..=1_940).contains(&held), "{count} labels: {held} of 2000");
            // Half of the variance of the labels is explained: it pays nearly always.
            assert!(shorter > 1_900, "{count} labels: {shorter} of 2000 are shorter");
        }
    }
}
