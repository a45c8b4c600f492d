//! Figures of runs that are done, kept in memory: they do not change any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};

use super::MeasureFigure;
use crate::ids::RunId;
use crate::runs::Run;
use crate::state::RunState;

/// Runs that are kept: some 300 bytes a measure, so a few megabytes.
const KEPT_MAX: usize = 10_000;

/// What decides the figures of a run that is done. Items that are tried again open the run and
/// give it another end; a rescore gives it another version, a decision another
/// revision. Other processes see the same row.
type Key = (RunId, i64, i64, DateTime<Utc>, bool);

/// The figures of runs that were asked for.
#[derive(Debug, Default)]
pub(crate) struct KeptFigures(Mutex<BTreeMap<Key, Arc<Vec<MeasureFigure>>>>);

impl KeptFigures {
    /// What is kept of a run.
    pub(super) fn get(
        &self,
        run: &Run,
        version: i64,
        has_intervals: bool,
    ) -> Option<Arc<Vec<MeasureFigure>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&key(run, version, has_intervals)?).map(Arc::clone)
    }

    /// Keeps the figures of a run, if it is done.
    pub(super) fn keep(
        &self,
        run: &Run,
        (version, has_intervals): (i64, bool),
        figures: &Arc<Vec<MeasureFigure>>,
    ) {
        let Some(key) = key(run, version, has_intervals) else { return };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            // Nobody looks at so many: to begin again is cheaper than to know the oldest.
            kept.clear();
        }
        kept.insert(key, Arc::clone(figures));
    }
}

fn key(run: &Run, version: i64, has_intervals: bool) -> Option<Key> {
    let ended_at = run.ended_at.filter(|_| run.state == RunState::Done)?;
    Some((run.id.clone(), version, run.revision, ended_at, has_intervals))
}
