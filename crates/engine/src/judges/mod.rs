//! Which judge can be trusted: any number of judges against any number of raters.
//!
//! [`source`] says where scores come from and [`items`] reads who said what of which item:
//! from columns and files, from a run ([`stored`]), or from a judge that is asked now
//! ([`live`]). Each judge is held against the raters' mean by
//! the same [`measure`](crate::summary::agreement::measure) as a summary's scores, judges are compared
//! with each other on the same draws of the items ([`versus`]), the raters' own agreement is the
//! ceiling ([`ceiling`]), what its errors go with is looked at ([`leanings`]), and combinations are tried on folds they did not see ([`combined`]).
//! [`infer`](infer()) turns the question round: what would people say of all items?
//! [`attack`](attack()) tries how a judge stands against texts that want a better verdict.

mod attack;
mod ceiling;
mod combined;
mod infer;
mod items;
mod leanings;
mod live;
mod recommendation;
mod source;
mod steadiness;
mod stored;
mod table;
mod told;
mod versus;

use std::collections::BTreeMap;

use assize_stats::agreement::{Weights, bias, cohen_kappa, exact_match, mean_absolute_error};
use assize_stats::correlation::spearman;
use assize_wire::summary::Plotted;
use serde::Serialize;

pub use self::attack::{
    Attack, AttackError, AttackRow, Attacked, MARGIN, Position, Target, attack, pairs_in,
};
pub use self::ceiling::{Ceiling, Identical};
pub use self::combined::Combination;
pub use self::infer::{Estimate, Inference, Inferred, difference, infer, share_bound};
pub use self::items::{ItemTable, Items, ItemsError};
pub use self::leanings::{FacetColumns, Facets, Leaning, Slice};
pub use self::live::{Live, LiveError};
pub use self::recommendation::{Lead, Recommendation};
pub use self::source::{Source, SourceError, SourcePlace, check_sources};
pub use self::steadiness::{RIGHT_WITHIN, Steadiness};
pub use self::table::{Range, Scale};
use self::told::Scores;
pub use self::told::Told;
pub use self::versus::{Pair, Versus};
pub use crate::summary::agreement::Figure;
use crate::summary::agreement::{Agreement, ConstantGroups, Options, Point, measure};
use crate::summary::wire::plotted;

/// Up to so many different whole numbers are tiers.
const TIERS_MAX: usize = 11;

/// How many of the items with the largest disagreement are named.
const WORST: usize = 10;

/// Billionths of a dollar in a dollar.
const NANODOLLARS: f64 = 1e9;

/// How it is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How often items are drawn anew.
    pub resamples: usize,
    /// How sure intervals are.
    pub level: f64,
    /// Where chance begins.
    pub seed: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bench {
    /// How many items.
    pub items: usize,
    /// How many groups of items; 0 without groups.
    pub groups: usize,
    /// Which judge to use.
    pub recommendation: Recommendation,
    /// Each judge, best first.
    pub judges: Vec<Judge>,
    /// Judges against each other.
    pub versus: Versus,
    /// How well raters agree among themselves: no judge can be expected to do better.
    pub ceiling: Ceiling,
    /// Several judges together, on folds that were not learned on.
    pub combinations: Vec<Combination>,
    /// Items on which judges and raters are furthest apart.
    pub worst: Vec<Worst>,
    /// Everybody's rank correlation with everybody, judges before raters, for a matrix.
    #[serde(skip)]
    pub everybody: Vec<(String, Vec<Option<f64>>)>,
}

