//! A search on its way: tune, propose, decide, promote; and on again after a stop.

use std::collections::BTreeMap;

use assize_methods::compliance::AssessTemplate;
use assize_methods::compliance::optimize::{Candidate, Decision, Disagreement, ProposeAsk, decide};
use assize_store::{
    CriteriaItemId, CriteriaResult, DocumentId, OptCandidate, OptRun, Pair, Run, RunState,
};
use assize_wire::text::tree;
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value;

use super::plan::candidate;
use super::{Search, SearchPlan, rubric_of};
use crate::Workspace;
use crate::asking::{AskSession, Halt, JudgeName, NoAnswer};
use crate::compliance::configuration::TemplateUsed;
use crate::compliance::criteria::rubric;
use crate::compliance::error::{ComplianceError, Result};
use crate::compliance::plan::Plan;
use crate::compliance::truth::{Named, settled};
use crate::compliance::work::Progress;

/// Disagreements that a proposer is shown.
const SHOWN: usize = 6;
/// What proposed templates are called.
const PROPOSED: &str = "proposed";

type Place = (DocumentId, CriteriaItemId);
type Found = BTreeMap<Place, CriteriaResult>;

/// How a search ended for now.
#[derive(Debug)]
pub struct Proceeded {
    /// The search with its candidates.
    pub search: Search,
    /// What is to be done; none if it was stopped before.
    pub decision: Option<Decision>,
    /// Why it was stopped.
    pub halt: Option<Halt>,
}

impl Workspace {
    /// A search with its candidates and their names.
    #[boxed]
    pub async fn search(&self, run: OptRun) -> Result<Search> {
        let candidates = self.store.optimisations().candidates(&self.organisation, &run.id).await?;
        let templates = self.templates().await?;
        let name = |candidate: &OptCandidate| {
            let id = candidate.prompt_template_id.as_ref();
            let template = templates.iter().find(|template| Some(&template.id) == id);
            let template = match template {
                Some(template) => format!(" {}@{}", template.name, template.version),
                None => String::new(),
            };
            let rubric = if candidate.scoring_rubric.is_some() { " other rubric" } else { "" };
            format!("{}. {}{template}{rubric}", candidate.position + 1, candidate.judge)
        };
        let names = candidates.iter().map(name).collect();
        Ok(Search { run, candidates, names })
    }

    /// Goes on with a search until it is decided, or has to stop.
    pub async fn proceed(
        &self,
        run: OptRun,
        session: &AskSession,
        mut progress: impl FnMut(&str, Progress) + Send,
    ) -> Result<Proceeded> {
        let plan = SearchPlan::of(&run)?;
        let mut search = self.search(run).await?;
        search.run.started_at = search.run.started_at.or(Some(Utc::now()));
        self.turn(&mut search, RunState::Running).await?;
        let mut place = 0;
        loop {
            while place < search.candidates.len() {
                let tune = &plan.split.tune;
                let halt =
                    self.judge((&mut search, place), (&plan, tune), session, &mut progress).await?;
                if halt.is_some() {
                    return self.halted(search, halt).await;
                }
                place += 1;
            }
            let proposed = search.candidates.iter().filter(|one| one.parent_id.is_some()).count();
            if proposed >= plan.proposals {
                break;
            }
            if let Some(halt) = self.propose(&mut search, &plan, session).await? {
                return self.halted(search, Some(halt)).await;
            }
            if place == search.candidates.len() {
                break;
            }
        }
        let first = self.decided(&search, &plan).await?;
        if let Some(best) =
            first.tune.first().filter(|best| best.difference.is_some_and(|gain| gain > 0.0))
        {
            let best = search.place_of(best)?;
            for place in [0, best] {
                let held_out = &plan.split.hold_out;
                let halt = self
                    .judge((&mut search, place), (&plan, held_out), session, &mut progress)
                    .await?;
                if halt.is_some() {
                    return self.halted(search, halt).await;
                }
            }
        }
        let decision = self.decided(&search, &plan).await?;
        self.conclude_search(&mut search, &plan, &decision).await?;
        Ok(Proceeded { search, decision: Some(decision), halt: None })
    }

    async fn halted(&self, mut search: Search, halt: Option<Halt>) -> Result<Proceeded> {
        search.run.failure = halt.as_ref().map(ToString::to_string);
        self.turn(&mut search, RunState::Stopped).await?;
        Ok(Proceeded { search, decision: None, halt })
    }

    async fn turn(&self, search: &mut Search, state: RunState) -> Result<()> {
        search.run.state = state;
        search.run.ended_at = state.is_end().then(Utc::now);
        Ok(self.store.optimisations().put(&search.run).await?)
    }

