//! Runs of any instrument: numbered, named, tagged, listed page by page.

use std::fmt::Write;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audited;
use crate::database::Transaction;
use crate::error::StoreError;
use crate::ids::{CriteriaSetId, DocSetId, OrganisationId, RunId};
use crate::packed::{pack, pack_some, unpack};
use crate::record::{Record, handle, record};
use crate::run_items::{self, NewItem};
use crate::state::{Instrument, ResultOutcome, RunState};
use crate::value::{Value, values};
use crate::verdicts::{self, NewVerdict};

record! {
    /// A run of any instrument, without its material, which may be as large as the files it came from.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Run {
        /// Which one.
        pub id: RunId,
        /// Whose it is.
        pub organisation_id: OrganisationId,
        /// What people call it: `#12`.
        pub number: i64,
        /// What it measures.
        pub instrument: Instrument,
        /// What somebody named it; no two alike in an organisation.
        pub name: Option<String>,
        /// What documents are held against; only in compliance runs.
        pub criteria_set_id: Option<CriteriaSetId>,
        /// Where the documents come from; only in compliance runs.
        pub doc_set_id: Option<DocSetId>,
        /// How far it has come.
        pub state: RunState,
        /// Which version of its verdicts counts.
        pub version: i64,
        /// Grows with every decision about its items.
        pub revision: i64,
        /// Everything that decides its verdicts, as it was when it was planned.
        pub configuration: Option<Json>,
        /// The hash of that.
        pub configuration_hash: Option<String>,
        /// Which method scores it.
        pub method_version: Option<String>,
        /// Why it failed, if it did.
        pub failure: Option<String>,
        /// Who began it.
        pub who: String,
        /// Whether others are compared with it.
        pub is_baseline: bool,
        /// All its items.
        pub items: i64,
        /// Those with a verdict.
        pub items_done: i64,
        /// Those of them without a score.
        pub items_unscored: i64,
        /// When it was planned.
        pub created_at: DateTime<Utc>,
        /// When it began.
        pub started_at: Option<DateTime<Utc>>,
        /// When it came to an end.
        pub ended_at: Option<DateTime<Utc>>,
        /// Since when lists leave it out.
        pub archived_at: Option<DateTime<Utc>>,
    }
}

impl Run {
    /// The criteria set and the document set of a compliance run.
    pub fn sets(&self) -> Option<(&CriteriaSetId, &DocSetId)> {
        self.criteria_set_id.as_ref().zip(self.doc_set_id.as_ref())
    }
}

/// A run to plan.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// Which one.
    pub id: RunId,
    /// Whose it is.
    pub organisation_id: OrganisationId,
    /// What it measures.
    pub instrument: Instrument,
    /// What somebody named it.
    pub name: Option<String>,
    /// What documents are held against; only in compliance runs.
    pub criteria_set_id: Option<CriteriaSetId>,
    /// Where the documents come from; only in compliance runs.
    pub doc_set_id: Option<DocSetId>,
    /// Everything that decides its verdicts.
    pub configuration: Option<Json>,
    /// The hash of that.
    pub configuration_hash: Option<String>,
    /// Which method scores it.
    pub method_version: Option<String>,
    /// What belongs to the run as a whole.
    pub material: Option<Json>,
    /// Who begins it.
    pub who: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Which runs a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    /// Only of this instrument.
    pub instrument: Option<Instrument>,
    /// Only in this state.
    pub state: Option<RunState>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only with a lower number: where the page before ended.
    pub before: Option<i64>,
    /// Also those that are archived.
    pub with_archived: bool,
}

handle!(Runs, runs, "The runs of all instruments.");