/// One judge against the raters' mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judge {
    /// Its name.
    pub name: String,
    /// Items with its score and a rating.
    pub count: usize,
    /// Items it has no score for.
    pub unscored: usize,
    /// Rank correlation over all items, then Kendall's tau and Pearson's r.
    pub spearman: Figure,
    /// Order of pairs.
    pub kendall: Figure,
    /// Along a line.
    pub pearson: Figure,
    /// Spearman within each group, averaged; `None` without groups.
    pub within_groups: Option<Figure>,
    /// The scales that it and the raters are taken to use, for all that follows; `None` where one
    /// of them is unknown.
    pub scale: Option<Scale>,
    /// The mean distance on the raters' scale.
    pub error: Option<f64>,
    /// How far it is above them on average.
    pub bias: Option<f64>,
    /// The share of equal tiers, where both speak in tiers.
    pub same_tier: Option<f64>,
    /// Quadratic kappa, where both speak in tiers.
    pub kappa: Option<f64>,
    /// Area under the curve, where raters say yes or no.
    pub auc: Option<Figure>,
    /// Balanced accuracy at a cut chosen on other folds, where raters say yes or no.
    pub balanced_accuracy: Option<Figure>,
    /// The error of a rising curve from its scores to ratings on items it has not seen.
    pub calibrated_error: Option<f64>,
    /// How many different scores it gives.
    pub granularity: usize,
    /// Judges with a letter in common cannot be told apart.
    pub letters: String,
    /// Why items have no score, and how many.
    pub because: BTreeMap<String, usize>,
    /// What one score took, on average; `None` where nothing says.
    pub seconds: Option<f64>,
    /// What one score cost in dollars, on average; `None` where nothing says.
    pub dollars: Option<f64>,
    /// Whether it says the same when it is asked again; `None` for one who was asked once.
    pub steadiness: Option<Steadiness>,
    /// How it agrees with raters in each slice; empty without slices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<Slice>,
    /// What its distance from raters goes with, as far as the file says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leanings: Vec<Leaning>,
    /// What is drawn of it.
    #[serde(skip)]
    pub plotted: Plotted,
}

/// An item on which a judge is far from the raters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worst {
    /// The item.
    pub id: String,
    /// Its group, if there are groups.
    pub group: Option<String>,
    /// The judge.
    pub judge: String,
    /// What it says, on the raters' scale.
    pub said: f64,
    /// What raters say on average.
    pub raters: f64,
}

/// Measures every judge against the raters.
pub fn bench(items: &Items, settings: &Settings) -> Bench {
    let truth = items.truth();
    let versus = versus::versus(items, &truth, settings);
    let mut judges: Vec<Judge> = items
        .judges
        .iter()
        .zip(&items.told)
        .map(|((name, _), scores)| judge(items, name, scores, &truth, settings))
        .collect();
    for judge in &mut judges {
        judge.letters = versus.letters_of(&judge.name);
    }
    let value = |judge: &Judge| judge.spearman.value.unwrap_or(f64::NEG_INFINITY);
    judges
        .sort_by(|one, other| value(other).total_cmp(&value(one)).then(one.name.cmp(&other.name)));
    Bench {
        items: items.ids.len(),
        groups: items.clusters().len(),
        recommendation: recommendation::recommendation(&judges, &versus),
        ceiling: ceiling::ceiling(&items.raters, settings.level),
        combinations: combined::combinations(items, &truth, settings),
        worst: worst(items, &truth),
        everybody: everybody(items),
        versus,
        judges,
    }
}

fn judge(
    items: &Items,
    name: &str,
    told: &Scores,
    truth: &[Option<f64>],
    settings: &Settings,
) -> Judge {
    let scores = told.values.as_slice();
    let shared: Vec<usize> = (0..truth.len())
        .filter(|index| truth[*index].is_some() && scores[*index].is_some())
        .collect();
    let points: Vec<Point> = shared
        .iter()
        .filter_map(|index| {
            let group = items.groups.as_ref().map(|groups| groups[*index].clone());
            Some(Point { score: scores[*index]?, human: truth[*index]?, group, by: None })
        })
        .collect();
    let found = measure(&points, &options(settings));
    let scale = Scale::between(scores, truth);
    let (said, meant): (Vec<f64>, Vec<f64>) = scale
        .iter()
        .flat_map(|scale| points.iter().map(|point| (scale.onto(point.score), point.human)))
        .unzip();
    // On the raters' scale where it is known; ranks do not need one.
    let laid = |score: f64| scale.map_or(score, |scale| scale.onto(score));
    let pairs: Vec<(usize, f64, f64)> = (shared.iter().zip(&points))
        .map(|(index, point)| (*index, laid(point.score), point.human))
        .collect();
    let distinct = table::distinct(&points.iter().map(|point| point.score).collect::<Vec<_>>());
    let (same_tier, kappa) = tiers(&said, &meant);
    Judge {
        name: name.to_owned(),
        count: points.len(),
        unscored: scores.iter().filter(|score| score.is_none()).count(),
        spearman: (&found.pooled.spearman).into(),
        kendall: (&found.pooled.kendall).into(),
        pearson: (&found.pooled.pearson).into(),
        within_groups: found.grouped.as_ref().map(|grouped| (&grouped.mean.spearman).into()),
        scale,
        error: mean_absolute_error(&said, &meant).ok(),
        bias: bias(&said, &meant).ok(),
        same_tier,
        kappa,
        auc: found.binary.as_ref().map(|binary| (&binary.auc).into()),
        balanced_accuracy: found.binary.as_ref().map(|one| (&one.balanced_accuracy).into()),
        calibrated_error: calibrated(&found),
        granularity: distinct,
        letters: String::new(),
        because: told.because.clone(),
        seconds: told.seconds,
        dollars: told.nanodollars.map(|price| price / NANODOLLARS),
        steadiness: steadiness::steadiness(told, truth, scale),
        slices: leanings::slices(items, &pairs, settings),
        leanings: leanings::leanings(items, name, &pairs, settings),
        plotted: plotted(&points, &found),
    }
}

