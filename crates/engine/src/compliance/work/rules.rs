//! The rule judge at work: one document after the other, all cores on its criteria, while
//! what is judged already is being written.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_methods::compliance::rules::{Consulted, Reading, RuleJudge};
use assize_readers::{Reader, ReaderError};
use assize_store::{Claimed, CriteriaItemId, DocumentId, Finished, LOSSES_MAX, StoreError};
use assize_text::CodePoints;
use rayon::prelude::*;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::{Work, pair};
use crate::asking::Halt;
use crate::compliance::findings::Case;
use crate::compliance::in_memory::judge_by_rules;
use crate::compliance::material::Exhibit;
use crate::runs::leased::{BatchWork, Left, Share, lost as lost_reason};

/// Criteria that are judged, written and lost together.
const BATCH: usize = 200;
/// The same where a reader reads for them: a few seconds of its work, so that progress moves and
/// whoever stops it loses little.
const BATCH_WITH_READER: usize = 20;
/// Pairs that one process takes at a time: a few seconds of work, and few enough documents that
/// are read twice because two processes share them.
const CLAIMED: usize = 1_000;

/// What judging needs, away from the database.
struct RuleWork {
    judge: RuleJudge,
    reader: Option<Arc<dyn Reader>>,
    work: Arc<Work>,
    positions: BTreeMap<CriteriaItemId, usize>,
}

impl Work {
    /// Judges the pairs that are ours, document by document.
    pub(super) async fn by_rules(
        self,
        reader: Option<Arc<dyn Reader>>,
        share: &Share<'_>,
        count: &mut (impl FnMut(u64) + Send),
    ) -> Result<Left, Halt> {
        let judge = RuleJudge::new(&self.criteria.criteria);
        let positions = self.criteria.ids.iter().cloned().zip(0..).collect();
        let session = Arc::new(RuleWork { judge, reader, work: Arc::new(self), positions });
        Box::pin(share.work_in_batches(CLAIMED, Batches { session, share, count })).await
    }
}

/// Pairs that come in batches, and who hears how many are done.
struct Batches<'a, Count> {
    session: Arc<RuleWork>,
    share: &'a Share<'a>,
    count: &'a mut Count,
}

impl<Count: FnMut(u64) + Send> BatchWork for Batches<'_, Count> {
    async fn finish(&mut self, batch: Vec<Claimed>) -> Result<(), Halt> {
        let (claimed, lost): (Vec<Claimed>, Vec<Claimed>) =
            batch.into_iter().partition(|claimed| claimed.losses < LOSSES_MAX);
        for claimed in lost {
            let verdict = (self.share.give_up)(&claimed, &lost_reason(&claimed))?;
            let finished = Finished { claimed, verdict };
            (self.count)(self.session.work.workspace.store.finish_all(&[finished]).await?);
        }
        for (document, items) in by_document(claimed)? {
            self.session.document(&document, items, self.count).await?;
        }
        if self.share.stop.is_asked() { Err(Halt::Asked) } else { Ok(()) }
    }
}

/// The pairs document by document; they come in the order of the plan.
fn by_document(claimed: Vec<Claimed>) -> Result<Vec<(DocumentId, Vec<Claimed>)>, StoreError> {
    let mut documents: Vec<(DocumentId, Vec<Claimed>)> = Vec::new();
    for claimed in claimed {
        let document = pair(&claimed)?.document_id;
        match documents.last_mut() {
            Some((last, items)) if *last == document => items.push(claimed),
            _ => documents.push((document, vec![claimed])),
        }
    }
    Ok(documents)
}

impl RuleWork {
    async fn document(
        self: &Arc<Self>,
        document: &DocumentId,
        items: Vec<Claimed>,
        count: &mut (impl FnMut(u64) + Send),
    ) -> Result<(), Halt> {
        let exhibit = self.work.exhibit(document).await?;
        let (batches, mut judged) = mpsc::channel(2);
        let session = Arc::clone(self);
        let judging = spawn_blocking(move || session.judge(&exhibit, &items, &batches));
        while let Some(batch) = judged.recv().await {
            count(self.work.workspace.store.finish_all(&batch).await?);
        }
        match judging.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Halt::Reader(Arc::new(error))),
            Err(_) => Err(Halt::Asked),
        }
    }

    /// Judges criteria until there are no more, somebody wants to stop, or nobody listens.
    fn judge(
        &self,
        exhibit: &Exhibit,
        items: &[Claimed],
        batches: &mpsc::Sender<Vec<Finished>>,
    ) -> Result<(), ReaderError> {
        let reading = Reading::new(&exhibit.text);
        let code_points = CodePoints::of(&exhibit.text);
        let Work { configuration, stop, .. } = &*self.work;
        let size = if self.reader.is_some() { BATCH_WITH_READER } else { BATCH };
        for batch in items.chunks(size) {
            if stop.is_asked() {
                return Ok(());
            }
            let consulted = self.consult(batch, &reading)?;
            let one = |claimed: &Claimed| {
                let item = claimed.criteria_item_id.as_ref()?;
                let position = *self.positions.get(item)?;
                let decided_by = (&configuration.structure, &configuration.rubric);
                let found = judge_by_rules(
                    &self.judge,
                    position,
                    (&reading, consulted.as_ref()),
                    decided_by,
                );
                let case = Case { configuration, exhibit, code_points: &code_points };
                let verdict = case.verdict(found, &[]);
                Some(Finished { claimed: claimed.clone(), verdict })
            };
            let rows: Vec<Finished> = batch.par_iter().filter_map(one).collect();
            if batches.blocking_send(rows).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Has the reader read what a batch needs, if there is one.
    fn consult(
        &self,
        batch: &[Claimed],
        document: &Reading<'_>,
    ) -> Result<Option<Consulted>, ReaderError> {
        let Some(reader) = &self.reader else { return Ok(None) };
        let items = batch.iter().filter_map(|claimed| claimed.criteria_item_id.as_ref());
        let criteria: Vec<usize> =
            items.filter_map(|item| self.positions.get(item).copied()).collect();
        self.judge.consult(&**reader, &criteria, document).map(Some)
    }
}
