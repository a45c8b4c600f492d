//! Planning a search: keys, split and candidates.

use assize_methods::compliance::Rubric;
use assize_methods::compliance::optimize::split;
use assize_methods::schema::fields;
use assize_store::{
    CriteriaSet, DocSet, OptCandidate, OptCandidateId, OptRun, OptRunId, PromptTemplate, RunState,
};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::SearchPlan;
use crate::Workspace;
use crate::asking::JudgeName;
use crate::compliance::criteria::rubric;
use crate::compliance::error::{ComplianceError, Result};
use crate::compliance::truth::{Named, settled};

/// The fewest keys that can be divided with any sense.
const KEYS_MIN: usize = 6;

/// What is to be tried.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The documents with truth keys.
    pub documents: &'a DocSet,
    pub criteria: &'a CriteriaSet,
    /// Who may judge; the first is the one in use.
    pub judges: Vec<JudgeName>,
    /// Templates to try beside the set's own.
    pub templates: Vec<PromptTemplate>,
    /// Rubrics to try beside the set's own.
    pub rubrics: Vec<Rubric>,
    /// How many of the keys are held out, 0 to 1.
    pub hold_out: f64,
    /// What deals them out.
    pub seed: u64,
    /// How much of a document a model is shown, in tokens.
    pub context_tokens: usize,
    /// Who proposes other templates, if anybody.
    pub proposer: Option<JudgeName>,
    /// How many templates may be proposed; fewer if the proposer repeats itself.
    pub proposals: usize,
    /// Whether the winner is to be used from now on.
    pub promotes: bool,
}

impl Workspace {
    /// Writes the search down. Nothing is judged yet.
    #[boxed]
    pub async fn plan_search(&self, wanted: &Wanted<'_>) -> Result<OptRun> {
        let keys = self.current_truth(wanted.documents, wanted.criteria).await?;
        let (keys, _) = settled(keys, &rubric(wanted.criteria)?);
        if keys.len() < KEYS_MIN {
            let because = format!(
                "{} truth keys are too few to tune and validate on; at least {KEYS_MIN} are needed",
                keys.len()
            );
            return Err(ComplianceError::Refused(because));
        }
        let held: Vec<_> = keys.iter().map(Named::held).collect();
        let pairs =
            keys.into_iter().map(|named| (named.key.document_id, named.key.criteria_item_id));
        let plan = SearchPlan {
            pairs: pairs.collect(),
            split: split(&held, wanted.hold_out, wanted.seed),
            context_tokens: wanted.context_tokens,
            proposer: wanted.proposer.as_ref().map(ToString::to_string),
            proposals: wanted.proposals,
            promotes: wanted.promotes,
        };
        let now = Utc::now();
        let run = OptRun {
            id: OptRunId::at(now, &[wanted.criteria.id.as_str(), &std::process::id().to_string()]),
            organisation_id: self.organisation.clone(),
            criteria_set_id: wanted.criteria.id.clone(),
            doc_set_id: wanted.documents.id.clone(),
            state: RunState::Planned,
            configuration: ComplianceError::json("the plan of a search", &plan)?,
            verdict: None,
            failure: None,
            created_at: now,
            started_at: None,
            ended_at: None,
        };
        let candidates = candidates(&run, wanted)?;
        if candidates.len() < 2 && wanted.proposals == 0 {
            let because = "there is nothing to choose from: give another judge, template or \
                rubric, or a model that proposes templates";
            return Err(ComplianceError::Refused(because.to_owned()));
        }
        self.store.optimisations().put(&run).await?;
        self.store.optimisations().put_candidates(&self.organisation, &run.id, &candidates).await?;
        let after = fields([
            ("criteria set", wanted.criteria.name.as_str().into()),
            ("candidates", candidates.len().into()),
        ]);
        self.note(["create", "optimisation", run.id.as_str()], (None, Some(after))).await?;
        Ok(run)
    }

    /// A search by the end of its id, or `latest`.
    #[boxed]
    pub async fn find_search(&self, name: &str) -> Result<OptRun> {
        let mut all = self.store.optimisations().list(&self.organisation).await?;
        if name == "latest" && !all.is_empty() {
            return Ok(all.swap_remove(0));
        }
        let is_it = |run: &OptRun| run.id.as_str() == name || run.id.as_str().ends_with(name);
        all.into_iter().find(is_it).ok_or_else(|| ComplianceError::missing("search", name))
    }
}

/// Templates x rubrics x judges; what is in use comes first. To the rules a template is nothing.
fn candidates(run: &OptRun, wanted: &Wanted<'_>) -> Result<Vec<OptCandidate>> {
    let own = std::iter::once(wanted.criteria.prompt_template_id.clone());
    let templates: Vec<_> =
        own.chain(wanted.templates.iter().map(|template| Some(template.id.clone()))).collect();
    let others = wanted.rubrics.iter().map(|rubric| ComplianceError::json("a rubric", rubric));
    let rubrics: Vec<_> = std::iter::once(Ok(None)).chain(others).collect::<Result<_, _>>()?;
    let mut candidates: Vec<OptCandidate> = Vec::new();
    for judge in &wanted.judges {
        for template in &templates {
            for rubric in &rubrics {
                let template = template.clone().filter(|_| *judge != JudgeName::Rules);
                let is_known = candidates.iter().any(|known| {
                    known.judge == judge.to_string()
                        && known.prompt_template_id == template
                        && known.scoring_rubric == *rubric
                });
                if !is_known {
                    let parts = (template, rubric.clone(), judge.to_string());
                    candidates.push(candidate(run, candidates.len(), parts));
                }
            }
        }
    }
    Ok(candidates)
}

/// A candidate of a search at its place.
pub(super) fn candidate(
    run: &OptRun,
    place: usize,
    (template, rubric, judge): (
        Option<assize_store::PromptTemplateId>,
        Option<serde_json::Value>,
        String,
    ),
) -> OptCandidate {
    OptCandidate {
        id: OptCandidateId::of(&[run.id.as_str(), &place.to_string()]),
        opt_run_id: run.id.clone(),
        position: i64::try_from(place).unwrap_or(i64::MAX),
        parent_id: None,
        prompt_template_id: template,
        scoring_rubric: rubric,
        judge,
        tune_run_id: None,
        holdout_run_id: None,
        tune: None,
        holdout: None,
        is_promoted: false,
    }
}
