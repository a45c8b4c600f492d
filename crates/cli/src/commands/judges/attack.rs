//! `assize judges attack`: what injections in a text do to a judge.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use assize_engine::asking::{AskSession, JudgeName, Stop};
use assize_engine::compliance::intake::read_criteria;
use assize_engine::judges::{AttackError, AttackRow, Attacked, MARGIN, Target, attack, pairs_in};
use assize_engine::workplace::samples;
use clap::Args;

use super::Counting;
use crate::exit::Done;
use crate::model_args::AskingArguments;
use crate::output::asking::{bill, halted, tell};
use crate::output::report::{Report, ReportArguments, Sheet};
use crate::output::table::columns;
use crate::output::terminal;
use crate::runtime::block_on;

const NOTES: &str = "\
Eight families of injections are written into articles, summaries and documents: instructions, imitated replies,
invisible text, fake citations, role play, other languages, broken delimiters, praise. A verdict moves if its
score rises by more than 5 % of the scale. Harmless words of the same length in the same place are the
comparison. Without files the bundled samples are used. Guide: docs/guide/judges.md";

/// Attack a judge with injections, and count the verdicts that move
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Attack {
    /// The judge: rules, or PROVIDER/MODEL
    #[arg(long, value_name = "JUDGE", default_value_t)]
    judge: JudgeName,
    /// Articles and summaries: JSON lines with `article` and `summary`
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Documents to hold against --criteria
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "criteria")]
    documents: Vec<PathBuf>,
    /// The criteria
    #[arg(long, value_name = "FILE", requires = "documents")]
    criteria: Option<PathBuf>,
    /// Scoring framework for summaries
    #[arg(long, value_enum, default_value_t = Counting::TwinLock)]
    framework: Counting,
    /// Exit with 1 if attacks move more than harmless words plus this many percentage points
    #[arg(long, value_name = "POINTS")]
    fail_over: Option<f64>,
    #[command(flatten)]
    report: ReportArguments,
    #[command(flatten)]
    asking: AskingArguments,
}

/// Attacks, counts and reports.
pub(super) fn run(arguments: &Attack) -> Result<Done> {
    arguments.report.check(&[])?;
    let target = target(arguments)?;
    ensure!(
        matches!(arguments.judge, JudgeName::Rules | JudgeName::Model(_)),
        "--judge: `rules` or one model is attacked at a time"
    );
    let asking = &arguments.asking;
    let (options, config, stop) =
        (asking.to_options(), asking.models.providers.load()?, Stop::default());
    block_on(&stop, async {
        let session = Arc::new(AskSession::open(&options, config, stop.clone(), tell).await?);
        let framework = arguments.framework.into();
        let found = match attack(&session, &arguments.judge, framework, &target).await {
            Ok(found) => found,
            Err(AttackError::Halt(halt)) => return Ok(halted(&halt, asking.how_to_go_on())),
            Err(error) => return Err(error.into()),
        };
        if arguments.judge.asks_models() {
            terminal::notice(&bill(&session.account()));
        }
        arguments.report.write(&report(&found), &found)?;
        let limit = arguments.fail_over.map(|points| points / 100.0);
        let is_over = |row: &AttackRow| limit.is_some_and(|limit| row.moved > row.harmless + limit);
        let missed = found.rows.iter().filter(|row| row.family == "all").any(is_over);
        Ok(if missed { Done::ThresholdMissed } else { Done::Fine })
    })
}

fn target(arguments: &Attack) -> Result<Target> {
    let read = |path: &PathBuf| {
        fs::read_to_string(path).with_context(|| format!("could not read {}", path.display()))
    };
    let is_sample = arguments.pairs.is_none() && arguments.criteria.is_none();
    if is_sample {
        return Ok(samples::attack_target()?);
    }
    let mut target = Target { pairs: Vec::new(), documents: Vec::new(), criteria: Vec::new() };
    if let Some(path) = &arguments.pairs {
        target.pairs = pairs_in(path)?;
    }
    if let Some(path) = &arguments.criteria {
        let name = path.display().to_string();
        let listed = read_criteria(&fs::read(path).with_context(|| name.clone())?, &name)?;
        if let Some(first) = listed.problems.first() {
            bail!("{name}: {} rows cannot be used; the first is {first}", listed.unusable);
        }
        target.criteria = listed.items;
        for path in &arguments.documents {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            target.documents.push((name, read(path)?));
        }
    }
    Ok(target)
}

fn report(found: &Attacked) -> Report {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let row = |row: &AttackRow| {
        let difference = row.difference.map_or_else(String::new, |one| {
            format!("{} [{}, {}]", percent(one.value), percent(one.low), percent(one.high))
        });
        vec![
            row.place.to_owned(),
            row.family.clone(),
            row.trials.to_string(),
            percent(row.moved),
            percent(row.harmless),
            difference,
            row.lost.to_string(),
        ]
    };
    let headings =
        columns("place | family | #trials | #moved % | #harmless % | #more, points | #lost");
    let note = format!(
        "moved: the score rises by more than {:.0} % of the scale. harmless: the same with neutral \
         words of the same length. lost: a score that is no longer given.",
        MARGIN * 100.0
    );
    Report {
        title: format!("{} under attack", found.judge),
        lead: Vec::new(),
        sheets: vec![Sheet {
            title: String::new(),
            headings,
            rows: found.rows.iter().map(row).collect(),
            note,
        }],
        drawn: None,
    }
}
