//! A run at a glance: how many have a score, in which tiers, and where it is weakest.

use std::collections::BTreeMap;

use assize_exports::NOT_LOOKED_UP;
use assize_methods::compliance::Status;
use assize_store::{CriteriaResult, CriteriaSet, DocSet, DocumentEntry, ResultOutcome, Run};
use async_recursion::async_recursion as boxed;

use super::configuration::Configuration;
use super::detail::cited;
use super::error::{ComplianceError, Result};
use super::material::Criteria;
use super::set_verdicts::SetOfDocuments;
use crate::Workspace;

/// A run and what came of it so far.
#[derive(Debug)]
pub struct Overview {
    /// The run.
    pub run: Run,
    /// What decided it.
    pub configuration: Configuration,
    /// What documents were evaluated against.
    pub criteria_set: CriteriaSet,
    /// Where the documents are from.
    pub document_set: DocSet,
    /// The documents, in the order of the plan.
    pub documents: Vec<DocumentEntry>,
    /// The criteria as they were planned.
    pub criteria: Criteria,
    /// The results, document by document in the order of the plan.
    pub lines: Vec<Line>,
    /// What holds for the documents taken together.
    pub set: SetOfDocuments,
}

/// What came of one document and one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The document's place in the plan, from 0.
    pub document: usize,
    /// The criterion's place in the plan, from 0.
    pub criterion: usize,
    /// What came of it in the end.
    pub outcome: ResultOutcome,
    /// Why there is no score.
    pub reason: Option<String>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// How sure the judge is.
    pub confidence: Option<i64>,
    /// The score that counts: a person's, or else the judge's.
    pub score: Option<f64>,
    /// Whether a person said something else than the judge.
    pub is_overridden: bool,
    /// Citations that stand in the document, and all of them.
    pub citations: (usize, usize),
}

/// A mean with what is not in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean of the scores; none if there are none.
    pub mean: Option<f64>,
    /// How many have a score.
    pub scored: usize,
    /// How many have none.
    pub unscored: usize,
}

impl Mean {
    /// The mean of some lines.
    pub fn of<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Self {
        let (mut sum, mut scored, mut unscored) = (0.0, 0, 0);
        for line in lines {
            match line.score {
                Some(score) => (sum, scored) = (sum + score, scored + 1),
                None => unscored += 1,
            }
        }
        Self { mean: (scored > 0).then(|| sum / scored as f64), scored, unscored }
    }
}

impl Workspace {
    /// Everything about a run but the words of its results.
    #[boxed]
    pub async fn overview(&self, run: Run) -> Result<Overview> {
        let configuration = self.labelled_by(&run).await?;
        let (criteria_set, document_set) = self.sets_of(&run).await?;
        let criteria =
            Criteria::of(self.store.plans().criteria(&self.organisation, &run.id).await?);
        let places: BTreeMap<_, _> = criteria.ids.iter().zip(0..).collect();
        let (mut documents, mut lines) = (Vec::new(), Vec::new());
        for id in self.store.plans().documents(&self.organisation, &run.id).await? {
            let results = self.store.results();
            for result in results.of_document(&self.organisation, &run.id, &id).await? {
                let Some(criterion) = places.get(&result.criteria_item_id) else { continue };
                lines.push(line((documents.len(), *criterion), result));
            }
            documents.push(self.document_by_id(&id).await?.entry);
        }
        let set = self.set_of_documents(&run, &configuration.rubric).await?;
        Ok(Overview {
            run,
            configuration,
            criteria_set,
            document_set,
            documents,
            criteria,
            lines,
            set,
        })
    }

    /// What decides a run, with the rubric that its labels were made with last.
    #[boxed]
    pub async fn labelled_by(&self, run: &Run) -> Result<Configuration> {
        let versions = self.store.verdicts().versions(&run.id).await?;
        let last = versions.into_iter().next_back();
        let configuration = last.and_then(|version| version.configuration);
        Ok(Configuration::of(run)?.relabelled(configuration.as_ref()))
    }

    /// The two sets of a run.
    #[boxed]
    pub(crate) async fn sets_of(&self, run: &Run) -> Result<(CriteriaSet, DocSet)> {
        let missing = |what| ComplianceError::missing(what, &run.number.to_string());
        let (criteria, documents) = run.sets().ok_or_else(|| missing("compliance run"))?;
        let criteria = self.store.criteria_sets().get(&self.organisation, criteria).await?;
        let documents = self.store.doc_sets().get(&self.organisation, documents).await?;
        let criteria = criteria.ok_or_else(|| missing("criteria set of run"))?;
        Ok((criteria, documents.ok_or_else(|| missing("document set of run"))?))
    }
}

fn line((document, criterion): (usize, usize), result: CriteriaResult) -> Line {
    let cited = cited(&result);
    let found = cited.iter().filter(|cited| cited.start.is_some()).count();
    // Nobody looked for the quotes of old results: they are neither found nor not found.
    let looked_up = cited.iter().filter(|cited| cited.matched != NOT_LOOKED_UP).count();
    Line {
        document,
        criterion,
        outcome: result.outcome,
        reason: result.reason,
        ai_score: result.ai_score_value,
        confidence: result.ai_confidence,
        score: result.score,
        is_overridden: result.is_decided,
        citations: (found, looked_up),
    }
}

impl Overview {
    /// Leaves only one document in view.
    pub fn only_document(&mut self, name: &str) -> Result<()> {
        let place = self.documents.iter().position(|document| document.name == name);
        let place = place.ok_or_else(|| ComplianceError::missing("document", name))?;
        self.documents = vec![self.documents[place].clone()];
        self.lines.retain(|line| line.document == place);
        for line in &mut self.lines {
            line.document = 0;
        }
        self.set = self.set.clone().only_document(place, &self.configuration.rubric);
        Ok(())
    }

    /// Pairs that are planned.
    pub fn planned(&self) -> usize {
        self.documents.len() * self.criteria.ids.len()
    }

    /// The label that follows from a line's score.
    pub fn status(&self, line: &Line) -> Option<Status> {
        line.score.map(|score| self.configuration.rubric.status(score))
    }

    /// How many lines came to this.
    pub fn count(&self, outcome: ResultOutcome) -> usize {
        self.lines.iter().filter(|line| line.outcome == outcome).count()
    }

    /// How many lines are in each tier, lowest first.
    pub fn tiers(&self) -> Vec<usize> {
        let rubric = &self.configuration.rubric;
        let mut counts = vec![0; rubric.tiers().len()];
        for score in self.lines.iter().filter_map(|line| line.score) {
            counts[rubric.tier(score) - 1] += 1;
        }
        counts
    }

    /// Citations that stand in their documents, and all of them.
    pub fn citations(&self) -> (usize, usize) {
        let add =
            |sum: (usize, usize), line: &Line| (sum.0 + line.citations.0, sum.1 + line.citations.1);
        self.lines.iter().fold((0, 0), add)
    }
}
