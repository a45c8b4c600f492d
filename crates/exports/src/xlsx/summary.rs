//! The sheet `Summary`: what it is, by whom, and how it came out.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::Sheet;
use crate::report::{Report, Status};
use crate::summary::{Mean, Summary};

/// Widths of the columns.
const WIDTHS: [f64; 7] = [30.0, 36.0, 14.0, 14.0, 14.0, 14.0, 14.0];

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let summary = Summary::of(report);
    let mut sheet = Sheet::new(of, "Summary", &WIDTHS)?;
    sheet.title(&report.title)?;
    facts(&mut sheet, report)?;
    set(&mut sheet, report)?;
    overall(&mut sheet, &summary)?;
    tiers(&mut sheet, report, &summary)?;
    documents(&mut sheet, report, &summary)?;
    findings(&mut sheet, report)?;
    accuracy(&mut sheet, report)
}

fn facts(sheet: &mut Sheet, report: &Report) -> Result<(), XlsxError> {
    let facts = [
        ("Organisation", &report.organisation),
        ("Criteria set", &report.criteria_set.name),
        ("About the set", &report.criteria_set.description),
        ("Judge", &report.method.judge),
        ("Method", &report.method.method),
        ("Prompt template", &report.method.template_version),
        ("Run", &report.run.id),
        ("Started", &report.run.started_at),
        ("Finished", &report.run.finished_at),
        ("Last changed", &report.exported_at),
    ];
    for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        sheet.label(0, name)?;
        sheet.text(1, value)?;
        sheet.row += 1;
    }
    sheet.row += 1;
    Ok(())
}

/// What holds for the documents taken together, before any mean over pairs.
fn set(sheet: &mut Sheet, report: &Report) -> Result<(), XlsxError> {
    if report.set.verdicts.is_empty() {
        return Ok(());
    }
    sheet.header(&["Verdict for the set", ""])?;
    sheet.label(0, "Mean over criteria, by their weights")?;
    sheet.number(1, report.set.score)?;
    sheet.row += 1;
    let approval = if report.approval.is_empty() { "Not approved." } else { &report.approval };
    let met = report.set.met();
    for (name, words) in [("Criteria", met.as_str()), ("Approval", approval)] {
        sheet.label(0, name)?;
        sheet.text(1, words)?;
        sheet.row += 1;
    }
    for verdict in &report.set.verdicts {
        let Some(words) = verdict.contradiction() else { continue };
        sheet.label(0, &verdict.criteria_id)?;
        sheet.text(1, &words)?;
        sheet.row += 1;
    }
    sheet.row += 1;
    Ok(())
}

fn overall(sheet: &mut Sheet, summary: &Summary) -> Result<(), XlsxError> {
    let Mean { scored, unscored, mean, ai_mean, ai_scored, overridden } = summary.overall;
    sheet.header(&["Overall", ""])?;
    let numbers = [
        ("Mean over all document × criterion pairs", mean),
        ("Rows scored", Some(scored as f64)),
        ("Rows without a score", Some(unscored as f64)),
        ("Mean of the judge's own scores", ai_mean),
        ("Rows scored by the judge", Some(ai_scored as f64)),
        ("Rows overridden", Some(overridden as f64)),
    ];
    for (name, value) in numbers {
        sheet.label(0, name)?;
        sheet.number(1, value)?;
        sheet.row += 1;
    }
    for count in &summary.unscored {
        sheet.label(0, &format!("… of them {}", count.state.replace('_', " ")))?;
        sheet.count(1, count.rows)?;
        sheet.row += 1;
    }
    sheet.row += 1;
    Ok(())
}

fn tiers(sheet: &mut Sheet, report: &Report, summary: &Summary) -> Result<(), XlsxError> {
    sheet.header(&["Tier", "Meaning", "From", "To", "Rows"])?;
    for (tier, count) in report.rubric.iter().zip(&summary.tiers) {
        let (label, colour) = (tier.label.clone(), tier.colour.clone());
        sheet.status(0, &Status { label, colour, tier: count.tier })?;
        sheet.text(1, &tier.description)?;
        sheet.number(2, Some(tier.min))?;
        sheet.number(3, Some(tier.max))?;
        sheet.count(4, count.rows)?;
        sheet.row += 1;
    }
    sheet.row += 1;
    Ok(())
}

fn documents(sheet: &mut Sheet, report: &Report, summary: &Summary) -> Result<(), XlsxError> {
    sheet.header(&[
        "Document",
        "Hash",
        "Media type",
        "Mean score",
        "Scored",
        "No score",
        "Overridden",
    ])?;
    for (document, of) in report.documents.iter().zip(&summary.documents) {
        sheet.text(0, &document.name)?;
        sheet.text(1, &document.hash)?;
        sheet.text(2, &document.media_type)?;
        sheet.number(3, of.mean.mean)?;
        sheet.count(4, of.mean.scored)?;
        sheet.count(5, of.mean.unscored)?;
        sheet.count(6, of.mean.overridden)?;
        sheet.row += 1;
    }
    sheet.row += 1;
    Ok(())
}

/// What readers must know about the documents.
fn findings(sheet: &mut Sheet, report: &Report) -> Result<(), XlsxError> {
    if report.documents.iter().all(|document| document.findings.is_empty()) {
        return Ok(());
    }
    sheet.header(&["Findings on documents", ""])?;
    for document in &report.documents {
        for finding in &document.findings {
            sheet.text(0, &document.name)?;
            sheet.text(1, finding)?;
            sheet.row += 1;
        }
    }
    sheet.row += 1;
    Ok(())
}

fn accuracy(sheet: &mut Sheet, report: &Report) -> Result<(), XlsxError> {
    let Some(accuracy) = &report.accuracy else { return Ok(()) };
    sheet.header(&["Accuracy against truth keys", ""])?;
    let numbers = [
        ("Rows compared", Some(accuracy.compared as f64)),
        ("Rows with a key and no score", Some(accuracy.uncompared as f64)),
        ("Overall accuracy", accuracy.overall),
        ("… interval, lower end", accuracy.interval.map(|(low, _)| low)),
        ("… interval, upper end", accuracy.interval.map(|(_, high)| high)),
        ("Share in the key's tier", accuracy.tier_match),
        ("Bias (points)", accuracy.bias),
        ("Weighted kappa of tiers", accuracy.quadratic_kappa),
        ("Calibration error of confidence", accuracy.calibration_error),
    ];
    for (name, value) in numbers.into_iter().filter(|(_, value)| value.is_some()) {
        sheet.label(0, name)?;
        sheet.number(1, value)?;
        sheet.row += 1;
    }
    Ok(())
}
