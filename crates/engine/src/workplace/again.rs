//! A run scored another way from its page: what there is to choose from, and doing it.

use assize_store::{Instrument, Run, RunState};
use assize_wire::workplace::{RescoreView, RetrievalSettings};
use async_recursion::async_recursion as boxed;

use super::rubric::drafted;
use crate::Workspace;
use crate::compliance::criteria::rubric;
use crate::compliance::{ComplianceError, Result};
use crate::runs::summary;
use crate::runs::{RescoreRequest, RunError};
use crate::summary::Framework;

impl Workspace {
    /// What a run can be scored with instead of what it is scored with.
    #[boxed]
    pub async fn rescore_view(&self, run: &Run) -> Result<RescoreView> {
        let mut view = RescoreView {
            run: self.run_entry(run).await?,
            framework: None,
            frameworks: Vec::new(),
            tiers: None,
            retrieval: None,
            refused: None,
        };
        match run.instrument {
            Instrument::Summary => {
                let now = self.summary_request(run).await?.framework.name().into_owned();
                view.frameworks = self.others(run, &now).await?;
                if view.frameworks.is_empty() {
                    let because = format!("its evidence contains only what {now} needs");
                    view.refused = Some(because);
                }
                view.framework = Some(now);
            }
            Instrument::Compliance => {
                let (planned, configuration) = self.evaluation_of(run.id.as_str()).await?;
                let (set, _) = self.sets_of(&planned).await?;
                let (now, then) = (drafted(&configuration.rubric), drafted(&rubric(&set)?));
                if now == then {
                    let because = "its labels already follow the current rubric of the set";
                    view.refused = Some(because.to_owned());
                }
                view.tiers = Some((now, then));
            }
            Instrument::Council => {
                let because = "a council is rescored with other weights on its own page";
                view.refused = Some(because.to_owned());
            }
            Instrument::Retrieval => {
                let now = self.scored_with(run).await?;
                let (measures, level) = (now.measures.join(", "), now.relevance_level.to_string());
                let now = [measures, now.k.to_string(), level];
                view.retrieval = Some(RetrievalSettings { now, typed: Default::default() });
            }
        }
        if run.state != RunState::Done {
            let because = format!("it is {}: only a finished run can be rescored", run.state);
            view.refused = Some(because);
        }
        Ok(view)
    }

    /// The frameworks that can count what was found for a run, but this one.
    async fn others(&self, run: &Run, now: &str) -> Result<Vec<String>, RunError> {
        let collected_for = summary::request(run)?.framework;
        // What was asked for the first pair was asked for all of them.
        let first = self.store.verdicts().page(&run.id, run.version, 0, 1).await?.pop();
        let found = first.and_then(|first| first.evidence);
        let found = found.map(|json| summary::evidence(run, json)).transpose()?;
        let fits = |one: &Framework| {
            let lacks = |found| one.lacks_questions(collected_for, found);
            one.name() != now && !found.as_ref().is_some_and(lacks)
        };
        Ok(Framework::ALL.into_iter().filter(fits).map(|one| one.name().into_owned()).collect())
    }

    /// Scores a run again as its page offers: summaries by a framework that fits their evidence,
    /// compliance by the rubric of its set as it is today. Returns the number of the new version.
    #[boxed]
    pub async fn rescore_on_page(&self, run: &Run, mut request: RescoreRequest) -> Result<i64> {
        let view = self.rescore_view(run).await?;
        if let Some(because) = view.refused {
            return Err(ComplianceError::Refused(because));
        }
        match run.instrument {
            Instrument::Summary => {
                let asked = request.framework.map(Framework::name);
                if !asked.is_some_and(|name| view.frameworks.contains(&name.into_owned())) {
                    let because = "choose a framework other than the current one";
                    return Err(ComplianceError::Refused(because.to_owned()));
                }
            }
            Instrument::Compliance => {
                let (planned, _) = self.evaluation_of(run.id.as_str()).await?;
                let (set, _) = self.sets_of(&planned).await?;
                request.rubric = ComplianceError::json("the rubric", &rubric(&set)?)?;
            }
            Instrument::Retrieval | Instrument::Council => {}
        }
        Ok(self.rescore(run, &request).await?)
    }
}
