//! Criteria sets: imported, listed, and configured with rubric and response structure.

use std::collections::BTreeMap;

use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
use assize_methods::schema::fields;
use assize_store::{CriteriaItem, CriteriaSet, StoreError};
use chrono::Utc;
use serde_json::Value;

use super::error::ComplianceError;
use super::registry::Registry;

/// The property of a criterion that is no longer part of its set, but of runs.
const RETIRED: &str = "retired";

/// A criterion to import: what it says, and what else its file says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// What it says.
    pub criterion: Criterion,
    /// Its group, its title, its parameters.
    pub properties: Option<Value>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportEnded {
    /// The set.
    pub set: CriteriaSet,
    /// Whether it was made now.
    pub is_new: bool,
    /// Criteria that were not there before.
    pub added: usize,
    /// Criteria that say something else now.
    pub changed: usize,
    /// Criteria that stayed as they were.
    pub unchanged: usize,
    /// Criteria that the file does not have any more.
    pub removed: usize,
}

impl Registry {
    /// The criteria set of that name.
    pub async fn criteria_set(&self, name: &str) -> Result<CriteriaSet, ComplianceError> {
        let found = self.find_criteria_set(name).await?;
        found.ok_or_else(|| ComplianceError::missing("criteria set", name))
    }

    /// The criteria set of that name, if there is one.
    pub async fn find_criteria_set(
        &self,
        name: &str,
    ) -> Result<Option<CriteriaSet>, ComplianceError> {
        Ok(self.store.criteria_sets().find(&self.organisation, name).await?)
    }

    /// The criteria of a set, in order.
    pub async fn criteria(&self, set: &CriteriaSet) -> Result<Vec<CriteriaItem>, ComplianceError> {
        let mut items = self.store.criteria_items().list(&self.organisation, &set.id).await?;
        items.retain(|item| !is_retired(item));
        Ok(items)
    }

    /// Makes a set hold just these criteria. Those that runs have used are kept for them.
    pub async fn import_criteria(
        &self,
        name: &str,
        description: &str,
        imported: &[Imported],
    ) -> Result<ImportEnded, ComplianceError> {
        let (set, is_new) = self.make_criteria_set(name, description).await?;
        let there = self.store.criteria_items().list(&self.organisation, &set.id).await?;
        let mut there: BTreeMap<&str, &CriteriaItem> =
            there.iter().map(|item| (item.criteria_id.as_str(), item)).collect();
        let mut ended = ImportEnded {
            set: set.clone(),
            is_new,
            added: 0,
            changed: 0,
            unchanged: 0,
            removed: 0,
        };
        let mut rows = Vec::with_capacity(imported.len());
        for (order, Imported { criterion, properties }) in (0..).zip(imported) {
            let row = CriteriaItem {
                description: criterion.description.clone(),
                properties: properties.clone(),
                ..CriteriaItem::new(&set.id, &criterion.id, &criterion.requirement, order)
            };
            match there.remove(criterion.id.as_str()) {
                Some(old) if *old == row => ended.unchanged += 1,
                Some(_) => ended.changed += 1,
                None => ended.added += 1,
            }
            rows.push(row);
        }
        self.store.criteria_items().put_all(&self.organisation, &set.id, &rows).await?;
        for old in there.into_values().filter(|item| !is_retired(item)) {
            self.retire(&set, old).await?;
            ended.removed += 1;
        }
        Ok(ended)
    }

    async fn make_criteria_set(
        &self,
        name: &str,
        description: &str,
    ) -> Result<(CriteriaSet, bool), ComplianceError> {
        if let Some(mut set) = self.find_criteria_set(name).await? {
            if !description.is_empty() && set.description != description {
                description.clone_into(&mut set.description);
                self.update(&mut set).await?;
            }
            return Ok((set, false));
        }
        let mut set = CriteriaSet::new(&self.organisation, name, Utc::now());
        description.clone_into(&mut set.description);
        self.store.criteria_sets().insert(&set).await?;
        Ok((set, true))
    }

    /// Removes a criterion, or, where a run used it, marks it as no longer part of the set.
    async fn retire(&self, set: &CriteriaSet, item: &CriteriaItem) -> Result<(), ComplianceError> {
        match self.store.criteria_items().delete(&self.organisation, &item.id).await {
            Err(StoreError::Attached(_)) => {
                let retired = CriteriaItem {
                    properties: Some(fields([(RETIRED, true.into())])),
                    ..item.clone()
                };
                Ok(self
                    .store
                    .criteria_items()
                    .put_all(&self.organisation, &set.id, &[retired])
                    .await?)
            }
            other => Ok(other?),
        }
    }

    /// Changes the rubric of a set; none is the default.
    pub async fn set_rubric(
        &self,
        set: &mut CriteriaSet,
        rubric: Option<&Rubric>,
    ) -> Result<(), ComplianceError> {
        let rubric = rubric.cloned().unwrap_or_default();
        set.scoring_rubric = serde_json::to_value(rubric).ok();
        self.update(set).await
    }

    /// Changes the response structure of a set; none is the default.
    pub async fn set_structure(
        &self,
        set: &mut CriteriaSet,
        structure: Option<&ResponseStructure>,
    ) -> Result<(), ComplianceError> {
        let structure = structure.cloned().unwrap_or_default();
        set.response_structure = serde_json::to_value(structure).ok();
        self.update(set).await
    }

    pub(super) async fn update(&self, set: &mut CriteriaSet) -> Result<(), ComplianceError> {
        set.updated_at = Utc::now();
        Ok(self.store.criteria_sets().update(set).await?)
    }
}

fn is_retired(item: &CriteriaItem) -> bool {
    item.properties.as_ref().is_some_and(|properties| properties[RETIRED] == true)
}

/// The rubric of a set.
pub fn rubric(set: &CriteriaSet) -> Result<Rubric, ComplianceError> {
    Ok(Rubric::from_json(set.scoring_rubric.as_ref())?)
}

/// The response structure of a set.
pub fn structure(set: &CriteriaSet) -> Result<ResponseStructure, ComplianceError> {
    Ok(ResponseStructure::from_json(set.response_structure.as_ref())?)
}
