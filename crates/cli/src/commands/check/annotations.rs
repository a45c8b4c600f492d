//! Requirements that do not hold, as the lines by which GitHub Actions marks a file.

use std::fmt::Write;
use std::path::Path;

use assize_engine::checks::Outcome;

use super::sarif::line_of;

/// A line for each requirement that does not hold, at the line of the file that names its check.
pub(super) fn render(outcomes: &[Outcome], config: &Path, text: &str) -> String {
    let file = property(&config.to_string_lossy().replace('\\', "/"));
    let mut lines = String::new();
    for outcome in outcomes {
        let (line, name) = (line_of(text, &outcome.name), property(&outcome.name));
        for check in outcome.checks().iter().filter(|check| !check.passed) {
            let words = message(&check.line);
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "::error file={file},line={line},title={name}::{words}");
        }
    }
    lines
}

/// A message: a line break would end the command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: a colon would end the command, a comma the property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use assize_engine::EngineError;
    use assize_engine::checks::suite::Ended;
    use assize_wire::threshold::Check;

    use super::*;

    fn check(passed: bool, line: &str) -> Check {
        Check {
            name: "recall@10".to_owned(),
            passed,
            measure: "recall@10".to_owned(),
            value: None,
            bound: None,
            line: line.to_owned(),
            fallen: Vec::new(),
        }
    }

    #[test]
    fn only_what_fails_is_marked_and_nothing_in_a_name_ends_the_command() {
        let checks = vec![check(true, "fine"), check(false, "5 % of\nall: lost")];
        let outcomes = [
            Outcome {
                name: "a, b: c".to_owned(),
                instrument: "score",
                end: Ok(Ended { checks, ..Ended::default() }),
            },
            Outcome {
                name: "other".to_owned(),
                instrument: "gate",
                end: Err(EngineError::bad_input("no file")),
            },
        ];
        let text = "[[check]]\nname = \"a, b: c\"\n[[check]]\nname = \"other\"\n";
        let lines = render(&outcomes, Path::new("ci/assize.toml"), text);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(
            lines[0],
            "::error file=ci/assize.toml,line=2,title=a%2C b%3A c::5 %25 of%0Aall: lost"
        );
        assert!(lines[1].starts_with("::error file=ci/assize.toml,line=4,title=other::"));
        assert!(lines[1].contains("no file"), "{}", lines[1]);
        assert_eq!(lines.len(), 2);
    }
}
