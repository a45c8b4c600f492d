//! What asking would take, before anything is sent.

use assize_methods::Ask;
use assize_models::{Money, Usage};

use super::account::sum;
use super::judge::Judge;
use super::outcome::{Halt, NoAnswer};
use super::session::AskSession;

/// What a job would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// Requests whose replies are kept already.
    pub kept: u64,
    /// Requests that would be sent, if every reply can be read.
    pub calls: u64,
    /// Their tokens: requests by a rule of thumb, replies at their longest.
    pub usage: Usage,
    /// What they would cost at most, as far as prices are known.
    pub price: Money,
    /// Requests to models without a known price.
    pub unpriced: u64,
}

impl From<&Estimate> for assize_wire::estimate::Estimate {
    fn from(estimate: &Estimate) -> Self {
        Self {
            judges: Vec::new(),
            pairs: None,
            seats: Vec::new(),
            calls: estimate.calls,
            kept: estimate.kept,
            request_tokens: estimate.usage.input_tokens,
            reply_tokens_max: estimate.usage.output_tokens,
            price_nanodollars: estimate.price.nanodollars,
            unpriced: estimate.unpriced,
        }
    }
}

impl AskSession {
    /// Adds one question: gives its answer if that is kept, and otherwise counts what it would
    /// take. Nothing is sent in a session that may spend nothing.
    pub(crate) async fn add_to<A: Ask>(
        &self,
        estimate: &mut Estimate,
        judge: &Judge,
        ask: &A,
        attempt: u32,
    ) -> Result<Option<A::Answer>, Halt> {
        let call = self.sender.estimate(judge, ask, attempt).await?;
        if call.is_kept {
            match self.ask(judge, ask, attempt).await {
                Ok(answered) => {
                    estimate.kept += 1;
                    return Ok(Some(answered.answer));
                }
                Err(NoAnswer::Halt(halt @ Halt::Store(_))) => return Err(halt),
                // What is kept cannot be read, and it would be asked again.
                Err(_) => {}
            }
        }
        estimate.calls += 1;
        estimate.usage = sum(estimate.usage, call.usage);
        match call.price {
            Some(price) => estimate.price.nanodollars += price.nanodollars,
            None => estimate.unpriced += 1,
        }
        Ok(None)
    }
}
