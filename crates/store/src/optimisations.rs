//! Searches for a better prompt, rubric or model, and what they tried.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::error::{Result, StoreError};
use crate::ids::{
    CriteriaSetId, DocSetId, OptCandidateId, OptRunId, OrganisationId, PromptTemplateId, RunId,
};
use crate::record::{handle, owned, record};
use crate::state::RunState;
use crate::value::values;

record! {
    /// One search.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct OptRun {
        /// Which one.
        pub id: OptRunId,
        /// Whose it is.
        pub organisation_id: OrganisationId,
        /// The criteria it searches for.
        pub criteria_set_id: CriteriaSetId,
        /// The documents that have truth keys.
        pub doc_set_id: DocSetId,
        /// How far it has come.
        pub state: RunState,
        /// Everything that decides it: the split, the budget, the seed.
        pub configuration: Option<Json>,
        /// What it came to: the winner, the tests, whether it was promoted.
        pub verdict: Option<Json>,
        /// Why it failed, if it did.
        pub failure: Option<String>,
        /// When it was planned.
        pub created_at: DateTime<Utc>,
        /// When it began.
        pub started_at: Option<DateTime<Utc>>,
        /// When it came to an end.
        pub ended_at: Option<DateTime<Utc>>,
    }
}

record! {
    /// Something a search tries.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct OptCandidate {
        /// Which one.
        pub id: OptCandidateId,
        /// The search.
        pub opt_run_id: OptRunId,
        /// Its place among the candidates, from 0.
        pub position: i64,
        /// The candidate it was made from.
        pub parent_id: Option<OptCandidateId>,
        /// Its prompt; without it the default.
        pub prompt_template_id: Option<PromptTemplateId>,
        /// Its tiers; without them those of the set.
        pub scoring_rubric: Option<Json>,
        /// Who judges: `rules`, or a model.
        pub judge: String,
        /// Its run over the part that is tuned on.
        pub tune_run_id: Option<RunId>,
        /// Its run over the part that is held out.
        pub holdout_run_id: Option<RunId>,
        /// How it did on the part that is tuned on.
        pub tune: Option<Json>,
        /// How it did on the part that is held out.
        pub holdout: Option<Json>,
        /// Whether it is what the set uses from now on.
        pub is_promoted: bool,
    }
}

handle!(Optimisations, optimisations, "The searches of a store.");
owned!(Optimisations, OptRun, OptRunId, "eval_opt_runs", "created_at DESC, id DESC");

impl Optimisations<'_> {
    /// Adds a search, or brings one up to date.
    #[boxed]
    pub async fn put(&self, run: &OptRun) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        let sql = "SELECT id FROM eval_criteria_sets WHERE id = $1 AND organisation_id = $2 \
            AND EXISTS (SELECT 1 FROM eval_doc_sets WHERE id = $3 AND organisation_id = $2) \
            AND NOT EXISTS (SELECT 1 FROM eval_opt_runs WHERE id = $4 AND organisation_id <> $2)";
        let owned = values![&run.criteria_set_id, &run.organisation_id, &run.doc_set_id, &run.id];
        if transaction.fetch_optional(sql, &owned).await?.is_none() {
            let id = run.criteria_set_id.to_string();
            return Err(StoreError::Missing { what: "criteria set", id });
        }
        let ending = "ON CONFLICT (id) DO UPDATE SET state = excluded.state, \
            verdict = excluded.verdict, failure = excluded.failure, \
            started_at = excluded.started_at, ended_at = excluded.ended_at";
        transaction.put("eval_opt_runs", std::slice::from_ref(run), ending).await?;
        transaction.commit().await
    }

    /// Adds candidates, or brings them up to date; all or none.
    #[boxed]
    pub async fn put_candidates(
        &self,
        organisation: &OrganisationId,
        run: &OptRunId,
        candidates: &[OptCandidate],
    ) -> Result<()> {
        if self.get(organisation, run).await?.is_none() {
            return Err(StoreError::Missing { what: "optimisation", id: run.to_string() });
        }
        if let Some(stray) = candidates.iter().find(|candidate| candidate.opt_run_id != *run) {
            let because = format!("{} belongs to another optimisation", stray.id);
            return Err(StoreError::Refused(because));
        }
        let ending = "ON CONFLICT (id) DO UPDATE SET tune_run_id = excluded.tune_run_id, \
            holdout_run_id = excluded.holdout_run_id, tune = excluded.tune, \
            holdout = excluded.holdout, is_promoted = excluded.is_promoted";
        let mut transaction = self.0.database.begin().await?;
        transaction.put("eval_opt_candidates", candidates, ending).await?;
        transaction.commit().await
    }

    /// The candidates of a search, in order.
    #[boxed]
    pub async fn candidates(
        &self,
        organisation: &OrganisationId,
        run: &OptRunId,
    ) -> Result<Vec<OptCandidate>> {
        let sql = "SELECT candidate.* FROM eval_opt_candidates AS candidate \
            JOIN eval_opt_runs AS run ON run.id = candidate.opt_run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY candidate.position";
        self.0.database.list(sql, &values![run, organisation]).await
    }
}
