//! What a council took, by stage and model.

use assize_models::{ExchangeKey, Money, Usage};
use assize_wire::council::{Stage, StageUsage};

use super::participant::Participant;

/// What one question to one participant took.
#[derive(Debug, Default)]
pub(super) struct Took {
    /// Its exchanges: one, or two if it was asked again.
    pub(super) exchanges: Vec<ExchangeKey>,
    /// Tokens of those that brought a reply.
    pub(super) usage: Usage,
    /// What they cost, if the price is known.
    pub(super) price: Option<Money>,
}

/// Adds what a participant took to the line of its model.
pub(super) fn add(
    lines: &mut Vec<StageUsage>,
    stage: Stage,
    participant: &Participant,
    took: &Took,
) {
    if took.exchanges.is_empty() {
        return;
    }
    let model = participant.model.to_string();
    let place = lines.iter().position(|line| line.stage == stage && line.model == model);
    let place = place.unwrap_or_else(|| {
        lines.push(StageUsage {
            stage,
            model,
            requests: 0,
            repeated: 0,
            input_tokens: 0,
            cached_input_tokens: 0,
            output_tokens: 0,
            counted: true,
            price_nanodollars: took.price.map(|_| 0),
        });
        lines.len() - 1
    });
    let line = &mut lines[place];
    let requests = took.exchanges.len() as u64;
    line.requests += requests;
    line.repeated += requests - 1;
    line.input_tokens += took.usage.input_tokens;
    line.cached_input_tokens += took.usage.cached_input_tokens;
    line.output_tokens += took.usage.output_tokens;
    line.counted &= took.usage.counted || took.usage.total() == 0;
    line.price_nanodollars =
        line.price_nanodollars.zip(took.price).map(|(sum, price)| sum + price.nanodollars);
}
