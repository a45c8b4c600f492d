//! Making the winner of a search what its set uses.

use assize_methods::compliance::optimize::Decision;
use assize_methods::schema::fields;
use assize_store::{OptCandidate, OptRun};
use async_recursion::async_recursion as boxed;

use super::rubric_of;
use crate::Workspace;
use crate::compliance::error::{ComplianceError, Result};

impl Workspace {
    /// Promotes the winner of a search that was told not to do so itself. Only what was better
    /// on the keys held out can be promoted: nobody chooses by the keys that were tuned on.
    #[boxed]
    pub async fn promote_winner(&self, run: OptRun) -> Result<()> {
        let mut search = self.search(run).await?;
        let winner = decision(&search.run)?.and_then(|decision| decision.promoted_id);
        let place =
            search.candidates.iter().position(|one| Some(one.id.as_str()) == winner.as_deref());
        let Some(place) = place else {
            let because =
                "no candidate is better on the held-out keys: the current settings stay in use";
            return Err(ComplianceError::Refused(because.to_owned()));
        };
        if search.candidates[place].is_promoted {
            return Err(ComplianceError::Refused("it has already been promoted".to_owned()));
        }
        search.candidates[place].is_promoted = true;
        self.use_from_now_on(&search.run, &search.candidates[place]).await?;
        let all = std::slice::from_ref(&search.candidates[place]);
        let searches = self.store.optimisations();
        Ok(searches.put_candidates(&self.organisation, &search.run.id, all).await?)
    }

    /// Makes a candidate what the set of its search uses.
    pub(super) async fn use_from_now_on(&self, run: &OptRun, one: &OptCandidate) -> Result<()> {
        let (mut set, _) = self.sets_of_search(run).await?;
        if let Some(rubric) = rubric_of(one)? {
            set.scoring_rubric = ComplianceError::json("the rubric", &rubric)?;
        }
        if one.prompt_template_id.is_some() {
            set.prompt_template_id.clone_from(&one.prompt_template_id);
        }
        set.default_judge = Some(one.judge.clone());
        set.promoted_by = Some(run.id.to_string());
        self.update(&mut set).await?;
        let after =
            fields([("judge", one.judge.as_str().into()), ("candidate", one.id.as_str().into())]);
        self.audit_set("promote", &set, (None, Some(after))).await
    }
}

/// What a search came to; none before it is decided.
pub(crate) fn decision(run: &OptRun) -> Result<Option<Decision>> {
    let Some(json) = run.verdict.clone() else { return Ok(None) };
    let read = serde_json::from_value(json);
    read.map(Some)
        .map_err(|source| ComplianceError::Stored { what: "the verdict of a search", source })
}
