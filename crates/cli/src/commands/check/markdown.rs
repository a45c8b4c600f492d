//! A suite as Markdown: for a job summary, or a comment on a pull request.

use std::fmt::Write;

use assize_engine::checks::Outcome;

use super::text::words;

/// Of one check; a folder of documents can have one for each.
const NOTICES_MAX: usize = 10;

/// A heading that says how it ended, then a row for every requirement.
pub(super) fn render(outcomes: &[Outcome]) -> String {
    let passed = outcomes.iter().filter(|outcome| outcome.passed()).count();
    let verdict = if passed == outcomes.len() { "PASS" } else { "FAIL" };
    let mut text = format!(
        "### assize check: {verdict} ({passed} of {})\n\n| | check | requirement | found |\n|---|---|---|---|\n",
        outcomes.len()
    );
    for is_passed in [false, true] {
        let with =
            |outcome| Outcome::checks(outcome).into_iter().map(move |check| (outcome, check));
        let of_kind = outcomes.iter().flat_map(with).filter(|(_, check)| check.passed == is_passed);
        for (outcome, check) in of_kind {
            let verdict = if check.passed { "PASS" } else { "**FAIL**" };
            let cells = [&outcome.name, &check.name, &words(&check)].map(|text| cell(text));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {verdict} | {} |", cells.join(" | "));
        }
    }
    for (outcome, check) in
        outcomes.iter().flat_map(|outcome| outcome.checks().into_iter().map(move |c| (outcome, c)))
    {
        if check.fallen.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n**{}**: fell furthest in {}\n\n| item | baseline | now | lost |\n|---|---:|---:|---|\n",
            cell(&outcome.name),
            cell(&check.measure)
        );
        for one in &check.fallen {
            let lost = cell(&one.lost.join("; "));
            let (item, before, now) = (cell(&one.item), one.before, one.now);
            let _ = writeln!(text, "| {item} | {before:.4} | {now:.4} | {lost} |");
        }
    }
    text.push_str(&notices(outcomes));
    text
}

/// What is to be known of each check's input, such as how much of a run was judged.
fn notices(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let notices = outcome.end.as_ref().map_or(&[][..], |ended| &ended.notices);
        for notice in notices.iter().take(NOTICES_MAX) {
            let before = if text.is_empty() { "\n" } else { "" };
            let _ = writeln!(text, "{before}- {}: {}", cell(&outcome.name), cell(notice));
        }
        if let more @ 1.. = notices.len().saturating_sub(NOTICES_MAX) {
            let _ = writeln!(text, "- {}: and {more} more notes", cell(&outcome.name));
        }
    }
    text
}

/// Text of a stranger within a cell: nothing in it begins another cell, a link or markup.
fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '[' | ']' | '*' | '_' | '`' | '\\' | '~' => safe.extend(['\\', letter]),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A name of a person or a group would tell them.
            '@' => safe.push_str("&#64;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use assize_engine::EngineError;

    use super::*;

    #[test]
    fn a_strangers_words_bring_no_markup_and_no_cells() {
        let outcome = Outcome {
            name: "a | b".to_owned(),
            instrument: "gate",
            end: Err(EngineError::bad_input("<img src=x> [link](http://x) @team\nmore")),
        };
        let text = render(&[outcome]);
        assert!(text.starts_with("### assize check: FAIL (0 of 1)\n"), "{text}");
        assert!(text.contains("| **FAIL** | a \\| b | can be run |"), "{text}");
        assert!(text.contains("&lt;img src=x&gt; \\[link\\](http://x) &#64;team more |"), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }
}
