//! Searches for something better, with what each candidate does on which keys.

use std::collections::BTreeMap;

use assize_methods::compliance::AssessTemplate;
use assize_methods::compliance::optimize::{Candidate, Comparison};
use assize_stats::summary::mean;
use assize_store::{OptCandidate, OptRun, PromptTemplate, PromptTemplateId};
use assize_wire::workplace::{
    CandidateView, DiffLine, OnKeys, SearchChoices, SearchPage, SearchRow,
};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::prompts::changes;
use crate::Workspace;
use crate::compliance::optimize::promote::decision;
use crate::compliance::optimize::{Search, SearchPlan};
use crate::compliance::{ComplianceError, Result};

type Templates = BTreeMap<PromptTemplateId, PromptTemplate>;

impl Workspace {
    /// All searches, the latest first.
    #[boxed]
    pub async fn search_rows(&self) -> Result<Vec<SearchRow>> {
        let mut rows = Vec::new();
        for run in self.store.optimisations().list(&self.organisation).await? {
            rows.push(self.search_row(&self.search(run).await?).await?);
        }
        Ok(rows)
    }

    /// What a search can be started with; the judges are for the caller to name.
    #[boxed]
    pub async fn search_choices(&self, judges: Vec<String>) -> Result<SearchChoices> {
        let grid = self.truth_grid(None, None, None).await?;
        let title = |one: &PromptTemplate| format!("{}@{}", one.name, one.version);
        Ok(SearchChoices {
            criteria_sets: grid.criteria_sets,
            document_sets: grid.document_sets,
            templates: self.templates().await?.iter().map(title).collect(),
            judges,
        })
    }

    /// A search with its candidates.
    #[boxed]
    pub async fn search_page(&self, name: &str) -> Result<SearchPage> {
        let search = self.search(self.find_search(name).await?).await?;
        let plan = SearchPlan::of(&search.run)?;
        let accuracies = self.accuracies(&search, &plan).await?;
        let templates = self.templates().await?.into_iter();
        let templates: Templates = templates.map(|one| (one.id.clone(), one)).collect();
        let mut candidates = Vec::new();
        for (place, accuracy) in accuracies.iter().enumerate() {
            let view = self.candidate_view((&search, place), (&plan, accuracy), &templates);
            candidates.push(view.await?);
        }
        let winner = decision(&search.run)?.and_then(|decision| decision.promoted_id);
        let waiting = search
            .candidates
            .iter()
            .zip(&search.names)
            .find(|(one, _)| Some(one.id.as_str()) == winner.as_deref() && !one.is_promoted);
        Ok(SearchPage {
            criteria_set_id: search.run.criteria_set_id.to_string(),
            failure: search.run.failure.clone(),
            keys: (plan.split.tune.len(), plan.split.hold_out.len()),
            proposer: plan.proposer.clone().map(|who| (who, plan.proposals)),
            promotes: plan.promotes,
            winner: waiting.map(|(_, name)| name.clone()),
            search: self.search_row(&search).await?,
            candidates,
        })
    }

    async fn search_row(&self, search: &Search) -> Result<SearchRow> {
        let (criteria, documents) = self.sets_of_search(&search.run).await?;
        let mut named = search.candidates.iter().zip(&search.names);
        Ok(SearchRow {
            id: search.run.id.to_string(),
            state: search.run.state.to_string(),
            criteria_set: criteria.name,
            document_set: documents.name,
            candidates: search.candidates.len(),
            created_at: search.run.created_at,
            because: decision(&search.run)?.map(|decision| decision.because),
            promoted: named.find(|(one, _)| one.is_promoted).map(|(_, name)| name.clone()),
        })
    }

    async fn candidate_view(
        &self,
        (search, place): (&Search, usize),
        (plan, accuracy): (&SearchPlan, &Candidate),
        templates: &Templates,
    ) -> Result<CandidateView> {
        let one = &search.candidates[place];
        let run = match &one.tune_run_id {
            Some(id) => Some(self.find_run(id.as_str()).await?.number),
            None => None,
        };
        let parent = search
            .candidates
            .iter()
            .zip(&search.names)
            .find(|(other, _)| Some(&other.id) == one.parent_id.as_ref());
        let template = one.prompt_template_id.as_ref().and_then(|id| templates.get(id));
        Ok(CandidateView {
            name: search.names[place].clone(),
            template: template.map(|one| format!("{}@{}", one.name, one.version)),
            parent: parent.map(|(_, name)| name.clone()),
            tune: on_keys(accuracy, &plan.split.tune),
            hold_out: on_keys(accuracy, &plan.split.hold_out),
            tuned: comparison(one.tune.as_ref())?,
            decided: comparison(one.holdout.as_ref())?,
            is_promoted: one.is_promoted,
            run,
            diff: self.diff(&search.run, &search.candidates[0], template, templates).await?,
        })
    }

    /// What a candidate's prompt says differently from the one in use.
    async fn diff(
        &self,
        run: &OptRun,
        in_use: &OptCandidate,
        template: Option<&PromptTemplate>,
        templates: &Templates,
    ) -> Result<Vec<DiffLine>> {
        let Some(template) = template else { return Ok(Vec::new()) };
        let set = self.sets_of_search(run).await?.0;
        let own = in_use.prompt_template_id.as_ref().or(set.prompt_template_id.as_ref());
        let own = own.and_then(|id| templates.get(id)).map(|one| one.body.clone());
        let own = own.unwrap_or_else(|| AssessTemplate::default().text().to_owned());
        if own == template.body { Ok(Vec::new()) } else { Ok(changes(&own, &template.body)) }
    }
}

fn comparison(json: Option<&Json>) -> Result<Option<Comparison>> {
    let read = json.cloned().map(serde_json::from_value).transpose();
    read.map_err(|source| ComplianceError::Stored { what: "the figures of a candidate", source })
}

fn on_keys(accuracy: &Candidate, keys: &[usize]) -> OnKeys {
    let scored: Vec<f64> =
        keys.iter().filter_map(|key| accuracy.accuracy.get(*key).copied().flatten()).collect();
    OnKeys { mean: mean(&scored).ok(), scored: scored.len(), of: keys.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_of_the_keys_of_its_half_that_have_a_score() {
        let accuracy = vec![Some(0.5), None, Some(1.0), Some(0.25)];
        let one = Candidate { id: "a".into(), name: "a".into(), accuracy };
        // (0.5 + 1) / 2; the second key has no score.
        let tune = on_keys(&one, &[0, 1, 2]);
        assert_eq!((tune.mean, tune.scored, tune.of), (Some(0.75), 2, 3));
        assert_eq!(on_keys(&one, &[1]), OnKeys { mean: None, scored: 0, of: 1 });
    }
}
