//! Labels: how people rate an item, several people to an item.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::audited;
use crate::database::Transaction;
use crate::error::Result;
use crate::ids::RunId;
use crate::record::{handle, record};
use crate::value::values;

record! {
    /// What one person says about one measure of an item: a number, a word, or both.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Label {
        /// The item's place in the run, from 0.
        pub position: i64,
        /// Who.
        pub rater: String,
        /// About which measure.
        pub measure: String,
        /// The number.
        pub value: Option<f64>,
        /// The word.
        pub label: Option<String>,
        /// What they want to add.
        pub note: Option<String>,
        /// When.
        pub created_at: DateTime<Utc>,
    }
}

handle!(Labels, labels, "The labels of a store.");

impl Labels<'_> {
    /// Adds labels of a rater, and notes it in the audit; who said something about the same
    /// measure before says this instead.
    #[boxed]
    pub async fn put(&self, run: &RunId, labels: &[Label]) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        write(&mut transaction, run, labels).await?;
        audited::rated(&mut transaction, run, labels).await?;
        transaction.commit().await
    }

    /// All of a run, item by item, by rater and measure.
    #[boxed]
    pub async fn list(&self, run: &RunId) -> Result<Vec<Label>> {
        let sql = "SELECT * FROM labels WHERE run_id = $1 ORDER BY position, rater, measure";
        self.0.database.list(sql, &values![run]).await
    }
}

/// Writes labels: who said something about the same measure before says this instead.
pub(crate) async fn write(
    transaction: &mut Transaction,
    run: &RunId,
    labels: &[Label],
) -> Result<()> {
    let rows: Vec<_> = labels
        .iter()
        .map(|one| {
            let Label { position, rater, measure, value, label, note, created_at } = one;
            values![run, *position, rater, measure, *value, label, note, *created_at]
        })
        .collect();
    let columns =
        ["run_id", "position", "rater", "measure", "value", "label", "note", "created_at"];
    let ending = "ON CONFLICT (run_id, position, rater, measure) DO UPDATE SET \
        value = excluded.value, label = excluded.label, note = excluded.note, \
        created_at = excluded.created_at";
    transaction.insert("labels", &columns, &rows, ending).await?;
    Ok(())
}
