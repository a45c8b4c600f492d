//! What a compliance run is planned from: which documents are held against which criteria, frozen
//! before anything begins.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audited;
use crate::batch::{list, pieces};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{CriteriaItemId, DocumentId, OrganisationId, RunId};
use crate::record::{Record, handle, record};
use crate::runs::{self, NewRun};
use crate::value::{Value, values};

record! {
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
}

/// One document and one criterion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pair {
    pub document_id: DocumentId,
    /// The criterion.
    pub criteria_item_id: CriteriaItemId,
}

handle!(Plans, plans, "The plans of compliance runs.");

impl Plans<'_> {
    /// Plans a run: every one of these documents against every one of these criteria, in this
    /// order. The words of the criteria are kept as they are now. Returns the run's number.
    #[boxed]
    pub async fn plan(
        &self,
        run: &NewRun,
        documents: &[DocumentId],
        items: &[CriteriaItemId],
    ) -> Result<i64> {
        let mut transaction = self.0.database.begin().await?;
        let pairs = documents.len() * items.len();
        let number = runs::insert(&mut transaction, run, pairs).await?;
        plan_documents(&mut transaction, run, documents).await?;
        plan_criteria(&mut transaction, run, items).await?;
        let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
        transaction.execute(PLAN_ITEMS, &values![&run.id, count]).await?;
        audited::created(&mut transaction, run, number, pairs).await?;
        transaction.commit().await?;
        Ok(number)
    }

    /// The names of the document set and the criteria set of several runs.
    pub async fn sets_of<'i>(
        &self,
        organisation: &OrganisationId,
        ids: impl IntoIterator<Item = &'i RunId>,
    ) -> Result<BTreeMap<RunId, (String, String)>> {
        let ids: Vec<&RunId> = ids.into_iter().collect();
        let mut sets = BTreeMap::new();
        for piece in pieces(&ids) {
            let mut values: Vec<Value<'_>> = piece.iter().map(|id| Value::from(*id)).collect();
            values.push(organisation.into());
            let sql = format!(
                "SELECT run.id, documents.name AS documents, criteria.name AS criteria \
                 FROM runs AS run \
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
    ) -> Result<Vec<DocumentId>> {
        let sql = "SELECT planned.document_id FROM run_documents AS planned \
            JOIN runs AS run ON run.id = planned.run_id \
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
    ) -> Result<Vec<RunCriterion>> {
        let sql = "SELECT planned.* FROM run_criteria AS planned \
            JOIN runs AS run ON run.id = planned.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY planned.position";
        self.0.database.list(sql, &values![id, organisation]).await
    }

    /// One of its criteria as it was when the run was planned.
    #[boxed]
    pub async fn criterion(
        &self,
        organisation: &OrganisationId,
        id: &RunId,
        item: &CriteriaItemId,
    ) -> Result<Option<RunCriterion>> {
        let sql = "SELECT planned.* FROM run_criteria AS planned \
            JOIN runs AS run ON run.id = planned.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 AND planned.criteria_item_id = $3";
        self.0.database.find(sql, &values![id, organisation, item]).await
    }
}

/// Every document against every criterion, in the order of the plan.
const PLAN_ITEMS: &str = "INSERT INTO run_items \
    (run_id, position, subject, document_id, criteria_item_id, state, attempts) \
    SELECT document.run_id, document.position * $2 + item.position, \
    kept.name || ' ' || item.criteria_id, document.document_id, item.criteria_item_id, \
    'pending', 0 FROM run_documents AS document \
    JOIN eval_documents AS kept ON kept.id = document.document_id \
    JOIN run_criteria AS item ON item.run_id = document.run_id \
    WHERE document.run_id = $1 ORDER BY document.position, item.position";

async fn plan_documents(
    transaction: &mut Transaction,
    run: &NewRun,
    documents: &[DocumentId],
) -> Result<()> {
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
    transaction.insert("run_documents", &columns, &planned, "").await?;
    Ok(())
}

async fn plan_criteria(
    transaction: &mut Transaction,
    run: &NewRun,
    items: &[CriteriaItemId],
) -> Result<()> {
    let sql = "SELECT item.id AS criteria_item_id, item.criteria_id, item.requirement, \
        item.description, item.properties FROM eval_criteria_items AS item \
        JOIN eval_criteria_sets AS owner ON owner.id = item.criteria_set_id \
        WHERE owner.id = $1 AND owner.organisation_id = $2";
    let rows = transaction.fetch(sql, &values![&run.criteria_set_id, &run.organisation_id]).await?;
    let known: Result<Vec<RunCriterion>> = rows.iter().map(RunCriterion::read).collect();
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
    transaction.insert("run_criteria", &columns, &planned, "").await?;
    Ok(())
}
