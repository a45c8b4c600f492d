//! The rule judge at work: one document after the other, all cores on its criteria, while
//! what is judged already is being written.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_methods::compliance::rules::RuleJudge;
use assize_store::{CriteriaItemId, DocumentId, NewResult};
use assize_text::CodePoints;
use assize_wire::compliance::Seen;
use rayon::prelude::*;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::Work;
use crate::asking::Halt;
use crate::compliance::error::ComplianceError;
use crate::compliance::findings::{Case, Found};
use crate::compliance::material::Exhibit;

/// Criteria that are judged, written and lost together.
const BATCH: usize = 200;

/// What judging needs, away from the database.
struct RuleWork {
    judge: RuleJudge,
    work: Arc<Work>,
    positions: BTreeMap<CriteriaItemId, usize>,
}

impl Work {
    /// Judges documents in their order. Returns why it ended early, if it did.
    pub(super) async fn by_rules(
        self,
        documents: Vec<(DocumentId, Vec<CriteriaItemId>)>,
        count: &mut impl FnMut(u64),
    ) -> Result<Option<Halt>, ComplianceError> {
        let judge = RuleJudge::new(&self.criteria.criteria);
        let positions = self.criteria.ids.iter().cloned().zip(0..).collect();
        let session = Arc::new(RuleWork { judge, work: Arc::new(self), positions });
        for (document, items) in documents {
            if session.work.stop.is_asked() {
                return Ok(Some(Halt::Asked));
            }
            if let Err(halt) = session.document(&document, items, count).await {
                return Ok(Some(halt));
            }
        }
        Ok(session.work.stop.is_asked().then_some(Halt::Asked))
    }
}

impl RuleWork {
    async fn document(
        self: &Arc<Self>,
        document: &DocumentId,
        items: Vec<CriteriaItemId>,
        count: &mut impl FnMut(u64),
    ) -> Result<(), Halt> {
        let exhibit = self.work.exhibit(document).await?;
        let (batches, mut judged) = mpsc::channel(2);
        let session = Arc::clone(self);
        let judging = spawn_blocking(move || session.judge(&exhibit, &items, &batches));
        let registry = &self.work.registry;
        while let Some(batch) = judged.recv().await {
            let results = registry.store.results();
            count(results.commit(&registry.organisation, &self.work.run.id, &batch).await?);
        }
        judging.await.map_err(|_| Halt::Asked)
    }

    /// Judges criteria until there are no more, somebody wants to stop, or nobody listens.
    fn judge(
        &self,
        exhibit: &Exhibit,
        items: &[CriteriaItemId],
        batches: &mpsc::Sender<Vec<NewResult>>,
    ) {
        let reading = self.judge.read(&exhibit.text);
        let code_points = CodePoints::of(&exhibit.text);
        let Work { run, configuration, stop, .. } = &*self.work;
        for batch in items.chunks(BATCH) {
            if stop.is_asked() {
                return;
            }
            let one = |item: &CriteriaItemId| {
                let position = *self.positions.get(item)?;
                let found = self.judge.judge(position, &reading, None, &configuration.structure);
                let judged = found.judged(&configuration.rubric);
                let case =
                    Case { run: &run.id, configuration, exhibit, code_points: &code_points, item };
                Some(case.row(Found {
                    assessment: found.assessment,
                    citations: found.citations,
                    judged,
                    context: Seen::Whole { whole: true },
                    raw_answer: None,
                    exchanges: Vec::new(),
                }))
            };
            let rows: Vec<NewResult> = batch.par_iter().filter_map(one).collect();
            if batches.blocking_send(rows).is_err() {
                return;
            }
        }
    }
}