impl Runs<'_> {
    /// Plans a run with its items. Returns its number.
    #[boxed]
    pub async fn plan(&self, run: &NewRun, items: &[NewItem]) -> Result<i64, StoreError> {
        let mut transaction = self.0.database.begin().await?;
        let number = insert(&mut transaction, run, items.len()).await?;
        run_items::insert(&mut transaction, &run.id, 0, items).await?;
        audited::created(&mut transaction, run, number, items.len()).await?;
        transaction.commit().await?;
        Ok(number)
    }

    /// The one with this id.
    #[boxed]
    pub async fn get(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<Option<Run>, StoreError> {
        self.one("id = $2", values![organisation, id]).await
    }

    /// The one with this number.
    #[boxed]
    pub async fn numbered(
        &self,
        organisation: &OrganisationId,
        number: i64,
    ) -> Result<Option<Run>, StoreError> {
        self.one("number = $2", values![organisation, number]).await
    }

    /// The one with this name.
    #[boxed]
    pub async fn named(
        &self,
        organisation: &OrganisationId,
        name: &str,
    ) -> Result<Option<Run>, StoreError> {
        self.one("name = $2", values![organisation, name]).await
    }

    async fn one(
        &self,
        condition: &str,
        values: [Value<'_>; 2],
    ) -> Result<Option<Run>, StoreError> {
        let columns = Run::COLUMNS.join(", ");
        let sql = format!("SELECT {columns} FROM runs WHERE organisation_id = $1 AND {condition}");
        self.0.database.fetch_optional(&sql, &values).await?.as_ref().map(Run::read).transpose()
    }

    /// The one that others of an instrument are compared with.
    #[boxed]
    pub async fn baseline(
        &self,
        organisation: &OrganisationId,
        instrument: Instrument,
    ) -> Result<Option<Run>, StoreError> {
        self.one("instrument = $2 AND is_baseline", values![organisation, instrument]).await
    }

    /// How far a run has come, if there is one.
    #[boxed]
    pub async fn state(&self, id: &RunId) -> Result<Option<RunState>, StoreError> {
        let sql = "SELECT state FROM runs WHERE id = $1";
        let row = self.0.database.fetch_optional(sql, &values![id]).await?;
        row.map(|row| RunState::from_word(&row.get::<String>("state")?)).transpose()
    }

    /// Some of an organisation, the latest first, up to so many.
    #[boxed]
    pub async fn page(
        &self,
        organisation: &OrganisationId,
        filter: &RunFilter,
        limit: i64,
    ) -> Result<Vec<Run>, StoreError> {
        let RunFilter { instrument, state, tag, before, with_archived } = filter;
        let columns = Run::COLUMNS.join(", ");
        let mut sql =
            format!("SELECT {columns} FROM runs WHERE organisation_id = $1 AND number < $2");
        let mut values = values![organisation, before.unwrap_or(i64::MAX), limit].to_vec();
        if !with_archived {
            sql += " AND archived_at IS NULL";
        }
        if let Some(instrument) = instrument {
            values.push((*instrument).into());
            let _ = write!(sql, " AND instrument = ${}", values.len());
        }
        if let Some(state) = state {
            values.push((*state).into());
            let _ = write!(sql, " AND state = ${}", values.len());
        }
        if let Some(tag) = tag {
            values.push(tag.into());
            let place = values.len();
            let _ = write!(sql, " AND id IN (SELECT run_id FROM run_tags WHERE tag = ${place})");
        }
        sql += " ORDER BY number DESC LIMIT $3";
        self.0.database.list(&sql, &values).await
    }

    /// What belongs to the run as a whole.
    #[boxed]
    pub async fn material(&self, id: &RunId) -> Result<Option<Json>, StoreError> {
        let sql = "SELECT material FROM runs WHERE id = $1";
        let row = self.0.database.fetch_optional(sql, &values![id]).await?;
        let Some(row) = row else { return Ok(None) };
        row.get::<Option<Vec<u8>>>("material")?.as_deref().map(unpack).transpose()
    }

    /// Replaces what belongs to the run as a whole, if the lease still holds one of its items.
    /// Says whether it does: whoever lost the lease writes nothing.
    #[boxed]
    pub async fn set_material(
        &self,
        id: &RunId,
        lease: i64,
        material: &Json,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE runs SET material = $2 WHERE id = $1 AND EXISTS (SELECT 1 \
            FROM run_items WHERE run_id = $1 AND lease = $3 AND state <> 'done')";
        let material = pack(material)?;
        let values = values![id, material.as_slice(), lease];
        Ok(self.0.database.execute(sql, &values).await? == 1)
    }

    /// How far a council has come, if somebody noted it.
    #[boxed]
    pub async fn progress(&self, id: &RunId) -> Result<Option<Json>, StoreError> {
        let sql = "SELECT progress FROM runs WHERE id = $1";
        let row = self.0.database.fetch_optional(sql, &values![id]).await?;
        row.map_or(Ok(None), |row| row.get("progress"))
    }

    /// Notes how far a council has come.
    #[boxed]
    pub async fn set_progress(&self, id: &RunId, progress: &Json) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET progress = $2 WHERE id = $1";
        self.0.database.execute(sql, &values![id, progress]).await?;
        Ok(())
    }

    /// Names a run, or takes its name away.
    #[boxed]
    pub async fn rename(&self, run: &Run, name: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET name = $3 WHERE id = $1 AND organisation_id = $2";
        self.change(sql, run, values![&run.id, &run.organisation_id, name]).await
    }

    /// Makes a run the one that others of its instrument are compared with, or no longer.
    #[boxed]
    pub async fn set_baseline(&self, run: &Run, is_baseline: bool) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET is_baseline = CASE WHEN id = $1 THEN $3 \
            WHEN $3 THEN FALSE ELSE is_baseline END \
            WHERE organisation_id = $2 AND instrument = $4";
        let Run { id, organisation_id, instrument, .. } = run;
        let values = values![id, organisation_id, is_baseline, *instrument];
        self.change(sql, run, values).await
    }

    /// Leaves a run out of lists, or shows it again.
    #[boxed]
    pub async fn archive(&self, run: &Run, at: Option<DateTime<Utc>>) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET archived_at = $3 WHERE id = $1 AND organisation_id = $2";
        self.change(sql, run, values![&run.id, &run.organisation_id, at]).await
    }

    async fn change<const N: usize>(
        &self,
        sql: &str,
        run: &Run,
        values: [Value<'_>; N],
    ) -> Result<(), StoreError> {
        match self.0.database.execute(sql, &values).await? {
            0 => Err(missing(&run.id)),
            _ => Ok(()),
        }
    }

    /// Writes a run that is done already, with its items and what came of each.
    #[boxed]
    pub async fn save(
        &self,
        run: &NewRun,
        items: &[(NewItem, NewVerdict)],
    ) -> Result<i64, StoreError> {
        let mut transaction = self.0.database.begin().await?;
        let number = insert(&mut transaction, run, 0).await?;
        write_done(&mut transaction, &run.id, 0, items).await?;
        let sql = "UPDATE runs SET started_at = created_at, ended_at = created_at, \
            state = 'done' WHERE id = $1";
        transaction.execute(sql, &values![&run.id]).await?;
        audited::created(&mut transaction, run, number, items.len()).await?;
        transaction.commit().await?;
        Ok(number)
    }

    /// Begins a run whose items come with their verdicts, one batch after the other.
    #[boxed]
    pub async fn begin(&self, run: &NewRun) -> Result<i64, StoreError> {
        let mut transaction = self.0.database.begin().await?;
        let number = insert(&mut transaction, run, 0).await?;
        let sql = "UPDATE runs SET state = 'running', started_at = created_at WHERE id = $1";
        transaction.execute(sql, &values![&run.id]).await?;
        audited::created(&mut transaction, run, number, 0).await?;
        transaction.commit().await?;
        Ok(number)
    }

    /// Adds finished items to a run that was begun so, from a position on.
    #[boxed]
    pub async fn append(
        &self,
        id: &RunId,
        from: i64,
        items: &[(NewItem, NewVerdict)],
    ) -> Result<(), StoreError> {
        let mut transaction = self.0.database.begin().await?;
        write_done(&mut transaction, id, from, items).await?;
        transaction.commit().await
    }

    /// Notes that whoever worked on a run ends here, stopped or failed. If others still hold
    /// items of it, it goes on without us and nothing is noted; nor is a run that is done.
    #[boxed]
    pub async fn leave(
        &self,
        id: &RunId,
        state: RunState,
        failure: Option<&str>,
    ) -> Result<(), StoreError> {
        let now = self.0.database.now();
        let sql = format!(
            "UPDATE runs SET state = $2, failure = $3, ended_at = {now} \
             WHERE id = $1 AND state = 'running' AND NOT EXISTS (SELECT 1 FROM run_items \
             WHERE run_id = $1 AND lease IS NOT NULL AND leased_until >= {now})"
        );
        self.0.database.execute(&sql, &values![id, state, failure]).await?;
        Ok(())
    }

    /// Notes how far it has come, and why it failed. A run that is done stays so.
    #[boxed]
    pub async fn set_state(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
        state: RunState,
        failure: Option<&str>,
    ) -> Result<(), StoreError> {
        let now = self.0.database.now();
        let from = state.comes_from().iter().map(|from| format!("'{from}'"));
        let ended = if state.is_end() { now } else { "NULL" };
        let started = if state == RunState::Running { now } else { "NULL" };
        let sql = format!(
            "UPDATE runs SET state = $3, failure = $4, ended_at = {ended}, \
             started_at = COALESCE(started_at, {started}) \
             WHERE id = $1 AND organisation_id = $2 AND state IN ({})",
            from.collect::<Vec<_>>().join(", ")
        );
        let values = values![id, organisation, state, failure];
        if self.0.database.execute(&sql, &values).await? == 1 {
            return Ok(());
        }
        let run = self.get(organisation, id).await?.ok_or_else(|| missing(id))?;
        let (number, was) = (run.number, run.state);
        Err(StoreError::Refused(format!("run #{number} is {was} and cannot become {state}")))
    }

    /// Removes a run with everything that came of it.
    #[boxed]
    pub async fn delete(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<(), StoreError> {
        let sql = "DELETE FROM runs WHERE id = $1 AND organisation_id = $2";
        match self.0.database.execute(sql, &values![id, organisation]).await? {
            0 => Err(missing(id)),
            _ => Ok(()),
        }
    }
}

/// Writes items that are done with what came of them, and counts them.
async fn write_done(
    transaction: &mut Transaction,
    id: &RunId,
    from: i64,
    items: &[(NewItem, NewVerdict)],
) -> Result<(), StoreError> {
    run_items::insert(transaction, id, from, items.iter().map(|(item, _)| item)).await?;
    let sql = "UPDATE run_items SET state = 'done', attempts = 1 \
        WHERE run_id = $1 AND position >= $2";
    transaction.execute(sql, &values![id, from]).await?;
    let rows: Vec<_> = (from..).zip(items).map(|(place, (_, new))| (id, place, new)).collect();
    for (.., new) in &rows {
        verdicts::check(new)?;
    }
    verdicts::insert(transaction, 1, &rows).await?;
    let unscored = items.iter().filter(|(_, new)| new.outcome != ResultOutcome::Scored);
    let [count, unscored] =
        [items.len(), unscored.count()].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let sql = "UPDATE runs SET items = items + $2, items_done = items_done + $2, \
        items_unscored = items_unscored + $3 WHERE id = $1";
    transaction.execute(sql, &values![id, count, unscored]).await?;
    Ok(())
}

pub(crate) fn missing(id: &RunId) -> StoreError {
    StoreError::Missing { what: "run", id: id.to_string() }
}

/// Writes a planned run and gives it the next number of its organisation.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    run: &NewRun,
    items: usize,
) -> Result<i64, StoreError> {
    let sql = "UPDATE organisations SET last_run_number = last_run_number + 1 WHERE id = $1 \
        RETURNING last_run_number";
    let row = transaction.fetch_optional(sql, &values![&run.organisation_id]).await?;
    let id = || run.organisation_id.to_string();
    let row = row.ok_or_else(|| StoreError::Missing { what: "organisation", id: id() })?;
    let number: i64 = row.get("last_run_number")?;
    let material = Value::Blob(pack_some(run.material.as_ref())?.map(Into::into));
    let NewRun { id, organisation_id, instrument, name, created_at, .. } = run;
    let items = i64::try_from(items).unwrap_or(i64::MAX);
    let sql = "INSERT INTO runs (id, organisation_id, number, instrument, name, state, version, \
        configuration, configuration_hash, method_version, material, who, is_baseline, items, \
        items_done, items_unscored, created_at, criteria_set_id, doc_set_id) \
        VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, FALSE, $12, 0, 0, $13, $14, $15)";
    let [id, organisation_id, number_value, instrument, name, state, items, created_at] = values![
        id,
        organisation_id,
        number,
        *instrument,
        name,
        RunState::Planned,
        items,
        *created_at
    ];
    let [configuration, hash, method, who] =
        values![&run.configuration, &run.configuration_hash, &run.method_version, &run.who];
    let [criteria_set, doc_set] = values![&run.criteria_set_id, &run.doc_set_id];
    let values = [
        id,
        organisation_id,
        number_value,
        instrument,
        name,
        state,
        configuration,
        hash,
        method,
        material,
        who,
        items,
        created_at,
        criteria_set,
        doc_set,
    ];
    transaction.execute(sql, &values).await?;
    Ok(number)
}
