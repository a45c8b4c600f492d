//! Models as judges: the same scorecards, and what only models bring: a bill, a store, an end
//! before the end.

use anyhow::{Result, bail, ensure};
use assize_engine::asking::{AskSession, Halt, JudgeName, Stop};
use assize_engine::summary::model::{SummaryJudge, run as work_through};
use assize_engine::summary::{Framework, Judge, Settings, Tally};

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
    arguments.judging.judge.who != JudgeName::Rules || arguments.asking.models.replay.is_some()
}

/// What makes no sense without a model is not passed over in silence.
pub(super) fn refuse_what_only_models_take(arguments: &Arguments) -> Result<()> {
    let asking = &arguments.asking;
    asking.models.refuse_for_rules()?;
    refuse_flag_for_rules(asking.dry_run, "--dry-run")?;
    refuse_flag_for_rules(arguments.samples > 1, "--samples")?;
    ensure!(
        arguments.judging.to_settings().framework != Framework::JudgeLockUltra,
        "judge-lock-ultra needs a panel: use --judge panel:A,B,C, or one model with --samples"
    );
    Ok(())
}

/// Judges what was given, prints it, and decides how the command ends.
pub(super) fn run(mut settings: Settings, arguments: &Arguments) -> Result<Done> {
    let asking = &arguments.asking;
    let is_panel = settings.framework == Framework::JudgeLockUltra;
    ensure!(
        is_panel || settings.judge != Judge::Panel,
        "a panel needs --framework judge-lock-ultra"
    );
    ensure!(
        is_panel || arguments.samples <= 1,
        "several samples need --framework judge-lock-ultra"
    );
    let only_undecided = settings.judge == Judge::RulesAndModel;
    ensure!(
        !(only_undecided && (is_panel || arguments.save.is_wanted())),
        "--judge rules+MODEL works only with twin-lock or judge-lock, and without --save"
    );
    settings.judge = match settings.judge {
        Judge::RulesAndModel => Judge::RulesAndModel,
        _ if is_panel => Judge::Panel,
        _ => Judge::Model,
    };
    let (options, config) = (asking.to_options(), asking.models.providers.load()?);
    let stop = Stop::default();
    let is_saved = arguments.save.is_wanted();
    block_on(&stop, async {
        if is_saved && !asking.dry_run {
            return Box::pin(saved::run(settings, arguments, config, stop.clone())).await;
        }
        let session = AskSession::open(&options, config, stop.clone(), tell).await?;
        let named = &arguments.judging.judge.who;
        let judge = SummaryJudge::new(session, named, arguments.samples, settings)?;
        if asking.dry_run {
            return dry_run::run(&judge, arguments).await;
        }
        let (tally, halt) = judge_all(&judge, settings, arguments).await?;
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
