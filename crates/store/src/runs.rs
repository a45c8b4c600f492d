//! Runs: which documents are held against which criteria, frozen before anything begins.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::any_runs::{self, AnyRun, NewRun, missing};
use crate::audited;
use crate::batch::{list, pieces};
use crate::database::{Row, Transaction};
use crate::error::StoreError;
use crate::ids::{CriteriaItemId, CriteriaSetId, DocSetId, DocumentId, OrganisationId, RunId};
use crate::state::{Instrument, ResultOutcome, RunState};
use crate::store::Store;
use crate::value::{Value, values};

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Which one.
    pub id: RunId,
    /// Whose it is.
    pub organisation_id: OrganisationId,
    /// What people call it: `#12`; given by the store when it is planned.
    pub number: i64,
    /// What documents are held against.
    pub criteria_set_id: CriteriaSetId,
    /// Where the documents come from.
    pub doc_set_id: DocSetId,
    /// How far it has come.
    pub state: RunState,
    /// Everything that decides its results, as it was when it was planned; old rows have none.
    pub configuration: Option<Json>,
    /// The hash of that.
    pub configuration_hash: Option<String>,
    /// Which method scores it.
    pub method_version: Option<String>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// When it began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it came to an end.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A criterion as it was when the run was planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCriterion {
    /// Which criterion.
    pub criteria_item_id: CriteriaItemId,
    /// What people call it.
    pub criteria_id: String,
    /// What must be so.
    pub requirement: String,
    /// A title or an explanation.
    pub description: String,
    /// What else it brought along: what it counts, its group.
    pub properties: Option<Json>,
}

/// One document and one criterion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// The document.
    pub document_id: DocumentId,
    /// The criterion.
    pub criteria_item_id: CriteriaItemId,
}

/// How much of a run is done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Pairs of a document and a criterion.
    pub planned: u64,
    /// Those that have a result, by what came of them.
    pub committed: BTreeMap<ResultOutcome, u64>,
}

impl Progress {
    /// Pairs that have a result, whatever it is.
    pub fn done(&self) -> u64 {
        self.committed.values().sum()
    }

    /// Pairs that have none.
    pub fn pending(&self) -> u64 {
        self.planned.saturating_sub(self.done())
    }
}

/// The runs of a store.
#[derive(Debug, Clone, Copy)]
pub struct Runs<'a>(&'a Store);

impl Store {
    /// The runs.
    pub fn runs(&self) -> Runs<'_> {
        Runs(self)
    }
}

