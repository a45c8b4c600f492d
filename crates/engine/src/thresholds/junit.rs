//! Checks as a `JUnit` report, which every build server shows.

use std::fmt::Write;

use assize_wire::threshold::{Check, FallenItem};

/// The report of one suite.
pub fn junit(suite: &str, checks: &[Check]) -> String {
    let failures = checks.iter().filter(|check| !check.passed).count();
    let mut report = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\">\n",
        escaped(suite),
        checks.len(),
    );
    for check in checks {
        let (name, line) = (escaped(&check.name), escaped(&check.line));
        // Writing to a string cannot fail.
        let _ = if check.passed {
            writeln!(report, "    <testcase classname=\"assize\" name=\"{name}\"/>")
        } else {
            writeln!(
                report,
                "    <testcase classname=\"assize\" name=\"{name}\">\n      \
                 <failure message=\"{line}\">{}</failure>\n    </testcase>",
                escaped(&fallen(check).join("; "))
            )
        };
    }
    report.push_str("  </testsuite>\n</testsuites>\n");
    report
}

/// What is said of each item that fell below the baseline.
fn fallen(check: &Check) -> Vec<String> {
    let words = |FallenItem { item, before, now, lost }: &FallenItem| {
        let lost =
            if lost.is_empty() { String::new() } else { format!(", lost {}", lost.join(", ")) };
        format!("{item}: {before:.4} before, {now:.4} now{lost}")
    };
    check.fallen.iter().map(words).collect()
}

/// Text without what XML would read as markup, or cannot hold at all.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_threshold_is_a_failure_with_escaped_text() {
        let check = Check {
            name: "a < b".to_owned(),
            passed: false,
            measure: "a".to_owned(),
            value: Some(0.3),
            bound: Some(0.4),
            line: "FAIL a 0.3000 < 0.4000".to_owned(),
            fallen: vec![FallenItem {
                item: "q & a".to_owned(),
                before: 1.0,
                now: 0.25,
                lost: vec!["d<7 not retrieved".to_owned()],
            }],
        };
        let report = junit("assize score", &[check]);
        assert!(report.contains("failures=\"1\""));
        assert!(report.contains("name=\"a &lt; b\""));
        assert!(report.contains("message=\"FAIL a 0.3000 &lt; 0.4000\""));
        assert!(
            report.contains(
                ">q &amp; a: 1.0000 before, 0.2500 now, lost d&lt;7 not retrieved</failure>"
            ),
            "{report}"
        );
    }
}
