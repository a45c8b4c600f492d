//! Thresholds that a run must meet, for continuous integration.

use std::fmt::Write;
use std::str::FromStr;

/// A measure and the lowest value that is good enough.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Threshold {
    /// The measure's name.
    pub(crate) measure: String,
    /// The lowest value that passes.
    pub(crate) at_least: f64,
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (measure, value) = text
            .rsplit_once('=')
            .ok_or_else(|| "expected MEASURE=VALUE, for example ndcg@10=0.4".to_owned())?;
        let at_least: f64 = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
        if !at_least.is_finite() {
            return Err(format!("`{value}` is not a number that a measure can reach"));
        }
        Ok(Self { measure: measure.trim().to_owned(), at_least })
    }
}

/// How far below its threshold a value may lie through binary arithmetic alone.
const TOLERANCE: f64 = 1e-9;

/// One threshold held against what was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Check {
    /// What was checked, as a sentence.
    pub(crate) name: String,
    /// The measured value.
    pub(crate) value: f64,
    /// The lowest value that passes.
    pub(crate) at_least: f64,
}

impl Check {
    /// Whether the threshold is met; what 0.8 less 0.1 is in binary does not decide.
    pub(crate) fn passed(&self) -> bool {
        self.value >= self.at_least - TOLERANCE
    }
}

/// The checks as a `JUnit` report.
pub(crate) fn junit(checks: &[Check]) -> String {
    let failures = checks.iter().filter(|check| !check.passed()).count();
    let mut report = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n  <testsuite name=\"assize score\" tests=\"{}\" failures=\"{failures}\">\n",
        checks.len(),
    );
    for check in checks {
        let name = escaped(&check.name);
        let Check { value, at_least, .. } = check;
        // Writing to a string cannot fail.
        let _ = if check.passed() {
            writeln!(report, "    <testcase classname=\"assize\" name=\"{name}\"/>")
        } else {
            writeln!(
                report,
                "    <testcase classname=\"assize\" name=\"{name}\">\n      \
                 <failure message=\"{value:.4} is below {at_least:.4}\"/>\n    </testcase>"
            )
        };
    }
    report.push_str("  </testsuite>\n</testsuites>\n");
    report
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_names_a_measure_and_a_value() {
        let threshold: Threshold = "ndcg@10=0.4".parse().unwrap();
        assert_eq!(threshold, Threshold { measure: "ndcg@10".to_owned(), at_least: 0.4 });
        assert!("ndcg@10".parse::<Threshold>().is_err());
        assert!("ndcg@10=high".parse::<Threshold>().is_err());
        assert!("ndcg@10=NaN".parse::<Threshold>().is_err());
    }

    #[test]
    fn a_value_exactly_at_its_threshold_passes() {
        let check = |value, at_least| Check { name: "x".to_owned(), value, at_least };
        assert!(check(0.4, 0.4).passed());
        assert!(check(0.7, 0.8 - 0.1).passed());
        assert!(!check(0.6999, 0.7).passed());
    }

    #[test]
    fn a_missed_threshold_is_a_failure_with_escaped_text() {
        let check = Check { name: "a<b".to_owned(), value: 0.3, at_least: 0.4 };
        let report = junit(&[check]);
        assert!(report.contains("failures=\"1\""));
        assert!(report.contains("name=\"a&lt;b\""));
        assert!(report.contains("0.3000 is below 0.4000"));
    }
}
