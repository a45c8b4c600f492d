//! Criteria sets: what documents are held against, and how scores are given.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Transaction;
use crate::error::Result;
use crate::ids::{CriteriaSetId, OrganisationId, PromptTemplateId};
use crate::record::{handle, named, record};
use crate::value::{Value, values};

record! {
    /// A set of criteria with its rubric.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct CriteriaSet {
        /// Which one.
        pub id: CriteriaSetId,
        /// Whose it is.
        pub organisation_id: OrganisationId,
        /// What it is called.
        pub name: String,
        /// What it is about; may be empty.
        pub description: String,
        /// Its tiers; without them the default tiers.
        pub scoring_rubric: Option<Json>,
        /// The sections of its answers; without them one text, `explanation`.
        pub response_structure: Option<Json>,
        /// The prompt it is judged with; without it the default.
        pub prompt_template_id: Option<PromptTemplateId>,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// When it was changed last.
        pub updated_at: DateTime<Utc>,
        /// Since when lists leave it out.
        pub archived_at: Option<DateTime<Utc>>,
        /// Who judges it unless somebody else is named.
        pub default_judge: Option<String>,
        /// The search that found judge, template and rubric, if one did.
        pub promoted_by: Option<String>,
    }
}

impl CriteriaSet {
    /// A set with the default tiers, sections and prompt.
    pub fn new(organisation: &OrganisationId, name: &str, now: DateTime<Utc>) -> Self {
        Self {
            id: CriteriaSetId::of(&[organisation.as_str(), name]),
            organisation_id: organisation.clone(),
            name: name.to_owned(),
            description: String::new(),
            scoring_rubric: None,
            response_structure: None,
            prompt_template_id: None,
            created_at: now,
            updated_at: now,
            archived_at: None,
            default_judge: None,
            promoted_by: None,
        }
    }
}

handle!(CriteriaSets, criteria_sets, "The criteria sets of a store.");
named!(CriteriaSets, CriteriaSet, CriteriaSetId, "eval_criteria_sets", "criteria set");

/// Everything about a set but its id, its owner and when it was made.
const CHANGE: &str = "UPDATE eval_criteria_sets SET name = $3, description = $4, \
    scoring_rubric = $5, response_structure = $6, prompt_template_id = $7, updated_at = $8, \
    archived_at = $9, default_judge = $10, promoted_by = $11 \
    WHERE id = $1 AND organisation_id = $2";

impl CriteriaSets<'_> {
    /// Adds one.
    #[boxed]
    pub async fn insert(&self, set: &CriteriaSet) -> Result<()> {
        self.0.database.put("eval_criteria_sets", set).await
    }

    /// Changes everything about one but its id, its owner and when it was made.
    #[boxed]
    pub async fn update(&self, set: &CriteriaSet) -> Result<()> {
        self.0.database.change(CHANGE, &changed(set), ("criteria set", &set.id)).await
    }

    /// The same, unless somebody changed it since. Returns whether it was changed.
    #[boxed]
    pub async fn update_since(&self, set: &CriteriaSet, since: DateTime<Utc>) -> Result<bool> {
        let sql = format!("{CHANGE} AND updated_at = $12");
        let values = [&changed(set)[..], &values![since][..]].concat();
        Ok(self.0.database.execute(&sql, &values).await? > 0)
    }
}

/// The values of [`CHANGE`].
fn changed(set: &CriteriaSet) -> [Value<'_>; 11] {
    values![
        &set.id,
        &set.organisation_id,
        &set.name,
        &set.description,
        &set.scoring_rubric,
        &set.response_structure,
        &set.prompt_template_id,
        set.updated_at,
        set.archived_at,
        &set.default_judge,
        &set.promoted_by,
    ]
}

/// Adds one, unless another process was faster. Returns whether it was added.
pub(crate) async fn add(transaction: &mut Transaction, set: &CriteriaSet) -> Result<bool> {
    let ending = "ON CONFLICT (id) DO NOTHING RETURNING id";
    let sets = std::slice::from_ref(set);
    Ok(!transaction.put("eval_criteria_sets", sets, ending).await?.is_empty())
}

/// The set that has the name of this one; the oldest if there are several.
pub(crate) async fn named(
    transaction: &mut Transaction,
    set: &CriteriaSet,
) -> Result<Option<CriteriaSet>> {
    let sql = "SELECT * FROM eval_criteria_sets WHERE name = $1 AND organisation_id = $2 \
        ORDER BY created_at, id LIMIT 1";
    transaction.find(sql, &values![&set.name, &set.organisation_id]).await
}
