//! Models as judges: the same scorecards, and what only models bring: a bill, a store, an end
//! before the end.

use anyhow::{Result, bail};
use assize_engine::asking::{AskSession, Halt, Stop};
use assize_engine::summary::model::{SummaryJudge, run as work_through};
use assize_engine::summary::{Settings, Tally};

use super::args::Arguments;
use super::keep::Keeper;
use super::line::Line;
use super::many::Printer;
use super::{conclude, dry_run, keep_one, pair_of_files, print_one, saved};
use crate::exit::Done;
use crate::model_args::refuse_flag_for_rules;
use crate::output::asking::{bill, halted, tell};
use crate::output::terminal;
use crate::runtime::block_on;

/// Whether a model is to judge.
pub(super) fn is_asked_for(arguments: &Arguments) -> bool {
    arguments.request.judge.asks_models() || arguments.asking.models.replay.is_some()
}

/// What makes no sense without a model is not passed over in silence.
pub(super) fn refuse_what_only_models_take(arguments: &Arguments) -> Result<()> {
    let asking = &arguments.asking;
    asking.models.refuse_for_rules()?;
    refuse_flag_for_rules(asking.dry_run, "--dry-run")?;
    refuse_flag_for_rules(arguments.request.samples > 1, "--samples")
}

/// Judges what was given, prints it, and decides how the command ends.
pub(super) fn run(arguments: &Arguments) -> Result<Done> {
    let asking = &arguments.asking;
    if arguments.request.judge.asks_models() {
        // Refused before a provider is looked for.
        arguments.request.settings()?;
    }
    let (options, config) = (asking.to_options(), asking.models.providers.load()?);
    let stop = Stop::default();
    let is_saved = arguments.save.is_wanted();
    block_on(&stop, async {
        if is_saved && !asking.dry_run {
            return Box::pin(saved::run(arguments, config, stop.clone())).await;
        }
        let session = AskSession::open(&options, config, stop.clone(), tell).await?;
        let request = arguments.request.clone().by_recorded_model(&session)?;
        let judge = SummaryJudge::new(session, &request)?;
        if asking.dry_run {
            return dry_run::run(&judge, arguments).await;
        }
        let (tally, halt) = judge_all(&judge, request.settings()?, arguments).await?;
        terminal::notice(&bill(&judge.account()));
        Ok(end(arguments, &tally, halt.as_ref()))
    })
}

async fn judge_all(
    judge: &SummaryJudge,
    settings: Settings,
    arguments: &Arguments,
) -> Result<(Tally, Option<Halt>)> {
    match (&arguments.article, &arguments.summary, &arguments.input) {
        (Some(article), Some(summary), None) => {
            match judge.judge(None, pair_of_files(article, summary)?).await {
                Ok(judged) => {
                    keep_one(&judged, settings, arguments)?;
                    Ok((print_one(&judged, settings, arguments)?, None))
                }
                Err(halt) => Ok((Tally::default(), Some(halt))),
            }
        }
        (None, None, Some(input)) => {
            let records = arguments.fields.open(input)?;
            let mut printer = Printer::open(arguments)?;
            let fields = arguments.fields.to_fields()?;
            let look = arguments.look()?;
            let mut keeper = Keeper::open(arguments, settings, true)?;
            let halt = work_through(judge, records, &fields, |judged, progress| {
                keeper.keep(keeper.wanted.prepare(&judged)?)?;
                printer.take(Line::of(judged, settings, &look), progress)
            })
            .await?;
            keeper.finish()?;
            let tally = match &halt {
                None => printer.finish(input, settings)?,
                Some(_) => printer.abandon()?,
            };
            Ok((tally, halt))
        }
        _ => bail!("give either --article and --summary, or --input"),
    }
}

pub(super) fn end(arguments: &Arguments, tally: &Tally, halt: Option<&Halt>) -> Done {
    if let Some(halt) = halt {
        terminal::notice(&format!("stopped after {} pairs", tally.records));
        return halted(halt, arguments.asking.how_to_go_on());
    }
    let Tally { records, errors, unscored, .. } = tally;
    if *errors > 0 {
        terminal::notice(&format!(
            "{errors} of {records} records have no score, {unscored} of them because the judge \
             failed; the results give the reason for each"
        ));
    }
    if *unscored > 0 && !arguments.allow_unscored {
        return Done::Unscored;
    }
    conclude(arguments, tally)
}
