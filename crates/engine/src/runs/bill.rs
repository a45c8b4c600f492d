//! What a run has cost in its life, and what it may still cost.

use assize_methods::schema::fields;
use assize_store::budgets::run_scope;
use assize_store::{BillPart, BudgetRow, BudgetUnit, Run, RunId, StoreError};
use assize_wire::runs::{Bill, BillBudget, BillLine, BillModel};
use async_recursion::async_recursion as boxed;

use super::error::Result;
use crate::Workspace;

impl Workspace {
    /// Sets what a run may cost in its life, in billionths of a dollar.
    #[boxed]
    pub(crate) async fn limit_run(&self, run: &RunId, ceiling: u64) -> Result<(), StoreError> {
        self.store.budgets().set_for_run(run, BudgetUnit::Nanodollars, ceiling).await?;
        let after = fields([("nanodollars", ceiling.into())]);
        self.note(["ceiling", "run", run.as_str()], (None, Some(after))).await
    }

    /// What a run has cost in its life, from the journal of requests.
    #[boxed]
    pub async fn run_bill(&self, run: &Run) -> Result<Bill> {
        let budgets = self.store.budgets();
        let bill = budgets.bill(&run.id).await?;
        let rows = budgets.rows(&run_scope(&run.id)).await?;
        let parts = [bill.certain, bill.estimated, bill.maybe];
        Ok(Bill {
            number: run.number,
            run: run.id.to_string(),
            certain: line(&bill.certain),
            estimated: line(&bill.estimated),
            maybe: line(&bill.maybe),
            free_requests: bill.free,
            total: BillLine {
                requests: parts.iter().map(|part| part.requests).sum::<u64>() + bill.free,
                tokens: bill.tokens(),
                price_nanodollars: bill.price_nanodollars(),
                unpriced: parts.iter().map(|part| part.unpriced).sum(),
            },
            models: bill
                .models
                .iter()
                .map(|(model, part)| BillModel { model: model.clone(), total: line(part) })
                .collect(),
            budgets: rows.iter().map(budget).collect(),
        })
    }
}

fn line(part: &BillPart) -> BillLine {
    BillLine {
        requests: part.requests,
        tokens: part.tokens,
        price_nanodollars: part.price_nanodollars,
        unpriced: part.unpriced,
    }
}

pub(crate) fn budget(row: &BudgetRow) -> BillBudget {
    let unit = match row.unit {
        BudgetUnit::Tokens => "tokens",
        BudgetUnit::Nanodollars => "nanodollars",
    };
    let left = row.ceiling.saturating_sub(row.spent);
    BillBudget { unit: unit.to_owned(), ceiling: row.ceiling, spent: row.spent, left }
}
