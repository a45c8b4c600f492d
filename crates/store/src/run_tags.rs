//! Tags of runs.

use std::collections::BTreeMap;

use crate::any_runs::{AnyRun, AnyRuns};
use crate::error::StoreError;
use crate::ids::RunId;
use crate::value::{Value, values};

/// Runs that one question names: far below what either database takes.
pub(crate) const RUNS_AT_ONCE: usize = 500;

impl AnyRuns<'_> {
    /// Adds a tag.
    pub async fn tag(&self, run: &AnyRun, tag: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO run_tags (run_id, tag) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.0.database.execute(sql, &values![&run.id, tag]).await?;
        Ok(())
    }

    /// Takes a tag away.
    pub async fn untag(&self, run: &AnyRun, tag: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM run_tags WHERE run_id = $1 AND tag = $2";
        self.0.database.execute(sql, &values![&run.id, tag]).await?;
        Ok(())
    }

    /// Its tags, in order.
    pub async fn tags(&self, id: &RunId) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT tag FROM run_tags WHERE run_id = $1 ORDER BY tag";
        self.0.database.fetch(sql, &values![id]).await?.iter().map(|row| row.get("tag")).collect()
    }

    /// The tags of several runs, in order; a run without any is left out.
    pub async fn tags_of<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i RunId>,
    ) -> Result<BTreeMap<RunId, Vec<String>>, StoreError> {
        let values: Vec<Value<'_>> = ids.into_iter().map(Value::from).collect();
        let mut tags: BTreeMap<RunId, Vec<String>> = BTreeMap::new();
        for piece in values.chunks(RUNS_AT_ONCE) {
            let places: Vec<String> = (1..=piece.len()).map(|place| format!("${place}")).collect();
            let sql = format!(
                "SELECT run_id, tag FROM run_tags WHERE run_id IN ({}) ORDER BY tag",
                places.join(", ")
            );
            for row in self.0.database.fetch(&sql, piece).await? {
                tags.entry(row.get::<String>("run_id")?.into()).or_default().push(row.get("tag")?);
            }
        }
        Ok(tags)
    }
}
