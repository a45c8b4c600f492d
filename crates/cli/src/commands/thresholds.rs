//! Thresholds as they are typed, and how a command ends that missed one.

use std::str::FromStr;

use anyhow::{Result, bail};

use assize_engine::thresholds::{Figure, Figures, Relation, Requirement, Rule, check};
use assize_methods::retrieval::ranked::nearest;
use assize_wire::threshold::Check;

use crate::exit::Done;
use crate::output::terminal;

/// `--fail-under MEASURE=VALUE`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FailUnder {
    pub(crate) measure: String,
    at_least: f64,
}

impl FailUnder {
    /// The same as the engine checks it.
    pub(crate) fn requirement(&self) -> Requirement {
        Requirement {
            figure: Figure::Mean(self.measure.clone()),
            rule: Rule::Bound(Relation::AtLeast, self.at_least),
        }
    }
}

impl FromStr for FailUnder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (measure, value) = text
            .rsplit_once('=')
            .ok_or_else(|| "expected MEASURE=VALUE, for example ndcg@10=0.4".to_owned())?;
        let at_least: f64 = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
        if !at_least.is_finite() {
            return Err(format!("`{value}` is not a finite number"));
        }
        Ok(Self { measure: measure.trim().to_owned(), at_least })
    }
}

/// Checks single figures against limits that a command has a flag for; without a limit nothing
/// is checked.
pub(crate) fn limits(limits: &[(&str, Option<f64>, Relation, Option<f64>)]) -> Done {
    let figures: Vec<(&str, Option<f64>)> =
        limits.iter().map(|(name, value, ..)| (*name, *value)).collect();
    let requirement = |(name, _, relation, limit): &(&str, Option<f64>, Relation, Option<f64>)| {
        let figure = Figure::Mean((*name).to_owned());
        Some(Requirement { figure, rule: Rule::Bound(*relation, (*limit)?) })
    };
    let requirements: Vec<Requirement> = limits.iter().filter_map(requirement).collect();
    conclude(&check(&requirements, &Figures::of_means(&figures), None))
}

/// A threshold for something that is not measured, or that no run can reach, is a mistake in the
/// command, not a failure. `highest` is what a measure can reach, where it has an end.
pub(crate) fn check_possible(
    fail_under: &[FailUnder],
    names: &[&str],
    highest: impl Fn(&str) -> Option<f64>,
) -> Result<()> {
    for FailUnder { measure, at_least } in fail_under {
        if !names.contains(&measure.as_str()) {
            let near = nearest(measure, names.iter().copied());
            let meant = near.first().map(|near| format!("; did you mean {near}?"));
            bail!(
                "--fail-under: unknown measure `{measure}`; the measures are {}{}",
                names.join(", "),
                meant.unwrap_or_default()
            );
        }
        if let Some(highest) = highest(measure).filter(|highest| at_least > highest) {
            let scaled = at_least / 100.0 * highest;
            let meant = format!("; did you mean {measure}={scaled}?");
            bail!(
                "--fail-under: {measure} is {highest} at most, so that {at_least} is never reached{}",
                if scaled <= highest { meant } else { String::new() }
            );
        }
    }
    Ok(())
}

/// Says for each threshold whether it is met, and decides how the command ends.
pub(crate) fn conclude(checks: &[Check]) -> Done {
    for check in checks {
        terminal::checked(check.passed, &check.line);
    }
    if checks.iter().all(|check| check.passed) { Done::Fine } else { Done::ThresholdMissed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_names_a_measure_and_a_value() {
        let threshold: FailUnder = "ndcg@10=0.4".parse().unwrap();
        assert_eq!(threshold, FailUnder { measure: "ndcg@10".to_owned(), at_least: 0.4 });
        assert_eq!(threshold.requirement().to_string(), "ndcg@10 >= 0.4");
        assert!("ndcg@10".parse::<FailUnder>().is_err());
        assert!("ndcg@10=high".parse::<FailUnder>().is_err());
        assert!("ndcg@10=NaN".parse::<FailUnder>().is_err());
    }

    #[test]
    fn an_unknown_measure_is_named_with_those_there_are() {
        let threshold = ["recal@10=0.4".parse().unwrap()];
        let names = ["recall@10", "map"];
        let error = check_possible(&threshold, &names, |_| None).unwrap_err().to_string();
        let expected = "`recal@10`; the measures are recall@10, map; did you mean recall@10?";
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_threshold_that_no_run_reaches_is_refused_with_the_one_that_is_meant() {
        let possible = |text: &str| {
            let threshold = [text.parse().unwrap()];
            check_possible(&threshold, &["recall@10"], |_| Some(1.0)).map_err(|e| e.to_string())
        };
        assert_eq!(possible("recall@10=1"), Ok(()));
        let error = possible("recall@10=80").unwrap_err();
        assert!(
            error.ends_with("so that 80 is never reached; did you mean recall@10=0.8?"),
            "{error}"
        );
        let error = possible("recall@10=101").unwrap_err();
        assert!(error.ends_with("so that 101 is never reached"), "{error}");
    }
}
