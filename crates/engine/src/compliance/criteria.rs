//! Criteria sets: imported, listed, and configured with rubric and response structure.

use assize_methods::compliance::{Criterion, ResponseStructure, Rubric};
use assize_methods::schema::fields;
pub use assize_store::CriteriaImported as ImportEnded;
use assize_store::{CriteriaItem, CriteriaSet, CriteriaSetId};
use async_recursion::async_recursion as boxed;
use chrono::{TimeDelta, Utc};
use serde_json::Value;

use super::error::{ComplianceError, Result};
use super::wire::edited_tag;
use crate::Workspace;

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

impl Workspace {
    /// The criteria set with that id, which stays, or of that name, which may change.
    #[boxed]
    pub async fn criteria_set(&self, name: &str) -> Result<CriteriaSet> {
        let sets = self.store.criteria_sets();
        if let Some(set) = sets.get(&self.organisation, &CriteriaSetId::from(name)).await? {
            return Ok(set);
        }
        let found = self.find_criteria_set(name).await?;
        found.ok_or_else(|| ComplianceError::missing("criteria set", name))
    }

    /// The criteria set of that name, if there is one.
    #[boxed]
    pub(crate) async fn find_criteria_set(&self, name: &str) -> Result<Option<CriteriaSet>> {
        Ok(self.store.criteria_sets().find(&self.organisation, name).await?)
    }

    /// The criteria of a set, in order.
    #[boxed]
    pub async fn criteria(&self, set: &CriteriaSet) -> Result<Vec<CriteriaItem>> {
        let mut items = self.store.criteria_items().list(&self.organisation, &set.id).await?;
        items.retain(|item| !is_retired(item));
        Ok(items)
    }

    /// How many criteria a set of that name holds, which an import would replace.
    #[boxed]
    pub async fn criteria_to_replace(&self, name: &str) -> Result<Option<usize>> {
        let Some(set) = self.find_criteria_set(name).await? else { return Ok(None) };
        Ok(Some(self.criteria(&set).await?.len()))
    }

    /// Refuses the name of a set that is there: whoever brings a list may not know of it.
    #[boxed]
    pub async fn check_new_set(&self, name: &str) -> Result<()> {
        match self.criteria_to_replace(name).await? {
            None => Ok(()),
            Some(criteria) => Err(ComplianceError::SetExists { name: name.to_owned(), criteria }),
        }
    }

    /// Makes a set hold just these criteria. Those that runs have used are kept for them.
    #[boxed]
    pub async fn import_criteria(
        &self,
        name: &str,
        description: &str,
        imported: &[Imported],
    ) -> Result<ImportEnded> {
        let mut set = CriteriaSet::new(&self.organisation, name, Utc::now());
        description.clone_into(&mut set.description);
        let item = |Imported { criterion, properties }: &Imported| CriteriaItem {
            description: criterion.description.clone(),
            properties: properties.clone(),
            ..CriteriaItem::new(&set.id, &criterion.id, &criterion.requirement, 0)
        };
        let items: Vec<CriteriaItem> = imported.iter().map(item).collect();
        let ended = self.store.import_criteria(&set, &items, &retired()).await?;
        let after = fields([
            ("name", name.into()),
            ("criteria", imported.len().into()),
            ("added", ended.added.into()),
            ("changed", ended.changed.into()),
            ("removed", ended.removed.into()),
        ]);
        self.audit_set("import", &ended.set, (None, Some(after))).await?;
        Ok(ended)
    }

    /// Changes the rubric of a set; none is the default.
    #[boxed]
    pub async fn set_rubric(&self, set: &mut CriteriaSet, rubric: Option<&Rubric>) -> Result<()> {
        let before = set.clone();
        let rubric = rubric.cloned().unwrap_or_default();
        set.scoring_rubric = ComplianceError::json("the rubric", &rubric)?;
        self.update(set).await?;
        self.audit_edit((&before, set), rubric_tree).await
    }

    /// Changes the response structure of a set; none is the default.
    #[boxed]
    pub async fn set_structure(
        &self,
        set: &mut CriteriaSet,
        structure: Option<&ResponseStructure>,
    ) -> Result<()> {
        let before = set.clone();
        let structure = structure.cloned().unwrap_or_default();
        set.response_structure = ComplianceError::json("the response structure", &structure)?;
        self.update(set).await?;
        self.audit_edit((&before, set), structure_tree).await
    }

