//! What holds for the documents of a run taken together, criterion by criterion.

use std::collections::BTreeMap;

use assize_methods::compliance::set_verdicts::{
    Documents, Found, SetReport, denied_below, set_report,
};
use assize_store::{CriteriaItemId, ResultOutcome};
use assize_wire::verdicts::SetVerdicts;
use async_recursion::async_recursion as boxed;
use serde_json::Value;

use super::error::ComplianceError;
use super::overview::Overview;
use crate::Workspace;

/// The property of a criterion that names its group.
pub(crate) const CATEGORY: &str = "category";
/// The property that says how much it counts.
pub(crate) const WEIGHT: &str = "weight";

/// Other names of a group, as catalogs have them.
pub(crate) const GROUPS: [&str; 3] = [CATEGORY, "group", "family"];

impl Workspace {
    /// The verdicts for the documents of a run taken together.
    #[boxed]
    pub async fn set_verdicts(&self, overview: &Overview) -> Result<SetReport, ComplianceError> {
        // As they were planned: who changes a weight changes no run that is there.
        let planned = self.store.plans().criteria(&self.organisation, &overview.run.id).await?;
        let properties: BTreeMap<CriteriaItemId, Option<Value>> =
            planned.into_iter().map(|item| (item.criteria_item_id, item.properties)).collect();
        let documents = overview.documents.len();
        let mut found = vec![vec![Found::Pending; documents]; overview.criteria.ids.len()];
        for line in &overview.lines {
            found[line.criterion][line.document] = match (line.outcome, line.score) {
                (ResultOutcome::Scored, Some(score)) if line.is_denial => Found::Denied(score),
                // Nothing was quoted and nothing is met: the document says nothing about it. What a
                // person decided is that person's word.
                (ResultOutcome::Scored, Some(score))
                    if line.citations.1 == 0
                        && !line.is_overridden
                        && score < denied_below(&overview.configuration.rubric) =>
                {
                    Found::Silent(score)
                }
                (ResultOutcome::Scored, Some(score)) => Found::Scored(score),
                (ResultOutcome::NotApplicable, _) => Found::NotApplicable,
                (ResultOutcome::NeedsInformation, _) => Found::NeedsInformation,
                _ => Found::Failed,
            };
        }
        let known: Vec<(Option<String>, f64)> = overview
            .criteria
            .ids
            .iter()
            .map(|id| properties.get(id).and_then(Option::as_ref))
            .map(|properties| (category(properties), weight(properties)))
            .collect();
        let criteria: Vec<Documents<'_>> = overview
            .criteria
            .criteria
            .iter()
            .zip(&known)
            .zip(&found)
            .map(|((criterion, (category, weight)), found)| Documents {
                criteria_id: &criterion.id,
                category: category.as_deref(),
                weight: *weight,
                found,
            })
            .collect();
        Ok(set_report(&criteria, &overview.configuration.rubric))
    }

    /// The same as others see it, with the names of the documents.
    #[boxed]
    pub async fn set_verdicts_view(
        &self,
        overview: &Overview,
    ) -> Result<SetVerdicts, ComplianceError> {
        Ok(SetVerdicts {
            run: overview.run.number,
            documents: overview.documents.iter().map(|entry| entry.name.clone()).collect(),
            report: self.set_verdicts(overview).await?,
        })
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
