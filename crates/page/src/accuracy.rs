//! The accuracy of a run as one page: figures, confusion of tiers, reliability, disagreements.

use assize_methods::compliance::accuracy::{AccuracyReport, Calibration, CalibrationBin, Estimate};
use assize_methods::tones::spread;
use assize_wire::number::{counted, percent};
use maud::{Markup, html};

use crate::bars::{self, swatch};
use crate::page;
use crate::plots::{Estimate as Bar, Group, intervals, reliability};

/// The whole page of a run, named as people write it.
pub fn render(run: &str, report: &AccuracyReport) -> String {
    let title = format!("Accuracy of run {run}");
    page(&title, &html! { h1 { (title) } (content(report)) })
}

/// The same without the frame of a page.
pub fn content(report: &AccuracyReport) -> Markup {
    let bars: Vec<Bar> = [("accuracy", &report.overall), ("same tier", &report.tier_match)]
        .into_iter()
        .filter_map(|(name, estimate)| bar(name, estimate.as_ref()?))
        .chain(report.sections.iter().filter_map(|(id, estimate)| bar(id, estimate)))
        .collect();
    html! {
        p { (counted(report.scored, "truth key has a score", "truth keys have a score")) ", " (counted(report.unscored, "has none and is", "have none and are")) " in no figure." }
        @if !bars.is_empty() { figure { (intervals(&bars, false)) } }
        @else if let Some(overall) = &report.overall { p { "Accuracy " (format!("{:.3}", overall.mean)) ", n = " (report.scored) ": too few for an interval." } }
        p {
            @if let Some(bias) = &report.bias { "Bias " (points(bias.mean)) " points. " }
            @if let Some(kappa) = report.kappa { "Quadratic kappa " (format!("{kappa:.3}")) ". " }
            (report.granularity.distinct) " distinct scores"
            @if let Some(share) = report.granularity.coarse_share { ", " (percent(share)) " exactly 0, 50 or 100" }
            "."
        }
        h2 { "Tiers: expected (rows) and given" }
        (confusion(report))
        @if let Some(calibration) = &report.calibration {
            h2 { "Is confidence deserved?" }
            (reliability(&groups(calibration), ("stated confidence", "share in the right tier"), &[0.0, 1.0]))
            p { "Expected calibration error " (format!("{:.3}", calibration.expected_error)) "." }
        }
        h2 { "Furthest off" }
        div class="scroll" tabindex="0" { table {
            thead { tr { th { "criterion" } th { "document" } th class="n" { "score" } th class="n" { "expected" } th class="n" { "difference" } } }
            tbody {
                @for one in &report.worst {
                    tr {
                        td { (one.criterion) } td { (one.document) }
                        td class="n" { (format!("{:.1}", one.score)) }
                        td class="n" { (format!("{:.1}", one.expected_score)) }
                        td class="n" { (points(one.score - one.expected_score)) }
                    }
                }
            }
        } }
    }
}

fn bar(name: &str, estimate: &Estimate) -> Option<Bar> {
    let Estimate { mean, low, high, .. } = *estimate;
    Some(Bar { name: name.to_owned(), value: mean, low: low?, high: high? })
}

/// Expected tiers down, given ones across; what lies on the diagonal agrees.
fn confusion(report: &AccuracyReport) -> Markup {
    let most = report.confusion.iter().flatten().copied().max().unwrap_or(0).max(1);
    html! {
        div class="scroll" tabindex="0" { table class="heat confusion" {
            thead { tr { th { "expected" } @for (place, label) in report.tiers.iter().enumerate() { th class="n" scope="col" { (swatch(&spread(place, report.tiers.len()))) (label) } } } }
            tbody {
                @for (place, (row, label)) in report.confusion.iter().zip(&report.tiers).enumerate() {
                    tr { th scope="row" { (swatch(&spread(place, report.tiers.len()))) (label) } @for (given, count) in row.iter().enumerate() { (square(*count, most, place == given)) } }
                }
            }
        } }
        p class="small" { "Outlined: the tier that was expected. A dot is none." }
    }
}

fn square(count: usize, most: usize, is_agreed: bool) -> Markup {
    let class = if is_agreed { "n agreed" } else { "n" };
    let heat = bars::heat(count as f64 / most as f64);
    html! {
        @if count == 0 { td class={ (class) " quiet" } { "·" } }
        @else { td class={ (class) " " (heat) } { (count) } }
    }
}

/// A difference in points, with its sign.
fn points(value: f64) -> String {
    format!("{value:+.1}").replace('-', "−")
}

fn groups(calibration: &Calibration) -> Vec<Group> {
    let group = |bin: &CalibrationBin| {
        let (confidence, accuracy) = bin.confidence.zip(bin.accuracy)?;
        Some(Group { score: confidence, rating: accuracy, interval: None, count: bin.count })
    };
    calibration.bins.iter().filter_map(group).collect()
}
