//! The accuracy of a run as one page: figures, confusion of tiers, reliability, disagreements.

use assize_engine::compliance::plan::short;
use assize_engine::store::Run;
use assize_methods::compliance::accuracy::{AccuracyReport, Calibration, Estimate};
use assize_page::number::percent;
use assize_page::plots::{Estimate as Bar, Group, intervals, reliability};
use maud::{Markup, html};

/// The whole page.
pub(super) fn page(run: &Run, report: &AccuracyReport) -> String {
    let title = format!("Accuracy of run {}", short(&run.id));
    let bars: Vec<Bar> = [("accuracy", &report.overall), ("same tier", &report.tier_match)]
        .into_iter()
        .filter_map(|(name, estimate)| bar(name, estimate.as_ref()?))
        .chain(report.sections.iter().filter_map(|(id, estimate)| bar(id, estimate)))
        .collect();
    let content = html! {
        h1 { (title) }
        p { (report.scored) " truth keys have a score, " (report.unscored) " have none and are in no figure." }
        (intervals(&bars, false))
        p {
            @if let Some(bias) = &report.bias { "Bias " (format!("{:+.1}", bias.mean)) " points. " }
            @if let Some(kappa) = report.kappa { "Quadratic kappa " (format!("{kappa:.3}")) ". " }
            (report.granularity.distinct) " distinct scores"
            @if let Some(share) = report.granularity.coarse_share { ", " (percent(share)) " exactly 0, 50 or 100" }
            "."
        }
        h2 { "Tiers: expected (rows) and given" }
        (confusion(report))
        @if let Some(calibration) = &report.calibration {
            h2 { "Is confidence deserved?" }
            (reliability(&groups(calibration), "stated confidence", "share in the right tier"))
            p { "Expected calibration error " (format!("{:.3}", calibration.expected_error)) "." }
        }
        h2 { "Furthest off" }
        table {
            thead { tr { th { "criterion" } th { "document" } th { "score" } th { "expected" } } }
            tbody {
                @for one in &report.worst {
                    tr {
                        td { (one.criterion) } td { (one.document) }
                        td class="number" { (format!("{:.1}", one.score)) }
                        td class="number" { (format!("{:.1}", one.expected_score)) }
                    }
                }
            }
        }
    };
    assize_page::page(&title, &content)
}

fn bar(name: &str, estimate: &Estimate) -> Option<Bar> {
    let Estimate { mean, low, high, .. } = *estimate;
    Some(Bar { name: name.to_owned(), value: mean, low: low?, high: high? })
}

fn confusion(report: &AccuracyReport) -> Markup {
    html! {
        table {
            thead { tr { th {} @for label in &report.tiers { th { (label) } } } }
            tbody {
                @for (row, label) in report.confusion.iter().zip(&report.tiers) {
                    tr { th { (label) } @for count in row { td class="number" { (count) } } }
                }
            }
        }
    }
}

fn groups(calibration: &Calibration) -> Vec<Group> {
    let group = |bin: &assize_methods::compliance::accuracy::CalibrationBin| {
        let (confidence, accuracy) = bin.confidence.zip(bin.accuracy)?;
        Some(Group { score: confidence, rating: accuracy, interval: None, count: bin.count })
    };
    calibration.bins.iter().filter_map(group).collect()
}
