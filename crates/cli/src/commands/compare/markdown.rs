//! A comparison as Markdown tables.

use std::fmt::Write;

use assize_wire::number::{difference, effect, interval, p_or_dash, score};
use assize_wire::retrieval::{Comparison, Table};

/// Runs and pairs as two tables.
pub(crate) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    for line in &comparison.lead {
        let _ = writeln!(text, "{line}\n");
    }
    let measures = comparison.measures();
    let _ = writeln!(text, "| run | {} |", measures.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(measures.len()));
    for (index, run) in comparison.runs.iter().enumerate() {
        let _ = write!(text, "| {} |", cell(&run.name));
        for (column, (measure, score)) in run.scores.0.iter().enumerate() {
            let mark = comparison.mark_against_first(index, measure).sign();
            let bold = if comparison.is_best(score.value, column) { "**" } else { "" };
            let interval = interval(score.interval());
            let _ = write!(text, " {bold}{}{bold}{mark} {interval} |", score.shown());
        }
        text.push('\n');
    }
    text.push_str("\n| measure | run | against | difference | interval | win/tie/loss | p | corrected | effect |\n");
    text.push_str("|---|---|---|---:|---|---:|---:|---:|---:|\n");
    for pair in &comparison.pairs {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{} | {} | {}/{}/{} | {} | {} | {} |",
            pair.measure,
            cell(&pair.run),
            cell(&pair.baseline),
            difference(pair.difference),
            pair.mark.sign(),
            interval(pair.ends()),
            pair.wins,
            pair.ties,
            pair.losses,
            p_or_dash(pair.deciding),
            p_or_dash(pair.p.corrected),
            effect(pair.effect),
        );
    }
    let _ = writeln!(text, "\n{}.", comparison.method);
    comparison.tables.iter().for_each(|table| text.push_str(&further(table)));
    text
}

fn further(table: &Table) -> String {
    let columns = table.columns();
    let mut text = format!("\n{}\n\n| run | {} |\n", table.title, columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(columns.len()));
    for row in &table.runs {
        let _ = write!(text, "| {} |", cell(&row.run));
        for (column, (_, value)) in row.values.0.iter().enumerate() {
            let bold = if table.is_best(column, *value) { "**" } else { "" };
            let _ = write!(text, " {bold}{}{bold} |", score(*value));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n{}", table.note);
    text
}

/// A name that cannot end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
