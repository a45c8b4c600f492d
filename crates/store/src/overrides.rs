//! What people say instead of the judge. The judge's value stays where it is; every change is
//! an entry, the last one counts.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{OrganisationId, OverrideId, ResultId, RunId};
use crate::state::ResultOutcome;
use crate::store::Store;
use crate::value::values;

/// One entry in the history of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// Which one.
    pub id: OverrideId,
    /// The result it is about.
    pub result_id: ResultId,
    /// Its place in the history, from 1.
    pub sequence: i64,
    /// What is said.
    pub change: Change,
    /// Who says so.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// What somebody says about a result.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Change {
    /// The judge was right after all: earlier entries count no longer.
    pub is_withdrawal: bool,
    /// Another outcome; `None` leaves the judge's.
    pub outcome: Option<ResultOutcome>,
    /// Another score; makes the outcome `Scored`.
    pub score: Option<f64>,
    /// Other words for some sections.
    pub sections: Option<Json>,
}

/// The overrides of a store.
#[derive(Debug, Clone, Copy)]
pub struct Overrides<'a>(&'a Store);

impl Store {
    /// What people say instead.
    pub fn overrides(&self) -> Overrides<'_> {
        Overrides(self)
    }
}

impl Overrides<'_> {
    /// Adds an entry. Its `sequence` and `id` are given here and returned with it.
    #[boxed]
    pub async fn add(
        &self,
        organisation: &OrganisationId,
        mut entry: Override,
    ) -> Result<Override, StoreError> {
        check(&entry)?;
        let mut transaction = self.0.database.begin().await?;
        let sql = "SELECT (SELECT COALESCE(MAX(sequence), 0) FROM eval_overrides \
            WHERE result_id = result.id) AS sequence FROM eval_criteria_results AS result \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.id = $1 AND run.organisation_id = $2";
        let row = transaction.fetch_optional(sql, &values![&entry.result_id, organisation]).await?;
        let Some(row) = row else {
            return Err(StoreError::Missing { what: "result", id: entry.result_id.to_string() });
        };
        entry.sequence = row.get::<i64>("sequence")? + 1;
        let sequence = entry.sequence.to_string();
        entry.id = OverrideId::of(&[entry.result_id.as_str(), &sequence]);
        let Change { is_withdrawal, outcome, score, sections } = &entry.change;
        let row = values![
            &entry.id,
            &entry.result_id,
            entry.sequence,
            *is_withdrawal,
            outcome.map(ResultOutcome::word),
            *score,
            sections,
            &entry.author,
            &entry.reason,
            entry.created_at,
        ];
        let columns = [
            "id",
            "result_id",
            "sequence",
            "is_withdrawal",
            "outcome",
            "score",
            "sections",
            "author",
            "reason",
            "created_at",
        ];
        transaction.insert("eval_overrides", &columns, &[row], "").await?;
        transaction.commit().await?;
        Ok(entry)
    }

    /// Everything that was ever said about a result, the oldest first.
    #[boxed]
    pub async fn history(
        &self,
        organisation: &OrganisationId,
        result: &ResultId,
    ) -> Result<Vec<Override>, StoreError> {
        let sql = "SELECT entry.* FROM eval_overrides AS entry \
            JOIN eval_criteria_results AS result ON result.id = entry.result_id \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.id = $1 AND run.organisation_id = $2 ORDER BY entry.sequence";
        let rows = self.0.database.fetch(sql, &values![result, organisation]).await?;
        rows.iter().map(read).collect()
    }

    /// What counts about a result now, if anybody said anything else than the judge.
    #[boxed]
    pub async fn current(
        &self,
        organisation: &OrganisationId,
        result: &ResultId,
    ) -> Result<Option<Override>, StoreError> {
        let last = self.history(organisation, result).await?.pop();
        Ok(last.filter(|entry| !entry.change.is_withdrawal))
    }

    /// What counts now about the results of a run.
    #[boxed]
    pub async fn current_of_run(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<Override>, StoreError> {
        let sql = "SELECT entry.* FROM eval_overrides AS entry \
            JOIN eval_criteria_results AS result ON result.id = entry.result_id \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 AND NOT entry.is_withdrawal \
            AND entry.sequence = (SELECT MAX(later.sequence) FROM eval_overrides AS later \
                WHERE later.result_id = entry.result_id) \
            ORDER BY entry.result_id";
        let rows = self.0.database.fetch(sql, &values![run, organisation]).await?;
        rows.iter().map(read).collect()
    }
}

fn check(entry: &Override) -> Result<(), StoreError> {
    let Change { is_withdrawal, outcome, score, sections } = &entry.change;
    let says_nothing = outcome.is_none() && score.is_none() && sections.is_none();
    let because = if entry.reason.trim().is_empty() {
        "an override needs a reason"
    } else if entry.author.trim().is_empty() {
        "an override needs an author"
    } else if *is_withdrawal != says_nothing {
        "an override must change something or withdraw an earlier one"
    } else if score.is_some_and(|score| !(0.0..=100.0).contains(&score)) {
        "a score must be from 0 to 100"
    } else if score.is_some() && outcome.is_some_and(|outcome| outcome != ResultOutcome::Scored) {
        "a score belongs to the outcome `scored`"
    } else if *outcome == Some(ResultOutcome::Failed) {
        "an override cannot have the outcome `failed`"
    } else {
        return Ok(());
    };
    Err(StoreError::Refused(because.to_owned()))
}

fn read(row: &Row) -> Result<Override, StoreError> {
    let outcome: Option<String> = row.get("outcome")?;
    Ok(Override {
        id: row.get::<String>("id")?.into(),
        result_id: row.get::<String>("result_id")?.into(),
        sequence: row.get("sequence")?,
        change: Change {
            is_withdrawal: row.get("is_withdrawal")?,
            outcome: outcome.as_deref().map(ResultOutcome::from_word).transpose()?,
            score: row.get("score")?,
            sections: row.json("sections")?,
        },
        author: row.get("author")?,
        reason: row.get("reason")?,
        created_at: row.get("created_at")?,
    })
}
