//! A whole file of pairs by models: many at once, handed on in the order of the file.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::stream::{self, StreamExt};

use super::reviewers::SummaryJudge;
use crate::asking::Halt;
use crate::asking::items::better;
use crate::summary::batches::{Judged, Progress, read_record};
use crate::summary::input::{Fields, PairsError, Records};

/// Works through a file of pairs. `hand_on` gets them in the order of the file.
///
/// When the run has to end, no new pair is begun, those under way are finished, and the
/// reason is returned; what came after the first gap is kept in the store and not handed on.
pub async fn run<E: From<PairsError>>(
    judge: &SummaryJudge,
    mut records: Records,
    fields: &Fields,
    mut hand_on: impl FnMut(Judged, Progress) -> Result<(), E>,
) -> Result<Option<Halt>, E> {
    records.require(&[&fields.article, &fields.summary])?;
    let stop = &judge.session.stop;
    let bytes_total = records.counter().total;
    let (bytes_read, halted) = (AtomicU64::new(0), AtomicBool::new(false));
    let source = std::iter::from_fn(|| {
        let over = halted.load(Ordering::Relaxed) || stop.is_asked();
        let record = if over { None } else { records.next() };
        bytes_read.store(records.counter().read(), Ordering::Relaxed);
        record
    });
    let work = |record| async {
        match record {
            Err(error) => Ok(Err(error)),
            Ok(record) => match read_record(record, fields) {
                Err(unreadable) => Ok(Ok(*unreadable)),
                Ok((id, pair)) => judge.judge(id, pair).await.map(Ok),
            },
        }
    };
    let mut judged = Box::pin(stream::iter(source).map(work).buffered(judge.session.concurrency));
    let (mut done, mut halt) = (0, None);
    while let Some(end) = judged.next().await {
        match end {
            Ok(judged) if halt.is_none() => {
                done += 1;
                let bytes = bytes_read.load(Ordering::Relaxed);
                hand_on(judged?, Progress { records: done, bytes, bytes_total })?;
            }
            Ok(_) => {}
            Err(reason) => {
                halted.store(true, Ordering::Relaxed);
                halt = Some(better(halt, reason));
            }
        }
    }
    if halt.is_none() && stop.is_asked() {
        halt = Some(Halt::Asked);
    }
    Ok(halt)
}
