//! The accuracy of a run in tables.

use std::fmt::Write;

use assize_engine::compliance::accuracy::Addressed;
use assize_methods::compliance::accuracy::{AccuracyReport, Estimate, Slice};
use assize_methods::compliance::analysts::{AnalystAgreement, Basis};

use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Slices that are shown; the rest is in the JSON.
const SLICES_MAX: usize = 10;

/// Everything that fits a screen.
pub(super) fn report(report: &AccuracyReport) -> String {
    let mut text = format!(
        "{} results with a truth key have a score; {} have none and are not counted\n\n",
        report.scored, report.unscored
    );
    if let Some(caution) = report.caution() {
        let _ = writeln!(text, "{caution}\n");
    }
    text.push_str(&figures(report));
    if let Some(ceiling) = &report.ceiling {
        let _ = write!(text, "\n{}", ceiling_text(report, ceiling));
    }
    let _ = write!(
        text,
        "\n{}\n{}",
        strong("expected tier (rows) by assigned tier"),
        confusion(report)
    );
    let granularity = &report.granularity;
    let share = granularity
        .coarse_share
        .map_or("–".to_owned(), |share| format!("{:.0} %", share * 100.0));
    let _ = writeln!(
        text,
        "\n{} distinct scores among {}; {share} are exactly 0, 50 or 100",
        granularity.distinct, granularity.count
    );
    if !report.worst.is_empty() {
        let _ = write!(text, "\n{}", worst(report));
    }
    for (title, slices) in [("document", &report.by_document), ("criterion", &report.by_criterion)]
    {
        if slices.len() > 1 {
            let _ = write!(text, "\n{}", by(title, slices));
        }
    }
    text
}

fn figures(report: &AccuracyReport) -> String {
    let mut rows = Vec::new();
    let mut add = |name: &str, estimate: Option<&Estimate>, places: usize| {
        let Some(Estimate { mean, low, high, .. }) = estimate else { return };
        let interval =
            low.zip(*high).map(|(low, high)| format!("[{low:.places$}, {high:.places$}]"));
        rows.push(vec![name.to_owned(), format!("{mean:.places$}"), interval.unwrap_or_default()]);
    };
    add("accuracy", report.overall.as_ref(), 3);
    add("same tier", report.tier_match.as_ref(), 3);
    add("distance, points", report.score_diff.as_ref(), 1);
    add("bias, points", report.bias.as_ref(), 1);
    for (id, estimate) in &report.sections {
        add(&format!("section {}", one_line(id, 24)), Some(estimate), 3);
    }
    if let Some(kappa) = report.kappa {
        rows.push(vec!["kappa, quadratic".to_owned(), format!("{kappa:.3}"), String::new()]);
    }
    if let Some(calibration) = &report.calibration {
        let error = format!("{:.3}", calibration.expected_error);
        rows.push(vec!["calibration error".to_owned(), error, String::new()]);
    }
    table(&columns("figure | #value | 95 % interval"), rows)
}

/// The judge beside what analysts reach among themselves: no judge can be asked for more.
fn ceiling_text(report: &AccuracyReport, ceiling: &AnalystAgreement) -> String {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    let mean = |estimate: Option<&Estimate>| number(estimate.map(|estimate| estimate.mean));
    let row = |name: &str, judge: String, people: Option<f64>| {
        vec![name.to_owned(), judge, number(people)]
    };
    let rows = vec![
        row("accuracy", mean(report.overall.as_ref()), Some(ceiling.accuracy)),
        row("same tier", mean(report.tier_match.as_ref()), Some(ceiling.same_tier)),
        row("kappa, quadratic", number(report.kappa), ceiling.kappa),
        row("ICC(2,1)", "–".to_owned(), ceiling.icc),
    ];
    let headings = columns("ceiling | #judge | #analysts");
    let mut text = table(&headings, rows);
    let Basis { adjudicated, single, averaged, disputed } = report.basis;
    let _ = writeln!(
        text,
        "{} analysts judged {} of the same pairs; keys: {adjudicated} adjudicated, {single} by \
         one analyst, {averaged} averaged",
        ceiling.analysts.len(),
        ceiling.pairs
    );
    if disputed > 0 {
        let _ = writeln!(text, "{disputed} of the averages span different tiers; adjudicate them");
    }
    text
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

fn worst(report: &AccuracyReport) -> String {
    let rows = report.worst.iter().map(|one| {
        vec![
            one_line(&one.criterion, 14),
            one_line(&one.document, 28),
            format!("{:.1}", one.score),
            format!("{:.1}", one.expected_score),
            format!("{:+.1}", one.score - one.expected_score),
        ]
    });
    let headings = columns("largest errors | document | #score | #expected | #difference");
    table(&headings, rows.collect())
}

fn by(title: &str, slices: &[Slice]) -> String {
    let mut slices: Vec<&Slice> = slices.iter().collect();
    let of = |slice: &Slice| slice.overall.unwrap_or(f64::INFINITY);
    slices.sort_by(|left, right| of(left).total_cmp(&of(right)).then(left.name.cmp(&right.name)));
    let number = |value: Option<f64>, places: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
    };
    let rows = slices.iter().take(SLICES_MAX).map(|slice| {
        vec![
            one_line(&slice.name, 32),
            number(slice.overall, 3),
            number(slice.bias, 1),
            slice.scored.to_string(),
            slice.unscored.to_string(),
        ]
    });
    let headings = [
        words(title),
        numbers("accuracy"),
        numbers("bias"),
        numbers("scored"),
        numbers("unscored"),
    ];
    let mut text = table(&headings, rows.collect());
    if slices.len() > SLICES_MAX {
        let _ = writeln!(text, "and {} with smaller differences", slices.len() - SLICES_MAX);
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
