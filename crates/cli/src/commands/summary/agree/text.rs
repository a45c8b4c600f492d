//! Agreement for the terminal.

use std::fmt::Write;

use assize_engine::summary::agreement::{Binary, Correlations, Estimate};

use assize_methods::summary::ultra::Calibration;
use assize_methods::summary::ultra::calibration::Quality;

use super::View;
use crate::commands::summary::words::one_line;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{quiet, strong};

/// Tables, from the answer to its details.
pub(super) fn render(view: &View<'_>) -> String {
    let agreement = &view.agreement;
    let framework = view.method();
    let title = format!("{framework} {} against {}", view.number.name(), view.arguments.human);
    let mut text = format!("{}\n", strong(&title));
    text.push_str(&correlations(agreement.correlations()));
    let _ = writeln!(text, "{}", quiet(&view.scope()));
    let mut part = |title: &str, table: String| {
        let _ = write!(text, "\n{}\n{table}", strong(title));
    };
    if agreement.grouped.is_some() {
        part("Pooled over all pairs", correlations(&agreement.pooled));
    }
    if let Some(found) = &agreement.binary {
        part("Good or bad", binary(found));
    }
    if let Some(by) = view.arguments.by.as_deref() {
        part(&format!("By {by}"), systems(view, by));
    }
    if let Some(systems) = &agreement.systems {
        part("Between their means", correlations(systems));
    }
    part("What a score is worth", reliability(view));
    if let Some(curve) = &agreement.calibration {
        part("Calibration", calibration(curve));
    }
    let (unscored, unrated) = (view.points.unscored, view.points.unrated);
    let _ = writeln!(text, "{unscored} unscored, {unrated} without a rating");
    let _ = writeln!(text, "{}", quiet(&view.intervals()));
    text
}

fn correlations(found: &Correlations) -> String {
    let rows =
        found.named().map(|(name, found)| vec![name.to_owned(), value(found), interval(found)]);
    table(&[words("correlation"), numbers("value"), words("interval")], rows.into())
}

/// The figure, or a dash.
pub(super) fn value(estimate: &Estimate) -> String {
    estimate.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

/// The interval, or why there is no figure.
pub(super) fn interval(estimate: &Estimate) -> String {
    match (&estimate.interval, &estimate.because) {
        (Some((low, high)), _) => format!("[{low:.4}, {high:.4}]"),
        (None, Some(because)) => because.clone(),
        (None, None) => String::new(),
    }
}

/// How decisions were made, in a few words.
pub(super) fn decided(binary: &Binary) -> String {
    if binary.cross_validated {
        format!("cut chosen by five-fold cross-validation; on all pairs it is {:.4}", binary.cut)
    } else {
        format!("cut at {:.4}", binary.cut)
    }
}

fn binary(binary: &Binary) -> String {
    let rows = [("AUC", &binary.auc), ("balanced accuracy", &binary.balanced_accuracy)]
        .map(|(name, found)| vec![name.to_owned(), value(found), interval(found)]);
    let mut text = table(&[words("measure"), numbers("value"), words("interval")], rows.into());
    let remark = format!("{} good, {} bad; {}", binary.good, binary.bad, decided(binary));
    let _ = writeln!(text, "{}", quiet(&remark));
    text
}

/// What the curve gains; its points are those of the table above, made to rise.
fn calibration(curve: &Calibration) -> String {
    let Quality { items, raw_error, mean_error, calibrated_error } = curve.quality;
    let rows = [
        ("the score as it is", raw_error),
        ("always the mean rating", mean_error),
        ("the curve, on pairs it has not seen", calibrated_error),
    ]
    .map(|(name, error)| vec![name.to_owned(), format!("{error:.4}")]);
    let mut text = table(&[words("taken for the rating"), numbers("mean distance")], rows.into());
    let remark = format!("a rising curve over {items} pairs, by five-fold cross-validation");
    let _ = writeln!(text, "{}", quiet(&remark));
    text
}

fn systems(view: &View<'_>, by: &str) -> String {
    let headings =
        [words(by), numbers("pairs"), numbers("pearson"), numbers("spearman"), numbers("kendall")];
    let rows = view.agreement.by.iter().map(|(name, count, found)| {
        let mut row = vec![one_line(name, 40), count.to_string()];
        row.extend(found.named().map(|(_, found)| value(found)));
        row
    });
    table(&headings, rows.collect())
}

fn reliability(view: &View<'_>) -> String {
    let rows = view.agreement.reliability.iter().map(|bin| {
        let interval = bin.interval.map(|(low, high)| format!("[{low:.2}, {high:.2}]"));
        let (score, human) = (format!("{:.2}", bin.score), format!("{:.2}", bin.human));
        vec![score, human, interval.unwrap_or_default(), bin.count.to_string()]
    });
    let headings = [numbers("score"), numbers("mean rating"), words("interval"), numbers("pairs")];
    table(&headings, rows.collect())
}
