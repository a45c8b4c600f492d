//! One sitting for one call: counted first, held, kept, handed back.

use assize_engine::council::{Estimate, Options, Request, Session, Sitting, estimate, hold};
use assize_engine::interview::Halt;
use assize_engine::summary::model::Limit;
use serde_json::json;

use super::arguments::Arguments;
use super::verdict;
use crate::house::{Call, House, unheard};
use crate::progress::watch;
use crate::reply::{Refusal, Reply};

/// Holds the council that was asked for, or says what it would take.
pub(super) async fn hold_one(
    house: &House,
    call: &Call,
    request: &Request,
    arguments: &Arguments,
) -> Result<Reply, Refusal> {
    let is_dry = arguments.dry_run.unwrap_or(false);
    let purse = house.purse.take(arguments.budget()?).await?;
    let settings = &house.settings;
    let options = Options {
        store: Some(settings.store.clone()),
        budget: if is_dry { Some(Limit::Tokens(0)) } else { purse.limit },
        record: None,
        replay: settings.replay.clone(),
        is_fresh: false,
        concurrency: settings.concurrency,
        reply_timeout: settings.reply_timeout,
    };
    let (config, stop) = (house.config.clone(), call.stop.clone());
    let session = Session::open(&options, config, &request.seats(), stop, unheard).await?;
    if is_dry {
        return Ok(estimated(&estimate(&session, request).await?, request));
    }
    let watch = watch(&call.steps, request.seats().len());
    let end = hold(&session, request, &watch).await;
    purse.spent(&session.account());
    let sitting = end.map_err(|halt| halted(halt, settings.replay.is_some()))?;
    keep(house, &sitting);
    let mut reply = verdict::reply(&sitting);
    if arguments.include_record.unwrap_or(false) {
        reply.data["record"] = json!(sitting);
    }
    Ok(reply)
}

/// A replay leaves nothing behind. That a sitting cannot be kept is no reason to withhold it.
fn keep(house: &House, sitting: &Sitting) {
    if house.settings.replay.is_some() {
        return;
    }
    let path = house.settings.runs.join(sitting.id()).with_extension("json");
    if let Err(error) = sitting.write(Some(&path)) {
        house.tell(&format!("the sitting {} is not kept: {}", sitting.id(), Refusal::from(error)));
    }
}

fn halted(halt: Halt, is_replay: bool) -> Refusal {
    let Refusal(reason) = halt.into();
    if is_replay {
        return Refusal(reason);
    }
    Refusal(format!("{reason}; what was answered is kept: the same call goes on from there"))
}

fn estimated(estimate: &Estimate, request: &Request) -> Reply {
    let Estimate { kept, calls, usage, price, unpriced } = estimate;
    let names: Vec<&str> = request.seats().iter().map(|seat| seat.name.as_str()).collect();
    let data = json!({
        "seats": names,
        "calls": calls,
        "kept": kept,
        "request_tokens": usage.input_tokens,
        "reply_tokens_max": usage.output_tokens,
        "price_nanodollars": price.nanodollars,
        "unpriced": unpriced,
    });
    let text = format!(
        "{calls} calls to send, {kept} replies kept; about {} tokens out, at most {} back; at most \
         {price}, {unpriced} calls without a known price. Nothing was sent.",
        usage.input_tokens, usage.output_tokens
    );
    Reply { data, text, is_failure: false }
}
