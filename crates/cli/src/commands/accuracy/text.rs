//! The accuracy of a run in tables.

use std::fmt::Write;

use assize_engine::compliance::accuracy::Addressed;
use assize_methods::compliance::accuracy::AccuracyReport;
use assize_wire::accuracy::{self as shown, AccuracyBy, AccuracyFigure, BY_HEADINGS};

use crate::output::report::wrapped;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Everything that fits a screen: what the page of accuracy shows, in its order.
pub(super) fn report(report: &AccuracyReport) -> String {
    let mut text = format!("{}\n\n", shown::lead(report));
    if let Some(caution) = report.caution() {
        let _ = writeln!(text, "{}", wrapped(&caution));
    }
    text.push_str(&figures(report));
    for line in shown::basis(report) {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "{}", shown::granularity(report));
    let _ = write!(
        text,
        "\n{}\n{}",
        strong("expected tier (rows) by assigned tier"),
        confusion(report)
    );
    if !report.worst.is_empty() {
        let _ = write!(text, "\n{}", differences(report));
    }
    for one in shown::by(report) {
        let _ = write!(text, "\n{}", by(&one));
    }
    text
}

/// The judge beside what analysts reach among themselves, where they do.
fn figures(report: &AccuracyReport) -> String {
    let with_people = report.ceiling.is_some();
    let row = |figure: AccuracyFigure| {
        let AccuracyFigure { name, judge, interval, analysts } = figure;
        let mut cells = vec![one_line(&name, 48), judge, interval];
        cells.extend(with_people.then_some(analysts));
        cells
    };
    let headings = if with_people {
        columns("figure | #judge | #95 % interval | #analysts")
    } else {
        columns("figure | #judge | #95 % interval")
    };
    table(&headings, shown::figures(report).into_iter().map(row).collect())
}

fn confusion(report: &AccuracyReport) -> String {
    let tiers = 1..=report.tiers.len();
    let mut headings = vec![words("")];
    headings.extend(tiers.map(|tier| numbers(tier.to_string())));
    let rows =
        report.confusion.iter().zip(&report.tiers).enumerate().map(|(tier, (row, label))| {
            let mut cells = vec![format!("{} {}", tier + 1, one_line(label, 24))];
            cells.extend(row.iter().map(|count| match count {
                0 => "·".to_owned(),
                count => count.to_string(),
            }));
            cells
        });
    table(&headings, rows.collect())
}

fn differences(report: &AccuracyReport) -> String {
    let rows = shown::differences(report).into_iter().map(|(one, numbers)| {
        let mut cells = vec![one_line(&one.criterion, 14), one_line(&one.document, 28)];
        cells.extend(numbers);
        cells
    });
    let headings = columns("largest differences | document | #score | #expected | #difference");
    table(&headings, rows.collect())
}

fn by(found: &AccuracyBy) -> String {
    let rows = found.rows.iter().map(|(name, numbers)| {
        let mut cells = vec![one_line(name, 32)];
        cells.extend(numbers.iter().cloned());
        cells
    });
    let mut headings = vec![words(found.noun)];
    headings.extend(BY_HEADINGS.map(numbers));
    let mut text = table(&headings, rows.collect());
    if let Some(rest) = &found.rest {
        let _ = writeln!(text, "{rest}");
    }
    text
}

/// The weak truth: which criteria the documents name.
pub(super) fn addressed(found: &Addressed) -> String {
    let Addressed { named, scored, unscored, auc, named_mean, other_mean, masked } = found;
    let mean = |mean: &Option<f64>| mean.map_or("–".to_owned(), |mean| format!("{mean:.1}"));
    let mut text =
        format!("{named} of {scored} pairs mention the criterion; {unscored} have no score\n");
    let _ = writeln!(
        text,
        "mean score if mentioned {}, otherwise {}",
        mean(named_mean),
        mean(other_mean)
    );
    let _ = match auc {
        Some(auc) => writeln!(
            text,
            "AUC {auc:.3}: how often a pair that mentions the criterion scores higher than one \
             that does not"
        ),
        None => writeln!(text, "no AUC: all pairs mention the criterion, or none does"),
    };
    if !masked {
        text.push_str(
            "the judge saw the ids; evaluate with --mask-identifiers for a fair result\n",
        );
    }
    text
}
