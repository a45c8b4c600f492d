//! What holds for the documents of a run taken together, criterion by criterion.

use std::sync::Arc;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::set_verdicts::{
    Documents, Found, SetReport, SetVerdict, denied_below, met_from, set_report,
};
use assize_store::views::{CriterionRow, MatrixCellRow};
use assize_store::{ResultOutcome, Run};
use assize_wire::verdicts::SetVerdicts;
use assize_wire::workplace::{Contradiction, SetAtAGlance};
use async_recursion::async_recursion as boxed;
use serde_json::Value;

use super::error::Result;
use super::overview::Overview;
use crate::Workspace;

/// The property of a criterion that names its group.
pub(crate) const CATEGORY: &str = "category";
/// The property that says how much it counts.
pub(crate) const WEIGHT: &str = "weight";

/// Other names of a group, as catalogs have them.
pub(crate) const GROUPS: [&str; 3] = [CATEGORY, "group", "family"];

/// The criteria of a run for its documents taken together: the one place where a set is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct SetOfDocuments {
    /// The criteria in the order of the plan, as they were planned: who changes a weight changes
    /// no run that is there.
    pub criteria: Vec<CriterionRow>,
    /// Every document under every criterion.
    pub cells: Arc<Vec<MatrixCellRow>>,
    /// The verdicts, in the order of the criteria.
    pub report: SetReport,
}

impl Workspace {
    /// What holds for the documents of a run taken together.
    #[boxed]
    pub async fn set_of_documents(&self, run: &Run, rubric: &Rubric) -> Result<SetOfDocuments> {
        let criteria = self.store.views().criteria_of(&self.organisation, &run.id).await?;
        let cells = self.store.views().matrix(run).await?;
        Ok(SetOfDocuments::new(criteria, cells, rubric))
    }
}

impl SetOfDocuments {
    fn new(criteria: Vec<CriterionRow>, cells: Arc<Vec<MatrixCellRow>>, rubric: &Rubric) -> Self {
        let documents = cells.iter().map(|cell| place(cell.document) + 1).max().unwrap_or(0);
        let mut found = vec![vec![Found::Pending; documents]; criteria.len()];
        for cell in cells.iter() {
            if let Some(row) = found.get_mut(place(cell.criterion)) {
                row[place(cell.document)] = found_in(cell, rubric);
            }
        }
        let groups: Vec<Option<String>> =
            criteria.iter().map(|row| category(row.properties.as_ref())).collect();
        let rows = criteria.iter().zip(&groups).zip(&found);
        let all: Vec<Documents<'_>> = rows
            .map(|((row, group), found)| Documents {
                criteria_id: &row.criteria_id,
                category: group.as_deref(),
                weight: weight(row.properties.as_ref()),
                found,
            })
            .collect();
        let report = set_report(&all, rubric);
        Self { criteria, cells, report }
    }

    /// Leaves only one document in view, by its place.
    #[must_use]
    pub(super) fn only_document(self, document: usize, rubric: &Rubric) -> Self {
        let own = self.cells.iter().filter(|cell| place(cell.document) == document);
        let cells: Vec<_> = own.map(|cell| MatrixCellRow { document: 0, ..cell.clone() }).collect();
        Self::new(self.criteria, Arc::new(cells), rubric)
    }

    /// The criteria that have a score with their places, the weakest first.
    pub fn weakest(&self) -> Vec<(usize, f64, &SetVerdict)> {
        let scored = self.report.verdicts.iter().enumerate();
        let mut scored: Vec<_> =
            scored.filter_map(|(place, one)| Some((place, one.score?, one))).collect();
        scored.sort_by(|left, right| left.1.total_cmp(&right.1).then(left.0.cmp(&right.0)));
        scored
    }

    /// How many criteria the set meets, and who denies what.
    pub(crate) fn at_a_glance(&self, rubric: &Rubric, documents: &[String]) -> SetAtAGlance {
        let SetReport { score, scored, met, verdicts, .. } = &self.report;
        let mut contradictions: Vec<Contradiction> = Vec::new();
        for cell in self.cells.iter() {
            let verdict = verdicts.get(place(cell.criterion));
            let against = verdict.filter(|one| one.contradicted_by.contains(&place(cell.document)));
            contradictions.extend(against.map(|verdict| Contradiction {
                criteria_id: verdict.criteria_id.clone(),
                document: documents.get(place(cell.document)).cloned().unwrap_or_default(),
                number: cell.position + 1,
            }));
        }
        contradictions.sort_by_key(|one| one.number);
        let denied = verdicts.iter().filter(|one| !one.contradicted_by.is_empty()).count();
        SetAtAGlance {
            score: *score,
            criteria: verdicts.len() as u64,
            met: *met as u64,
            open: (scored - met) as u64,
            without_score: (verdicts.len() - scored) as u64,
            met_from: rubric.status(met_from(rubric)).label,
            contradicted: denied as u64,
            contradictions,
        }
    }
}

impl Overview {
    /// The verdicts as others see them, with the names of the documents.
    pub fn set_verdicts(&self) -> SetVerdicts {
        SetVerdicts {
            run: self.run.number,
            documents: self.documents.iter().map(|entry| entry.name.clone()).collect(),
            report: self.set.report.clone(),
        }
    }
}

