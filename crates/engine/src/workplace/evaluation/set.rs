//! What holds for the documents of a run taken together, and which of them say the contrary.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_store::Run;
use assize_store::views::{BestRow, LineFilter, LineQuery, LineRow};
use assize_wire::workplace::{Contradiction, SetAtAGlance};
use serde_json::Value;

use super::weighted;
use crate::compliance::{ComplianceError, Registry};

/// Lines that are looked through for one that says the contrary.
const LINES_MAX: i64 = 1_000;
/// Ledgers that are read for it.
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
        // the rest does not contradict, and each look costs two reads.
        let lowest = rubric.tiers().get(1).map_or(100.0, |tier| f64::from(tier.min));
        let best: BTreeMap<&str, f64> =
            best.iter().filter_map(|row| Some((row.criteria_id.as_str(), row.best?))).collect();
        let query = LineQuery { filter: LineFilter::Below(lowest), ..LineQuery::default() };
        let views = self.store.views();
        let lines = views.lines(&self.organisation, &run.id, &query, LINES_MAX).await?;
        // Who denies something is quoted, so that a line without a quote needs no look.
        let is_suspect = |line: &LineRow| {
            let best = best.get(line.criteria_id.as_str()).copied().filter(|best| *best >= met);
            let score = line.ai_score.filter(|_| line.decided.is_none());
            line.citations.1 > 0 && best.zip(score).is_some_and(|(best, score)| score < best)
        };
        let mut found = Vec::new();
        for line in lines.into_iter().filter(is_suspect).take(LEDGERS_MAX) {
            let number = line.position + 1;
            let Some(result) = self.result_at(run, number).await? else { continue };
            let evidence = self.store.results().evidence(&self.organisation, &result.id).await?;
            if evidence.and_then(|kept| kept.ledger).is_some_and(|ledger| denies(&ledger)) {
                let LineRow { criteria_id, document, .. } = line;
                found.push(Contradiction { criteria_id, document, number });
            }
        }
        Ok(found)
    }
}

/// Whether a ledger notes that the document denies a part of the requirement.
fn denies(ledger: &Value) -> bool {
    let findings = ledger["verdict"]["findings"].as_array();
    findings.is_some_and(|all| all.iter().any(|one| one["code"] == CONTRADICTED))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        let with = |code: &str| json!({"verdict": {"findings": [{"code": code, "message": ""}]}});
        assert!(denies(&with("contradicted")));
        assert!(!denies(&with("conflicting")));
        assert!(!denies(&json!({"unscored": "contradicted"})));
    }
}
