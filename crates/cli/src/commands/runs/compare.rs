//! `assize runs compare`: two runs over the same subjects.

use std::fmt::Write;

use anyhow::{Context, Result};
use assize_engine::retrieval::compare::{ComparisonOptions, Correction, Moved, Pair, Test};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::runs::RunComparison;
use assize_wire::text::pretty;
use serde::Serialize;

use super::args::Compare;
use crate::commands::criteria::Format;
use crate::commands::evaluate::session::with_registry;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Subjects without a score that are named; the rest is counted.
const NAMED_MAX: usize = 10;

/// Compares and prints.
pub(super) fn run(arguments: &Compare) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let mut first = registry.any_run(&arguments.first).await?;
        let second = match &arguments.second {
            Some(name) => registry.any_run(name).await?,
            None => {
                let run = first;
                let baseline = registry.baseline(run.instrument).await?;
                let advice = || {
                    format!(
                        "{} runs have no baseline: name two runs, or make one the baseline with \
                     `assize runs baseline RUN`",
                        run.instrument
                    )
                };
                first = baseline.with_context(advice)?;
                run
            }
        };
        let versions = (
            arguments.first_version.unwrap_or(first.version),
            arguments.second_version.unwrap_or(second.version),
        );
        let options = ComparisonOptions {
            uncertainty: Uncertainty::default(),
            test: Test::Randomization,
            correction: Some(Correction::Holm),
            all_pairs: false,
            moved_max: arguments.moved,
        };
        let runs = [(&first, versions.0), (&second, versions.1)];
        let compared = registry.compare_runs(runs, &options).await?;
        files::print(&match arguments.format {
            Format::Json => pretty(&shape(&compared)),
            Format::Table => text(&compared),
        })?;
        Ok(Done::Fine)
    })
}

fn text(compared: &RunComparison) -> String {
    let runs = &compared.comparison.runs;
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut text = strong(&format!("{} compares with {}", names[1], names[0]));
    let scored = compared.comparison.queries;
    let _ = writeln!(text, "\n{} shared subjects, {scored} scored in both", compared.shared);
    for (count, name) in [(compared.only_first, names[0]), (compared.only_second, names[1])] {
        if count > 0 {
            let _ = writeln!(text, "{count} only in {name}");
        }
    }
    let headings = [
        words("measure"),
        numbers(names[0]),
        numbers(names[1]),
        numbers("difference"),
        words("interval"),
        numbers("p"),
        words("better/same/worse"),
    ];
    let rows = compared.comparison.pairs.iter().map(|pair| row(compared, pair));
    let _ = write!(text, "\n{}", table(&headings, rows.collect()));
    text.push_str("p: randomisation test, corrected by Holm\n");
    text.push_str(&moved(compared));
    text.push_str(&unscored(compared));
    text
}

fn row(compared: &RunComparison, pair: &Pair) -> Vec<String> {
    let value =
        |run: usize| format!("{:.4}", compared.comparison.runs[run].scores[pair.measure].value);
    vec![
        one_line(&compared.measures[pair.measure], 16),
        value(0),
        value(1),
        format!("{:+.4}", pair.difference),
        pair.interval.map_or(String::new(), |(low, high)| format!("[{low:+.3}, {high:+.3}]")),
        pair.corrected.map_or("–".to_owned(), |p| format!("{p:.4}")),
        format!("{}/{}/{}", pair.wins, pair.ties, pair.losses),
    ]
}

fn moved(compared: &RunComparison) -> String {
    let mut rows = Vec::new();
    for pair in &compared.comparison.pairs {
        for Moved { query, before, after } in &pair.moved {
            rows.push(vec![
                one_line(&compared.measures[pair.measure], 16),
                one_line(query, 32),
                format!("{before:.4}"),
                format!("{after:.4}"),
                format!("{:+.4}", after - before),
            ]);
        }
    }
    if rows.is_empty() {
        return "\nnothing moved\n".to_owned();
    }
    let headings =
        [words("moved"), words("subject"), numbers("before"), numbers("after"), numbers("by")];
    format!("\n{}", table(&headings, rows))
}

fn unscored(compared: &RunComparison) -> String {
    let mut text = String::new();
    if !compared.became_unscored.is_empty() {
        let _ = writeln!(text, "\n{} became unscored:", compared.became_unscored.len());
    }
    for (subject, reason) in compared.became_unscored.iter().take(NAMED_MAX) {
        let _ = writeln!(text, "  {}: {}", one_line(subject, 30), one_line(reason, 44));
    }
    if !compared.became_scored.is_empty() {
        let _ = writeln!(text, "\n{} became scored:", compared.became_scored.len());
    }
    for subject in compared.became_scored.iter().take(NAMED_MAX) {
        let _ = writeln!(text, "  {}", one_line(subject, 70));
    }
    text
}

/// A comparison for programs.
#[derive(Serialize)]
struct Shape<'a> {
    runs: Vec<&'a str>,
    shared: usize,
    scored_in_both: usize,
    only_first: usize,
    only_second: usize,
    measures: Vec<MeasureShape<'a>>,
    became_unscored: Vec<&'a str>,
    became_scored: &'a [String],
}

#[derive(Serialize)]
struct MeasureShape<'a> {
    measure: &'a str,
    first: f64,
    second: f64,
    difference: f64,
    interval: Option<(f64, f64)>,
    p_randomization: Option<f64>,
    p_corrected: Option<f64>,
    better: usize,
    same: usize,
    worse: usize,
    moved: Vec<MovedShape<'a>>,
}

#[derive(Serialize)]
struct MovedShape<'a> {
    subject: &'a str,
    before: f64,
    after: f64,
}

fn shape(compared: &RunComparison) -> Shape<'_> {
    let runs = &compared.comparison.runs;
    let measures = compared.comparison.pairs.iter().map(|pair| MeasureShape {
        measure: &compared.measures[pair.measure],
        first: runs[0].scores[pair.measure].value,
        second: runs[1].scores[pair.measure].value,
        difference: pair.difference,
        interval: pair.interval,
        p_randomization: pair.tests.randomization,
        p_corrected: pair.corrected,
        better: pair.wins,
        same: pair.ties,
        worse: pair.losses,
        moved: pair
            .moved
            .iter()
            .map(|Moved { query, before, after }| MovedShape {
                subject: query,
                before: *before,
                after: *after,
            })
            .collect(),
    });
    Shape {
        runs: runs.iter().map(|run| run.name.as_str()).collect(),
        shared: compared.shared,
        scored_in_both: compared.comparison.queries,
        only_first: compared.only_first,
        only_second: compared.only_second,
        measures: measures.collect(),
        became_unscored: compared
            .became_unscored
            .iter()
            .map(|(subject, _)| subject.as_str())
            .collect(),
        became_scored: &compared.became_scored,
    }
}
