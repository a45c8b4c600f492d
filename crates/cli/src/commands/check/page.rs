//! A suite as one page: a table a check, and the means that it measured.

use assize_engine::checks::Outcome;
use assize_page::tables::{Sheet, render as render_tables};
use assize_wire::number;
use assize_wire::threshold::{Check, FallenItem};

use super::text::words;

/// The whole page.
pub(super) fn render(outcomes: &[Outcome]) -> String {
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let verdict = if passed == outcomes.len() { "PASS" } else { "FAIL" };
    let lead = vec![format!("{verdict}: {passed} of {} checks pass.", outcomes.len())];
    // What failed is what somebody came for.
    let (fine, failed): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|outcome| outcome.passed());
    let sheets: Vec<Sheet> = failed
        .into_iter()
        .chain(fine)
        .flat_map(|outcome| [vec![sheet(outcome)], fallen(outcome)].concat())
        .collect();
    render_tables("Checks", &lead, &sheets)
}

fn sheet(outcome: &Outcome) -> Sheet {
    let row = |check: Check| {
        let verdict = if check.passed { "PASS" } else { "FAIL" };
        vec![verdict.to_owned(), check.name.clone(), words(&check)]
    };
    let verdict = if outcome.passed() { "PASS" } else { "FAIL" };
    Sheet {
        title: format!("{verdict}: {}", outcome.name),
        headings: ["", "requirement", "found"].map(|text| (text.to_owned(), false)).to_vec(),
        rows: failures_first(outcome.checks()).into_iter().map(row).collect(),
        note: note(outcome),
    }
}

fn failures_first(mut checks: Vec<Check>) -> Vec<Check> {
    checks.sort_by_key(|check| check.passed);
    checks
}

/// A table for each requirement that some items fell short of their baseline in.
fn fallen(outcome: &Outcome) -> Vec<Sheet> {
    let row = |one: &FallenItem| {
        let values = [one.before, one.now].map(|value| format!("{value:.4}"));
        [vec![one.item.clone()], values.to_vec(), vec![one.lost.join(" · ")]].concat()
    };
    let sheet = |check: &Check| Sheet {
        title: format!("{}: fell furthest in {}", outcome.name, check.measure),
        headings: [("item", false), ("baseline", true), ("now", true), ("lost", false)]
            .map(|(text, is_number)| (text.to_owned(), is_number))
            .to_vec(),
        rows: check.fallen.iter().map(row).collect(),
        note: String::new(),
    };
    outcome.checks().iter().filter(|check| !check.fallen.is_empty()).map(sheet).collect()
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