    /// Judges the keys of one half with one candidate; what is judged already stays.
    async fn judge(
        &self,
        (search, place): (&mut Search, usize),
        (plan, keys): (&SearchPlan, &[usize]),
        session: &AskSession,
        progress: &mut (impl FnMut(&str, Progress) + Send),
    ) -> Result<Option<Halt>> {
        let run = if let Some(id) = &search.candidates[place].tune_run_id {
            self.find_compliance_run(id.as_str()).await?.id
        } else {
            let run = self.plan_candidate(search, place, plan).await?;
            // Judged on some keys only: its place is the search, no list and no series of runs.
            self.store.runs().archive(&run, Some(Utc::now())).await?;
            let (run, one) = (run.id, &mut search.candidates[place]);
            (one.tune_run_id, one.holdout_run_id) = (Some(run.clone()), Some(run.clone()));
            let all = std::slice::from_ref(&search.candidates[place]);
            let searches = self.store.optimisations();
            searches.put_candidates(&self.organisation, &search.run.id, all).await?;
            run
        };
        let wanted: Vec<&Place> = keys.iter().map(|key| &plan.pairs[*key]).collect();
        let only = |pair: &Pair| {
            wanted.iter().any(|(document, item)| {
                *document == pair.document_id && *item == pair.criteria_item_id
            })
        };
        let name = search.names[place].clone();
        let ended = self.work(&run, session, Some(&only), |at| progress(&name, at)).await?;
        Ok(ended.halt)
    }

    async fn plan_candidate(
        &self,
        search: &Search,
        place: usize,
        plan: &SearchPlan,
    ) -> Result<Run> {
        let one = &search.candidates[place];
        let (criteria_set, document_set) = self.sets_of_search(&search.run).await?;
        let judge: JudgeName = one
            .judge
            .parse()
            .map_err(|_| ComplianceError::Refused(format!("`{}` is not a judge", one.judge)))?;
        let template = match &judge {
            JudgeName::Rules => None,
            _ => Some(self.template_of(one, &criteria_set).await?),
        };
        let mut documents = self.current_documents(&document_set).await?;
        documents.retain(|entry| plan.pairs.iter().any(|(document, _)| *document == entry.id));
        self.plan(Plan {
            criteria_set: &criteria_set,
            document_set: &document_set,
            documents,
            judge,
            template,
            rubric: rubric_of(one)?,
            context_tokens: plan.context_tokens,
            masks_identifiers: false,
            repeat: 1,
            attempt: 0,
        })
        .await
    }

    async fn template_of(
        &self,
        one: &OptCandidate,
        set: &assize_store::CriteriaSet,
    ) -> Result<TemplateUsed> {
        match &one.prompt_template_id {
            Some(id) => {
                let found = self.store.prompt_templates().get(&self.organisation, id).await?;
                self.used(found.ok_or_else(|| ComplianceError::missing("template", id.as_str()))?)
                    .await
            }
            None => self.template_for(set, None).await,
        }
    }

    /// The sets that a search is about.
    pub(crate) async fn sets_of_search(
        &self,
        run: &OptRun,
    ) -> Result<(assize_store::CriteriaSet, assize_store::DocSet)> {
        let sets = self.store.criteria_sets();
        let criteria = sets.get(&self.organisation, &run.criteria_set_id).await?;
        let documents = self.store.doc_sets().get(&self.organisation, &run.doc_set_id).await?;
        match (criteria, documents) {
            (Some(criteria), Some(documents)) => Ok((criteria, documents)),
            _ => Err(ComplianceError::missing("criteria set", run.criteria_set_id.as_str())),
        }
    }

    /// The results of a candidate so far.
    async fn found(&self, one: &OptCandidate) -> Result<Found> {
        let Some(run) = &one.tune_run_id else { return Ok(Found::new()) };
        let results = self.store.results().list(&self.organisation, run).await?;
        let pair = |result: CriteriaResult| {
            ((result.document_id.clone(), result.criteria_item_id.clone()), result)
        };
        Ok(results.into_iter().map(pair).collect())
    }

    async fn keys(&self, run: &OptRun) -> Result<BTreeMap<Place, Named>> {
        let (criteria, documents) = self.sets_of_search(run).await?;
        let keys = self.current_truth(&documents, &criteria).await?;
        let (keys, _) = settled(keys, &rubric(&criteria)?);
        Ok(keys
            .into_iter()
            .map(|named| {
                let key = &named.key;
                ((key.document_id.clone(), key.criteria_item_id.clone()), named)
            })
            .collect())
    }

    /// What is to be done, as far as candidates are judged.
    async fn decided(&self, search: &Search, plan: &SearchPlan) -> Result<Decision> {
        let mut all = self.accuracies(search, plan).await?;
        let in_use = all.remove(0);
        Ok(decide(&in_use, &all, &plan.split))
    }

