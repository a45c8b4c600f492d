//! A suite as one page: a table a check, and the means that it measured.

use assize_engine::checks::Outcome;
use assize_page::tables::{Sheet, render as render_tables};
use assize_wire::number;

use super::text::words;

/// The whole page.
pub(super) fn render(outcomes: &[Outcome]) -> String {
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let verdict = if passed == outcomes.len() { "PASS" } else { "FAIL" };
    let lead = vec![format!("{verdict}: {passed} of {} checks pass.", outcomes.len())];
    let sheets: Vec<Sheet> = outcomes.iter().map(sheet).collect();
    render_tables("Checks", &lead, &sheets)
}

fn sheet(outcome: &Outcome) -> Sheet {
    let row = |check: assize_wire::threshold::Check| {
        let verdict = if check.passed { "PASS" } else { "FAIL" };
        vec![verdict.to_owned(), check.name.clone(), words(&check)]
    };
    let verdict = if outcome.passed() { "PASS" } else { "FAIL" };
    Sheet {
        title: format!("{verdict}: {}", outcome.name),
        headings: ["", "requirement", "found"].map(|text| (text.to_owned(), false)).to_vec(),
        rows: outcome.checks().into_iter().map(row).collect(),
        note: note(outcome),
    }
}

/// How many items there are, and every mean.
fn note(outcome: &Outcome) -> String {
    let Ok(ended) = &outcome.end else { return String::new() };
    let figures = &ended.figures;
    let mut note = format!(
        "{}, {} without a score.",
        number::counted(figures.count, "item", "items"),
        figures.unscored
    );
    let means = figures.means.iter().filter_map(|(name, mean)| Some((name, (*mean)?)));
    let means: Vec<String> = means.map(|(name, mean)| format!("{name} {mean:.4}")).collect();
    if !means.is_empty() {
        note = format!("{note} Means: {}.", means.join(", "));
    }
    for notice in &ended.notices {
        note = format!("{note} {notice}.");
    }
    note
}
