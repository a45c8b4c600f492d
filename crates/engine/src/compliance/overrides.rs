//! What people say instead of the judge; the judge's value stays beside it.

use std::collections::BTreeMap;

use assize_methods::schema::fields;
use assize_store::{
    Change, CriteriaResult, Override, OverrideId, ResultId, ResultOutcome, Run, RunId,
};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value as Json;

use super::error::ComplianceError;
use super::material::Criteria;
use super::registry::Registry;

/// What a person says counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Current {
    /// What came of it; `None` leaves the judge's word.
    pub outcome: Option<ResultOutcome>,
    /// The score; none where it does not apply or cannot be told.
    pub score: Option<f64>,
}

impl Current {
    /// What counts: a person's word where there is one, or else the judge's.
    pub fn effective(
        this: Option<&Self>,
        outcome: ResultOutcome,
        score: Option<f64>,
    ) -> (ResultOutcome, Option<f64>) {
        match this {
            Some(Self { score: Some(score), .. }) => (ResultOutcome::Scored, Some(*score)),
            Some(Self { outcome: Some(other), .. }) if *other != ResultOutcome::Scored => {
                (*other, None)
            }
            _ => (outcome, score),
        }
    }
}

impl From<&Change> for Current {
    fn from(change: &Change) -> Self {
        Self { outcome: change.outcome, score: change.score }
    }
}

impl Registry {
    /// The overrides of a run that count.
    pub(super) async fn current_overrides(
        &self,
        run: &RunId,
    ) -> Result<BTreeMap<ResultId, Current>, ComplianceError> {
        let entries = self.store.overrides().current_of_run(&self.organisation, run).await?;
        Ok(entries.iter().map(|entry| (entry.result_id.clone(), (&entry.change).into())).collect())
    }

    /// The result of a document and a criterion of a run. The document may be left out where
    /// there is only one.
    #[boxed]
    pub async fn find_result(
        &self,
        run: &Run,
        criterion: &str,
        document: Option<&str>,
    ) -> Result<CriteriaResult, ComplianceError> {
        let criteria = Criteria::of(self.store.runs().criteria(&self.organisation, &run.id).await?);
        let place = criteria.criteria.iter().position(|known| known.id == criterion);
        let item = place
            .map(|place| &criteria.ids[place])
            .ok_or_else(|| ComplianceError::missing("criterion", criterion))?;
        let mut found = None;
        let mut names = Vec::new();
        for id in self.store.runs().documents(&self.organisation, &run.id).await? {
            let name = self.document_by_id(&id).await?.entry.name;
            if document.is_none_or(|wanted| wanted == name) {
                found = Some(id);
            }
            names.push(name);
        }
        if document.is_none() && names.len() > 1 {
            let because = format!("the run has {} documents: choose one of them", names.len());
            return Err(ComplianceError::Refused(because));
        }
        let wanted = document.unwrap_or_default();
        let document = found.ok_or_else(|| ComplianceError::missing("document", wanted))?;
        let id = ResultId::in_run(&run.id, &document, item);
        let results = self.store.results();
        if let Some(result) = results.get(&self.organisation, &id).await? {
            return Ok(result);
        }
        // Results from before ids followed from their pair.
        let all = results.of_document(&self.organisation, &run.id, &document).await?;
        all.into_iter().find(|result| result.criteria_item_id == *item).ok_or_else(|| {
            ComplianceError::Refused(format!("{criterion} has no result yet: resume the run"))
        })
    }

    /// Puts a person's word beside the judge's, or takes it back.
    #[boxed]
    pub async fn override_result(
        &self,
        result: &ResultId,
        change: Change,
        author: &str,
        reason: &str,
    ) -> Result<Override, ComplianceError> {
        let entry = Override {
            id: OverrideId::of(&[result.as_str()]),
            result_id: result.clone(),
            sequence: 0,
            change,
            author: author.to_owned(),
            reason: reason.to_owned(),
            created_at: Utc::now(),
        };
        let overrides = self.store.overrides();
        let before = overrides.current(&self.organisation, result).await?;
        let kept = overrides.add(&self.organisation, entry).await?;
        let action = if kept.change.is_withdrawal { "revert" } else { "override" };
        let before = before.map(|entry| said(&entry.change));
        let after = (!kept.change.is_withdrawal).then(|| said(&kept.change));
        // Who says it is who did it, wherever they were asked for their name.
        let said_by = Self { who: author.to_owned(), ..self.clone() };
        said_by.note([action, "result", result.as_str()], (before, after)).await?;
        Ok(kept)
    }
}

/// What was said, for the audit: of sections their names and not their words.
fn said(change: &Change) -> Json {
    let names = change.sections.as_ref().and_then(Json::as_object);
    let names: Vec<&str> = names.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    fields([
        ("score", change.score.into()),
        ("outcome", change.outcome.map(ResultOutcome::word).into()),
        ("sections", names.into()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_counts_before_the_judge_and_what_does_not_apply_has_no_number() {
        let judge = (ResultOutcome::Scored, Some(40.0));
        let effective = |this: Option<Current>| Current::effective(this.as_ref(), judge.0, judge.1);
        assert_eq!(effective(None), judge);
        let score = Current { outcome: None, score: Some(70.0) };
        assert_eq!(effective(Some(score)), (ResultOutcome::Scored, Some(70.0)));
        let not = Current { outcome: Some(ResultOutcome::NotApplicable), score: None };
        assert_eq!(effective(Some(not)), (ResultOutcome::NotApplicable, None));
        let only_words = Current { outcome: None, score: None };
        assert_eq!(effective(Some(only_words)), judge);
    }
}
