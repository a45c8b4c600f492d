//! Criteria sets: imported, listed, and configured with rubric and response structure.

use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
use assize_methods::schema::fields;
pub use assize_store::CriteriaImported as ImportEnded;
use assize_store::{CriteriaItem, CriteriaSet};
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
        let mut set = CriteriaSet::new(&self.organisation, name, Utc::now());
        description.clone_into(&mut set.description);
        let item = |Imported { criterion, properties }: &Imported| CriteriaItem {
            description: criterion.description.clone(),
            properties: properties.clone(),
            ..CriteriaItem::new(&set.id, &criterion.id, &criterion.requirement, 0)
        };
        let items: Vec<CriteriaItem> = imported.iter().map(item).collect();
        Ok(self.store.import_criteria(&set, &items, &fields([(RETIRED, true.into())])).await?)
    }

    /// Changes the rubric of a set; none is the default.
    pub async fn set_rubric(
        &self,
        set: &mut CriteriaSet,
        rubric: Option<&Rubric>,
    ) -> Result<(), ComplianceError> {
        let rubric = rubric.cloned().unwrap_or_default();
        set.scoring_rubric = ComplianceError::json("the rubric", &rubric)?;
        self.update(set).await
    }

    /// Changes the response structure of a set; none is the default.
    pub async fn set_structure(
        &self,
        set: &mut CriteriaSet,
        structure: Option<&ResponseStructure>,
    ) -> Result<(), ComplianceError> {
        let structure = structure.cloned().unwrap_or_default();
        set.response_structure = ComplianceError::json("the response structure", &structure)?;
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
