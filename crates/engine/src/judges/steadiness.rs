//! Whether a judge that is asked again says the same.

use assize_stats::summary::{deviation, mean};
use serde::Serialize;

use super::table::Scale;
use super::told::Scores;

/// A sample is right within this share of the raters' scale.
pub const RIGHT_WITHIN: f64 = 0.1;

/// Whether a judge that is asked again says the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Steadiness {
    /// The fewest samples of an item.
    pub samples: usize,
    /// Items with at least two.
    pub items: usize,
    /// The standard deviation within an item on average, on the raters' scale.
    pub spread: f64,
    /// The share of items of which every sample is right (pass^k).
    pub always_right: Option<f64>,
    /// The share of single samples that are right, beside it.
    pub right: Option<f64>,
}

/// How steady a judge is; `None` for one who was asked once, or whose scale is unknown.
pub(super) fn steadiness(
    scores: &Scores,
    truth: &[Option<f64>],
    scale: Option<Scale>,
) -> Option<Steadiness> {
    let several: Vec<usize> =
        (0..scores.samples.len()).filter(|item| scores.samples[*item].len() > 1).collect();
    let scale = scale?;
    let near = RIGHT_WITHIN * scale.width();
    let laid = |item: usize| -> Vec<f64> {
        scores.samples[item].iter().map(|sample| scale.onto(*sample)).collect()
    };
    let spreads: Vec<f64> =
        several.iter().filter_map(|item| deviation(&laid(*item)).ok()).collect();
    let (mut always, mut single) = (Vec::new(), Vec::new());
    for item in &several {
        let Some(meant) = truth[*item] else { continue };
        let right: Vec<f64> = laid(*item)
            .iter()
            .map(|said| f64::from(u8::from((said - meant).abs() <= near)))
            .collect();
        always.push(f64::from(u8::from(right.iter().all(|one| *one > 0.0))));
        single.extend(right);
    }
    Some(Steadiness {
        samples: several.iter().map(|item| scores.samples[*item].len()).min()?,
        items: several.len(),
        spread: mean(&spreads).ok()?,
        always_right: mean(&always).ok(),
        right: mean(&single).ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two items on one scale from 0 to 10: samples 0 and 0, and 10 and 8, against 0 and 10.
    /// Deviations 0 and √2 (n − 1), so 0.707 on average; 8 is further than 1 from 10, so one of
    /// two items is always right and three of four samples are.
    #[test]
    fn spread_and_pass_to_the_k_follow_by_hand() {
        let samples = vec![vec![0.0, 0.0], vec![10.0, 8.0], vec![5.0]];
        let scores =
            Scores { values: vec![Some(0.0), Some(10.0), Some(5.0)], samples, ..Scores::default() };
        let truth = [Some(0.0), Some(10.0), Some(5.0)];
        let scale = Scale::between(&scores.values, &truth);
        let found = steadiness(&scores, &truth, scale).unwrap();
        assert_eq!((found.samples, found.items), (2, 2));
        assert!((found.spread - 2_f64.sqrt() / 2.0).abs() < 1e-12, "{}", found.spread);
        assert_eq!((found.always_right, found.right), (Some(0.5), Some(0.75)));
    }

    #[test]
    fn one_sample_says_nothing_about_steadiness() {
        let scores =
            Scores { values: vec![Some(1.0)], samples: vec![vec![1.0]], ..Scores::default() };
        let scale = Scale::between(&scores.values, &[Some(1.0)]);
        assert_eq!(steadiness(&scores, &[Some(1.0)], scale), None);
    }
}
