//! Sets, runs and results in the shapes that programs outside see.

use assize_wire::compliance as shape;
use async_recursion::async_recursion as boxed;

use super::criteria::{rubric, structure};
use super::detail::Detail;
use super::error::Result;
use super::material::Cited;
use super::optimize::Search;
use super::optimize::proceed::Proceeded;
use super::overview::{Line, Mean, Overview};
use super::set_verdicts::{category, weight};
use super::truth::Named;
use crate::Workspace;
use crate::store::{
    CriteriaItem, CriteriaSet, Decision, DocSet, DocumentEntry, OptCandidate, OptRun,
};

impl Workspace {
    /// Every criteria set that is not archived.
    #[boxed]
    pub async fn criteria_set_entries(&self) -> Result<Vec<shape::CriteriaSetEntry>> {
        let mut entries = self.all_criteria_set_entries().await?;
        entries.retain(|entry| !entry.archived);
        Ok(entries)
    }

    /// Every criteria set, archived or not.
    #[boxed]
    pub(crate) async fn all_criteria_set_entries(&self) -> Result<Vec<shape::CriteriaSetEntry>> {
        let mut entries = Vec::new();
        for set in self.store.criteria_sets().list(&self.organisation).await? {
            entries.push(shape::CriteriaSetEntry {
                criteria: self.criteria(&set).await?.len(),
                tiers: rubric(&set)?.tiers().len(),
                id: set.id.to_string(),
                name: set.name,
                description: set.description,
                updated_at: set.updated_at,
                judge: set.default_judge,
                archived: set.archived_at.is_some(),
            });
        }
        Ok(entries)
    }

    /// Every document set that is not archived.
    #[boxed]
    pub async fn document_set_entries(&self) -> Result<Vec<shape::DocumentSetEntry>> {
        let mut entries = self.all_document_set_entries().await?;
        entries.retain(|entry| !entry.archived);
        Ok(entries)
    }

    /// Every document set, archived or not.
    #[boxed]
    pub async fn all_document_set_entries(&self) -> Result<Vec<shape::DocumentSetEntry>> {
        let mut entries = Vec::new();
        for set in self.store.doc_sets().list(&self.organisation).await? {
            entries.push(self.document_set_entry(set).await?);
        }
        Ok(entries)
    }

    /// A document set as lists show it.
    #[boxed]
    pub async fn document_set_entry(&self, set: DocSet) -> Result<shape::DocumentSetEntry> {
        Ok(shape::DocumentSetEntry {
            id: set.id.to_string(),
            documents: self.current_documents(&set).await?.len(),
            name: set.name,
            created_at: set.created_at,
            archived: set.archived_at.is_some(),
        })
    }

    /// The documents of a set, each in its latest version.
    #[boxed]
    pub async fn document_entries(&self, set: &DocSet) -> Result<Vec<shape::DocumentEntry>> {
        Ok(self.current_documents(set).await?.into_iter().map(document).collect())
    }

    /// What analysts would have answered.
    #[boxed]
    pub async fn truth_entries(
        &self,
        documents: &DocSet,
        criteria: &CriteriaSet,
    ) -> Result<Vec<shape::TruthKeyEntry>> {
        let entry = |named: Named| shape::TruthKeyEntry {
            document: named.document,
            criteria_id: named.criterion,
            expected_score: named.key.expected_score,
            sections: named.key.response_sections,
            analyst: named.key.analyst,
            is_adjudicated: named.key.is_adjudicated,
            note: named.key.note,
            updated_at: named.key.updated_at,
        };
        Ok(self.truth(documents, criteria).await?.into_iter().map(entry).collect())
    }
}

/// A document in a list.
pub fn document(entry: DocumentEntry) -> shape::DocumentEntry {
    shape::DocumentEntry {
        id: entry.id.to_string(),
        name: entry.name,
        version: entry.version,
        media_type: entry.media_type,
        content_hash: entry.content_hash,
        bytes: entry.byte_count,
        created_at: entry.created_at,
    }
}

/// What tells two states of a set apart: who saves names the one they saw.
pub fn edited_tag(set: &CriteriaSet) -> String {
    format!("\"{}\"", set.updated_at.timestamp_micros())
}

