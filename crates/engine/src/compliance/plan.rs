//! Planning a run: which documents, which criteria, and everything that decides the outcome.

use std::sync::atomic::{AtomicU64, Ordering};

use assize_methods::compliance::Rubric;
use assize_store::{
    CriteriaItemId, CriteriaSet, DocSet, DocumentEntry, DocumentId, Instrument, NewRun, Run, RunId,
};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::configuration::{Configuration, TemplateUsed, hash_of};
use super::criteria;
use super::error::{ComplianceError, Result};
use crate::Workspace;
use crate::asking::JudgeName;
use crate::runs::find::find;
use crate::summary::request::check_repeat;

/// How many runs this process planned.
static PLANS: AtomicU64 = AtomicU64::new(0);

/// What is to be judged, and how.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// What documents are evaluated against.
    pub criteria_set: &'a CriteriaSet,
    /// Where the documents are from.
    pub document_set: &'a DocSet,
    pub documents: Vec<DocumentEntry>,
    /// Who judges.
    pub judge: JudgeName,
    /// The words of the question; only models need them.
    pub template: Option<TemplateUsed>,
    /// Another rubric than the set's.
    pub rubric: Option<Rubric>,
    /// How much of a document a model is shown, in tokens.
    pub context_tokens: usize,
    /// Whether ids of criteria are hidden in the documents.
    pub masks_identifiers: bool,
    /// How often each pair is judged.
    pub repeat: u32,
    /// Which of several replies to the same question counts.
    pub attempt: u32,
}

impl Workspace {
    /// Writes the plan down. Nothing is judged yet.
    pub async fn plan(&self, plan: Plan<'_>) -> Result<Run> {
        if !matches!(plan.judge, JudgeName::Rules | JudgeName::Model(_)) {
            let because = "documents can be judged by `rules` or one model, not by a panel";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        check_repeat(plan.repeat, plan.judge.asks_models())
            .map_err(|error| ComplianceError::Refused(error.to_string()))?;
        let items = self.criteria(plan.criteria_set).await?;
        if items.is_empty() {
            let because = format!("the criteria set `{}` is empty", plan.criteria_set.name);
            return Err(ComplianceError::Refused(because));
        }
        if plan.documents.is_empty() {
            let because = format!("the document set `{}` is empty", plan.document_set.name);
            return Err(ComplianceError::Refused(because));
        }
        let words = items.iter().flat_map(|item| {
            [item.criteria_id.as_str(), item.requirement.as_str(), item.description.as_str()]
        });
        let hash = |entry: &DocumentEntry| entry.content_hash.clone().unwrap_or_default();
        let configuration = Configuration {
            judge: plan.judge.to_string(),
            rubric: match plan.rubric {
                Some(rubric) => rubric,
                None => criteria::rubric(plan.criteria_set)?,
            },
            structure: criteria::structure(plan.criteria_set)?,
            template: plan.template,
            context_tokens: plan.context_tokens,
            masks_identifiers: plan.masks_identifiers,
            repeat: plan.repeat,
            attempt: plan.attempt,
            criteria_hash: hash_of(words),
            document_hashes: plan.documents.iter().map(hash).collect(),
        };
        let now = Utc::now();
        // A server plans several in one moment; the count tells them apart.
        let count = PLANS.fetch_add(1, Ordering::Relaxed).to_string();
        let parts = [configuration.hash(), std::process::id().to_string(), count];
        let run = NewRun {
            id: RunId::at(now, &parts.each_ref().map(String::as_str)),
            organisation_id: self.organisation.clone(),
            instrument: Instrument::Compliance,
            name: None,
            criteria_set_id: Some(plan.criteria_set.id.clone()),
            doc_set_id: Some(plan.document_set.id.clone()),
            configuration_hash: Some(configuration.hash()),
            configuration: ComplianceError::json("the configuration of a run", &configuration)?,
            method_version: Some(Configuration::method()),
            material: None,
            who: self.who.clone(),
            created_at: now,
        };
        let documents: Vec<DocumentId> = plan.documents.into_iter().map(|entry| entry.id).collect();
        let items: Vec<CriteriaItemId> = items.into_iter().map(|item| item.id).collect();
        self.store.plans().plan(&run, &documents, &items).await?;
        let planned = self.store.runs().get(&self.organisation, &run.id).await?;
        planned.ok_or_else(|| ComplianceError::missing("run", run.id.as_str()))
    }

    /// A compliance run by what people call it: `12`, `#12`, its name, its id, the end of its
    /// id, or `latest`.
    #[boxed]
    pub async fn find_compliance_run(&self, name: &str) -> Result<Run> {
        let only = Some(Instrument::Compliance);
        Ok(find(&self.store, &self.organisation, name, only).await?)
    }
}

/// The part of a run's id that people write: what stands after its last hyphen.
pub fn short(run: &RunId) -> &str {
    run.as_str().rsplit('-').next().unwrap_or_default()
}
