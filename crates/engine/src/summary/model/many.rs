//! A whole file of pairs by models: many at once, handed on in the order of the file.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::reviewers::SummaryJudge;
use crate::asking::Halt;
use crate::asking::items::better;
use crate::summary::batches::{Judged, Progress, read_record};
use crate::summary::input::{Fields, PairsError, Records};

/// So much may wait for its turn at the output: several thousand pairs of ordinary length.
const WAITING_BYTES_MAX: usize = 32 << 20;
/// What a judged pair holds beside its texts.
const PAIR_BYTES: usize = 4_096;

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
    let (mut done, mut halt) = (0, None);
    let mut source = source.enumerate();
    let (mut under_way, mut waiting) = (FuturesUnordered::new(), Waiting::default());
    loop {
        // One slow reply does not hold up the others: they go on behind it, and wait here for
        // their turn at the output, as long as there is room for what they hold.
        while under_way.len() < judge.session.concurrency && waiting.has_room() {
            let Some((place, record)) = source.next() else { break };
            let working = work(record);
            under_way.push(async move { (place, working.await) });
        }
        let Some((place, end)) = under_way.next().await else { break };
        match end {
            Ok(judged) => waiting.add(place, judged),
            Err(reason) => {
                halted.store(true, Ordering::Relaxed);
                halt = Some(better(halt, reason));
            }
        }
        while let Some(judged) = waiting.next() {
            done += 1;
            let bytes = bytes_read.load(Ordering::Relaxed);
            hand_on(judged?, Progress { records: done, bytes, bytes_total })?;
        }
    }
    if halt.is_none() && stop.is_asked() {
        halt = Some(Halt::Asked);
    }
    Ok(halt)
}

/// Pairs that are judged before those that stand before them in the file.
#[derive(Default)]
struct Waiting {
    next: usize,
    bytes: usize,
    judged: BTreeMap<usize, Result<Judged, PairsError>>,
}

impl Waiting {
    fn has_room(&self) -> bool {
        self.bytes < WAITING_BYTES_MAX
    }

    fn add(&mut self, place: usize, judged: Result<Judged, PairsError>) {
        self.bytes += bytes(&judged);
        self.judged.insert(place, judged);
    }

    /// The next in the order of the file, if it is there.
    fn next(&mut self) -> Option<Result<Judged, PairsError>> {
        let judged = self.judged.remove(&self.next)?;
        self.bytes -= bytes(&judged);
        self.next += 1;
        Some(judged)
    }
}

/// Texts, and about as much again for what was found in them.
fn bytes(judged: &Result<Judged, PairsError>) -> usize {
    let pair = judged.as_ref().ok().and_then(|judged| judged.pair.as_ref());
    pair.map_or(0, |pair| 2 * (pair.article.len() + pair.summary.len())) + PAIR_BYTES
}
