//! What holds for the documents of a run taken together, and which of them say the contrary.

use assize_methods::compliance::Rubric;
use assize_store::Run;
use assize_store::views::{BestRow, LowRow};
use assize_wire::workplace::{Contradiction, SetAtAGlance};
use serde::Deserialize;

use super::weighted;
use crate::compliance::{ComplianceError, Registry};

/// Ledgers that are read for one that says the contrary.
const LEDGERS_MAX: usize = 100;
/// What the rule judge calls a part that a document denies.
const CONTRADICTED: &str = "contradicted";

/// A criterion is met in the upper half of the tiers; of an odd number the middle one is not met.
fn met_from(rubric: &Rubric) -> usize {
    rubric.tiers().len().div_ceil(2)
}

/// How many criteria the set meets.
pub(super) fn at_a_glance(best: &[BestRow], rubric: &Rubric) -> SetAtAGlance {
    let tier = &rubric.tiers()[met_from(rubric)];
    let is_met = |row: &&BestRow| row.best.is_some_and(|best| best >= f64::from(tier.min));
    let scored = best.iter().filter(|row| row.best.is_some()).count() as u64;
    let met = best.iter().filter(is_met).count() as u64;
    SetAtAGlance {
        score: weighted(best, None).map(|(mean, _)| mean),
        criteria: best.len() as u64,
        met,
        open: scored - met,
        without_score: best.len() as u64 - scored,
        met_from: tier.label.clone(),
        contradictions: Vec::new(),
    }
}

impl Registry {
    /// Documents that deny what another one states: only the rule judge notes it, and what a
    /// person decided is no longer the judge's word.
    pub(super) async fn contradictions(
        &self,
        run: &Run,
        rubric: &Rubric,
        best: &[BestRow],
    ) -> Result<Vec<Contradiction>, ComplianceError> {
        let met = f64::from(rubric.tiers()[met_from(rubric)].min);
        // Only what is in the lowest tier: a document that denies part of a requirement and meets
        // the rest does not contradict. Whoever denies something is quoted.
        let lowest = rubric.tiers().get(1).map_or(100.0, |tier| f64::from(tier.min));
        let met: Vec<&str> = best
            .iter()
            .filter(|row| row.best.is_some_and(|best| best >= met))
            .map(|row| row.criteria_id.as_str())
            .collect();
        let of = (&self.organisation, &run.id);
        let (views, wanted) = (self.store.views(), (lowest, CONTRADICTED));
        let low = views.low_results(of, &met, wanted, LEDGERS_MAX).await?;
        let denying = low.into_iter().filter(|row| denies(&row.ledger));
        let contradiction = |row: LowRow| Contradiction {
            criteria_id: row.criteria_id,
            document: row.document,
            number: row.position + 1,
        };
        Ok(denying.map(contradiction).collect())
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

    fn row(best: Option<f64>) -> BestRow {
        BestRow {
            criteria_id: "A".to_owned(),
            requirement: String::new(),
            properties: None,
            best,
            assignee: None,
        }
    }

    #[test]
    fn a_criterion_is_met_exactly_from_the_upper_tiers_on() {
        let best = [row(Some(61.0)), row(Some(60.9)), row(Some(0.0)), row(None)];
        let set = at_a_glance(&best, &Rubric::default());
        assert_eq!((set.criteria, set.met, set.open, set.without_score), (4, 1, 2, 1));
        assert_eq!(set.met_from, Rubric::default().tiers()[3].label);
        let none = at_a_glance(&[], &Rubric::default());
        assert_eq!((none.score, none.criteria, none.open), (None, 0, 0));
    }

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
