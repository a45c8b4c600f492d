//! A comparison for the terminal.

use std::fmt::Write;

use assize_wire::number::{difference, effect, interval, p_or_dash, score};
use assize_wire::retrieval::{Comparison, Table};

use crate::output::table::{Heading, numbers, table, words};
use crate::output::terminal::{one_line, quiet, strong};

/// Runs, pairs and the queries that moved most.
pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    for line in &comparison.lead {
        let _ = writeln!(text, "{}", quiet(line));
    }
    if !comparison.lead.is_empty() {
        text.push('\n');
    }
    text.push_str(&runs(comparison));
    let _ = writeln!(text, "\n{}", pairs(comparison));
    let _ = writeln!(text, "{}", quiet(&comparison.method));
    comparison.tables.iter().for_each(|table| text.push_str(&further(table)));
    text.push_str(&moved(comparison));
    text
}

fn further(found: &Table) -> String {
    let mut headings = vec![words("run")];
    headings.extend(found.columns().into_iter().map(numbers));
    let rows = found.runs.iter().map(|row| {
        let values = row.values.0.iter().map(|(_, value)| score(*value));
        std::iter::once(row.run.clone()).chain(values).collect()
    });
    let (title, table) = (strong(&found.title), table(&headings, rows.collect()));
    format!("\n{title}\n\n{table}{}\n", quiet(&found.note))
}

/// One row a measure and run, so that the values to compare stand below each other.
fn runs(comparison: &Comparison) -> String {
    let headings = [
        words("measure"),
        words("run"),
        numbers("value"),
        words("").stays(),
        words("interval").goes_first(),
    ];
    let mut rows = Vec::new();
    for (measure, name) in comparison.measures().into_iter().enumerate() {
        for (index, run) in comparison.runs.iter().enumerate() {
            let (_, score) = &run.scores.0[measure];
            rows.push(vec![
                if index == 0 { name.to_owned() } else { String::new() },
                run.name.clone(),
                score.shown(),
                comparison.mark_against_first(index, name).sign().to_owned(),
                interval(score.interval()),
            ]);
        }
    }
    table(&headings, rows)
}

/// What is said of a pair; of what goes first, the counts go before the interval.
fn pair_headings() -> [Heading; 10] {
    [
        words("measure"),
        words("run"),
        words("against"),
        numbers("difference"),
        words("interval"),
        numbers("win/tie/loss").goes_first(),
        numbers("p").goes_first(),
        numbers("corrected").stays(),
        numbers("effect"),
        words("").stays(),
    ]
}

fn pairs(comparison: &Comparison) -> String {
    let rows = comparison.pairs.iter().map(|pair| {
        vec![
            pair.measure.clone(),
            pair.run.clone(),
            pair.baseline.clone(),
            difference(pair.difference),
            interval(pair.ends()),
            format!("{}/{}/{}", pair.wins, pair.ties, pair.losses),
            p_or_dash(pair.deciding),
            p_or_dash(pair.p.corrected),
            effect(pair.effect),
            pair.mark.sign().to_owned(),
        ]
    });
    table(&pair_headings(), rows.collect())
}

fn moved(comparison: &Comparison) -> String {
    let mut text = String::new();
    for pair in comparison.pairs.iter().filter(|pair| !pair.moved.is_empty()) {
        let heading =
            format!("Moved most on {}: {} against {}", pair.measure, pair.run, pair.baseline);
        let _ = writeln!(text, "\n{}", strong(&heading));
        for moved in &pair.moved {
            let change = difference(moved.after - moved.before);
            let query = one_line(&moved.query, 90);
            let _ = writeln!(text, "  {change}  {:.4} → {:.4}  {query}", moved.before, moved.after);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::table::within;

    #[test]
    fn where_there_is_little_room_the_interval_outlives_the_counts() {
        let row = [
            "recall@10",
            "semantic",
            "keyword",
            "+0.1667",
            "[+0.0000, +0.5000]",
            "1/5/0",
            "1.0000",
            "1.0000",
            "+0.41",
            "",
        ];
        let text = within(Some(80), &pair_headings(), vec![row.map(str::to_owned).to_vec()]);
        assert!(text.contains("+0.5000]"), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.contains("win/tie/loss")), "{text}");
    }
}