impl Runs<'_> {
    /// Plans a run: every one of these documents against every one of these criteria, in this
    /// order. The words of the criteria are kept as they are now. Returns the run's number.
    #[boxed]
    pub async fn plan(
        &self,
        run: &Run,
        who: &str,
        documents: &[DocumentId],
        items: &[CriteriaItemId],
    ) -> Result<i64, StoreError> {
        let mut transaction = self.0.database.begin().await?;
        let common = NewRun {
            id: run.id.clone(),
            organisation_id: run.organisation_id.clone(),
            instrument: Instrument::Compliance,
            name: None,
            configuration: run.configuration.clone(),
            configuration_hash: run.configuration_hash.clone(),
            method_version: run.method_version.clone(),
            material: None,
            who: who.to_owned(),
            created_at: run.created_at,
        };
        let count = documents.len() * items.len();
        let number = any_runs::insert(&mut transaction, &common, count).await?;
        insert(&mut transaction, run).await?;
        plan_documents(&mut transaction, run, documents).await?;
        plan_criteria(&mut transaction, run, items).await?;
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        transaction.execute(PLAN_ITEMS, &values![&run.id, count]).await?;
        let pairs = documents.len() * items.len();
        audited::created(&mut transaction, &common, number, pairs).await?;
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
        let sql = "SELECT run.*, runs.number FROM eval_runs AS run \
            JOIN runs ON runs.id = run.id WHERE run.id = $1 AND run.organisation_id = $2";
        let row = self.0.database.fetch_optional(sql, &values![id, organisation]).await?;
        row.as_ref().map(read).transpose()
    }

    /// A compliance run that is known already, with its sets: the rest stands in `runs` too.
    #[boxed]
    pub async fn evaluated(&self, run: &AnyRun) -> Result<Option<Run>, StoreError> {
        let sql = "SELECT criteria_set_id, doc_set_id FROM eval_runs \
            WHERE id = $1 AND organisation_id = $2";
        let values = values![&run.id, &run.organisation_id];
        let Some(row) = self.0.database.fetch_optional(sql, &values).await? else {
            return Ok(None);
        };
        Ok(Some(Run {
            id: run.id.clone(),
            organisation_id: run.organisation_id.clone(),
            number: run.number,
            criteria_set_id: row.get::<String>("criteria_set_id")?.into(),
            doc_set_id: row.get::<String>("doc_set_id")?.into(),
            state: run.state,
            configuration: run.configuration.clone(),
            configuration_hash: run.configuration_hash.clone(),
            method_version: run.method_version.clone(),
            failure: run.failure.clone(),
            created_at: run.created_at,
            started_at: run.started_at,
            ended_at: run.ended_at,
        }))
    }

    /// All of an organisation, the newest first.
    #[boxed]
    pub async fn list(&self, organisation: &OrganisationId) -> Result<Vec<Run>, StoreError> {
        let sql = "SELECT run.*, runs.number FROM eval_runs AS run \
            JOIN runs ON runs.id = run.id WHERE run.organisation_id = $1 \
            ORDER BY run.created_at DESC, run.id DESC";
        self.0.database.fetch(sql, &values![organisation]).await?.iter().map(read).collect()
    }

    /// The names of the document set and the criteria set of several runs.
    pub async fn sets_of<'i>(
        &self,
        organisation: &OrganisationId,
        ids: impl IntoIterator<Item = &'i RunId>,
    ) -> Result<BTreeMap<RunId, (String, String)>, StoreError> {
        let ids: Vec<&RunId> = ids.into_iter().collect();
        let mut sets = BTreeMap::new();
        for piece in pieces(&ids) {
            let mut values: Vec<Value<'_>> = piece.iter().map(|id| Value::from(*id)).collect();
            values.push(organisation.into());
            let sql = format!(
                "SELECT run.id, documents.name AS documents, criteria.name AS criteria \
                 FROM eval_runs AS run \
                 JOIN eval_doc_sets AS documents ON documents.id = run.doc_set_id \
                 JOIN eval_criteria_sets AS criteria ON criteria.id = run.criteria_set_id \
                 WHERE run.id IN ({}) AND run.organisation_id = ${}",
                list(piece.len()),
                values.len()
            );
            for row in self.0.database.fetch(&sql, &values).await? {
                let names = (row.get("documents")?, row.get("criteria")?);
                sets.insert(row.get::<String>("id")?.into(), names);
            }
        }
        Ok(sets)
    }

    /// Its documents, in the order of the plan.
    #[boxed]
    pub async fn documents(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<Vec<DocumentId>, StoreError> {
        let sql = "SELECT planned.document_id FROM eval_run_documents AS planned \
            JOIN eval_runs AS run ON run.id = planned.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY planned.position";
        let rows = self.0.database.fetch(sql, &values![id, organisation]).await?;
        rows.iter().map(|row| Ok(row.get::<String>("document_id")?.into())).collect()
    }

    /// Its criteria as they were when it was planned, in the order of the plan.
    #[boxed]
    pub async fn criteria(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<Vec<RunCriterion>, StoreError> {
        let sql = "SELECT planned.* FROM eval_run_criteria AS planned \
            JOIN eval_runs AS run ON run.id = planned.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY planned.position";
        let rows = self.0.database.fetch(sql, &values![id, organisation]).await?;
        rows.iter().map(read_criterion).collect()
    }

    /// One of its criteria as it was when the run was planned.
    #[boxed]
    pub async fn criterion(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
        item: &CriteriaItemId,
    ) -> Result<Option<RunCriterion>, StoreError> {
        let sql = "SELECT planned.* FROM eval_run_criteria AS planned \
            JOIN eval_runs AS run ON run.id = planned.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 AND planned.criteria_item_id = $3";
        let row = self.0.database.fetch_optional(sql, &values![id, organisation, item]).await?;
        row.as_ref().map(read_criterion).transpose()
    }

    /// What is left to do: planned and not committed, in the order of the plan.
    #[boxed]
    pub async fn pending(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<Vec<Pair>, StoreError> {
        let sql = "SELECT document.document_id, item.criteria_item_id \
            FROM eval_runs AS run \
            JOIN eval_run_documents AS document ON document.run_id = run.id \
            JOIN eval_run_criteria AS item ON item.run_id = run.id \
            LEFT JOIN eval_criteria_results AS result ON result.run_id = run.id \
                AND result.document_id = document.document_id \
                AND result.criteria_item_id = item.criteria_item_id \
            WHERE run.id = $1 AND run.organisation_id = $2 AND result.id IS NULL \
            ORDER BY document.position, item.position";
        let rows = self.0.database.fetch(sql, &values![id, organisation]).await?;
        let pair = |row: &Row| {
            Ok(Pair {
                document_id: row.get::<String>("document_id")?.into(),
                criteria_item_id: row.get::<String>("criteria_item_id")?.into(),
            })
        };
        rows.iter().map(pair).collect()
    }

    /// How much is planned and how much is done.
    #[boxed]
    pub async fn progress(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
    ) -> Result<Progress, StoreError> {
        let mut progress = Progress::default();
        let sql = "SELECT (SELECT COUNT(*) FROM eval_run_documents WHERE run_id = run.id) * \
            (SELECT COUNT(*) FROM eval_run_criteria WHERE run_id = run.id) AS planned \
            FROM eval_runs AS run WHERE run.id = $1 AND run.organisation_id = $2";
        let row = self.0.database.fetch_optional(sql, &values![id, organisation]).await?;
        progress.planned = row.ok_or_else(|| missing(id))?.count("planned")?;
        let sql = "SELECT outcome, COUNT(*) AS count FROM eval_criteria_results \
            WHERE run_id = $1 GROUP BY outcome";
        for row in self.0.database.fetch(sql, &values![id]).await? {
            let outcome = ResultOutcome::from_word(&row.get::<String>("outcome")?)?;
            progress.committed.insert(outcome, row.count("count")?);
        }
        Ok(progress)
    }
}

/// Every document against every criterion, in the order of the plan.
const PLAN_ITEMS: &str = "INSERT INTO run_items \
    (run_id, position, subject, document_id, criteria_item_id, state, attempts) \
    SELECT document.run_id, document.position * $2 + item.position, \
    kept.name || ' ' || item.criteria_id, document.document_id, item.criteria_item_id, \
    'pending', 0 FROM eval_run_documents AS document \
    JOIN eval_documents AS kept ON kept.id = document.document_id \
    JOIN eval_run_criteria AS item ON item.run_id = document.run_id \
    WHERE document.run_id = $1 ORDER BY document.position, item.position";

async fn insert(transaction: &mut Transaction, run: &Run) -> Result<(), StoreError> {
    let columns = [
        "id",
        "organisation_id",
        "criteria_set_id",
        "doc_set_id",
        "state",
        "configuration",
        "configuration_hash",
        "method_version",
        "failure",
        "created_at",
        "started_at",
        "ended_at",
    ];
    let row = values![
        &run.id,
        &run.organisation_id,
        &run.criteria_set_id,
        &run.doc_set_id,
        run.state,
        &run.configuration,
        &run.configuration_hash,
        &run.method_version,
        &run.failure,
        run.created_at,
        run.started_at,
        run.ended_at,
    ];
    transaction.insert("eval_runs", &columns, &[row], "").await?;
    Ok(())
}

async fn plan_documents(
    transaction: &mut Transaction,
    run: &Run,
    documents: &[DocumentId],
) -> Result<(), StoreError> {
    let sql = "SELECT document.id FROM eval_documents AS document \
        JOIN eval_doc_sets AS owner ON owner.id = document.doc_set_id \
        WHERE owner.id = $1 AND owner.organisation_id = $2";
    let rows = transaction.fetch(sql, &values![&run.doc_set_id, &run.organisation_id]).await?;
    let known: Result<Vec<String>, _> = rows.iter().map(|row| row.get("id")).collect();
    let known: std::collections::BTreeSet<String> = known?.into_iter().collect();
    let mut planned = Vec::with_capacity(documents.len());
    for (position, document) in (0_i64..).zip(documents) {
        if !known.contains(document.as_str()) {
            return Err(StoreError::Missing { what: "document", id: document.to_string() });
        }
        planned.push(values![&run.id, document, position]);
    }
    let columns = ["run_id", "document_id", "position"];
    transaction.insert("eval_run_documents", &columns, &planned, "").await?;
    Ok(())
}

async fn plan_criteria(
    transaction: &mut Transaction,
    run: &Run,
    items: &[CriteriaItemId],
) -> Result<(), StoreError> {
    let sql = "SELECT item.id AS criteria_item_id, item.criteria_id, item.requirement, \
        item.description, item.properties FROM eval_criteria_items AS item \
        JOIN eval_criteria_sets AS owner ON owner.id = item.criteria_set_id \
        WHERE owner.id = $1 AND owner.organisation_id = $2";
    let rows = transaction.fetch(sql, &values![&run.criteria_set_id, &run.organisation_id]).await?;
    let known: Result<Vec<RunCriterion>, _> = rows.iter().map(read_criterion).collect();
    let known = known?.into_iter().map(|item| (item.criteria_item_id.clone(), item));
    let known: BTreeMap<CriteriaItemId, RunCriterion> = known.collect();
    let mut planned = Vec::with_capacity(items.len());
    for (position, id) in (0_i64..).zip(items) {
        let Some(item) = known.get(id) else {
            return Err(StoreError::Missing { what: "criterion", id: id.to_string() });
        };
        let RunCriterion { criteria_id, requirement, description, properties, .. } = item;
        let [run, id, position] = values![&run.id, id, position];
        let [criteria_id, requirement] = values![criteria_id, requirement];
        let [description, properties] = values![description, properties];
        planned.push([run, id, position, criteria_id, requirement, description, properties]);
    }
    let columns = [
        "run_id",
        "criteria_item_id",
        "position",
        "criteria_id",
        "requirement",
        "description",
        "properties",
    ];
    transaction.insert("eval_run_criteria", &columns, &planned, "").await?;
    Ok(())
}

fn read(row: &Row) -> Result<Run, StoreError> {
    Ok(Run {
        id: row.get::<String>("id")?.into(),
        organisation_id: row.get::<String>("organisation_id")?.into(),
        number: row.get("number")?,
        criteria_set_id: row.get::<String>("criteria_set_id")?.into(),
        doc_set_id: row.get::<String>("doc_set_id")?.into(),
        state: RunState::from_word(&row.get::<String>("state")?)?,
        configuration: row.json("configuration")?,
        configuration_hash: row.get("configuration_hash")?,
        method_version: row.get("method_version")?,
        failure: row.get("failure")?,
        created_at: row.get("created_at")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
    })
}

fn read_criterion(row: &Row) -> Result<RunCriterion, StoreError> {
    Ok(RunCriterion {
        criteria_item_id: row.get::<String>("criteria_item_id")?.into(),
        criteria_id: row.get("criteria_id")?,
        requirement: row.get("requirement")?,
        description: row.get("description")?,
        properties: row.json("properties")?,
    })
}
