//! What it takes for other weights to give another winner.

use assize_stats::resample::Generator;
use serde::{Deserialize, Serialize};

use crate::council::decide::Winners;
use crate::council::dimension::{ByDimension, Dimension};
use crate::council::record::CouncilRecord;
use crate::council::settings::Settings;
use crate::council::weights::Weights;

/// Weights are moved in steps of one percent.
const STEPS: u32 = 100;

/// How many sets of weights are drawn.
const DRAWS: u64 = 200;

/// How much the winner depends on the weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// Who wins with the weights as they are.
    pub winners: Vec<usize>,
    /// For each dimension, how far its weight can move with the same winner, the others
    /// sharing the rest as they do now.
    pub ranges: Vec<WeightRange>,
    /// In which share of weights drawn at random the same answer wins.
    pub same_winner: Option<f64>,
}

/// How far one weight can move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightRange {
    /// Of which dimension.
    pub dimension: Dimension,
    /// As it is.
    pub weight: f64,
    /// How low it can go.
    pub low: f64,
    /// How high it can go.
    pub high: f64,
}

pub(super) fn of(record: &CouncilRecord, settings: &Settings) -> Sensitivity {
    let mut winners = Winners::of(record, settings);
    let now = winners.with(settings.profile.weights.clone());
    if now.is_empty() {
        return Sensitivity { winners: now, ranges: Vec::new(), same_winner: None };
    }
    let mut same = |weights: ByDimension<f64>| {
        Weights::new(weights).is_ok_and(|weights| winners.with(weights) == now)
    };
    let current: Vec<(Dimension, f64)> = settings.profile.weights.counting().collect();
    let ranges = current.iter().map(|(dimension, weight)| {
        let (low, high) = reach(&current, *dimension, *weight, &mut same);
        WeightRange { dimension: *dimension, weight: *weight, low, high }
    });
    let ranges: Vec<WeightRange> = ranges.collect();
    let kept = (0..DRAWS).filter(|draw| same(drawn(&current, record.seed, *draw))).count();
    Sensitivity { winners: now, ranges, same_winner: Some(kept as f64 / DRAWS as f64) }
}

/// Walks away from the weight in both directions, as long as the winner stays.
fn reach(
    current: &[(Dimension, f64)],
    dimension: Dimension,
    weight: f64,
    same: &mut impl FnMut(ByDimension<f64>) -> bool,
) -> (f64, f64) {
    let rest: f64 = 1.0 - weight;
    if rest <= 0.0 {
        return (weight, weight);
    }
    let with = |moved: f64| {
        let share = |(other, own): &(Dimension, f64)| {
            (*other, if *other == dimension { moved } else { own * (1.0 - moved) / rest })
        };
        current.iter().map(share).collect::<ByDimension<f64>>()
    };
    let (mut low, mut high) = (weight, weight);
    for step in (0..STEPS).rev().map(|step| f64::from(step) / f64::from(STEPS)) {
        if step < weight && low - step < 1.5 / f64::from(STEPS) && same(with(step)) {
            low = step;
        }
    }
    for step in (1..=STEPS).map(|step| f64::from(step) / f64::from(STEPS)) {
        if step > weight && step - high < 1.5 / f64::from(STEPS) && same(with(step)) {
            high = step;
        }
    }
    (low, high)
}

/// Weights drawn evenly from all that sum to one: the gaps between sorted draws.
fn drawn(current: &[(Dimension, f64)], seed: u64, draw: u64) -> ByDimension<f64> {
    let mut generator = Generator::stream(seed ^ 0x5745_4947_4854, draw);
    let mut cuts: Vec<f64> = (1..current.len()).map(|_| generator.unit()).collect();
    cuts.extend([0.0, 1.0]);
    cuts.sort_by(f64::total_cmp);
    let gaps = cuts.windows(2).map(|pair| pair[1] - pair[0]);
    current.iter().map(|(dimension, _)| *dimension).zip(gaps).collect()
}