/// How alike everybody ranks the items that both of two have scored.
fn everybody(items: &Items) -> Vec<(String, Vec<Option<f64>>)> {
    let all: Vec<&(String, Vec<Option<f64>>)> = items.judges.iter().chain(&items.raters).collect();
    let alike = |one: &[Option<f64>], other: &[Option<f64>]| {
        let (ours, theirs): (Vec<f64>, Vec<f64>) =
            one.iter().zip(other).filter_map(|(one, other)| one.zip(*other)).unzip();
        spearman(&ours, &theirs).ok()
    };
    let row = |(name, own): &&(String, Vec<Option<f64>>)| {
        (name.clone(), all.iter().map(|(_, theirs)| alike(own, theirs)).collect())
    };
    all.iter().map(row).collect()
}

fn options(settings: &Settings) -> Options {
    let mut options = Options { constant_groups: ConstantGroups::Zero, ..Options::default() };
    options.uncertainty.resamples = settings.resamples;
    options.uncertainty.level = settings.level;
    options.uncertainty.seed = settings.seed;
    options
}

fn calibrated(found: &Agreement) -> Option<f64> {
    found.calibration.as_ref().map(|curve| curve.quality.calibrated_error)
}

/// The share of equal tiers and quadratic kappa, where both sides speak in a few whole numbers of
/// one scale.
fn tiers(said: &[f64], meant: &[f64]) -> (Option<f64>, Option<f64>) {
    let whole = |value: &f64| value.fract() == 0.0 && (0.0..1_000.0).contains(value);
    let all: Vec<f64> = said.iter().chain(meant).copied().collect();
    if !all.iter().all(whole) || table::distinct(&all) > TIERS_MAX {
        return (None, None);
    }
    let lowest = all.iter().copied().fold(f64::INFINITY, f64::min);
    // Whole numbers below a thousand.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let tier = |value: &f64| (value - lowest) as usize;
    let said: Vec<usize> = said.iter().map(tier).collect();
    let meant: Vec<usize> = meant.iter().map(tier).collect();
    (exact_match(&said, &meant).ok(), cohen_kappa(&said, &meant, Weights::Quadratic).ok())
}

/// The items with the largest distance of any judge, one line an item.
fn worst(items: &Items, truth: &[Option<f64>]) -> Vec<Worst> {
    let mut found: Vec<Worst> = Vec::new();
    for (name, scores) in &items.judges {
        // Distances need one scale.
        let Some(scale) = Scale::between(scores, truth) else { continue };
        for (index, score) in scores.iter().enumerate() {
            if let (Some(score), Some(raters)) = (score, truth[index]) {
                found.push(Worst {
                    id: items.ids[index].clone(),
                    group: items.groups.as_ref().map(|groups| groups[index].clone()),
                    judge: name.clone(),
                    said: scale.onto(*score),
                    raters,
                });
            }
        }
    }
    let distance = |one: &Worst| (one.said - one.raters).abs();
    found.sort_by(|one, other| {
        distance(other)
            .total_cmp(&distance(one))
            .then((&one.id, &one.judge).cmp(&(&other.id, &other.judge)))
    });
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|one| seen.insert(one.id.clone()));
    found.truncate(WORST);
    found
}

#[cfg(test)]
mod tests;
