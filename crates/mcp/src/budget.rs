//! What all calls of a server may spend together.

use assize_engine::asking::Account;
use assize_engine::asking::{Limit, Money};
use tokio::sync::{Mutex, MutexGuard};

use crate::reply::Refusal;

/// What is left.
pub(crate) struct McpBudget {
    left: Option<Mutex<Limit>>,
}

/// The budget while one call may spend it. Calls that may cost something wait for each other when
/// there is a budget, or two of them would spend the same money.
pub(crate) struct BudgetHold<'a> {
    left: Option<MutexGuard<'a, Limit>>,
    /// What this call may spend.
    pub(crate) limit: Option<Limit>,
}

impl McpBudget {
    /// A budget with all that may be spent.
    pub(crate) fn new(limit: Option<Limit>) -> Self {
        Self { left: limit.map(Mutex::new) }
    }

    /// Takes the budget for a call that wants to spend no more than it says.
    pub(crate) async fn take(&self, wanted: Option<Limit>) -> Result<BudgetHold<'_>, Refusal> {
        let Some(left) = &self.left else { return Ok(BudgetHold { left: None, limit: wanted }) };
        let left = left.lock().await;
        let limit = match (*left, wanted) {
            (left, None) => left,
            (Limit::Tokens(left), Some(Limit::Tokens(wanted))) => Limit::Tokens(left.min(wanted)),
            (Limit::Money(left), Some(Limit::Money(wanted))) => {
                Limit::Money(Money { nanodollars: left.nanodollars.min(wanted.nanodollars) })
            }
            (left, Some(wanted)) => {
                return Err(Refusal::because(format!(
                    "budget: {wanted} cannot be compared with the {left} that this server has \
                     left; use the same unit"
                )));
            }
        };
        Ok(BudgetHold { left: Some(left), limit: Some(limit) })
    }
}

impl BudgetHold<'_> {
    /// Gives the budget back without what was spent.
    pub(crate) fn spent(self, account: &Account) {
        let Some(mut left) = self.left else { return };
        *left = match *left {
            Limit::Tokens(tokens) => Limit::Tokens(tokens.saturating_sub(account.usage.total())),
            Limit::Money(money) => {
                let nanodollars = money.nanodollars.saturating_sub(account.price.nanodollars);
                Limit::Money(Money { nanodollars })
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(tokens: u64) -> Account {
        let mut account = Account::default();
        account.usage.output_tokens = tokens;
        account
    }

    #[tokio::test]
    async fn what_one_call_spent_the_next_cannot() {
        let budget = McpBudget::new(Some(Limit::Tokens(100)));
        budget.take(None).await.unwrap().spent(&account(70));
        assert_eq!(budget.take(None).await.unwrap().limit, Some(Limit::Tokens(30)));
        let wanted = Some(Limit::Tokens(50));
        assert_eq!(budget.take(wanted).await.unwrap().limit, Some(Limit::Tokens(30)));
        let wanted = Some(Limit::Tokens(20));
        assert_eq!(budget.take(wanted).await.unwrap().limit, wanted);
    }

    #[tokio::test]
    async fn a_call_is_held_to_the_unit_of_the_server() {
        let budget = McpBudget::new(Some(Limit::Tokens(100)));
        let dollars = Some(Limit::Money(Money { nanodollars: 1 }));
        assert!(budget.take(dollars).await.err().unwrap().0.message.contains("same unit"));
        assert_eq!(McpBudget::new(None).take(dollars).await.unwrap().limit, dollars);
    }
}
