//! Prompt templates: versions that never change once they are used.

use assize_methods::compliance::AssessTemplate;
use assize_methods::schema::fields;
use assize_store::{CriteriaSet, PromptTemplate, PromptTemplateId, StoreError};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::configuration::TemplateUsed;
use super::error::{ComplianceError, Result};
use crate::Workspace;

/// What the template that comes with the program is called.
pub(crate) const BUILT_IN: &str = "default";

impl Workspace {
    /// All templates with all versions; the one that comes with the program is among them.
    #[boxed]
    pub async fn templates(&self) -> Result<Vec<PromptTemplate>> {
        let own = match self.built_in().await {
            Ok(_) => None,
            // A database that can only be read cannot take in the program's own; it is shown all
            // the same.
            Err(ComplianceError::Store(StoreError::ReadOnly(_))) => Some(self.unstored()),
            Err(other) => return Err(other),
        };
        let mut listed = self.store.prompt_templates().list(&self.organisation).await?;
        let is_there = listed.iter().any(|template| template.name == BUILT_IN);
        listed.extend(own.filter(|_| !is_there));
        Ok(listed)
    }

    /// Adds a template, or a version to one. Words that are already the latest are not added.
    #[boxed]
    pub async fn add_template(&self, name: &str, body: &str) -> Result<PromptTemplate> {
        let body = AssessTemplate::new(body)?;
        if name.is_empty() || name.contains('@') {
            let because = "a template name must not be empty or contain @".to_owned();
            return Err(ComplianceError::Refused(because));
        }
        let known = self.store.prompt_templates().latest(&self.organisation, name).await?;
        let added = self.kept_template(name, &body).await?;
        if known.is_none_or(|known| known.id != added.id) {
            let after = fields([("name", name.into()), ("version", added.version.into())]);
            self.note(["insert", "template", added.id.as_str()], (None, Some(after))).await?;
        }
        Ok(added)
    }

    async fn kept_template(&self, name: &str, body: &AssessTemplate) -> Result<PromptTemplate> {
        let templates = self.store.prompt_templates();
        Ok(templates.add(&self.organisation, name, body.text(), Utc::now()).await?)
    }

    /// A template by `NAME` (its latest version) or `NAME@VERSION`.
    #[boxed]
    pub async fn find_template(&self, named: &str) -> Result<PromptTemplate> {
        let missing = || ComplianceError::missing("template", named);
        let (name, version) = match named.rsplit_once('@') {
            Some((name, version)) => (name, Some(version.parse::<i64>().map_err(|_| missing())?)),
            None => (named, None),
        };
        let fits = |template: &PromptTemplate| {
            template.name == name && version.is_none_or(|version| template.version == version)
        };
        let all = self.templates().await?;
        all.into_iter().rev().find(fits).ok_or_else(missing)
    }

    /// The template for a set: the one that is named, or else the set's, or else the one that
    /// comes with the program. From now on it does not change.
    #[boxed]
    pub(crate) async fn template_for(
        &self,
        set: &CriteriaSet,
        named: Option<&str>,
    ) -> Result<TemplateUsed> {
        let template = match (named, &set.prompt_template_id) {
            (Some(named), _) => self.find_template(named).await?,
            (None, Some(id)) => {
                let found = self.store.prompt_templates().get(&self.organisation, id).await?;
                found.ok_or_else(|| ComplianceError::missing("template", id.as_str()))?
            }
            (None, None) => self.built_in().await?,
        };
        self.used(template).await
    }

    /// Notes that a template is being used.
    #[boxed]
    pub async fn used(&self, template: PromptTemplate) -> Result<TemplateUsed> {
        let templates = self.store.prompt_templates();
        templates.mark_used(&self.organisation, &template.id, Utc::now()).await?;
        let PromptTemplate { id, name, version, body, .. } = template;
        Ok(TemplateUsed { id, name, version, body: AssessTemplate::new(body)? })
    }

    /// Makes evaluations of a set use this template; none is the one of the program.
    #[boxed]
    pub async fn choose_template(
        &self,
        set: &mut CriteriaSet,
        template: Option<&PromptTemplate>,
    ) -> Result<()> {
        let before = set.prompt_template_id.take();
        set.prompt_template_id = template.map(|template| template.id.clone());
        self.update(set).await?;
        let value = |id: Option<&PromptTemplateId>| id.map(|id| id.as_str().into());
        let values = (value(before.as_ref()), value(set.prompt_template_id.as_ref()));
        self.audit_set("template", set, values).await
    }

    /// The program's own template as it would be stored.
    fn unstored(&self) -> PromptTemplate {
        PromptTemplate {
            id: PromptTemplateId::of(&[self.organisation.as_str(), BUILT_IN]),
            organisation_id: self.organisation.clone(),
            name: BUILT_IN.to_owned(),
            version: 1,
            body: AssessTemplate::default().text().to_owned(),
            created_at: Utc::now(),
            used_at: None,
        }
    }

    async fn built_in(&self) -> Result<PromptTemplate> {
        // Nobody changes anything by it: the words are the program's.
        self.kept_template(BUILT_IN, &AssessTemplate::default()).await
    }
}
