//! Prompt templates: a change is a new version, and a version that was used stays as it is.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, PromptTemplateId};
use crate::record::{handle, owned, record};
use crate::value::values;

record! {
    /// One version of a template.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PromptTemplate {
        /// Which one.
        pub id: PromptTemplateId,
        /// Whose it is.
        pub organisation_id: OrganisationId,
        /// What it is called.
        pub name: String,
        /// Which version, from 1.
        pub version: i64,
        /// The words, with places for what is asked about.
        pub body: String,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// When it was first used; from then on it stays as it is.
        pub used_at: Option<DateTime<Utc>>,
    }
}

handle!(PromptTemplates, prompt_templates, "The prompt templates of a store.");
owned!(PromptTemplates, PromptTemplate, PromptTemplateId, "eval_prompt_templates", "name, version");

impl PromptTemplates<'_> {
    /// Adds the next version of a template, or the first. If the latest version has the same
    /// words, it is returned instead.
    #[boxed]
    pub async fn add(
        &self,
        organisation: &OrganisationId,
        name: &str,
        body: &str,
        now: DateTime<Utc>,
    ) -> Result<PromptTemplate> {
        let mut transaction = self.0.database.begin().await?;
        let sql = "SELECT * FROM eval_prompt_templates WHERE organisation_id = $1 AND name = $2 \
            ORDER BY version DESC LIMIT 1";
        let latest: Option<PromptTemplate> =
            transaction.find(sql, &values![organisation, name]).await?;
        let version = match latest {
            Some(latest) if latest.body == body => return Ok(latest),
            Some(latest) => latest.version + 1,
            None => 1,
        };
        let template = PromptTemplate {
            id: PromptTemplateId::of(&[organisation.as_str(), name, &version.to_string()]),
            organisation_id: organisation.clone(),
            name: name.to_owned(),
            version,
            body: body.to_owned(),
            created_at: now,
            used_at: None,
        };
        transaction.put("eval_prompt_templates", std::slice::from_ref(&template), "").await?;
        transaction.commit().await?;
        Ok(template)
    }

    /// The latest version of a template.
    #[boxed]
    pub async fn latest(
        &self,
        organisation: &OrganisationId,
        name: &str,
    ) -> Result<Option<PromptTemplate>> {
        let sql = "SELECT * FROM eval_prompt_templates WHERE organisation_id = $1 AND name = $2 \
            ORDER BY version DESC LIMIT 1";
        self.0.database.find(sql, &values![organisation, name]).await
    }

    /// Notes that a version is being used. From now on it does not change.
    #[boxed]
    pub async fn mark_used(
        &self,
        organisation: &OrganisationId,
        id: &PromptTemplateId,
        at: DateTime<Utc>,
    ) -> Result<()> {
        let sql = "UPDATE eval_prompt_templates SET used_at = COALESCE(used_at, $3) \
            WHERE id = $1 AND organisation_id = $2";
        let values = values![id, organisation, at];
        self.0.database.change(sql, &values, ("prompt template", id)).await
    }

    /// Changes the words of a version that was not used yet.
    #[boxed]
    pub async fn edit(
        &self,
        organisation: &OrganisationId,
        id: &PromptTemplateId,
        body: &str,
    ) -> Result<()> {
        let sql = "UPDATE eval_prompt_templates SET body = $3 \
            WHERE id = $1 AND organisation_id = $2 AND used_at IS NULL";
        if self.0.database.execute(sql, &values![id, organisation, body]).await? == 1 {
            return Ok(());
        }
        let (what, is_there) = ("prompt template", self.get(organisation, id).await?.is_some());
        let id = id.to_string();
        Err(if is_there {
            StoreError::Frozen { what, id }
        } else {
            StoreError::Missing { what, id }
        })
    }
}
