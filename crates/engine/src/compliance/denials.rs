//! Results in which a document denies what a criterion requires, by the ledgers of the rule judge.

use std::collections::BTreeSet;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::set_verdicts::denied_below;
use assize_store::views::LowRow;
use assize_store::{ResultId, RunId};
use async_recursion::async_recursion as boxed;
use serde::Deserialize;

use super::error::ComplianceError;
use super::registry::Registry;

/// Ledgers that are read at once.
const LEDGERS: usize = 100;
/// What the rule judge calls a part that a document denies.
const CONTRADICTED: &str = "contradicted";

/// A result in which a document denies what is required.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Denial {
    /// The result.
    pub(crate) result_id: ResultId,
    /// Its place in the run, from 0.
    pub(crate) position: i64,
    /// The criterion.
    pub(crate) criteria_id: String,
    /// The document.
    pub(crate) document: String,
}

impl Registry {
    /// Who denies one of these criteria, in the order of the plan: only the rule judge notes it,
    /// and what a person decided is no longer the judge's word. Whoever denies is quoted.
    #[boxed]
    pub(crate) async fn denials(
        &self,
        run: &RunId,
        rubric: &Rubric,
        criteria: &BTreeSet<&str>,
    ) -> Result<Vec<Denial>, ComplianceError> {
        let criteria: Vec<&str> = criteria.iter().copied().collect();
        let (views, of) = (self.store.views(), (&self.organisation, run));
        let wanted = (denied_below(rubric), CONTRADICTED);
        let (mut all, mut after) = (Vec::new(), -1);
        loop {
            let rows = views.low_results(of, &criteria, wanted, (after, LEDGERS)).await?;
            let is_last = rows.len() < LEDGERS;
            after = rows.last().map_or(after, |row| row.position);
            all.extend(rows.into_iter().filter(|row| denies(&row.ledger)).map(Denial::from));
            if is_last {
                return Ok(all);
            }
        }
    }
}

impl From<LowRow> for Denial {
    fn from(row: LowRow) -> Self {
        let LowRow { position, result_id, criteria_id, document, .. } = row;
        Self { result_id, position, criteria_id, document }
    }
}

/// Whether a ledger notes that the document denies a part of the requirement.
fn denies(ledger: &str) -> bool {
    let ledger: Ledger = serde_json::from_str(ledger).unwrap_or_default();
    ledger.verdict.findings.iter().any(|one| one.code == CONTRADICTED)
}

/// The little of a ledger that is looked at; all the rest is passed over.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Ledger {
    verdict: Noted,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Noted {
    findings: Vec<Finding>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Finding {
    code: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_finding_of_the_judge_makes_a_contradiction() {
        let with = |code: &str| {
            format!(
                r#"{{"verdict":{{"findings":[{{"code":"{code}","message":""}}]}},"scores":[1.0]}}"#
            )
        };
        assert!(denies(&with("contradicted")));
        assert!(!denies(&with("conflicting")));
        assert!(!denies(r#"{"unscored":"contradicted"}"#));
        assert!(!denies(r#"{"verdict":"contradicted"}"#));
        assert!(!denies(r#"["contradicted"]"#));
    }
}
