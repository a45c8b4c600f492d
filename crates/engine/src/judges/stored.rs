//! What a stored run said of the same items.

use std::time::Duration;

use assize_store::{Order, Run};
use async_recursion::async_recursion as boxed;

use super::told::Told;
use crate::Workspace;
use crate::runs::find::find;
use crate::runs::{Result, RunError};

/// Items that are in memory at once.
const PAGE: i64 = 500;

impl Workspace {
    /// The scores of a run by what its items are called: of one measure, or of the only one.
    #[boxed]
    pub async fn told_by_run(&self, run: &str, measure: Option<&str>) -> Result<Told> {
        let run = find(&self.store, &self.organisation, run, None).await?;
        let measure = self.measure_of(&run, measure).await?;
        let (mut told, mut after, mut count) = (Told::default(), None, 0);
        loop {
            let order = Order::ByPosition { after };
            let page = self.store.run_items().page(&run.id, run.version, &order, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.position);
            for item in page {
                if told.knows(&item.subject) {
                    let because = format!("duplicate item id `{}`", item.subject);
                    return Err(RunError::unreadable(&run, &because));
                }
                let score = item.scores.get(&measure).copied().flatten();
                let reason = item.reason.unwrap_or_else(|| "no score".to_owned());
                told.add(&item.subject, score.map(Some).ok_or(reason));
                count += 1;
            }
        }
        let bill = self.run_bill(&run).await?.total;
        let is_priced = bill.requests > 0 && bill.unpriced == 0;
        let price = is_priced.then_some(bill.price_nanodollars);
        let time = run.started_at.zip(run.ended_at);
        if let Some(time) = time.and_then(|(from, to)| (to - from).to_std().ok())
            && time > Duration::ZERO
        {
            told.took(count, time, price);
        }
        Ok(told)
    }

    async fn measure_of(&self, run: &Run, wanted: Option<&str>) -> Result<String> {
        let known = self.store.verdicts().means(&run.id, run.version).await?;
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        match (wanted, names.as_slice()) {
            (Some(wanted), names) if names.contains(&wanted) => Ok(wanted.to_owned()),
            (None, [only]) => Ok((*only).to_owned()),
            (_, names) => Err(RunError::Refused(format!(
                "run #{} has the measures {}: choose one, as in `run:#{}@{}`",
                run.number,
                names.join(", "),
                run.number,
                names.first().unwrap_or(&"MEASURE")
            ))),
        }
    }
}
