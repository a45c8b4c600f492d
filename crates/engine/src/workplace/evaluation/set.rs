//! What holds for the documents of a run taken together, and which of them say the contrary.

use std::collections::BTreeSet;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::set_verdicts::{contradicted, met_from};
use assize_store::Run;
use assize_store::views::BestRow;
use assize_wire::workplace::{Contradiction, SetAtAGlance};
use async_recursion::async_recursion as boxed;

use super::weighted;
use crate::Workspace;
use crate::compliance::ComplianceError;

/// The criteria of a run for its documents taken together.
#[derive(Debug, Clone, PartialEq)]
pub struct SetOfDocuments {
    /// Every criterion at its best document, in the order of the plan. What another document
    /// denies is capped.
    pub criteria: Vec<BestRow>,
    /// Documents that deny what another one states.
    pub contradictions: Vec<Contradiction>,
}

impl SetOfDocuments {
    /// Whether a document denies what another one states about a criterion.
    pub(super) fn is_contradicted(&self, criteria_id: &str) -> bool {
        self.contradictions.iter().any(|one| one.criteria_id == criteria_id)
    }

    /// How many criteria the set meets.
    pub(super) fn at_a_glance(&self, rubric: &Rubric) -> SetAtAGlance {
        let from = met_from(rubric);
        let contradicted: BTreeSet<&str> =
            self.contradictions.iter().map(|one| one.criteria_id.as_str()).collect();
        let is_met = |row: &&BestRow| {
            row.best.is_some_and(|best| best >= from)
                && !contradicted.contains(row.criteria_id.as_str())
        };
        let criteria = self.criteria.len() as u64;
        let scored = self.criteria.iter().filter(|row| row.best.is_some()).count() as u64;
        let met = self.criteria.iter().filter(is_met).count() as u64;
        SetAtAGlance {
            score: weighted(&self.criteria, None).map(|(mean, _)| mean),
            criteria,
            met,
            open: scored - met,
            without_score: criteria - scored,
            met_from: rubric.status(from).label,
            contradicted: contradicted.len() as u64,
            contradictions: self.contradictions.clone(),
        }
    }
}

impl Workspace {
    /// What holds for the documents of a run taken together.
    #[boxed]
    pub async fn set_of_documents(
        &self,
        run: &Run,
        rubric: &Rubric,
    ) -> Result<SetOfDocuments, ComplianceError> {
        let mut criteria = self.store.views().best_of_criteria(&self.organisation, &run.id).await?;
        let from = met_from(rubric);
        let met: BTreeSet<&str> = criteria
            .iter()
            .filter(|row| row.best.is_some_and(|best| best >= from))
            .map(|row| row.criteria_id.as_str())
            .collect();
        let denials = self.denials(&run.id, rubric, &met).await?;
        let contradictions: Vec<Contradiction> = denials
            .into_iter()
            .map(|one| Contradiction {
                criteria_id: one.criteria_id,
                document: one.document,
                number: one.position + 1,
            })
            .collect();
        let denied: BTreeSet<&str> =
            contradictions.iter().map(|one| one.criteria_id.as_str()).collect();
        for row in criteria.iter_mut().filter(|row| denied.contains(row.criteria_id.as_str())) {
            row.best = row.best.map(|best| contradicted(best).0);
        }
        Ok(SetOfDocuments { criteria, contradictions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(criteria_id: &str, best: Option<f64>) -> BestRow {
        BestRow {
            criteria_id: criteria_id.to_owned(),
            requirement: String::new(),
            properties: None,
            best,
            assignee: None,
        }
    }

    #[test]
    fn a_criterion_is_met_exactly_from_the_upper_tiers_on() {
        let at_a_glance = |criteria: Vec<BestRow>| {
            SetOfDocuments { criteria, contradictions: Vec::new() }.at_a_glance(&Rubric::default())
        };
        let best = [Some(61.0), Some(60.9), Some(0.0), None].map(|best| row("A", best)).to_vec();
        let set = at_a_glance(best);
        assert_eq!((set.criteria, set.met, set.open, set.without_score), (4, 1, 2, 1));
        assert_eq!(set.met_from, Rubric::default().tiers()[3].label);
        let none = at_a_glance(Vec::new());
        assert_eq!((none.score, none.criteria, none.open), (None, 0, 0));
    }

    #[test]
    fn what_a_document_denies_is_open() {
        let criteria = vec![row("A", Some(90.0)), row("B", Some(60.0))];
        let denied = |document: &str| Contradiction {
            criteria_id: "A".to_owned(),
            document: document.to_owned(),
            number: 1,
        };
        let set = SetOfDocuments { criteria, contradictions: vec![denied("x"), denied("y")] };
        let set = set.at_a_glance(&Rubric::default());
        assert_eq!((set.met, set.open, set.contradicted), (0, 2, 1));
    }
}
