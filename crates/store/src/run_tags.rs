//! Tags of runs.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;

use crate::batch::list;
use crate::error::Result;
use crate::ids::RunId;
use crate::runs::{Run, Runs};
use crate::value::{Value, values};

/// Runs that one question names: far below what either database takes.
pub(crate) const RUNS_AT_ONCE: usize = 500;

/// What people put on a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// Its tags, in order.
    pub tags: Vec<String>,
    /// Whether anybody ever approved it, taken back or not.
    pub was_approved: bool,
}

impl Runs<'_> {
    /// Adds a tag.
    #[boxed]
    pub async fn tag(&self, run: &Run, tag: &str) -> Result<()> {
        let sql = "INSERT INTO run_tags (run_id, tag) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.0.database.execute(sql, &values![&run.id, tag]).await?;
        Ok(())
    }

    /// Takes a tag away.
    #[boxed]
    pub async fn untag(&self, run: &Run, tag: &str) -> Result<()> {
        let sql = "DELETE FROM run_tags WHERE run_id = $1 AND tag = $2";
        self.0.database.execute(sql, &values![&run.id, tag]).await?;
        Ok(())
    }

    /// Its tags, in order.
    #[boxed]
    pub async fn tags(&self, id: &RunId) -> Result<Vec<String>> {
        let sql = "SELECT tag FROM run_tags WHERE run_id = $1 ORDER BY tag";
        self.0.database.fetch(sql, &values![id]).await?.iter().map(|row| row.get("tag")).collect()
    }

    /// The tags of several runs, in order, and whether anybody ever approved them.
    pub async fn marks_of<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i RunId>,
    ) -> Result<BTreeMap<RunId, Marks>> {
        let values: Vec<Value<'_>> = ids.into_iter().map(Value::from).collect();
        let mut marks: BTreeMap<RunId, Marks> = BTreeMap::new();
        for piece in values.chunks(RUNS_AT_ONCE) {
            let sql = format!(
                "SELECT runs.id, tagged.tag, EXISTS (SELECT 1 FROM run_approvals AS approval \
                 WHERE approval.run_id = runs.id) AS was_approved FROM runs \
                 LEFT JOIN run_tags AS tagged ON tagged.run_id = runs.id \
                 WHERE runs.id IN ({}) ORDER BY tagged.tag",
                list(piece.len())
            );
            for row in self.0.database.fetch(&sql, piece).await? {
                let of_run = marks.entry(row.get::<String>("id")?.into()).or_default();
                of_run.was_approved = row.get("was_approved")?;
                of_run.tags.extend(row.get::<Option<String>>("tag")?);
            }
        }
        Ok(marks)
    }
}
