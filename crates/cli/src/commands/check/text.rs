//! The table of a suite, in 80 columns.

use std::fmt::Write;

use assize_engine::checks::Outcome;
use assize_wire::threshold::Check;

use crate::output::terminal::one_line;

/// No line is longer.
const WIDTH: usize = 80;
/// PASS or FAIL and two spaces.
const VERDICT: usize = 6;
/// Names of checks longer than this are cut.
const NAME_MAX: usize = 28;

/// How many of the items that fell are shown; the reports have more.
const FALLEN: usize = 3;
/// Names of items longer than this are cut.
const FALLEN_MAX: usize = 40;

/// A row for every requirement, and what it comes to.
pub(super) fn table_of(outcomes: &[Outcome], planned: usize) -> String {
    let name = |outcome: &Outcome| one_line(&outcome.name, NAME_MAX);
    let width = outcomes.iter().map(|outcome| name(outcome).chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for outcome in outcomes {
        for (place, check) in outcome.checks().iter().enumerate() {
            // The name once: what follows belongs to it.
            let name = if place == 0 { name(outcome) } else { String::new() };
            let verdict = if check.passed { "PASS" } else { "FAIL" };
            let lead = format!("{verdict}  {name:<width$}  ");
            let indent = VERDICT + width + 2;
            wrap(&mut text, &lead, &words(check), indent);
            for one in check.fallen.iter().take(FALLEN) {
                let item = one_line(&one.item, FALLEN_MAX);
                let line = format!("{item}  {:.4}, was {:.4}", one.now, one.before);
                wrap(&mut text, &" ".repeat(indent + 2), &line, indent + 2);
            }
        }
        if let Some(samples) = outcome.end.iter().find_map(|ended| ended.samples.as_ref()) {
            let lead = " ".repeat(VERDICT + width + 2);
            let (passed, count) = (samples.passed, samples.count);
            let all = samples.pass_power.last().copied().unwrap_or(0.0);
            let line = format!("{passed} of {count} samples pass, pass^{count} = {all:.3}");
            wrap(&mut text, &lead, &line, lead.len());
            for (measure, spread) in &samples.spread.0 {
                let line = format!(
                    "{measure} {:.4} ± {:.4} ({:.4} to {:.4})",
                    spread.mean, spread.deviation, spread.low, spread.high
                );
                wrap(&mut text, &lead, &line, lead.len());
            }
        }
    }
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let verdict = if passed == planned { "PASS" } else { "FAIL" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n{verdict}: {passed} of {planned} checks pass");
    text
}

/// What is said of a requirement, without its verdict.
pub(super) fn words(check: &Check) -> String {
    let verdict = if check.passed { "PASS " } else { "FAIL " };
    one_line(check.line.strip_prefix(verdict).unwrap_or(&check.line), usize::MAX)
}

/// Whole words on lines that fit; a word that fits nowhere stands alone.
fn wrap(text: &mut String, lead: &str, words: &str, indent: usize) {
    let mut line = lead.to_owned();
    let mut is_fresh = true;
    for word in words.split(' ') {
        let space = usize::from(!is_fresh);
        if !is_fresh && line.chars().count() + space + word.chars().count() > WIDTH {
            text.push_str(line.trim_end());
            text.push('\n');
            line = " ".repeat(indent);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use assize_engine::EngineError;

    use super::*;

    #[test]
    fn long_requirements_are_wrapped_between_words() {
        let problem = "gold.json: cannot be read: ".to_owned() + &"and so on ".repeat(12);
        let outcome = Outcome {
            name: "a name that is longer than a column of a table should be".to_owned(),
            instrument: "score",
            end: Err(EngineError::bad_input(problem)),
        };
        let text = table_of(&[outcome], 1);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("FAIL  a name that is longer than a …"), "{text}");
        assert!(text.ends_with("\nFAIL: 0 of 1 checks pass\n"), "{text}");
    }
}
