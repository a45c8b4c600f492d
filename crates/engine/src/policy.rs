//! What an organisation may spend in a day.
//!
//! The ceiling is a row that all processes share, and so is what was spent on a day (UTC). A
//! request is noted, at the most it can cost, in the transaction that looks at the ceiling;
//! where there is no room it does not go out, and a run is paused with the reason. Requests of
//! runs count by themselves; whoever asks a model for no run wraps the work in
//! [`Workspace::within_day`].

use assize_models::{Limit, Money};
use assize_store::budgets::day_scope;
use assize_store::{BudgetRow, BudgetUnit, StoreError};
use assize_wire::runs::DayBudget;
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value as Json;

use crate::Workspace;
use crate::asking::item;
use crate::runs::bill::budget;

impl Workspace {
    /// What the organisation may spend today, and what it has spent.
    #[boxed]
    pub async fn day_budget(&self) -> Result<DayBudget, StoreError> {
        let (budgets, now) = (self.store.budgets(), Utc::now());
        let ceilings = budgets.day_ceilings(&self.organisation).await?;
        let rows = budgets.rows(&day_scope(&self.organisation, now.date_naive())).await?;
        let lines = ceilings.into_iter().map(|(unit, ceiling)| {
            let spent = rows.iter().find(|row| row.unit == unit).map_or(0, |row| row.spent);
            budget(&BudgetRow { unit, ceiling, spent })
        });
        Ok(DayBudget { day: now.date_naive().to_string(), budgets: lines.collect() })
    }

    /// Sets what the organisation may spend in a day, in tokens or in money; the other unit
    /// stays as it is. What its runs have spent today counts.
    #[boxed]
    pub async fn set_day_ceiling(&self, limit: Limit) -> Result<(), StoreError> {
        let (unit, ceiling) = match limit {
            Limit::Tokens(tokens) => (BudgetUnit::Tokens, tokens),
            Limit::Money(Money { nanodollars }) => (BudgetUnit::Nanodollars, nanodollars),
        };
        let (budgets, now) = (self.store.budgets(), Utc::now());
        budgets.set_day_ceiling(&self.organisation, unit, Some(ceiling), now).await?;
        budgets.day(&self.organisation, now).await?;
        self.audit_ceiling(Some(limit.to_string())).await
    }

    /// Lets the organisation spend what it likes in a day.
    #[boxed]
    pub async fn remove_day_ceiling(&self) -> Result<(), StoreError> {
        for unit in [BudgetUnit::Tokens, BudgetUnit::Nanodollars] {
            let budgets = self.store.budgets();
            budgets.set_day_ceiling(&self.organisation, unit, None, Utc::now()).await?;
        }
        self.audit_ceiling(None).await
    }

    /// Does something whose requests to models count towards the organisation's day, although
    /// they are for no run. Where the ceiling has no room, a request ends as a budget that is
    /// used up.
    pub(crate) async fn within_day<T>(
        &self,
        work: impl Future<Output = T>,
    ) -> Result<T, StoreError> {
        let day = self.store.budgets().day(&self.organisation, Utc::now()).await?;
        Ok(item::charged(Vec::from_iter(day), work).await)
    }

    async fn audit_ceiling(&self, after: Option<String>) -> Result<(), StoreError> {
        let what = ["update", "day ceiling", self.organisation.as_str()];
        let entry = self.audited(what).with(None, after.map(Json::String));
        self.store.audit().record(&entry).await
    }
}