    /// Every candidate with its accuracy on every key, as far as it is judged.
    pub(crate) async fn accuracies(
        &self,
        search: &Search,
        plan: &SearchPlan,
    ) -> Result<Vec<Candidate>> {
        let keys = self.keys(&search.run).await?;
        let mut all = Vec::new();
        for (one, name) in search.candidates.iter().zip(&search.names) {
            let found = self.found(one).await?;
            let accuracy = plan.pairs.iter().map(|pair| {
                let score = found.get(pair)?.ai_score_value?;
                Some(1.0 - (score - keys.get(pair)?.key.expected_score).abs() / 100.0)
            });
            let (id, name) = (one.id.to_string(), name.clone());
            all.push(Candidate { id, name, accuracy: accuracy.collect() });
        }
        Ok(all)
    }

    /// Has a model propose a template, from where the best one so far fails most.
    async fn propose(
        &self,
        search: &mut Search,
        plan: &SearchPlan,
        session: &AskSession,
    ) -> Result<Option<Halt>> {
        let Some(Ok(JudgeName::Model(proposer))) = plan.proposer.as_deref().map(str::parse) else {
            return Ok(None);
        };
        let decision = self.decided(search, plan).await?;
        let best =
            decision.tune.first().filter(|best| best.difference.is_some_and(|gain| gain > 0.0));
        let best = best.map_or(Ok(0), |best| search.place_of(best))?;
        let best = search.candidates[best].clone();
        let (criteria_set, _) = self.sets_of_search(&search.run).await?;
        let template: AssessTemplate = self.template_of(&best, &criteria_set).await?.body;
        let disagreements = self.disagreements(search, plan, &best).await?;
        let ask = ProposeAsk { template: &template, disagreements: &disagreements };
        let judge = session.judge(&proposer)?;
        let body = match self.within_day(session.ask(&judge, &ask, 0)).await? {
            Ok(answered) => answered.answer,
            Err(NoAnswer::Halt(halt)) => return Ok(Some(halt)),
            // No proposal is no reason to end the search.
            Err(NoAnswer::Unscored(_)) => return Ok(None),
        };
        let added = self.add_template(PROPOSED, body.text()).await?;
        if search.candidates.iter().any(|one| one.prompt_template_id.as_ref() == Some(&added.id)) {
            return Ok(None);
        }
        let place = search.candidates.len();
        let parts = (Some(added.id), best.scoring_rubric.clone(), best.judge.clone());
        let mut one = candidate(&search.run, place, parts);
        one.parent_id = Some(best.id);
        let searches = self.store.optimisations();
        searches.put_candidates(&self.organisation, &search.run.id, &[one]).await?;
        *search = self.search(search.run.clone()).await?;
        Ok(None)
    }

    async fn disagreements(
        &self,
        search: &Search,
        plan: &SearchPlan,
        one: &OptCandidate,
    ) -> Result<Vec<Disagreement>> {
        let (keys, found) = (self.keys(&search.run).await?, self.found(one).await?);
        let items = self.criteria(&self.sets_of_search(&search.run).await?.0).await?;
        let explained = |json: Option<&Value>| {
            json.and_then(|json| json["explanation"].as_str()).unwrap_or("(nothing)").to_owned()
        };
        let mut all = Vec::new();
        for pair in plan.split.tune.iter().map(|key| &plan.pairs[*key]) {
            let (Some(result), Some(named)) = (found.get(pair), keys.get(pair)) else { continue };
            let Some(score) = result.ai_score_value else { continue };
            let item = items.iter().find(|item| item.id == pair.1);
            all.push(Disagreement {
                requirement: item.map(|item| item.requirement.clone()).unwrap_or_default(),
                score,
                said: explained(result.ai_result.as_ref()),
                expected: named.key.expected_score,
                wrote: explained(named.key.response_sections.as_ref()),
            });
        }
        let off = |one: &Disagreement| (one.score - one.expected).abs();
        all.sort_by(|left, right| off(right).total_cmp(&off(left)));
        all.truncate(SHOWN);
        Ok(all)
    }

    /// Writes down what was decided, and makes the winner the one in use.
    async fn conclude_search(
        &self,
        search: &mut Search,
        plan: &SearchPlan,
        decision: &Decision,
    ) -> Result<()> {
        for one in &mut search.candidates {
            let id = one.id.as_str();
            let tuned = decision.tune.iter().find(|tuned| tuned.id == id);
            let held = decision.hold_out.as_ref().filter(|held| held.id == id);
            one.tune = tuned.map(tree);
            one.holdout = held.map(tree);
            one.is_promoted = plan.promotes && decision.promoted_id.as_deref() == Some(id);
        }
        if let Some(one) = search.candidates.iter().find(|one| one.is_promoted) {
            self.use_from_now_on(&search.run, one).await?;
        }
        let searches = self.store.optimisations();
        searches.put_candidates(&self.organisation, &search.run.id, &search.candidates).await?;
        search.run.verdict = ComplianceError::json("the verdict of a search", decision)?;
        search.run.failure = None;
        self.turn(search, RunState::Done).await
    }
}
