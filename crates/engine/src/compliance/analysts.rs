//! Several analysts: how far they agree, what was settled, and results that become their keys.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::analysts::{agreement, disputes};
use assize_methods::compliance::truth::TruthKey as Held;
use assize_store::{CriteriaResult, CriteriaSet, DocSet, Run, TruthKey};
use assize_wire::truth::{Analysts, DisputeEntry};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value;

use super::configuration::Configuration;
use super::criteria::rubric;
use super::error::{ComplianceError, Result};
use super::truth::{Named, settled};
use crate::Workspace;

/// What somebody settles a difference at.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjudication<'a> {
    /// The document's name.
    pub document: &'a str,
    /// The criterion's id.
    pub criterion: &'a str,
    /// The score from now on; none goes back to what the analysts say.
    pub score: Option<f64>,
    /// What each section should say; none keeps what the first analyst wrote.
    pub sections: Option<BTreeMap<String, String>>,
    /// Why.
    pub reason: &'a str,
    pub who: &'a str,
}

impl Workspace {
    /// How far the analysts of a set agree, and where they differ.
    #[boxed]
    pub async fn analysts(&self, documents: &DocSet, criteria: &CriteriaSet) -> Result<Analysts> {
        let rubric = rubric(criteria)?;
        let keys = self.current_truth(documents, criteria).await?;
        let held: Vec<Held> = keys.iter().map(Named::held).collect();
        let disputes = disputes(&held, &rubric).into_iter().map(|dispute| {
            let is_of_it = |named: &&Named| {
                named.document == dispute.document && named.criterion == dispute.criteria_id
            };
            let own: Vec<&Named> = keys.iter().filter(is_of_it).collect();
            let settled = own.iter().find(|named| named.key.is_adjudicated);
            let since = settled.map(|named| named.key.updated_at);
            DisputeEntry {
                adjudicator: settled.and_then(|named| named.key.analyst.clone()),
                reason: settled.and_then(|named| named.key.note.clone()),
                adjudicated_at: since,
                is_outdated: since
                    .is_some_and(|since| own.iter().any(|named| named.key.updated_at > since)),
                dispute,
            }
        });
        Ok(Analysts {
            disputes: disputes.collect(),
            agreement: agreement(&held, &rubric),
            basis: settled(keys, &rubric).1,
        })
    }

    /// Settles what analysts say differently, or opens it again; accuracy follows it.
    #[boxed]
    pub async fn adjudicate(
        &self,
        (documents, criteria): (&DocSet, &CriteriaSet),
        wanted: &Adjudication<'_>,
    ) -> Result<()> {
        check(wanted)?;
        let Adjudication { document, criterion, score, reason, who, .. } = *wanted;
        let rubric = rubric(criteria)?;
        let mut own = self.current_truth(documents, criteria).await?;
        own.retain(|named| named.document == document && named.criterion == criterion);
        let Some(first) = own.first() else {
            let because = format!("no analyst has judged {document} × {criterion} yet");
            return Err(ComplianceError::Refused(because));
        };
        let known = own.iter().find(|named| named.key.is_adjudicated).map(|named| &named.key);
        let before = known.map(|key| Value::from(key.expected_score));
        let keys = self.store.truth_keys();
        let (document_id, criteria_item_id) =
            (first.key.document_id.clone(), first.key.criteria_item_id.clone());
        match (score, known) {
            (Some(score), _) => {
                let now = Utc::now();
                let key = TruthKey {
                    id: TruthKey::adjudicated_id_of(&document_id, &criteria_item_id),
                    organisation_id: self.organisation.clone(),
                    document_id,
                    criteria_item_id,
                    expected_score: score,
                    score_range: tier(&rubric, score),
                    response_sections: match &wanted.sections {
                        Some(sections) => ComplianceError::json("a truth key", sections)?,
                        None => first.key.response_sections.clone(),
                    },
                    analyst: Some(who.to_owned()),
                    note: Some(reason.trim().to_owned()),
                    created_at: now,
                    updated_at: now,
                    is_adjudicated: true,
                };
                keys.put(&self.organisation, &[key]).await?;
            }
            (None, Some(key)) => keys.delete(&self.organisation, &key.id).await?,
            (None, None) => {
                let because = format!("{document} × {criterion} has not been adjudicated");
                return Err(ComplianceError::Refused(because));
            }
        }
        let what = ["adjudicate", "truth key", &format!("{document} × {criterion}")];
        let entry = self.audited(what).with(before, score.map(Value::from));
        Ok(self.store.audit().record(&entry).await?)
    }

    /// Keeps what counts about a result, a person's word before the judge's, as an analyst's
    /// truth key. Of the sections only those are expected that a person wrote.
    #[boxed]
    pub async fn keep_as_truth(
        &self,
        run: &Run,
        result: CriteriaResult,
        analyst: &str,
    ) -> Result<TruthKey> {
        let rubric = Configuration::of(run)?.rubric;
        let detail = self.detail(run, result).await?;
        let Some(expected_score) = detail.result.score else {
            let because = "a result without a score cannot become a truth key";
            return Err(ComplianceError::Refused(because.to_owned()));
        };
        let (document_id, criteria_item_id) =
            (detail.result.document_id.clone(), detail.result.criteria_item_id.clone());
        // Why they decided so is what another analyst wants to know.
        let said = detail.current();
        let note = match said.filter(|entry| entry.author == analyst) {
            Some(entry) => format!("from run #{}: {}", run.number, entry.reason),
            None => format!("from run #{}", run.number),
        };
        let now = Utc::now();
        let key = TruthKey {
            id: TruthKey::id_of(&document_id, &criteria_item_id, Some(analyst)),
            organisation_id: self.organisation.clone(),
            document_id,
            criteria_item_id,
            expected_score,
            score_range: tier(&rubric, expected_score),
            response_sections: said.and_then(|entry| entry.change.value.clone()),
            analyst: Some(analyst.to_owned()),
            note: Some(note),
            created_at: now,
            updated_at: now,
            is_adjudicated: false,
        };
        self.store.truth_keys().put(&self.organisation, std::slice::from_ref(&key)).await?;
        let document = self.document_by_id(&key.document_id).await?.entry.name;
        let item = &key.criteria_item_id;
        let criterion = self.store.plans().criterion(&self.organisation, &run.id, item).await?;
        let criterion = criterion.map_or_else(|| item.to_string(), |one| one.criteria_id);
        self.audit_truth((&document, &criterion), expected_score).await?;
        Ok(key)
    }
}

fn tier(rubric: &Rubric, score: f64) -> i64 {
    i64::try_from(rubric.tier(score)).unwrap_or(1)
}

fn check(wanted: &Adjudication<'_>) -> Result<()> {
    let because = if wanted.reason.trim().is_empty() {
        "a decision needs a reason"
    } else if wanted.who.trim().is_empty() {
        "a decision needs an author"
    } else if wanted.score.is_some_and(|score| !(0.0..=100.0).contains(&score)) {
        "a truth key must be a score from 0 to 100"
    } else {
        return Ok(());
    };
    Err(ComplianceError::Refused(because.to_owned()))
}
