//! Holding a sitting from the command line: watch it, keep it, print it, say how it ended.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use assize_engine::council::{Estimate, Request, Session, Sitting, estimate, hold};
use assize_engine::interview::{Halt, Stop};
use assize_engine::summary::model::{Config, block_on};
use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::Status;
use serde_json::json;

use super::args::{Format, OutputArguments};
use super::model_args::ModelArguments;
use super::progress::Seats;
use super::{data, page, text};
use crate::exit::Done;
use crate::output::asking::{bill, tell, told_to_stop};
use crate::output::{data as json_text, files, terminal};

/// Holds the sitting that was asked for, or says what it would take.
pub(super) fn run(
    request: &Request,
    models: &ModelArguments,
    output: &OutputArguments,
    kept_at: Option<&Path>,
) -> Result<Done> {
    files::check(output.output.as_deref(), &[])?;
    let config = Config::load(models.config.as_deref(), &models.named_endpoints())?;
    let stop = Stop::default();
    block_on(&stop, told_to_stop, async {
        let options = models.to_options();
        let session = Session::open(&options, config, &request.seats(), stop.clone(), tell).await?;
        if models.dry_run {
            let estimate = estimate(&session, request).await?;
            files::print(&estimated(&estimate, request, output.format()))?;
            return Ok(Done::Fine);
        }
        let seats = Seats::new();
        let end = hold(&session, request, &|step| seats.show(step)).await;
        seats.clear();
        terminal::remark(&bill(&session.account()));
        match end {
            Ok(sitting) => finish(&sitting, models, output, kept_at),
            Err(halt) => Ok(halted(&halt, models)),
        }
    })
    .context("the work could not be begun")?
}

fn finish(
    sitting: &Sitting,
    models: &ModelArguments,
    output: &OutputArguments,
    kept_at: Option<&Path>,
) -> Result<Done> {
    let verdict = sitting.verdict();
    // A replay leaves nothing behind unless it is told where.
    if kept_at.is_some() || models.replay.is_none() {
        let path = sitting.write(kept_at)?;
        let path = path.display();
        terminal::remark(&format!("kept as {path}: assize council report {path}"));
    }
    print(sitting, &verdict, output)?;
    Ok(done(&verdict))
}

/// Prints a verdict in the format asked for.
pub(super) fn print(
    sitting: &Sitting,
    verdict: &CouncilVerdict,
    output: &OutputArguments,
) -> Result<()> {
    let text = match output.format() {
        Format::Table => text::verdict(sitting, verdict, output.explain),
        Format::Json => json_text::pretty(&data::verdict(sitting, verdict)),
        Format::Html => page::verdict(sitting, verdict, &maud::html! {}),
    };
    files::write(output.output.as_deref().unwrap_or(Path::new("-")), &text)
}

/// A verdict without any ranking is a failure of those who should have made one.
pub(super) fn done(verdict: &CouncilVerdict) -> Done {
    match verdict.status {
        Status::Complete | Status::Degraded => Done::Fine,
        Status::NoQuorum | Status::NoValidBallots => Done::JudgeFailed,
    }
}

fn halted(halt: &Halt, models: &ModelArguments) -> Done {
    let again = "what was answered is kept: the same command goes on from there";
    if matches!(halt, Halt::Asked) {
        terminal::notice(&format!("interrupted; {again}"));
        return Done::Interrupted;
    }
    terminal::complain(&anyhow!(halt.clone()));
    if models.replay.is_none() {
        terminal::notice(&format!("stopped; {again}"));
    }
    Done::JudgeFailed
}

fn estimated(estimate: &Estimate, request: &Request, format: Format) -> String {
    let Estimate { kept, calls, usage, price, unpriced } = estimate;
    let names: Vec<&str> = request.seats().iter().map(|seat| seat.name.as_str()).collect();
    if format == Format::Json {
        return json_text::pretty(&json!({
            "seats": names,
            "calls": calls,
            "kept": kept,
            "request_tokens": usage.input_tokens,
            "reply_tokens_max": usage.output_tokens,
            "price_nanodollars": price.nanodollars,
            "unpriced": unpriced,
        }));
    }
    let mut text = format!("seats             {}\n", names.join(", "));
    let _ = writeln!(text, "calls to send     {calls}");
    let _ = writeln!(text, "replies kept      {kept}");
    let _ = writeln!(text, "request tokens    about {}", usage.input_tokens);
    let _ = writeln!(text, "reply tokens      at most {}", usage.output_tokens);
    let _ = match unpriced {
        0 => writeln!(text, "price             at most {price}"),
        all if all == calls => writeln!(text, "price             unknown: no price is configured"),
        some => writeln!(text, "price             at most {price}, and {some} calls unpriced"),
    };
    text.push_str("Nothing was sent. A reply that cannot be read is asked for once more.\n");
    text
}