/// A criteria set in full.
pub fn criteria_set(set: &CriteriaSet, items: &[CriteriaItem]) -> Result<shape::CriteriaSet> {
    let criterion = |item: &CriteriaItem| shape::Criterion {
        criteria_id: item.criteria_id.clone(),
        requirement: item.requirement.clone(),
        description: item.description.clone(),
        category: category(item.properties.as_ref()),
        weight: weight(item.properties.as_ref()),
    };
    Ok(shape::CriteriaSet {
        id: set.id.to_string(),
        name: set.name.clone(),
        description: set.description.clone(),
        scoring_rubric: rubric(set)?,
        response_structure: structure(set)?,
        judge: set.default_judge.clone(),
        promoted_by: set.promoted_by.clone(),
        criteria: items.iter().map(criterion).collect(),
    })
}

impl Overview {
    /// The run with all its results; `worked` is for how many seconds it was worked on just now,
    /// and how many results that made.
    pub fn to_wire(&self, worked: Option<(f64, u64)>) -> shape::Run {
        let mean = Mean::of(&self.lines);
        let (found, all) = self.citations();
        let tiers = self.configuration.rubric.tiers().iter().zip(self.tiers());
        let tier = |(tier, results): (&assize_methods::compliance::Tier, usize)| shape::Tier {
            label: tier.label.clone(),
            min: tier.min,
            max: tier.max,
            results,
        };
        shape::Run {
            run: self.run.id.to_string(),
            state: self.run.state.to_string(),
            judge: self.configuration.judge.clone(),
            criteria_set: self.criteria_set.name.clone(),
            document_set: self.document_set.name.clone(),
            planned: self.planned(),
            scored: mean.scored,
            unscored: mean.unscored,
            mean: mean.mean,
            citations: all,
            citations_found: found,
            tiers: tiers.map(tier).collect(),
            results: self.lines.iter().map(|line| self.line(line)).collect(),
            seconds: worked.map(|(seconds, _)| seconds),
            judged: worked.map(|(_, judged)| judged),
        }
    }

    fn line(&self, line: &Line) -> shape::ResultLine {
        shape::ResultLine {
            document: self.documents[line.document].name.clone(),
            criteria_id: self.criteria.criteria[line.criterion].id.clone(),
            outcome: line.outcome.to_string(),
            score: line.score,
            status: self.status(line).map(|status| status.label),
            ai_score: line.ai_score,
            confidence: line.confidence,
            overridden: line.is_overridden,
            reason: line.reason.clone(),
        }
    }
}

impl Detail {
    /// One result in full.
    pub fn to_wire(&self) -> shape::ResultDetail<'_, Cited, Decision> {
        shape::ResultDetail {
            criteria_id: &self.criterion.id,
            requirement: &self.criterion.requirement,
            document: &self.document.name,
            outcome: self.result.outcome.to_string(),
            score: self.result.score,
            status: self.status.as_ref(),
            ai_score: self.result.ai_score_value,
            confidence: self.result.ai_confidence,
            reason: self.result.reason.as_deref(),
            sections: self.result.ai_result.as_ref(),
            citations: &self.citations,
            ledger: self.ledger.as_ref(),
            raw_answer: self.raw_answer.as_deref(),
            exchanges: self.exchanges.as_ref(),
            overrides: &self.history,
        }
    }
}

impl Proceeded {
    /// A search with what it tried.
    pub fn to_wire(&self) -> shape::Search<'_, OptCandidate> {
        shape::Search {
            search: self.search.run.id.as_str(),
            state: self.search.run.state.to_string(),
            candidates: &self.search.names,
            decision: self.decision.as_ref(),
            rows: &self.search.candidates,
        }
    }
}

impl Workspace {
    /// Every search of the organisation, the latest first.
    #[boxed]
    pub async fn searches(&self) -> Result<Vec<shape::SearchView>> {
        let mut views = Vec::new();
        for run in self.store.optimisations().list(&self.organisation).await? {
            views.push(self.search_view(run).await?);
        }
        Ok(views)
    }

    /// A search with what it tried.
    #[boxed]
    pub async fn search_view(&self, run: OptRun) -> Result<shape::SearchView> {
        let Search { run, candidates, names } = self.search(run).await?;
        let tried = |(one, name): (OptCandidate, String)| shape::Tried {
            name,
            judge: one.judge,
            tune: one.tune,
            holdout: one.holdout,
            promoted: one.is_promoted,
        };
        Ok(shape::SearchView {
            search: run.id.to_string(),
            state: run.state.to_string(),
            failure: run.failure,
            created_at: run.created_at,
            candidates: candidates.into_iter().zip(names).map(tried).collect(),
            decision: run.verdict,
        })
    }
}
