//! A comparison as Markdown tables.

use std::fmt::Write;

use assize_page::number::{difference, score};

use super::view::{Section, View, effect, interval, p, value};

/// Runs and pairs as two tables.
pub(super) fn render(view: &View<'_>) -> String {
    let mut text = String::new();
    for line in &view.setting.lead {
        let _ = writeln!(text, "{line}\n");
    }
    let measures = view.measures();
    let _ = writeln!(text, "| run | {} |", measures.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(measures.len()));
    for (index, run) in view.comparison.runs.iter().enumerate() {
        let _ = write!(text, "| {} |", cell(&run.name));
        for (measure, score) in run.scores.iter().enumerate() {
            let mark = view.mark_against_first(index, measure).sign();
            let bold = if view.is_best(run, measure) { "**" } else { "" };
            let interval = interval(score.interval);
            let _ = write!(text, " {bold}{}{bold}{mark} {interval} |", value(score));
        }
        text.push('\n');
    }
    text.push_str("\n| measure | run | against | difference | interval | win/tie/loss | p | corrected | effect |\n");
    text.push_str("|---|---|---|---:|---|---:|---:|---:|---:|\n");
    for pair in &view.comparison.pairs {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{} | {} | {}/{}/{} | {} | {} | {} |",
            measures[pair.measure],
            cell(view.run(pair.run)),
            cell(view.run(pair.baseline)),
            difference(pair.difference),
            view.mark(pair).sign(),
            interval(pair.interval),
            pair.wins,
            pair.ties,
            pair.losses,
            p(pair.tests.of(view.options.test)),
            p(pair.corrected),
            effect(pair.effect),
        );
    }
    let _ = writeln!(text, "\n{}.", view.method());
    view.setting.sections.iter().for_each(|section| text.push_str(&further(section)));
    text
}

fn further(section: &Section) -> String {
    let mut text = format!("\n{}\n\n| run | {} |\n", section.title, section.columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(section.columns.len()));
    for (run, values) in &section.rows {
        let _ = write!(text, "| {} |", cell(run));
        for (column, value) in values.iter().enumerate() {
            let bold = if section.is_best(column, *value) { "**" } else { "" };
            let _ = write!(text, " {bold}{}{bold} |", score(*value));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n{}", section.note);
    text
}

/// A name that cannot end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
