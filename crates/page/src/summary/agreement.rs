//! Agreement as one self-contained page with plots.

use assize_wire::number;
use assize_wire::summary::{Agreement, Binary, Correlations, Plotted, System};
use maud::{Markup, html};

use crate::page;
use crate::plots::{
    Cell, Estimate as Whisker, Group, Matrix, intervals, matrix, precision_recall, reliability,
    scatter,
};

/// How far equal values are spread apart, as a share of the range.
const SPREAD: f64 = 0.018;

/// The whole page.
pub fn render(agreement: &Agreement) -> String {
    let shown = &agreement.shown;
    let content = html! {
        h1 { (agreement.metric) " compared with " (agreement.human) }
        p class="quiet" {
            "Method " (agreement.method.name) ", judge " (agreement.judge) ", from " (shown.input) ". "
            (shown.scope) ". " (agreement.unscored) " unscored, " (agreement.unrated) " without a rating. " (shown.intervals) "."
        }
        (correlations(&agreement.correlations))
        (whiskers(&agreement.correlations))
        (drawn(&shown.plotted, &agreement.metric, &agreement.human))
        @if let Some(curve) = &agreement.calibration {
            h2 { "Calibration" }
            p {
                "A rising curve from scores to ratings, fitted to " (curve.quality.items) " pairs. On unseen pairs it is off by "
                b { (format!("{:.3}", curve.quality.calibrated_error)) } " on average; always predicting the mean rating is off by " (format!("{:.3}", curve.quality.mean_error)) "."
            }
        }
        @if let Some(found) = &agreement.binary { h2 { "Good or bad" } (binary(found)) }
        @if let Some(pooled) = &agreement.pooled { h2 { "Pooled over all pairs" } (correlations(pooled)) }
        @if let (Some(by), Some(field)) = (&agreement.by, &shown.by_field) { h2 { "By " (field) } div class="scroll" tabindex="0" { (systems(by, field)) } }
        @if let Some(systems) = &agreement.between { h3 { "Correlation between their means" } (correlations(systems)) }
    };
    page("Agreement with human ratings", &content)
}

fn correlations(found: &Correlations) -> Markup {
    html! {
        table {
            thead { tr { th { "correlation" } th class="n" { "value" } th { "interval" } } }
            tbody { @for (name, found) in found.named() { tr { td { (name) } td class="n best" { (found.shown()) } td { (found.range()) } } } }
        }
    }
}

fn whiskers(found: &Correlations) -> Markup {
    let rows: Vec<Whisker> = found
        .named()
        .into_iter()
        .filter_map(|(name, found)| {
            let (low, high) = found.low.zip(found.high)?;
            Some(Whisker { name: name.to_owned(), value: found.value?, low, high })
        })
        .collect();
    html! { @if !rows.is_empty() { figure { (intervals(&rows, true)) } } }
}

/// A judge's scores against ratings: item by item, calibration, and what a limit finds.
fn drawn(plotted: &Plotted, metric: &str, human: &str) -> Markup {
    let bins = plotted.reliability.iter().map(|bin| Group {
        score: bin.score,
        rating: bin.human,
        interval: bin.low.zip(bin.high),
        count: bin.n,
    });
    let bins: Vec<Group> = bins.collect();
    html! {
        div class="plots" {
            figure { h3 { "Item by item" } (points(&plotted.points, metric, human)) figcaption { "Each dot is one item. Equal values are spread slightly so that they stay visible." } }
            figure { h3 { "Calibration: mean rating by score" } (reliability(&bins, (metric, human), &[])) figcaption { "The mean rating of items with similar scores, with its interval; larger dots stand for more items. For a useful score, the line rises from left to right." } }
            @if let Some(found) = &plotted.found {
                figure { h3 { "Precision and recall" } (precision_recall(&found.curve, found.share)) figcaption { "Of the items that score at least so much, the share that people call good; average precision " (number::score(found.average)) ", guessing reaches " (number::score(found.share)) "." } }
            }
        }
    }
}

