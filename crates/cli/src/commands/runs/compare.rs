//! `assize runs compare`: two runs over the same subjects.

use std::fmt::Write;

use anyhow::{Context, Result};
use assize_engine::retrieval::compare::ComparisonOptions;
use assize_wire::runs::{Comparison, Difference, Moved, Unscored};

use super::args::Compare;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Subjects without a score that are named; the rest is counted.
const NAMED_MAX: usize = 10;

/// Compares and prints.
pub(super) fn run(arguments: &Compare) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let named = workspace.find_run(&arguments.first).await?;
        let (first, second) = if let Some(name) = &arguments.second {
            (named, workspace.find_run(name).await?)
        } else {
            let advice = || {
                format!(
                    "{} runs have no baseline: give two runs, or set a baseline with `assize runs \
                     baseline RUN`",
                    named.instrument
                )
            };
            (workspace.baseline(named.instrument).await?.with_context(advice)?, named)
        };
        let versions = (
            arguments.first_version.unwrap_or(first.version),
            arguments.second_version.unwrap_or(second.version),
        );
        let options = ComparisonOptions::of_runs(arguments.moved);
        let runs = [(&first, versions.0), (&second, versions.1)];
        let compared = workspace.compare_runs(runs, &options).await?;
        arguments.shown.format.print(&compared, text)
    })
}

fn text(compared: &Comparison) -> String {
    let names = &compared.runs;
    let mut text = strong(&format!("{} compared with {}", names[1], names[0]));
    let (shared, scored) = (compared.shared, compared.scored_in_both);
    let _ = writeln!(text, "\n{shared} shared subjects, {scored} scored in both");
    for (count, name) in [(compared.only_first, &names[0]), (compared.only_second, &names[1])] {
        if count > 0 {
            let _ = writeln!(text, "{count} only in {name}");
        }
    }
    let headings = [
        words("measure"),
        numbers(names[0].clone()),
        numbers(names[1].clone()),
        numbers("difference"),
        words("interval").goes_first(),
        numbers("p").stays(),
        words("+/=/-").goes_first(),
    ];
    let without_pairs = compared.unpaired.iter().map(|name| without_pairs(name));
    let rows = compared.measures.iter().map(row).chain(without_pairs);
    let _ = write!(text, "\n{}", table(&headings, rows.collect()));
    text.push_str("p: randomisation test, corrected by Holm; +/=/-: better, same, worse\n");
    text.push_str(&moved(compared));
    text.push_str(&unscored(compared));
    text
}

fn row(one: &Difference) -> Vec<String> {
    vec![
        one_line(&one.measure, 14),
        format!("{:.4}", one.first),
        format!("{:.4}", one.second),
        format!("{:+.4}", one.difference),
        one.interval.map_or(String::new(), |(low, high)| format!("[{low:+.3}, {high:+.3}]")),
        one.p_corrected.map_or("–".to_owned(), |p| format!("{p:.3}")),
        format!("{}/{}/{}", one.better, one.same, one.worse),
    ]
}

/// A measure that no subject has in both runs.
fn without_pairs(measure: &str) -> Vec<String> {
    let mut row = vec![one_line(measure, 14)];
    row.resize(7, "–".to_owned());
    row
}

fn moved(compared: &Comparison) -> String {
    let mut rows = Vec::new();
    for one in &compared.measures {
        for Moved { subject, before, after } in &one.moved {
            rows.push(vec![
                one_line(&one.measure, 14),
                one_line(subject, 32),
                format!("{before:.4}"),
                format!("{after:.4}"),
                format!("{:+.4}", after - before),
            ]);
        }
    }
    if rows.is_empty() {
        return "\nno changes\n".to_owned();
    }
    let headings = columns("moved | subject | #before | #after | #by");
    format!("\n{}", table(&headings, rows))
}

fn unscored(compared: &Comparison) -> String {
    let mut text = String::new();
    if !compared.became_unscored.is_empty() {
        let _ = writeln!(text, "\n{} lost their score:", compared.became_unscored.len());
    }
    for Unscored { subject, reason } in compared.became_unscored.iter().take(NAMED_MAX) {
        let _ = writeln!(text, "  {}: {}", one_line(subject, 30), one_line(reason, 44));
    }
    if !compared.became_scored.is_empty() {
        let _ = writeln!(text, "\n{} gained a score:", compared.became_scored.len());
    }
    for subject in compared.became_scored.iter().take(NAMED_MAX) {
        let _ = writeln!(text, "  {}", one_line(subject, 70));
    }
    text
}
