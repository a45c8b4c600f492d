//! The accuracy of a run as one page: figures, confusion of tiers, reliability, disagreements.

use assize_methods::compliance::accuracy::{AccuracyReport, Calibration, CalibrationBin, Estimate};
use assize_methods::compliance::analysts::AnalystAgreement;
use assize_methods::tones::spread;
use assize_wire::number::{counted, fixed, signed};
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
        p { (counted(report.scored, "truth key has a score", "truth keys have a score")) "; " (counted(report.unscored, "has none and is", "have none and are")) " not included." }
        @if let Some(caution) = report.caution() { p class="notice" id="caution" { (caution) } }
        @if !bars.is_empty() { figure { (intervals(&bars, false)) } }
        h2 { "Figures" }
        (figures(report))
        p {
            (counted(report.granularity.distinct, "distinct score", "distinct scores"))
            @if let Some(share) = report.granularity.coarse_share { ", " (whole_percent(share)) " exactly 0, 50 or 100" }
            "."
        }
        h2 { "Tiers: expected (rows) and judged (columns)" }
        (confusion(report))
        @if let Some(calibration) = &report.calibration {
            h2 id="calibration" { "Is the confidence justified?" }
            (reliability(&groups(calibration), ("stated confidence", "share in the right tier"), &[0.0, 1.0]))
            p { "Expected calibration error " (format!("{:.3}", calibration.expected_error)) "." }
        }
        h2 { "Largest differences" }
        div class="scroll" tabindex="0" { table {
            thead { tr { th { "criterion" } th { "document" } th class="n" { "score" } th class="n" { "expected" } th class="n" { "difference" } } }
            tbody {
                @for one in &report.worst {
                    tr {
                        td { @match result(&one.criterion, &one.document) { Some(address) => a href=(address) { (one.criterion) }, None => (one.criterion) } } td { (one.document) }
                        td class="n" { (format!("{:.1}", one.score)) }
                        td class="n" { (format!("{:.1}", one.expected_score)) }
                        td class="n" { (signed(one.score - one.expected_score, 1)) }
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

/// Every figure with its interval, beside what analysts reach among themselves: no judge can be
/// asked for more.
fn figures(report: &AccuracyReport) -> Markup {
    let ceiling = report.ceiling.as_ref();
    let estimated = |name: &str, estimate: Option<Estimate>, places: usize, people: Option<f64>| {
        let one = estimate?;
        let interval = one.low.zip(one.high);
        let interval = interval
            .map(|(low, high)| format!("[{}, {}]", fixed(low, places), fixed(high, places)));
        Some([
            name.to_owned(),
            fixed(one.mean, places),
            interval.unwrap_or_default(),
            or_dash(people),
        ])
    };
    let plain = |name: &str, judge: Option<f64>, people: Option<f64>| {
        Some([name.to_owned(), or_dash(judge), String::new(), or_dash(people)])
            .filter(|_| judge.or(people).is_some())
    };
    let people = |value: fn(&AnalystAgreement) -> Option<f64>| ceiling.and_then(value);
    let error = report.calibration.as_ref().map(|one| one.expected_error);
    let mut rows = vec![
        estimated("accuracy", report.overall, 3, people(|one| Some(one.accuracy))),
        estimated("same tier", report.tier_match, 3, people(|one| Some(one.same_tier))),
        estimated("distance, points", report.score_diff, 1, None),
        estimated("bias, points", report.bias, 1, None),
        estimated("mean of all pairs, as analysts would score", report.corrected, 1, None),
    ];
    let sections = report.sections.iter();
    rows.extend(sections.map(|(id, one)| estimated(&format!("section {id}"), Some(*one), 3, None)));
    rows.push(plain("kappa, quadratic", report.kappa, people(|one| one.kappa)));
    rows.push(plain("ICC(2,1)", None, people(|one| one.icc)));
    rows.push(plain("calibration error", error, None));
    html! {
        div class="scroll" tabindex="0" { table id="figures" {
            thead { tr { th { "figure" } th class="n" { "judge" } th class="n" { "95 % interval" } @if ceiling.is_some() { th class="n" { "analysts" } } } }
            tbody { @for [name, judge, interval, people] in rows.iter().flatten() {
                tr { td { (name) } td class="n" { (judge) } td class="n" { (interval) } @if ceiling.is_some() { td class="n" { (people) } } }
            } }
        } }
        @if let Some(one) = ceiling { p class="small" { (one.analysts.len()) " analysts judged " (one.pairs) " of the same pairs; keys: " (report.basis.adjudicated) " adjudicated, " (report.basis.single) " by one analyst, " (report.basis.averaged) " averaged. What analysts reach among themselves is the most that can be asked of a judge." } }
    }
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| fixed(value, 3))
}

/// A share of a few scores: a fraction of a per cent says nothing.
fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_real_minus_and_shares_no_noise() {
        assert_eq!(
            (fixed(-0.25, 1), or_dash(Some(0.9)), or_dash(None)),
            ("−0.2".into(), "0.900".into(), "–".into())
        );
        assert_eq!((whole_percent(1.0 / 6.0), whole_percent(1.0)), ("17 %".into(), "100 %".into()));
    }
}
