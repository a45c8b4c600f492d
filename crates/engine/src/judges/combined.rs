//! Several judges together, on folds that were not learned on.

use assize_stats::correlation::spearman;
use assize_stats::interval::{Drawing, drawn};
use assize_stats::ridge::ridge;
use assize_stats::summary::{deviation, mean};
use serde::Serialize;

use super::{Figure, Items, Settings};

/// Into so many parts the groups, or the items, are cut.
const FOLDS: usize = 5;

/// The penalty of the learned combination for each item that is learned on: judges say nearly the
/// same, and without it they are played off against each other.
const PENALTY_PER_ITEM: f64 = 0.1;

/// Fewer items than this teach nothing.
const ITEMS_MIN: usize = 20;

/// Several judges together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combination {
    /// How they are put together.
    pub name: String,
    /// Items that every judge scored.
    pub count: usize,
    /// Rank correlation with the raters' mean.
    pub spearman: Figure,
    /// The same less that of the judge that was best on the folds that were learned on.
    pub less_best: Figure,
}

/// The mean of judges in their own deviations, and a learned one.
pub(super) fn combinations(
    items: &Items,
    truth: &[Option<f64>],
    settings: &Settings,
) -> Vec<Combination> {
    let shared: Vec<usize> = (0..truth.len())
        .filter(|index| {
            truth[*index].is_some()
                && items.judges.iter().all(|(_, scores)| scores[*index].is_some())
        })
        .collect();
    if shared.len() < ITEMS_MIN || items.judges.len() < 2 {
        return Vec::new();
    }
    let meant: Vec<f64> = shared.iter().filter_map(|index| truth[*index]).collect();
    let rows: Vec<Vec<f64>> = shared
        .iter()
        .map(|index| items.judges.iter().filter_map(|(_, scores)| scores[*index]).collect())
        .collect();
    let folds = folds(items, &shared);
    let (mut learned, mut plain, mut best) =
        (vec![0.0; meant.len()], vec![0.0; meant.len()], vec![0.0; meant.len()]);
    for fold in 0..FOLDS {
        let seen: Vec<usize> = (0..meant.len()).filter(|at| folds[*at] != fold).collect();
        let Some(fit) = Fit::on(&rows, &meant, &seen) else { return Vec::new() };
        for at in (0..meant.len()).filter(|at| folds[*at] == fold) {
            learned[at] = fit.learned(&rows[at]);
            plain[at] = fit.plain(&rows[at]);
            best[at] = fit.standard(&rows[at])[fit.best];
        }
    }
    let combination = |name: &str, said: &[f64]| Combination {
        name: name.to_owned(),
        count: meant.len(),
        spearman: figure(settings, meant.len(), |drawn| rho(said, &meant, drawn)),
        less_best: figure(settings, meant.len(), |drawn| {
            Some(rho(said, &meant, drawn)? - rho(&best, &meant, drawn)?)
        }),
    };
    vec![combination("mean of judges", &plain), combination("learned weights", &learned)]
}

fn rho(said: &[f64], meant: &[f64], drawn: &[usize]) -> Option<f64> {
    let pick = |list: &[f64]| drawn.iter().map(|index| list[*index]).collect::<Vec<f64>>();
    spearman(&pick(said), &pick(meant)).ok()
}

fn figure(
    settings: &Settings,
    count: usize,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Figure {
    let all: Vec<usize> = (0..count).collect();
    let Settings { resamples, level, seed } = *settings;
    let found = drawn(count, None, Drawing { resamples, level, seed }, &statistic);
    let interval = found.map(|found| found.interval);
    Figure {
        value: statistic(&all),
        low: interval.map(|found| found.low),
        high: interval.map(|found| found.high),
    }
}

/// What was learned on some items: each judge's level and spread, weights, and who is best.
struct Fit {
    centre: Vec<f64>,
    spread: Vec<f64>,
    weights: Vec<f64>,
    best: usize,
}

impl Fit {
    fn on(rows: &[Vec<f64>], meant: &[f64], seen: &[usize]) -> Option<Self> {
        let judges = rows.first()?.len();
        let column = |judge: usize| seen.iter().map(|at| rows[*at][judge]).collect::<Vec<f64>>();
        let truth: Vec<f64> = seen.iter().map(|at| meant[*at]).collect();
        let level = mean(&truth).ok()?;
        let (mut centre, mut spread, mut rhos) = (Vec::new(), Vec::new(), Vec::new());
        for judge in 0..judges {
            let values = column(judge);
            centre.push(mean(&values).ok()?);
            spread.push(deviation(&values).ok().filter(|spread| *spread > 0.0).unwrap_or(1.0));
            rhos.push(spearman(&values, &truth).unwrap_or(f64::NEG_INFINITY));
        }
        let best = (0..judges)
            .max_by(|one, other| rhos[*one].total_cmp(&rhos[*other]).then(other.cmp(one)))?;
        let mut fit = Self { centre, spread, weights: Vec::new(), best };
        let standard: Vec<Vec<f64>> = seen.iter().map(|at| fit.standard(&rows[*at])).collect();
        let centred: Vec<f64> = truth.iter().map(|value| value - level).collect();
        let penalty = PENALTY_PER_ITEM * seen.len() as f64;
        fit.weights = ridge(&standard, &centred, penalty).ok()?;
        Some(fit)
    }

    fn standard(&self, row: &[f64]) -> Vec<f64> {
        let parts = row.iter().zip(&self.centre).zip(&self.spread);
        parts.map(|((value, centre), spread)| (value - centre) / spread).collect()
    }

    fn learned(&self, row: &[f64]) -> f64 {
        self.standard(row).iter().zip(&self.weights).map(|(value, weight)| value * weight).sum()
    }

    fn plain(&self, row: &[f64]) -> f64 {
        self.standard(row).iter().sum()
    }
}

/// The fold of each item; a group stays together.
fn folds(items: &Items, shared: &[usize]) -> Vec<usize> {
    let mut fold: Vec<usize> = (0..items.ids.len()).map(|index| index % FOLDS).collect();
    for (number, members) in items.clusters().iter().enumerate() {
        for index in members {
            fold[*index] = number % FOLDS;
        }
    }
    shared.iter().map(|index| fold[*index]).collect()
}
