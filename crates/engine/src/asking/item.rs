//! Which item of which run a request is for.
//!
//! It travels beside the work, not through it: an instrument asks a model without knowing that
//! its question belongs to a run, and the sender finds out whose budget pays, which attempt is
//! meant and what the journal is to say.

use std::sync::Arc;
use std::time::Duration;

use assize_models::{Budget, Limit};
use assize_store::budgets::run_scope;
use assize_store::{BudgetUnit, OrganisationId, RunId, Store, StoreError};
use chrono::Utc;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long what is known of shared budgets is relied on: a ceiling that somebody sets, and the
/// next day, count after so long at the most.
const KNOWN_FOR: Duration = Duration::from_secs(5);

tokio::task_local! {
    static ITEM: Item;
    static CHARGED: Vec<String>;
}

/// Does something whose requests are for no run, and must fit into these shared budgets.
pub(crate) async fn charged<T>(scopes: Vec<String>, work: impl Future<Output = T>) -> T {
    CHARGED.scope(scopes, work).await
}

/// The shared budgets of requests that are for no run.
pub(crate) fn charged_scopes() -> Vec<String> {
    CHARGED.try_with(Clone::clone).unwrap_or_default()
}

/// A run that requests are sent for.
#[derive(Debug)]
pub(crate) struct RunContext {
    /// Which one.
    pub(crate) id: RunId,
    /// Whose it is.
    organisation: OrganisationId,
    /// What it may spend in its life, and what it has spent, as this process sees it. `None`:
    /// the session's own budget holds.
    pub(crate) budget: Option<Arc<Budget>>,
    scopes: Mutex<Scopes>,
}

/// The shared budgets of a run, and when they were looked up.
#[derive(Debug)]
struct Scopes {
    names: Vec<String>,
    known_since: Instant,
}

/// An item that is being worked on.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) run: Arc<RunContext>,
    /// Its place there.
    pub(crate) position: i64,
    /// The attempt that stands in for the first, if somebody retried the item.
    pub(crate) attempt: Option<u32>,
}

impl RunContext {
    /// The context of a run. A limit becomes the budget of its life, which what was spent on it
    /// before counts towards; without one, an earlier limit still holds.
    pub(crate) async fn of(
        store: &Store,
        organisation: &OrganisationId,
        run: &RunId,
        limit: Option<Limit>,
    ) -> Result<Arc<Self>, StoreError> {
        let budgets = store.budgets();
        match limit {
            Some(Limit::Tokens(ceiling)) => {
                budgets.set_for_run(run, BudgetUnit::Tokens, ceiling).await?;
            }
            Some(Limit::Money(money)) => {
                budgets.set_for_run(run, BudgetUnit::Nanodollars, money.nanodollars).await?;
            }
            None => {}
        }
        let rows = budgets.rows(&run_scope(run)).await?;
        let unit = match limit {
            Some(Limit::Money(_)) => BudgetUnit::Nanodollars,
            _ => BudgetUnit::Tokens,
        };
        // In this process the narrower of two budgets is found out by the shared rows.
        let row = rows.iter().find(|row| row.unit == unit).or(rows.first());
        let budget = row.map(|row| {
            let limit = match row.unit {
                BudgetUnit::Tokens => Limit::Tokens(row.ceiling),
                BudgetUnit::Nanodollars => {
                    Limit::Money(assize_models::Money { nanodollars: row.ceiling })
                }
            };
            Budget::new(Some(limit), row.spent)
        });
        let names = budgets.scopes(organisation, run, Utc::now()).await?;
        let scopes = Mutex::new(Scopes { names, known_since: Instant::now() });
        let (id, organisation) = (run.clone(), organisation.clone());
        Ok(Arc::new(Self { id, organisation, budget, scopes }))
    }

    /// The shared budgets that every request must fit into, now.
    pub(crate) async fn scopes(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        let mut scopes = self.scopes.lock().await;
        if scopes.known_since.elapsed() >= KNOWN_FOR {
            scopes.names = store.budgets().scopes(&self.organisation, &self.id, Utc::now()).await?;
            scopes.known_since = Instant::now();
        }
        Ok(scopes.names.clone())
    }
}

impl Item {
    /// Works on something for this item.
    pub(crate) async fn working<T>(self, work: impl Future<Output = T>) -> T {
        ITEM.scope(self, work).await
    }

    /// The item that is being worked on here, if it is one.
    pub(crate) fn current() -> Option<Self> {
        ITEM.try_with(Clone::clone).ok()
    }
}