/// A place of the plan.
pub(crate) fn place(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// Only the rule judge notes a denial, and quotes it. What a person decided is that person's word.
fn found_in(cell: &MatrixCellRow, rubric: &Rubric) -> Found {
    let is_judged = !cell.is_decided;
    match (cell.outcome, cell.score) {
        (None, _) => Found::Pending,
        (Some(ResultOutcome::Scored), Some(score)) => {
            if is_judged && cell.is_denial && cell.quotes > 0 {
                Found::Denied(score)
            } else if is_judged && cell.quotes == 0 && score < denied_below(rubric) {
                // Nothing was quoted and nothing is met: the document says nothing about it.
                Found::Silent(score)
            } else {
                Found::Scored(score)
            }
        }
        (Some(ResultOutcome::NotApplicable), _) => Found::NotApplicable,
        (Some(ResultOutcome::NeedsInformation), _) => Found::NeedsInformation,
        _ => Found::Failed,
    }
}

/// The group that a criterion's file put it in.
pub(crate) fn category(properties: Option<&Value>) -> Option<String> {
    let properties = properties?;
    let named = GROUPS.iter().find_map(|name| properties[*name].as_str());
    named.filter(|name| !name.trim().is_empty()).map(ToOwned::to_owned)
}

/// How much a criterion counts; 1 unless its file says otherwise.
pub(crate) fn weight(properties: Option<&Value>) -> f64 {
    stated_weight(properties).unwrap_or(1.0)
}

/// How much a criterion counts, where its file says so.
pub(crate) fn stated_weight(properties: Option<&Value>) -> Option<f64> {
    let weight = properties?[WEIGHT].as_f64();
    weight.filter(|weight| weight.is_finite() && *weight >= 0.0)
}

#[cfg(test)]
mod tests {
    use assize_methods::schema::fields;

    use super::*;

    fn criterion(id: &str, weight: f64, group: &str) -> CriterionRow {
        CriterionRow {
            criteria_id: id.to_owned(),
            requirement: String::new(),
            properties: Some(fields([("weight", weight.into()), ("category", group.into())])),
            assignee: None,
        }
    }

    fn cell((criterion, document): (i64, i64), score: Option<f64>) -> MatrixCellRow {
        MatrixCellRow {
            position: criterion * 10 + document,
            criterion,
            document,
            outcome: score.map(|_| ResultOutcome::Scored),
            score,
            is_decided: false,
            quotes: 1,
            is_denial: false,
        }
    }

    fn at_a_glance(set: &SetOfDocuments) -> SetAtAGlance {
        set.at_a_glance(&Rubric::default(), &["x".to_owned(), "y".to_owned(), "z".to_owned()])
    }

    #[test]
    fn a_set_is_the_weighted_mean_of_what_has_a_score_and_met_from_the_upper_tiers_on() {
        let criteria = vec![
            criterion("A", 3.0, "access"),
            criterion("B", 1.0, "audit"),
            criterion("C", 9.0, "audit"),
        ];
        let cells = vec![cell((0, 0), Some(61.0)), cell((1, 0), Some(21.0)), cell((2, 0), None)];
        let set = SetOfDocuments::new(criteria, Arc::new(cells), &Rubric::default());
        let shown = at_a_glance(&set);
        // (3 x 61 + 1 x 21) / 4
        assert_eq!(shown.score, Some(51.0));
        assert_eq!((shown.criteria, shown.met, shown.open, shown.without_score), (3, 1, 1, 1));
        assert_eq!(shown.met_from, Rubric::default().tiers()[3].label);
        let weakest: Vec<_> = set.weakest().iter().map(|one| (one.0, one.1)).collect();
        assert_eq!(weakest, [(1, 21.0), (0, 61.0)]);
        let none = SetOfDocuments::new(Vec::new(), Arc::default(), &Rubric::default());
        assert_eq!((at_a_glance(&none).score, at_a_glance(&none).criteria), (None, 0));
    }

    #[test]
    fn what_a_document_denies_is_open_unless_a_person_decided_or_nothing_is_quoted() {
        let denied = |change: fn(&mut MatrixCellRow)| {
            let mut denial = MatrixCellRow { is_denial: true, ..cell((0, 1), Some(10.0)) };
            change(&mut denial);
            let cells = vec![cell((0, 0), Some(90.0)), denial, cell((0, 2), Some(30.0))];
            let set = SetOfDocuments::new(
                vec![criterion("A", 1.0, "")],
                Arc::new(cells),
                &Rubric::default(),
            );
            let shown = at_a_glance(&set);
            let by: Vec<_> = shown.contradictions.into_iter().map(|one| one.document).collect();
            (shown.score, shown.met, by)
        };
        assert_eq!(denied(|_| {}), (Some(60.0), 0, vec!["y".to_owned()]));
        assert_eq!(denied(|cell| cell.is_decided = true), (Some(90.0), 1, vec![]));
        assert_eq!(denied(|cell| cell.quotes = 0), (Some(90.0), 1, vec![]));
    }

    #[test]
    fn a_document_that_says_nothing_never_decides() {
        let silent = MatrixCellRow { quotes: 0, ..cell((0, 0), Some(18.0)) };
        let cells = vec![silent, cell((0, 1), Some(12.0))];
        let set =
            SetOfDocuments::new(vec![criterion("A", 1.0, "")], Arc::new(cells), &Rubric::default());
        let only = &set.report.verdicts[0];
        assert_eq!((only.score, only.document), (Some(12.0), Some(1)));
        let alone = set.only_document(0, &Rubric::default());
        let only = &alone.report.verdicts[0];
        assert_eq!((only.score, only.document), (Some(18.0), None));
    }
}
