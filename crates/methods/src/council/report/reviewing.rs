//! How each reviewer handled the form.

use std::collections::BTreeMap;

use assize_stats::summary::mean;
use serde::{Deserialize, Serialize};

use super::Case;
use crate::council::ballot::Basis;
use crate::council::decide::reviewers::off_by;

/// A stated sum that is off by more than this is wrong, not rounded.
const MISCALCULATED: f64 = 0.05;

/// How a reviewer handled the form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reviewing {
    /// Who.
    pub model: String,
    /// How many ballots were asked of it.
    pub asked: usize,
    /// How many it did not give.
    pub abstained: usize,
    /// How many of its ballots broke off.
    pub truncated: usize,
    /// How many reviews it gave.
    pub reviews: usize,
    /// How many of these are one score for the whole.
    pub holistic: usize,
    /// Which share that is.
    pub fallback_rate: Option<f64>,
    /// How many overall scores it stated beside its marks.
    pub sums: usize,
    /// Which share of these is off by more than 0.05.
    pub miscalculation_rate: Option<f64>,
    /// By how much they are off on average.
    pub miscalculated_by: Option<f64>,
    /// Kendall's tau between the rankings it stated and its own marks, on average.
    pub stated_ranking_tau: Option<f64>,
}

pub(super) fn of(cases: &[Case<'_>]) -> Vec<Reviewing> {
    let mut found: BTreeMap<&str, (Reviewing, Vec<f64>, Vec<f64>)> = BTreeMap::new();
    for case in cases {
        for (reviewer, cells) in case.verdict.reviewers.iter().zip(&case.verdict.table) {
            let (own, off, taus) = found.entry(&reviewer.model).or_default();
            own.asked += 1;
            own.abstained += usize::from(reviewer.abstained.is_some());
            own.truncated += usize::from(reviewer.truncated);
            let based = || cells.iter().flatten().filter_map(|cell| cell.basis);
            own.reviews += based().count();
            own.holistic += based().filter(|basis| *basis == Basis::Holistic).count();
            off.extend(off_by(cells));
            taus.extend(reviewer.stated_ranking_tau);
        }
    }
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    let finish = |(model, (mut own, off, taus)): (&str, (Reviewing, Vec<f64>, Vec<f64>))| {
        model.clone_into(&mut own.model);
        own.fallback_rate = share(own.holistic, own.reviews);
        own.sums = off.len();
        let wrong = off.iter().filter(|off| **off > MISCALCULATED).count();
        own.miscalculation_rate = share(wrong, off.len());
        own.miscalculated_by = mean(&off).ok();
        own.stated_ranking_tau = mean(&taus).ok();
        own
    };
    found.into_iter().map(finish).collect()
}
