//! How the run came out: the mean, the tiers, the documents, the accuracy.

use super::brief::verdict;
use super::paper::{Paper, Place};
use super::style::{BODY, LABEL, MARGIN, PALE, SMALL, STRONG, WIDTH};
use super::wrap::one_line;
use crate::colour::Rgb;
use crate::report::{Accuracy, Report};
use crate::summary::{Mean, Summary};
use crate::text;

/// Where the bars of tiers begin, counted from the margin.
const BARS: f32 = 190.0;
/// The length of the longest bar.
const BAR_WIDTH: f32 = WIDTH - BARS - 50.0;
/// The height of a tier's line.
const TIER_LINE: f32 = 17.0;

pub(super) fn draw(paper: &mut Paper, report: &Report, summary: &Summary) {
    if report.set.verdicts.is_empty() {
        let approval = if report.approval.is_empty() { "Not approved." } else { &report.approval };
        paper.paragraph(approval, SMALL, Place::default());
    } else {
        verdict(paper, report);
    }
    paper.part("All results");
    mean(paper, summary);
    paper.space(10.0);
    tiers(paper, report, summary);
    rubric(paper, report);
    documents(paper, report, summary);
    if let Some(accuracy) = &report.accuracy {
        accuracy_lines(paper, accuracy);
    }
}

fn mean(paper: &mut Paper, summary: &Summary) {
    let Mean { scored, unscored, mean, ai_mean, ai_scored, overridden } = &summary.overall;
    let figure = mean.map_or_else(|| "no score".to_owned(), |mean| text::number(mean, 1));
    let place = Place::default();
    let rows = scored + unscored;
    paper.labelled(
        &format!("{figure}, the mean over all document × criterion pairs"),
        &format!("of {scored} scored rows of {rows}"),
        BODY,
        place,
    );
    let without: Vec<_> = summary
        .unscored
        .iter()
        .map(|count| format!("{} {}", count.rows, count.state.replace('_', " ")))
        .collect();
    let without =
        if without.is_empty() { String::new() } else { format!(": {}", without.join(", ")) };
    let note = format!("{unscored} without a score{without}. They are not averaged.");
    paper.paragraph(&note, BODY, place);
    let own = ai_mean.map_or_else(|| "none".to_owned(), |mean| text::number(mean, 1));
    let note = format!(
        "The judge's own mean: {own}, of {} scored. Overridden by people: {overridden}.",
        counted(*ai_scored)
    );
    paper.paragraph(&note, BODY, place);
    let note =
        "The effective score is a person's override if there is one, otherwise the judge's score.";
    paper.paragraph(note, SMALL, place);
}

fn counted(rows: usize) -> String {
    format!("{rows} {}", if rows == 1 { "row" } else { "rows" })
}

fn tiers(paper: &mut Paper, report: &Report, summary: &Summary) {
    let most = summary.tiers.iter().map(|tier| tier.rows).max().unwrap_or(0);
    let unscored = summary.overall.unscored;
    let longest = most.max(unscored).max(1);
    for (tier, count) in report.rubric.iter().zip(&summary.tiers).rev() {
        let range = format!("{}–{}", tier.min, tier.max);
        bar(paper, &tier.label, &range, (count.rows, longest), Rgb::read(&tier.colour));
    }
    if unscored > 0 {
        bar(paper, "No score", "", (unscored, longest), Rgb::read("grey"));
    }
}

/// One tier: its name, its range, a bar as long as its rows are many, and their number.
pub(super) fn bar(
    paper: &mut Paper,
    label: &str,
    range: &str,
    (rows, longest): (usize, usize),
    paint: Rgb,
) {
    paper.need(TIER_LINE);
    let baseline = paper.y - 11.0;
    let label = super::table::cut(paper, label, BODY, 130.0);
    paper.put(MARGIN, baseline, &label, BODY);
    paper.put_right(MARGIN + BARS - 12.0, baseline, range, SMALL);
    let length = BAR_WIDTH * (rows as f32 / longest as f32);
    let low = baseline - 2.5;
    paper.fill((MARGIN + BARS, low), (BAR_WIDTH, 11.0), PALE);
    paper.fill((MARGIN + BARS, low), (length, 11.0), paint);
    paper.put_right(MARGIN + WIDTH, baseline, &rows.to_string(), STRONG);
    paper.y -= TIER_LINE;
}

/// What each tier means, in the words of the rubric.
fn rubric(paper: &mut Paper, report: &Report) {
    paper.space(5.0);
    for tier in report.rubric.iter().rev().filter(|tier| !tier.description.is_empty()) {
        paper.labelled(&tier.label, &tier.description, SMALL, Place::default());
    }
}

fn documents(paper: &mut Paper, report: &Report, summary: &Summary) {
    paper.part("Documents");
    let right = Place { right: 170.0, ..Place::default() };
    for (document, of) in report.documents.iter().zip(&summary.documents) {
        paper.need(BODY.leading() * 2.0);
        let baseline = paper.y - BODY.size * 1.05;
        let Mean { scored, unscored, mean, .. } = &of.mean;
        let mean = mean.map_or_else(|| "no score".to_owned(), |mean| text::number(mean, 1));
        let note = format!("{mean}  ({scored} scored, {unscored} not)");
        paper.put_right(MARGIN + WIDTH, baseline, &note, BODY);
        paper.labelled(&document.name, "", BODY, right);
        let hash = format!("{}  ·  {}", one_line(&document.hash), one_line(&document.media_type));
        paper.paragraph(&hash, SMALL, right);
        for finding in &document.findings {
            paper.paragraph(&one_line(finding), BODY, right);
        }
        paper.space(3.0);
    }
}

pub(super) fn accuracy_lines(paper: &mut Paper, accuracy: &Accuracy) {
    paper.part("Accuracy against truth keys");
    let Accuracy { compared, uncompared, .. } = accuracy;
    let note = format!(
        "{} compared with a key; {uncompared} with a key but no score.",
        counted(*compared)
    );
    paper.paragraph(&note, BODY, Place::default());
    let place = Place { indent: 150.0, ..Place::default() };
    let share = |value: f64| text::number(value, 3);
    let interval = accuracy
        .interval
        .map(|(low, high)| format!(" (interval {} to {})", share(low), share(high)))
        .unwrap_or_default();
    let lines = [
        ("Overall accuracy", accuracy.overall.map(|value| share(value) + &interval)),
        ("Share in the key's tier", accuracy.tier_match.map(share)),
        ("Bias, in points", accuracy.bias.map(text::score)),
        ("Weighted kappa of tiers", accuracy.quadratic_kappa.map(share)),
        ("Calibration error", accuracy.calibration_error.map(share)),
    ];
    for (name, value) in lines {
        let Some(value) = value else { continue };
        paper.need(BODY.leading());
        let baseline = paper.y - BODY.size * 1.05;
        paper.put(MARGIN, baseline, name, LABEL);
        paper.paragraph(&value, BODY, place);
    }
}
