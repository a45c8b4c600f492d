//! Thresholds as they are typed, and how a command ends that missed one.

use std::str::FromStr;

use anyhow::{Result, bail};
use assize_engine::thresholds::{Figure, Figures, Relation, Requirement, Rule, check};
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

/// A threshold for something that is not measured is a mistake in the command, not a failure.
pub(crate) fn known(fail_under: &[FailUnder], names: &[&str]) -> Result<()> {
    match fail_under.iter().find(|one| !names.contains(&one.measure.as_str())) {
        None => Ok(()),
        Some(FailUnder { measure, .. }) => {
            bail!(
                "--fail-under: unknown measure `{measure}`; the measures are {}",
                names.join(", ")
            )
        }
    }
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
        let error = known(&threshold, &["recall@10", "map"]).unwrap_err().to_string();
        assert!(error.contains("`recal@10`; there are recall@10, map"), "{error}");
    }
}
