//! Agreement for the terminal.

use std::fmt::Write;

use assize_methods::summary::ultra::calibration::Quality;
use assize_wire::summary::{Agreement, Binary, Correlations, Curve, System};

use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, quiet, strong};

/// Tables, from the answer to its details.
pub(super) fn render(agreement: &Agreement) -> String {
    let Agreement { metric, human, shown, .. } = agreement;
    let title = format!("{} {metric} against {human}", agreement.method.name);
    let mut text = format!("{}\n", strong(&title));
    text.push_str(&correlations(&agreement.correlations));
    let _ = writeln!(text, "{}", quiet(&shown.scope));
    let mut part = |title: &str, table: String| {
        let _ = write!(text, "\n{}\n{table}", strong(title));
    };
    if let Some(pooled) = &agreement.pooled {
        part("Pooled over all pairs", correlations(pooled));
    }
    if let Some(found) = &agreement.binary {
        part("Binary decision", binary(found));
    }
    if let (Some(by), Some(field)) = (&agreement.by, &shown.by_field) {
        part(&format!("By {field}"), systems(by, field));
    }
    if let Some(systems) = &agreement.between {
        part("Correlation of group means", correlations(systems));
    }
    part("Mean rating by score", reliability(agreement));
    if let Some(curve) = &agreement.calibration {
        part("Calibration", calibration(curve));
    }
    let (unscored, unrated) = (agreement.unscored, agreement.unrated);
    let _ = writeln!(text, "{unscored} unscored, {unrated} without a rating");
    let _ = writeln!(text, "{}", quiet(&shown.intervals));
    text
}

fn correlations(found: &Correlations) -> String {
    let rows =
        found.named().map(|(name, found)| vec![name.to_owned(), found.shown(), found.range()]);
    table(&columns("correlation | #value | interval"), rows.into())
}

fn binary(binary: &Binary) -> String {
    let rows = [("AUC", &binary.auc), ("balanced accuracy", &binary.balanced_accuracy)]
        .map(|(name, found)| vec![name.to_owned(), found.shown(), found.range()]);
    let mut text = table(&columns("measure | #value | interval"), rows.into());
    let remark = format!("{} good, {} bad; {}", binary.good, binary.bad, binary.decided());
    let _ = writeln!(text, "{}", quiet(&remark));
    text
}

/// What the curve gains; its points are those of the table above, made to rise.
fn calibration(curve: &Curve) -> String {
    let Quality { items, raw_error, mean_error, calibrated_error } = curve.quality;
    let rows = [
        ("the raw score", raw_error),
        ("always the mean rating", mean_error),
        ("the curve, cross-validated", calibrated_error),
    ]
    .map(|(name, error)| vec![name.to_owned(), format!("{error:.4}")]);
    let mut text = table(&[words("predictor of the rating"), numbers("mean error")], rows.into());
    let remark = format!("a monotone curve over {items} pairs, by five-fold cross-validation");
    let _ = writeln!(text, "{}", quiet(&remark));
    text
}

fn systems(systems: &[System], by: &str) -> String {
    let headings =
        [words(by), numbers("pairs"), numbers("pearson"), numbers("spearman"), numbers("kendall")];
    let rows = systems.iter().map(|system| {
        let mut row = vec![one_line(&system.name, 40), system.n.to_string()];
        row.extend(system.correlations.named().map(|(_, found)| found.shown()));
        row
    });
    table(&headings, rows.collect())
}

fn reliability(agreement: &Agreement) -> String {
    let rows = agreement.reliability.iter().map(|bin| {
        let interval = bin.low.zip(bin.high).map(|(low, high)| format!("[{low:.2}, {high:.2}]"));
        let (score, human) = (format!("{:.2}", bin.score), format!("{:.2}", bin.human));
        vec![score, human, interval.unwrap_or_default(), bin.n.to_string()]
    });
    let headings = columns("#score | #mean rating | interval | #pairs");
    table(&headings, rows.collect())
}