/// Judges against raters as one page of plots.
pub fn render_judges(everybody: &[(String, Vec<Option<f64>>)], all: &[(&str, &Plotted)]) -> String {
    let title = "Judges vs. raters";
    page(title, &html! { h1 { (title) } (judges(everybody, all)) })
}

/// Judges against raters: how alike everybody is, then each judge.
pub fn judges(everybody: &[(String, Vec<Option<f64>>)], all: &[(&str, &Plotted)]) -> Markup {
    let names: Vec<Markup> = everybody.iter().map(|(name, _)| html! { bdi { (name) } }).collect();
    let cell = |(own, place, value): (usize, usize, Option<f64>)| Cell {
        value: value.filter(|_| own != place),
        ..Cell::default()
    };
    let rows = everybody.iter().enumerate().map(|(own, (_, values))| {
        let cells = values.iter().enumerate();
        cells.map(|(place, value)| cell((own, place, *value))).collect()
    });
    let alike = Matrix {
        corner: "Spearman".to_owned(),
        rows: names.clone().into_iter().zip(rows).collect(),
        columns: names,
        scale: (0.0, 1.0),
        places: 2,
    };
    html! {
        @if !everybody.is_empty() { h2 { "Everybody with everybody" } (matrix(&alike)) }
        @for (name, plotted) in all { h2 { bdi { (name) } } (drawn(plotted, name, "raters")) }
    }
}

fn points(all: &[(f64, f64)], metric: &str, human: &str) -> Markup {
    let scores = Range::of(all.iter().map(|(score, _)| *score));
    let ratings = Range::of(all.iter().map(|(_, rating)| *rating));
    let dots: Vec<(f64, f64)> = all
        .iter()
        .enumerate()
        .map(|(index, (score, rating))| {
            let across = scores.spread(*score, index, 0.618_034);
            (across, ratings.spread(*rating, index, 0.754_878))
        })
        .collect();
    scatter(&dots, metric, human, false)
}

struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        Self { low, high: values.fold(f64::NEG_INFINITY, f64::max) }
    }

    /// A value moved a little, and never out of the range. The moves are regular, not
    /// random: the same data gives the same picture.
    fn spread(&self, value: f64, index: usize, step: f64) -> f64 {
        let share = (index as f64 * step) % 1.0 - 0.5;
        (value + share * SPREAD * (self.high - self.low)).clamp(self.low, self.high)
    }
}

fn binary(binary: &Binary) -> Markup {
    let confusion = &binary.confusion;
    html! {
        table {
            thead { tr { th { "measure" } th class="n" { "value" } th { "interval" } } }
            tbody {
                tr { td { "AUC" } td class="n best" { (binary.auc.shown()) } td { (binary.auc.range()) } }
                tr { td { "balanced accuracy" } td class="n best" { (binary.balanced_accuracy.shown()) } td { (binary.balanced_accuracy.range()) } }
            }
        }
        p class="small" {
            (binary.good) " good, " (binary.bad) " bad; " (binary.decided()) ". Good classified as good: " (confusion.good_as_good) ", as bad: " (confusion.good_as_bad)
            "; bad classified as bad: " (confusion.bad_as_bad) ", as good: " (confusion.bad_as_good) "."
        }
    }
}

fn systems(systems: &[System], by: &str) -> Markup {
    html! {
        table {
            thead { tr { th { (by) } th class="n" { "pairs" } th class="n" { "pearson" } th class="n" { "spearman" } th class="n" { "kendall" } } }
            tbody {
                @for system in systems {
                    tr { td { bdi { (system.name) } } td class="n" { (system.n) } @for (_, found) in system.correlations.named() { td class="n" { (found.shown()) div class="small" { (found.range()) } } } }
                }
            }
        }
    }
}
