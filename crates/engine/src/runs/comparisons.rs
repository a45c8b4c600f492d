//! Comparisons of runs that are done, kept: a page that is asked for again computes none anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use assize_store::{Run, RunState};
use assize_wire::runs::Comparison;

use super::error::Result;
use crate::Workspace;
use crate::retrieval::compare::ComparisonOptions;

/// Comparisons that are kept, and subjects that one of them lists at most.
const KEPT_MAX: usize = 500;
const LISTED_MAX: usize = 1_000;

/// Comparisons by all that decides them: whoever writes to anything else leaves them as they are.
#[derive(Debug, Default)]
pub struct Comparisons(Mutex<BTreeMap<String, Arc<Comparison>>>);

impl Comparisons {
    /// Two runs compared, each in a version; of each measure so many are listed that moved most.
    /// Computes on the thread that it is called on.
    pub async fn comparison(
        &self,
        workspace: &Workspace,
        pair: [(&Run, i64); 2],
        moved_max: usize,
    ) -> Result<Arc<Comparison>> {
        let key = key(pair, moved_max);
        if let Some(found) = key.as_ref().and_then(|key| self.kept(key)) {
            return Ok(found);
        }
        let comparable = workspace.comparable(pair).await?;
        let found = Arc::new(comparable.compare(&ComparisonOptions::of_runs(moved_max)));
        if let Some(key) = key {
            self.keep(key, &found);
        }
        Ok(found)
    }

    fn kept(&self, key: &str) -> Option<Arc<Comparison>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn keep(&self, key: String, found: &Arc<Comparison>) {
        if found.became_unscored.len() + found.became_scored.len() > LISTED_MAX {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            // Nobody looks at so many: to begin again is cheaper than to know the oldest.
            kept.clear();
        }
        kept.insert(key, Arc::clone(found));
    }
}

/// What a comparison follows from: a decision gives a run another revision, a retry another end.
fn key(pair: [(&Run, i64); 2], moved_max: usize) -> Option<String> {
    let of = |(run, version): (&Run, i64)| {
        let ended_at = run.ended_at.filter(|_| run.state == RunState::Done)?;
        let (id, number, name) = (&run.id, run.number, &run.name);
        Some(format!("{id} {version} {} {ended_at} {number} {name:?}", run.revision))
    };
    let [first, second] = pair.map(of);
    Some(format!("{moved_max} {} {}", first?, second?))
}
