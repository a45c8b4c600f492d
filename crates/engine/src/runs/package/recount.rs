//! The numbers of the version that counts, scored again from the evidence in a package by the
//! functions that runs use.

use std::collections::BTreeMap;

use assize_score::{Outcome, Verdict};
use assize_store::{Instrument, NewVerdict, Run};
use serde_json::Value as Json;

use super::super::council;
use super::super::error::{Result, RunError};
use super::super::rescore::Corrected;
use crate::Workspace;
use crate::council::verify;
use crate::runs::decide::SCORE;

/// The values of an item by measure.
pub(super) type Values = BTreeMap<String, Option<f64>>;

impl Workspace {
    /// The values of every item, by position, as they come out now.
    pub(super) async fn recount(&self, run: &Run) -> Result<BTreeMap<i64, Values>> {
        let verdicts = match run.instrument {
            Instrument::Retrieval => {
                let request = self.scored_with(run).await?;
                let items = self.retrieval_items(run, request).await?;
                (0..).zip(items.into_iter().map(|(_, new)| new)).collect()
            }
            Instrument::Summary => self.summaries_again(run).await?,
            Instrument::Council => self.council_items(run).await?,
            Instrument::Compliance => return self.ledgers(run).await,
        };
        let values =
            |(position, new): (i64, NewVerdict)| (position, new.scores.into_iter().collect());
        Ok(verdicts.into_iter().map(values).collect())
    }

    async fn summaries_again(&self, run: &Run) -> Result<Vec<(i64, NewVerdict)>> {
        let scoring = self.scoring_of(run).await?;
        let (nothing, mut all, mut from) = (Corrected::default(), Vec::new(), 0);
        while let Some(page) = self.page_again(&scoring, from, &nothing).await? {
            from = page.next;
            all.extend(page.verdicts);
        }
        Ok(all)
    }

    /// Ballots are read again from their replies first.
    async fn council_items(&self, run: &Run) -> Result<Vec<(i64, NewVerdict)>> {
        let mut council = self.council_of(run).await?;
        verify::again(&mut council).map_err(|error| RunError::Refused(error.to_string()))?;
        let items = council::items(&council.verdict())?;
        Ok((0..).zip(items.into_iter().map(|(_, new)| new)).collect())
    }

    /// What the ledgers of a compliance run come to: what was judged is judged again elsewhere.
    async fn ledgers(&self, run: &Run) -> Result<BTreeMap<i64, Values>> {
        let mut all = BTreeMap::new();
        for verdict in self.store.verdicts().page(&run.id, run.version, 0, i64::MAX).await? {
            let ledger = verdict.ledger.unwrap_or_default();
            all.insert(verdict.position, [(SCORE.to_owned(), score_of(&ledger))].into());
        }
        Ok(all)
    }
}

/// The score that a compliance ledger ends with.
fn score_of(ledger: &Json) -> Option<f64> {
    let verdict: Verdict = serde_json::from_value(ledger["verdict"].clone()).ok()?;
    verdict.score(SCORE).and_then(Outcome::value)
}
