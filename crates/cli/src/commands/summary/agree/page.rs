//! Agreement as one self-contained page with plots.

use assize_engine::summary::agreement::{Binary, Correlations};
use assize_page::page;
use assize_page::plots::{Estimate as Whisker, Group, intervals, reliability, scatter};
use maud::{Markup, html};

use super::View;
use super::text::{decided, interval, value};

/// How far equal values are spread apart, as a share of the range.
const SPREAD: f64 = 0.018;

/// The whole page.
pub(super) fn render(view: &View<'_>) -> String {
    let agreement = &view.agreement;
    let (metric, human) = (view.number.name(), view.arguments.human.as_str());
    let by = view.arguments.by.as_deref().unwrap_or_default();
    let content = html! {
        h1 { (metric) " against " (human) }
        p class="quiet" {
            "Method " (view.method()) ", judge " (view.judge()) ", from " (view.arguments.input.display()) ". "
            (view.scope()) ". " (view.points.unscored) " unscored, " (view.points.unrated) " without a rating. " (view.intervals()) "."
        }
        (correlations(agreement.correlations()))
        (whiskers(agreement.correlations()))
        div class="plots" {
            figure { h3 { "Pair by pair" } (points(view)) figcaption { "Each dot is one pair. Equal values are spread a little, so that they can be seen." } }
            figure { h3 { "What a score is worth" } (bins(view)) figcaption { "The mean rating of pairs with about the same score, with its interval; a larger dot stands for more pairs. A useful score rises from left to right." } }
        }
        @if let Some(curve) = &agreement.calibration {
            h2 { "Calibration" }
            p {
                "A rising curve from scores to ratings, over " (curve.quality.items) " pairs. On pairs it has not seen it is off by "
                b { (format!("{:.3}", curve.quality.calibrated_error)) } " on average; always saying the mean rating is off by " (format!("{:.3}", curve.quality.mean_error)) "."
            }
        }
        @if let Some(found) = &agreement.binary { h2 { "Good or bad" } (binary(found)) }
        @if agreement.grouped.is_some() { h2 { "Pooled over all pairs" } (correlations(&agreement.pooled)) }
        @if !agreement.by.is_empty() { h2 { "By " (by) } div class="scroll" { (systems(view, by)) } }
        @if let Some(systems) = &agreement.systems { h3 { "Between their means" } (correlations(systems)) }
    };
    page("Agreement with people", &content)
}

fn correlations(found: &Correlations) -> Markup {
    html! {
        table {
            thead { tr { th { "correlation" } th class="n" { "value" } th { "interval" } } }
            tbody { @for (name, found) in found.named() { tr { td { (name) } td class="n best" { (value(found)) } td { (interval(found)) } } } }
        }
    }
}

fn whiskers(found: &Correlations) -> Markup {
    let rows: Vec<Whisker> = found
        .named()
        .into_iter()
        .filter_map(|(name, found)| {
            let (low, high) = found.interval?;
            Some(Whisker { name: name.to_owned(), value: found.value?, low, high })
        })
        .collect();
    html! { @if !rows.is_empty() { figure { (intervals(&rows, true)) } } }
}

fn points(view: &View<'_>) -> Markup {
    let all = &view.points.all;
    let scores = Range::of(all.iter().map(|point| point.score));
    let ratings = Range::of(all.iter().map(|point| point.human));
    let dots: Vec<(f64, f64)> = all
        .iter()
        .enumerate()
        .map(|(index, point)| {
            let across = scores.spread(point.score, index, 0.618_034);
            (across, ratings.spread(point.human, index, 0.754_878))
        })
        .collect();
    scatter(&dots, &view.number.name(), &view.arguments.human, false)
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

fn bins(view: &View<'_>) -> Markup {
    let bins = view.agreement.reliability.iter().map(|bin| Group {
        score: bin.score,
        rating: bin.human,
        interval: bin.interval,
        count: bin.count,
    });
    reliability(&bins.collect::<Vec<_>>(), &view.number.name(), &view.arguments.human)
}

fn binary(binary: &Binary) -> Markup {
    let confusion = &binary.confusion;
    html! {
        table {
            thead { tr { th { "measure" } th class="n" { "value" } th { "interval" } } }
            tbody {
                tr { td { "AUC" } td class="n best" { (value(&binary.auc)) } td { (interval(&binary.auc)) } }
                tr { td { "balanced accuracy" } td class="n best" { (value(&binary.balanced_accuracy)) } td { (interval(&binary.balanced_accuracy)) } }
            }
        }
        p class="small" {
            (binary.good) " good, " (binary.bad) " bad; " (decided(binary)) ". Good taken as good " (confusion.good_as_good) ", as bad " (confusion.good_as_bad)
            "; bad taken as bad " (confusion.bad_as_bad) ", as good " (confusion.bad_as_good) "."
        }
    }
}

fn systems(view: &View<'_>, by: &str) -> Markup {
    html! {
        table {
            thead { tr { th { (by) } th class="n" { "pairs" } th class="n" { "pearson" } th class="n" { "spearman" } th class="n" { "kendall" } } }
            tbody {
                @for (name, count, found) in &view.agreement.by {
                    tr { td { bdi { (name) } } td class="n" { (count) } @for (_, found) in found.named() { td class="n" { (value(found)) div class="small" { (interval(found)) } } } }
                }
            }
        }
    }
}
