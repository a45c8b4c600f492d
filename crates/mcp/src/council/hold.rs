//! One council for one call: counted first, held, kept, handed back.

use assize_engine::asking::{Estimate, Halt, Limit};
use assize_engine::council::{CouncilRun, Hearing, estimate, hold, wire};
use assize_wire::text::tree;

use super::arguments::Content;
use super::verdict;
use crate::progress::watch;
use crate::reply::{Refusal, Reply};
use crate::state::{Call, McpState};

/// Holds the council that was asked for, or says what it would take.
pub(super) async fn hold_one(
    state: &McpState,
    call: &Call,
    hearing: &Hearing,
    content: &Content,
) -> Result<Reply, Refusal> {
    let is_dry = content.dry_run.unwrap_or(false);
    let budget = state.budget.take(content.budget()?).await?;
    let limit = if is_dry { Some(Limit::Tokens(0)) } else { budget.limit };
    let session = state.session(call, limit).await?;
    session.connect(hearing.models())?;
    if is_dry {
        return Ok(estimated(&estimate(&session, hearing).await?, hearing));
    }
    let watch = watch(&call.steps, hearing.participants().len());
    let end = hold(&session, hearing, &watch).await;
    budget.spent(&session.account());
    let run = end.map_err(|halt| halted(halt, state.settings.replay.is_some()))?;
    keep(state, &run);
    Ok(verdict::reply(state, &run, content.include_record.unwrap_or(false)))
}

/// A replay leaves nothing behind. That a run cannot be kept is no reason to withhold it.
fn keep(state: &McpState, run: &CouncilRun) {
    if state.settings.replay.is_some() {
        return;
    }
    let path = state.settings.runs.join(run.id()).with_extension("json");
    if let Err(error) = run.write(Some(&path), state.operator.signing_key.as_ref()) {
        state.tell(&format!(
            "the council {} could not be saved: {}",
            run.id(),
            Refusal::from(error)
        ));
    }
}

fn halted(halt: Halt, is_replay: bool) -> Refusal {
    let mut refusal = Refusal::from(halt);
    if !is_replay {
        refusal.0.message += "; replies so far are saved: repeat the same call to continue";
    }
    refusal
}

fn estimated(estimate: &Estimate, hearing: &Hearing) -> Reply {
    let Estimate { kept, calls, usage, price, unpriced } = estimate;
    let data = tree(&wire::estimate(estimate, hearing));
    let text = format!(
        "{calls} calls to send, {kept} cached replies; about {} tokens sent, at most {} received; \
         at most {price}, {unpriced} calls without a known price. Nothing was sent.",
        usage.input_tokens, usage.output_tokens
    );
    Reply { data, text, is_failure: false }
}