    /// Changes the rubric of a set that is still as the caller saw it; `None` if it is not.
    #[boxed]
    pub async fn replace_rubric(
        &self,
        mut set: CriteriaSet,
        seen: &str,
        rubric: &Rubric,
    ) -> Result<Option<CriteriaSet>> {
        let before = set.clone();
        set.scoring_rubric = ComplianceError::json("the rubric", rubric)?;
        self.save_if((&before, set), seen, rubric_tree).await
    }

    /// Changes the response structure of a set that is still as the caller saw it.
    #[boxed]
    pub async fn replace_structure(
        &self,
        mut set: CriteriaSet,
        seen: &str,
        structure: &ResponseStructure,
    ) -> Result<Option<CriteriaSet>> {
        let before = set.clone();
        set.response_structure = ComplianceError::json("the response structure", structure)?;
        self.save_if((&before, set), seen, structure_tree).await
    }

    async fn save_if(
        &self,
        (before, mut set): (&CriteriaSet, CriteriaSet),
        seen: &str,
        part: fn(&CriteriaSet) -> Result<Option<Value>>,
    ) -> Result<Option<CriteriaSet>> {
        if edited_tag(before) != seen {
            return Ok(None);
        }
        // Later than before even when two save within a microsecond: the tag must change.
        set.updated_at = Utc::now().max(before.updated_at + TimeDelta::microseconds(1));
        let saved = self.store.criteria_sets().update_since(&set, before.updated_at).await?;
        if !saved {
            return Ok(None);
        }
        self.audit_edit((before, &set), part).await?;
        Ok(Some(set))
    }

    /// Notes that a part of a set is another one.
    pub(crate) async fn audit_edit(
        &self,
        (before, after): (&CriteriaSet, &CriteriaSet),
        part: fn(&CriteriaSet) -> Result<Option<Value>>,
    ) -> Result<()> {
        self.audit_set("update", after, (part(before)?, part(after)?)).await
    }

    pub(super) async fn audit_set(
        &self,
        action: &str,
        set: &CriteriaSet,
        values: (Option<Value>, Option<Value>),
    ) -> Result<()> {
        Ok(self.note([action, "criteria set", set.id.as_str()], values).await?)
    }

    pub(super) async fn update(&self, set: &mut CriteriaSet) -> Result<()> {
        set.updated_at = Utc::now();
        Ok(self.store.criteria_sets().update(set).await?)
    }
}

/// The properties of a criterion that is only kept for runs.
pub(crate) fn retired() -> Value {
    fields([(RETIRED, true.into())])
}

fn is_retired(item: &CriteriaItem) -> bool {
    item.properties.as_ref().is_some_and(|properties| properties[RETIRED] == true)
}

/// The rubric of a set.
pub fn rubric(set: &CriteriaSet) -> Result<Rubric> {
    Ok(Rubric::from_json(set.scoring_rubric.as_ref())?)
}

/// Whether these can be the criteria of a set of that name.
pub fn check_criteria(name: &str, criteria: &[Imported]) -> Result<()> {
    let refused = |because: String| Err(ComplianceError::Refused(because));
    if name.trim() != name || name.is_empty() {
        return refused(
            "the name of a set must not be empty or have leading or trailing spaces".to_owned(),
        );
    }
    let mut ids = std::collections::BTreeSet::new();
    for Imported { criterion, .. } in criteria {
        if criterion.id.trim().is_empty() || criterion.requirement.trim().is_empty() {
            return refused("every criterion needs an id and a requirement".to_owned());
        }
        if !ids.insert(criterion.id.as_str()) {
            return refused(format!("duplicate criterion id `{}`", criterion.id));
        }
    }
    if ids.is_empty() { refused("a set needs at least one criterion".to_owned()) } else { Ok(()) }
}

/// The response structure of a set.
pub fn structure(set: &CriteriaSet) -> Result<ResponseStructure> {
    Ok(ResponseStructure::from_json(set.response_structure.as_ref())?)
}

/// The rubric of a set as a tree, for the audit.
pub(crate) fn rubric_tree(set: &CriteriaSet) -> Result<Option<Value>> {
    ComplianceError::json("the rubric", &rubric(set)?)
}

/// The response structure of a set as a tree, for the audit.
pub(crate) fn structure_tree(set: &CriteriaSet) -> Result<Option<Value>> {
    ComplianceError::json("the response structure", &structure(set)?)
}
