//! The accuracy of a run as one page: figures, confusion of tiers, reliability, disagreements.

use assize_methods::compliance::accuracy::{AccuracyReport, Calibration, CalibrationBin, Estimate};
use assize_methods::tones::spread;
use assize_wire::accuracy::{self as shown, AccuracyBy, BY_HEADINGS};
use maud::{Markup, html};

use crate::bars::swatch;
use crate::page;
use crate::plots::{Cell, Estimate as Bar, Group, Matrix, intervals, matrix, reliability};

/// The whole page of a run, named as people write it.
pub fn render(run: &str, report: &AccuracyReport) -> String {
    let title = format!("Accuracy of run {run}");
    page(&title, &html! { h1 { (title) } (content(report, &|_, _| None)) })
}

/// The same without the frame of a page; `result` is where a criterion under a document is
/// looked at.
pub fn content(report: &AccuracyReport, result: &dyn Fn(&str, &str) -> Option<String>) -> Markup {
    let bars: Vec<Bar> = [("accuracy", &report.overall), ("same tier", &report.tier_match)]
        .into_iter()
        .filter_map(|(name, estimate)| bar(name, estimate.as_ref()?))
        .chain(report.sections.iter().filter_map(|(id, estimate)| bar(id, estimate)))
        .collect();
    html! {
        p { (shown::lead(report)) }
        @if let Some(caution) = report.caution() { p class="notice" id="caution" { (caution) } }
        @if !bars.is_empty() { figure { (intervals(&bars, false)) } }
        h2 { "Figures" }
        (figures(report))
        p { (shown::granularity(report)) }
        h2 { "Tiers: expected (rows) and judged (columns)" }
        (confusion(report))
        @if let Some(calibration) = &report.calibration {
            h2 id="calibration" { "Is the confidence justified?" }
            (reliability(&groups(calibration), ("stated confidence", "share in the right tier"), &[0.0, 1.0]))
            p { "Expected calibration error " (format!("{:.3}", calibration.expected_error)) "." }
        }
        @if !report.worst.is_empty() {
            h2 { "Largest differences" }
            div class="scroll" tabindex="0" { table id="differences" {
                thead { tr { th { "criterion" } th { "document" } th class="n" { "score" } th class="n" { "expected" } th class="n" { "difference" } } }
                tbody {
                    @for (one, numbers) in shown::differences(report) {
                        tr {
                            td { @match result(&one.criterion, &one.document) { Some(address) => a href=(address) { (one.criterion) }, None => (one.criterion) } } td { (one.document) }
                            @for number in numbers { td class="n" { (number) } }
                        }
                    }
                }
            } }
        }
        @for one in shown::by(report) { (by(&one)) }
    }
}

/// Accuracy by document, or by criterion.
fn by(found: &AccuracyBy) -> Markup {
    html! {
        h2 { "By " (found.noun) }
        div class="scroll" tabindex="0" { table id={ "by-" (found.noun) } {
            thead { tr { th { (found.noun) } @for heading in BY_HEADINGS { th class="n" { (heading) } } } }
            tbody { @for (name, numbers) in &found.rows {
                tr { td { (name) } @for number in numbers { td class="n" { (number) } } }
            } }
        } }
        @if let Some(rest) = &found.rest { p class="small" { (rest) } }
    }
}

fn bar(name: &str, estimate: &Estimate) -> Option<Bar> {
    let Estimate { mean, low, high, .. } = *estimate;
    Some(Bar { name: name.to_owned(), value: mean, low: low?, high: high? })
}

/// Every figure with its interval, beside what analysts reach among themselves: no judge can be
/// asked for more.
fn figures(report: &AccuracyReport) -> Markup {
    let with_people = report.ceiling.is_some();
    html! {
        div class="scroll" tabindex="0" { table id="figures" {
            thead { tr { th { "figure" } th class="n" { "judge" } th class="n" { "95 % interval" } @if with_people { th class="n" { "analysts" } } } }
            tbody { @for row in shown::figures(report) {
                tr { td { (row.name) } td class="n" { (row.judge) } td class="n" { (row.interval) } @if with_people { td class="n" { (row.analysts) } } }
            } }
        } }
        @for line in shown::basis(report) { p class="small" { (line) } }
    }
}

/// Expected tiers down, given ones across; what lies on the diagonal agrees.
fn confusion(report: &AccuracyReport) -> Markup {
    let tier = |(place, label): (usize, &String)| {
        html! { (swatch(&spread(place, report.tiers.len()))) (label) }
    };
    let names: Vec<Markup> = report.tiers.iter().enumerate().map(tier).collect();
    let cells = |(place, row): (usize, &Vec<usize>)| {
        let cell = |(given, count): (usize, &usize)| Cell {
            value: Some(*count as f64),
            class: if place == given { "agreed" } else { "" },
            ..Cell::default()
        };
        row.iter().enumerate().map(cell).collect()
    };
    let rows = report.confusion.iter().enumerate().map(cells);
    let most = report.confusion.iter().flatten().copied().max().unwrap_or(0).max(1);
    let counts = Matrix {
        corner: "expected".to_owned(),
        rows: names.clone().into_iter().zip(rows).collect(),
        columns: names,
        scale: (0.0, most as f64),
        places: 0,
    };
    html! { (matrix(&counts)) p class="small" { "Outlined cells are agreements. A dot means none." } }
}

fn groups(calibration: &Calibration) -> Vec<Group> {
    let group = |bin: &CalibrationBin| {
        let (confidence, accuracy) = bin.confidence.zip(bin.accuracy)?;
        Some(Group { score: confidence, rating: accuracy, interval: None, count: bin.count })
    };
    calibration.bins.iter().filter_map(group).collect()
}
