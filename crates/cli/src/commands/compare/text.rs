//! A comparison for the terminal.

use std::fmt::Write;

use assize_page::number::{difference, score};

use super::view::{Section, View, effect, interval, p, value};
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, quiet, strong};

/// Runs, pairs and the queries that moved most.
pub(super) fn render(view: &View<'_>) -> String {
    let mut text = String::new();
    for line in &view.setting.lead {
        let _ = writeln!(text, "{}", quiet(line));
    }
    if !view.setting.lead.is_empty() {
        text.push('\n');
    }
    text.push_str(&runs(view));
    let _ = writeln!(text, "\n{}", pairs(view));
    let _ = writeln!(text, "{}", quiet(&view.method()));
    view.setting.sections.iter().for_each(|section| text.push_str(&further(section)));
    text.push_str(&moved(view));
    text
}

fn further(section: &Section) -> String {
    let mut headings = vec![words("run")];
    headings.extend(section.columns.iter().map(|column| numbers(column.as_str())));
    let rows = section.rows.iter().map(|(run, values)| {
        std::iter::once(run.clone()).chain(values.iter().map(|value| score(*value))).collect()
    });
    let (title, table) = (strong(&section.title), table(&headings, rows.collect()));
    format!("\n{title}\n\n{table}{}\n", quiet(&section.note))
}

/// One row a measure and run, so that the values to compare stand below each other.
fn runs(view: &View<'_>) -> String {
    let headings = [words("measure"), words("run"), numbers("value"), words(""), words("interval")];
    let mut rows = Vec::new();
    for (measure, name) in view.measures().into_iter().enumerate() {
        for (index, run) in view.comparison.runs.iter().enumerate() {
            let score = &run.scores[measure];
            rows.push(vec![
                if index == 0 { name.to_owned() } else { String::new() },
                run.name.clone(),
                value(score),
                view.mark_against_first(index, measure).sign().to_owned(),
                interval(score.interval),
            ]);
        }
    }
    table(&headings, rows)
}

fn pairs(view: &View<'_>) -> String {
    let headings = [
        words("measure"),
        words("run"),
        words("against"),
        numbers("difference"),
        words("interval"),
        numbers("win/tie/loss"),
        numbers("p"),
        numbers("corrected"),
        numbers("effect"),
        words(""),
    ];
    let measures = view.measures();
    let rows = view.comparison.pairs.iter().map(|pair| {
        vec![
            measures[pair.measure].to_owned(),
            view.run(pair.run).to_owned(),
            view.run(pair.baseline).to_owned(),
            difference(pair.difference),
            interval(pair.interval),
            format!("{}/{}/{}", pair.wins, pair.ties, pair.losses),
            p(pair.tests.of(view.options.test)),
            p(pair.corrected),
            effect(pair.effect),
            view.mark(pair).sign().to_owned(),
        ]
    });
    table(&headings, rows.collect())
}

fn moved(view: &View<'_>) -> String {
    let mut text = String::new();
    let measures = view.measures();
    for pair in view.comparison.pairs.iter().filter(|pair| !pair.moved.is_empty()) {
        let heading = format!(
            "Moved most on {}: {} against {}",
            measures[pair.measure],
            view.run(pair.run),
            view.run(pair.baseline)
        );
        let _ = writeln!(text, "\n{}", strong(&heading));
        for moved in &pair.moved {
            let change = difference(moved.after - moved.before);
            let query = one_line(&moved.query, 90);
            let _ = writeln!(text, "  {change}  {:.4} → {:.4}  {query}", moved.before, moved.after);
        }
    }
    text
}
