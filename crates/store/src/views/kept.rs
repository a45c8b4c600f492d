//! What was read of runs that are done, kept in memory: it does not change any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};

use crate::ids::{OrganisationId, RunId};
use crate::runs::Run;
use crate::state::RunState;

/// What decides the values of a run that is done, and whose it is. Items that are tried again
/// open the run and give it another end; a rescore gives it another version, a decision another
/// revision. Other processes see the same row.
type Key = (OrganisationId, RunId, i64, i64, DateTime<Utc>, String);

/// What was read of runs, up to a size in all.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    most: usize,
    inner: Mutex<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T> {
    runs: BTreeMap<Key, Arc<T>>,
    size: usize,
}

impl<T> Kept<T> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, inner: Mutex::new(Inner { runs: BTreeMap::new(), size: 0 }) }
    }

    /// What is kept of a version of a run; the word says what.
    pub(super) fn get(&self, run: &Run, of: (i64, &str)) -> Option<Arc<T>> {
        let kept = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        kept.runs.get(&key(run, of)?).map(Arc::clone)
    }

    /// Keeps a value of some size, if the run is done.
    pub(super) fn keep(&self, run: &Run, of: (i64, &str), size: usize, value: &Arc<T>) {
        let Some(key) = key(run, of) else { return };
        // A very long run would push out all the others; two can be compared.
        if size > self.most / 4 {
            return;
        }
        let mut kept = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.size + size > self.most {
            // Nobody looks at so many: to begin again is cheaper than to know the oldest.
            *kept = Inner { runs: BTreeMap::new(), size: 0 };
        }
        if kept.runs.insert(key, Arc::clone(value)).is_none() {
            kept.size += size;
        }
    }
}

fn key(run: &Run, (version, what): (i64, &str)) -> Option<Key> {
    let ended_at = run.ended_at.filter(|_| run.state == RunState::Done)?;
    let whose = (run.organisation_id.clone(), run.id.clone());
    Some((whose.0, whose.1, version, run.revision, ended_at, what.to_owned()))
}
