//! Decisions: what a person says about an item beside the judge. All are kept; the last one of a
//! kind and target counts.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::{Row, Transaction};
use crate::error::StoreError;
use crate::ids::{DecisionId, RunId};
use crate::state::DecisionKind;
use crate::store::Store;
use crate::value::values;

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The item's place in the run, from 0.
    pub position: i64,
    /// Which of the decisions about the item, from 1; given when it is added.
    pub sequence: i64,
    /// What kind.
    pub kind: DecisionKind,
    /// About what: a measure, a piece of evidence, a section.
    pub target: String,
    /// What it is to be; none when it is withdrawn.
    pub value: Option<Json>,
    /// Whether it takes an earlier one back.
    pub is_withdrawal: bool,
    /// Who.
    pub author: String,
    /// Why.
    pub reason: String,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// The decisions of a store.
#[derive(Debug, Clone, Copy)]
pub struct Decisions<'a>(&'a Store);

impl Store {
    /// What people decided.
    pub fn decisions(&self) -> Decisions<'_> {
        Decisions(self)
    }
}

impl Decisions<'_> {
    /// Adds decisions about items of a run, each after those that are there; all or none.
    #[boxed]
    pub async fn add(&self, run: &RunId, decisions: &[Decision]) -> Result<(), StoreError> {
        let mut transaction = self.0.database.begin().await?;
        // Whoever adds at the same time waits here, so that no two get the same place.
        let sql = "UPDATE runs SET version = version WHERE id = $1";
        if transaction.execute(sql, &values![run]).await? == 0 {
            return Err(crate::any_runs::missing(run));
        }
        insert(&mut transaction, run, decisions).await?;
        transaction.commit().await
    }

    /// All of a run, item by item in the order in which they were made.
    #[boxed]
    pub async fn list(&self, run: &RunId) -> Result<Vec<Decision>, StoreError> {
        let sql = "SELECT * FROM decisions WHERE run_id = $1 ORDER BY position, sequence";
        self.0.database.fetch(sql, &values![run]).await?.iter().map(read).collect()
    }
}

/// Writes decisions, each after those that are there. Whoever calls it holds the row of the run.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    run: &RunId,
    decisions: &[Decision],
) -> Result<(), StoreError> {
    let sql = "INSERT INTO decisions (id, run_id, position, sequence, kind, target, value, \
        is_withdrawal, author, reason, created_at) SELECT $1, $2, item.position, \
        1 + (SELECT COUNT(*) FROM decisions WHERE run_id = $2 AND position = $3), \
        $4, $5, $6, $7, $8, $9, $10 FROM run_items AS item \
        WHERE item.run_id = $2 AND item.position = $3";
    for (number, decision) in decisions.iter().enumerate() {
        let Decision { position, kind, target, value, is_withdrawal, .. } = decision;
        let Decision { author, reason, created_at, .. } = decision;
        let parts = [run.as_str(), target, author, &position.to_string(), &number.to_string()];
        let id = DecisionId::at(*created_at, &parts);
        let [id, run, position] = values![&id, run, *position];
        let [kind, target, value, is_withdrawal] = values![*kind, target, value, *is_withdrawal];
        let [author, reason, created_at] = values![author, reason, *created_at];
        let values =
            [id, run, position, kind, target, value, is_withdrawal, author, reason, created_at];
        if transaction.execute(sql, &values).await? == 0 {
            let id = decision.position.to_string();
            return Err(StoreError::Missing { what: "item", id });
        }
    }
    Ok(())
}

pub(crate) fn read(row: &Row) -> Result<Decision, StoreError> {
    Ok(Decision {
        position: row.get("position")?,
        sequence: row.get("sequence")?,
        kind: DecisionKind::from_word(&row.get::<String>("kind")?)?,
        target: row.get("target")?,
        value: row.json("value")?,
        is_withdrawal: row.get("is_withdrawal")?,
        author: row.get("author")?,
        reason: row.get("reason")?,
        created_at: row.get("created_at")?,
    })
}
