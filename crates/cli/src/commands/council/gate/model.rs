//! `--judge`: the third stage, with its bill.

use anyhow::Result;
use assize_engine::asking::{AskSession, Stop};
use assize_engine::gate::{ask_model, estimate_model};
use assize_methods::gate::GateReport;

use super::Arguments;
use crate::exit::Done;
use crate::model_args::refuse_flag_for_rules;
use crate::output::asking::{bill, estimate_lines, halted, tell};
use crate::output::progress::Stage;
use crate::output::{files, terminal};
use crate::runtime::block_on;

/// How many answers without a usable word of the model are named.
const UNREAD_SHOWN: usize = 5;

/// What asking came to.
pub(super) enum ModelAnswers {
    /// The reports are complete.
    All,
    /// Some answers were read by the other stages alone.
    Some,
    /// The command ends here.
    Ended(Done),
}

/// Asks the model, if one is named, about what the other stages let pass.
pub(super) fn run(
    arguments: &Arguments,
    answers: &[(&str, &str)],
    reports: &mut [GateReport],
) -> Result<ModelAnswers> {
    let asking = &arguments.asking;
    let Some(model) = &arguments.judge else {
        asking.models.refuse_for_rules()?;
        refuse_flag_for_rules(asking.dry_run, "--dry-run")?;
        return Ok(ModelAnswers::All);
    };
    let texts: Vec<&str> = answers.iter().map(|(_, text)| *text).collect();
    let (options, config) = (asking.to_options(), asking.models.providers.load()?);
    let stop = Stop::default();
    block_on(&stop, async {
        let session = AskSession::open(&options, config, stop.clone(), tell).await?;
        if asking.dry_run {
            let estimate = estimate_model(&session, model, &texts, reports).await?;
            files::print(&estimate_lines(&estimate))?;
            return Ok(ModelAnswers::Ended(Done::Fine));
        }
        let passed = reports.iter().filter(|report| report.passed).count();
        let stage = Stage::of(passed, "answers read by the model");
        let asked =
            ask_model(&session, model, &texts, reports, |done| stage.advance_to(done)).await;
        drop(stage);
        terminal::notice(&bill(&session.account()));
        let unread = match asked {
            Ok(unread) => unread,
            Err(halt) => return Ok(ModelAnswers::Ended(halted(&halt, asking.how_to_go_on()))),
        };
        for one in unread.iter().take(UNREAD_SHOWN) {
            let (id, _) = answers[one.index];
            terminal::notice(&format!("{id}: the model gave no verdict: {}", one.because));
        }
        if unread.is_empty() {
            return Ok(ModelAnswers::All);
        }
        terminal::notice(&format!(
            "the model gave no verdict on {} of {} answers; rules alone decide them",
            unread.len(),
            answers.len()
        ));
        Ok(ModelAnswers::Some)
    })
}

/// How the command ends: an answer that the model could not read ends it with 3, unless that is
/// allowed.
pub(super) fn end(arguments: &Arguments, asked: &ModelAnswers, done: Done) -> Done {
    match asked {
        ModelAnswers::Some if !arguments.allow_unscored => Done::Unscored,
        _ => done,
    }
}
