//! How well raters agree among themselves.

use assize_stats::agreement::{Form, Level, intraclass, krippendorff_alpha};
use assize_stats::correlation::spearman;
use assize_stats::summary::mean;
use serde::Serialize;

use super::Figure;

/// How well raters agree among themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ceiling {
    /// How many raters.
    pub raters: usize,
    /// Items at least two of them rated.
    pub shared: usize,
    /// Krippendorff's alpha for intervals: 1 is perfect, 0 is chance.
    pub alpha: Option<f64>,
    /// ICC(2,k): how reliable their mean is, over items that all of them rated.
    pub icc: Figure,
    /// The mean Spearman of one rater with the mean of the others: what a judge as good as a
    /// rater would reach.
    pub one_against_others: Option<f64>,
    /// Raters who gave the same rating to every item that both of them rated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identical: Vec<Identical>,
}

/// Two raters who never differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identical {
    /// Who they are.
    pub raters: (String, String),
    /// How many items both of them rated.
    pub items: usize,
}

/// From so many items on it is noticed that two raters never differ.
const IDENTICAL_MIN: usize = 10;

/// What no judge can be expected to exceed.
pub(super) fn ceiling(raters: &[(String, Vec<Option<f64>>)], level: f64) -> Ceiling {
    let ratings: Vec<Vec<Option<f64>>> =
        raters.iter().map(|(_, ratings)| ratings.clone()).collect();
    let items = ratings.first().map_or(0, Vec::len);
    let rated = |item: usize| ratings.iter().filter(|rater| rater[item].is_some()).count();
    let complete: Vec<Vec<f64>> = (0..items)
        .filter_map(|item| ratings.iter().map(|rater| rater[item]).collect::<Option<Vec<f64>>>())
        .collect();
    let icc = intraclass(&complete, Form::AgreementMean, level).ok();
    let against: Vec<f64> =
        (0..ratings.len()).filter_map(|own| against_others(&ratings, own, items)).collect();
    // An interval that leaves the range of the statistic does not hold here.
    let inside = |low: f64, high: f64| (-1.0..=1.0).contains(&low) && high <= 1.0;
    let interval = icc.map(|icc| icc.interval).filter(|found| inside(found.low, found.high));
    Ceiling {
        raters: ratings.len(),
        shared: (0..items).filter(|item| rated(*item) > 1).count(),
        alpha: krippendorff_alpha(&ratings, Level::Interval).ok(),
        icc: Figure {
            value: icc.map(|icc| icc.value),
            low: interval.map(|found| found.low),
            high: interval.map(|found| found.high),
        },
        one_against_others: mean(&against).ok(),
        identical: identical(raters),
    }
}

/// Raters who never differ, on enough items and with more than one rating: copies, perhaps.
fn identical(raters: &[(String, Vec<Option<f64>>)]) -> Vec<Identical> {
    let mut found = Vec::new();
    for (place, (second, theirs)) in raters.iter().enumerate() {
        for (first, ours) in &raters[..place] {
            let both: Vec<(f64, f64)> =
                ours.iter().zip(theirs).filter_map(|(one, other)| one.zip(*other)).collect();
            let is_same = both.iter().all(|(one, other)| one == other);
            let varies = both.iter().any(|(one, _)| *one != both[0].0);
            if is_same && varies && both.len() >= IDENTICAL_MIN {
                let raters = (first.clone(), second.clone());
                found.push(Identical { raters, items: both.len() });
            }
        }
    }
    found
}

fn against_others(ratings: &[Vec<Option<f64>>], own: usize, items: usize) -> Option<f64> {
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for item in 0..items {
        let others: Vec<f64> = (0..ratings.len())
            .filter(|rater| *rater != own)
            .filter_map(|rater| ratings[rater][item])
            .collect();
        if let (Some(rating), Ok(mean)) = (ratings[own][item], mean(&others)) {
            mine.push(rating);
            theirs.push(mean);
        }
    }
    spearman(&mine, &theirs).ok()
}
