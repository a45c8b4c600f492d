//! What people say about the items of a run: decisions beside the judge, and ratings.

use assize_store::{
    AuditEntry, Change, Consequences, CriteriaSet, Decision, DecisionKind, Label, Run,
};
use assize_wire::Listing;
use assize_wire::audit as audit_shape;
use assize_wire::runs::{CommentEntry, DecisionEntry, LabelEntry};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{Result, RunError};
use crate::Workspace;

/// A rating to add.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLabel {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// About which measure.
    pub measure: String,
    /// The number.
    pub value: Option<f64>,
    /// The word.
    pub label: Option<String>,
    /// What they want to add.
    pub note: Option<String>,
}

impl Workspace {
    /// What people decided, item by item.
    #[boxed]
    pub async fn decisions(&self, run: &Run) -> Result<Vec<DecisionEntry>> {
        let all = self.store.decisions().list(&run.id).await?;
        Ok(all.into_iter().map(decision_entry).collect())
    }

    /// What people decided about one item.
    #[boxed]
    pub async fn decisions_about(&self, run: &Run, position: i64) -> Result<Vec<DecisionEntry>> {
        let all = self.store.decisions().about(&run.id, position).await?;
        Ok(all.into_iter().map(decision_entry).collect())
    }

    /// Adds a comment to an item, which is named by its number from 1.
    #[boxed]
    pub async fn comment(&self, run: &Run, number: i64, words: &str) -> Result<()> {
        let (position, words) = (number - 1, words.trim());
        has_items(run, [position])?;
        if words.is_empty() {
            return Err(RunError::Refused("a comment must not be empty".to_owned()));
        }
        let decision = Decision {
            position,
            sequence: 0,
            kind: DecisionKind::Comment,
            target: String::new(),
            change: Change::default(),
            is_current: true,
            author: self.who.clone(),
            reason: words.to_owned(),
            created_at: Utc::now(),
        };
        let subject = format!("{} item {position}", run.id);
        let entry = self.audited(["comment", "run item", subject.as_str()]);
        let audit = Some(entry.with(None, Some(words.into())));
        let with = Consequences { audit, ..Consequences::default() };
        Ok(self.store.decisions().add(&run.id, &decision, with).await?)
    }

    /// The comments on an item, the oldest first.
    #[boxed]
    pub async fn comments_on(&self, run: &Run, position: i64) -> Result<Vec<CommentEntry>> {
        has_items(run, [position])?;
        let mut all = self.store.decisions().about(&run.id, position).await?;
        all.retain(|one| one.kind == DecisionKind::Comment);
        let entry = |one: Decision| CommentEntry {
            text: one.reason,
            author: one.author,
            created_at: one.created_at,
        };
        Ok(all.into_iter().map(entry).collect())
    }

    /// How people rated items.
    #[boxed]
    pub async fn labels(&self, run: &Run) -> Result<Vec<LabelEntry>> {
        let entry = |one: Label| LabelEntry {
            position: one.position,
            rater: one.rater,
            measure: one.measure,
            value: one.value,
            label: one.label,
            note: one.note,
            created_at: one.created_at,
        };
        Ok(self.store.labels().list(&run.id).await?.into_iter().map(entry).collect())
    }

    /// Adds ratings of one person, who is whoever the workspace acts for. Returns all of the run.
    #[boxed]
    pub async fn add_labels(&self, run: &Run, new: Vec<NewLabel>) -> Result<Vec<LabelEntry>> {
        has_items(run, new.iter().map(|one| one.position))?;
        let mut rated = std::collections::BTreeSet::new();
        if !new.iter().all(|one| rated.insert((one.position, one.measure.as_str()))) {
            let because = "the same measure of the same item is rated twice".to_owned();
            return Err(RunError::Refused(because));
        }
        let label = |one: NewLabel| Label {
            position: one.position,
            rater: self.who.clone(),
            measure: one.measure,
            value: one.value,
            label: one.label,
            note: one.note,
            created_at: Utc::now(),
        };
        let labels: Vec<Label> = new.into_iter().map(label).collect();
        self.store.labels().put(&run.id, &labels).await?;
        self.labels(run).await
    }

    /// A page of the audit, the newest first.
    #[boxed]
    pub async fn audit_page(
        &self,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Listing<audit_shape::AuditEntry>> {
        Ok(listed(self.store.audit().page(&self.organisation, before, limit + 1).await?, limit))
    }

    /// A page of the changes of a criteria set, the newest first.
    #[boxed]
    pub async fn set_versions(
        &self,
        set: &CriteriaSet,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Listing<audit_shape::AuditEntry>> {
        let of = ("criteria set", set.id.as_str());
        let page = self.store.audit().page_of(&self.organisation, of, before, limit + 1).await?;
        Ok(listed(page, limit))
    }
}

fn decision_entry(one: Decision) -> DecisionEntry {
    let Change { is_withdrawal, outcome, score, value } = one.change;
    DecisionEntry {
        position: one.position,
        sequence: one.sequence,
        kind: one.kind.to_string(),
        target: one.target,
        outcome: outcome.map(|outcome| outcome.to_string()),
        score,
        value,
        withdrawal: is_withdrawal,
        current: one.is_current,
        author: one.author,
        reason: one.reason,
        created_at: one.created_at,
    }
}

/// A page of which one entry more than wanted was read, to see whether there is a next one.
fn listed(mut page: Vec<AuditEntry>, limit: i64) -> Listing<audit_shape::AuditEntry> {
    let has_more = i64::try_from(page.len()).is_ok_and(|count| count > limit);
    if has_more {
        page.pop();
    }
    let items: Vec<_> = page.into_iter().map(audited).collect();
    let next = items.last().filter(|_| has_more).map(|last| last.sequence.to_string());
    Listing { items, next }
}

fn has_items(run: &Run, positions: impl IntoIterator<Item = i64>) -> Result<()> {
    match positions.into_iter().find(|position| !(0..run.items).contains(position)) {
        Some(position) => Err(RunError::Missing(format!("#{} item {position}", run.number))),
        None => Ok(()),
    }
}

/// An entry of the audit in the shape that programs see.
pub(crate) fn audited(entry: AuditEntry) -> audit_shape::AuditEntry {
    audit_shape::AuditEntry {
        sequence: entry.sequence.unwrap_or_default(),
        at: entry.at,
        who: entry.who,
        address: entry.address,
        action: entry.action,
        subject: entry.subject,
        subject_id: entry.subject_id,
        before: entry.before,
        after: entry.after,
        hash: entry.hash.unwrap_or_default(),
    }
}
