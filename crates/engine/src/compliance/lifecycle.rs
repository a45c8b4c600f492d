//! Renaming, archiving and removing sets and documents. What runs have used is not removed:
//! it is archived, and they keep it.

use assize_store::{CriteriaSet, DocSet, StoreError};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{ComplianceError, Result};
use crate::Workspace;

impl Workspace {
    /// Gives a criteria set another name.
    #[boxed]
    pub async fn rename_criteria_set(&self, mut set: CriteriaSet, name: &str) -> Result<()> {
        check_name(name)?;
        if self.find_criteria_set(name).await?.is_some() {
            return Err(taken("criteria set", name));
        }
        let before = std::mem::replace(&mut set.name, name.to_owned());
        self.update(&mut set).await?;
        let values = (Some(before.into()), Some(name.into()));
        Ok(self.note(["rename", "criteria set", set.id.as_str()], values).await?)
    }

    /// Leaves a criteria set out of lists, or shows it again.
    #[boxed]
    pub async fn archive_criteria_set(
        &self,
        mut set: CriteriaSet,
        is_archived: bool,
    ) -> Result<()> {
        set.archived_at = is_archived.then(Utc::now);
        self.update(&mut set).await?;
        self.audit_of(archived(is_archived), "criteria set", set.id.as_str()).await
    }

    /// Removes a criteria set that no run used, with its criteria and truth keys.
    #[boxed]
    pub async fn delete_criteria_set(&self, set: &CriteriaSet) -> Result<()> {
        let done = self.store.criteria_sets().delete(&self.organisation, &set.id).await;
        kept(done, "criteria set", &set.name)?;
        let before = Some(set.name.as_str().into());
        Ok(self.note(["delete", "criteria set", set.id.as_str()], (before, None)).await?)
    }

    /// Gives a document set another name.
    #[boxed]
    pub async fn rename_document_set(&self, mut set: DocSet, name: &str) -> Result<()> {
        check_name(name)?;
        if self.store.doc_sets().find(&self.organisation, name).await?.is_some() {
            return Err(taken("document set", name));
        }
        let before = std::mem::replace(&mut set.name, name.to_owned());
        self.store.doc_sets().update(&set).await?;
        let values = (Some(before.into()), Some(name.into()));
        Ok(self.note(["rename", "document set", set.id.as_str()], values).await?)
    }

    /// Leaves a document set out of lists, or shows it again.
    #[boxed]
    pub async fn archive_document_set(&self, mut set: DocSet, is_archived: bool) -> Result<()> {
        set.archived_at = is_archived.then(Utc::now);
        self.store.doc_sets().update(&set).await?;
        self.audit_of(archived(is_archived), "document set", set.id.as_str()).await
    }

    /// Removes a document set that no run used, with its documents and truth keys.
    #[boxed]
    pub async fn delete_document_set(&self, set: &DocSet) -> Result<()> {
        let done = self.store.doc_sets().delete(&self.organisation, &set.id).await;
        kept(done, "document set", &set.name)?;
        let before = Some(set.name.as_str().into());
        Ok(self.note(["delete", "document set", set.id.as_str()], (before, None)).await?)
    }

    /// Gives all versions of a document another name.
    #[boxed]
    pub async fn rename_document(&self, set: &DocSet, name: &str, to: &str) -> Result<()> {
        check_name(to)?;
        let all = self.store.documents().list(&self.organisation, &set.id).await?;
        if all.iter().any(|entry| entry.name == to) {
            return Err(taken("document", to));
        }
        found(self.store.documents().rename(&set.id, name, to).await?, name)?;
        let values = (Some(name.into()), Some(to.into()));
        Ok(self.note(["rename", "document", name], values).await?)
    }

    /// Leaves a document out of lists and new runs, or takes it in again.
    #[boxed]
    pub async fn archive_document(
        &self,
        set: &DocSet,
        name: &str,
        is_archived: bool,
    ) -> Result<()> {
        let at = is_archived.then(Utc::now);
        found(self.store.documents().archive(&set.id, name, at).await?, name)?;
        self.audit_of(archived(is_archived), "document", name).await
    }

    /// Removes all versions of a document that no run used.
    #[boxed]
    pub async fn delete_document(&self, set: &DocSet, name: &str) -> Result<()> {
        let done = self.store.documents().delete_named(&set.id, name).await;
        found(kept(done, "document", name)?, name)?;
        self.audit_of("delete", "document", name).await
    }

    async fn audit_of(&self, action: &str, what: &str, id: &str) -> Result<()> {
        Ok(self.note([action, what, id], (None, None)).await?)
    }
}

fn archived(is_archived: bool) -> &'static str {
    if is_archived { "archive" } else { "unarchive" }
}

fn check_name(name: &str) -> Result<()> {
    if name.trim() == name && !name.is_empty() {
        return Ok(());
    }
    let because = "a name is not empty and has no space at its ends";
    Err(ComplianceError::Refused(because.to_owned()))
}

fn taken(what: &str, name: &str) -> ComplianceError {
    ComplianceError::Refused(format!("{what} `{name}` already exists: choose another name"))
}

fn found(count: u64, name: &str) -> Result<()> {
    if count == 0 { Err(ComplianceError::missing("document", name)) } else { Ok(()) }
}

/// What runs have used stays.
fn kept<T>(done: Result<T, StoreError>, what: &str, name: &str) -> Result<T> {
    match done {
        Err(StoreError::Attached(_)) => {
            let because = format!(
                "the {what} `{name}` is used by runs: archive it, or delete those runs first"
            );
            Err(ComplianceError::Refused(because))
        }
        done => Ok(done?),
    }
}
