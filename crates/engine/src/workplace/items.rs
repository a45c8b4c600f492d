//! The items of retrieval, summaries and councils: their values, their workings, comments.

use assize_score::Verdict;
use assize_store::{Order, ResultOutcome, Run};
use assize_wire::workplace::{Decided, ItemView, Measured, Neighbour, QueryTexts};
use async_recursion::async_recursion as boxed;

use super::figures::put_in_order;
use super::query::texts;
use super::result::decided;
use crate::Workspace;
use crate::runs::retrieval::ScoredFrom;
use crate::runs::{Result, RunError};
use crate::summary::{Judged, Settings, SummaryRequest};

/// How the numbers of one query came about: its verdicts, and its texts.
pub fn workings(from: ScoredFrom, subject: &str) -> Result<(Vec<Verdict>, QueryTexts)> {
    let found = from.explain(subject)?;
    let texts = texts(found.passages, found.gold);
    Ok((found.verdicts, texts))
}

impl Workspace {
    /// An item with its measures and what people said about it.
    #[boxed]
    pub async fn item_view(&self, run: &Run, number: i64) -> Result<ItemView> {
        let position = number - 1;
        let order = Order::ByPosition { after: Some(position - 2) };
        let page = self.store.run_items().page(&run.id, run.version, &order, 3).await?;
        let named = |position: i64| {
            let found = page.iter().find(|item| item.position == position);
            found.map(|item| Neighbour { number: position + 1, name: item.subject.clone() })
        };
        let item = page
            .iter()
            .find(|item| item.position == position)
            .ok_or_else(|| RunError::Missing(format!("{}, item {number}", run.number)))?;
        let mut measures: Vec<(&String, &Option<f64>)> = item.scores.iter().collect();
        put_in_order(&mut measures, |(name, _)| name);
        Ok(ItemView {
            run: self.run_entry(run).await?,
            number,
            subject: item.subject.clone(),
            outcome: item.outcome.map_or("pending", ResultOutcome::word).to_owned(),
            reason: item.reason.clone(),
            measures: measures
                .into_iter()
                .map(|(name, value)| Measured { name: name.clone(), value: *value })
                .collect(),
            comments: self.comments(run, position).await?,
            around: [named(position - 1), named(position + 1)],
        })
    }

    async fn comments(&self, run: &Run, position: i64) -> Result<Vec<Decided>> {
        let all = self.store.decisions().about(&run.id, position).await?;
        Ok(all.iter().map(decided).collect())
    }

    /// How the numbers of one query were computed: its verdicts, and its texts. A run that did not
    /// keep its files has none.
    #[boxed]
    pub(crate) async fn query_workings(
        &self,
        run: &Run,
        subject: &str,
    ) -> Result<(Vec<Verdict>, QueryTexts)> {
        workings(self.scored_from(run).await?, subject)
    }

    /// One pair of a summary run with its evidence, and how it is counted.
    #[boxed]
    pub async fn summary_item(&self, run: &Run, number: i64) -> Result<(Option<Judged>, Settings)> {
        let SummaryRequest { framework, overlap, .. } = self.summary_request(run).await?;
        let settings = Settings { framework, overlap, ..Settings::default() };
        let mut found = self.stored_summaries(run, number - 1, 1).await?;
        Ok((found.pop(), settings))
    }
}
