//! `assize summary score`: a pair of files, or a whole file of pairs.

mod args;
mod by_model;
mod dry_run;
mod keep;
pub(super) mod ledger;
mod line;
mod many;
mod saved;

use std::path::Path;

use anyhow::{Result, bail, ensure};
use assize_engine::summary::input::{self, Place};
use assize_engine::summary::{ByRules, Judged, Pair, Settings, Tally};
use assize_engine::thresholds::{Requirement, check, check_scored};
use assize_methods::summary::Metric;
use assize_page::summary::{self as page, Refused};
use assize_wire::text::{line, pretty};

pub(crate) use args::Arguments;

use self::args::Format;
use self::keep::Keeper;
use crate::commands::summary::sink::write_whole;
use crate::commands::thresholds::{self, FailUnder};
use crate::configured;
use crate::exit::Done;
use crate::output::files;

/// What a metric of a summary reaches.
const SCORE_MAX: f64 = 10.0;

/// Scores what was given, prints it, and checks the means against thresholds.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let names = Metric::ALL.map(Metric::name);
    thresholds::check_possible(&arguments.fail_under, &names, |_| Some(SCORE_MAX))?;
    let inputs = [&arguments.article, &arguments.summary, &arguments.input];
    let inputs: Vec<&Path> = inputs.into_iter().filter_map(Option::as_deref).collect();
    let written = ["txt", "json", "jsonl", "html"];
    files::check_ending(arguments.output.as_deref(), &written)?;
    files::check_ending(arguments.evidence_out.as_deref(), &["jsonl"])?;
    files::check(arguments.output.as_deref(), &inputs)?;
    files::check(arguments.evidence_out.as_deref(), &inputs)?;
    if by_model::is_asked_for(arguments) {
        return by_model::run(arguments);
    }
    by_model::refuse_what_only_models_take(arguments)?;
    let settings = arguments.request.settings()?;
    let reader = if arguments.with_reader {
        let reader = configured::reader().get().map_err(anyhow::Error::msg)?;
        ensure!(reader.is_some(), "no reader is configured; see `assize readers list`");
        reader
    } else {
        None
    };
    let by = ByRules { settings, reader: reader.as_deref() };
    let tally = match (&arguments.article, &arguments.summary, &arguments.input) {
        (Some(article), Some(summary), None) => one(article, summary, by, arguments)?,
        (None, None, Some(input)) => many::run(input, by, arguments)?,
        _ => bail!("give either --article and --summary, or --input"),
    };
    Ok(conclude(arguments, &tally))
}

/// One pair of files.
fn one(article: &Path, summary: &Path, by: ByRules<'_>, arguments: &Arguments) -> Result<Tally> {
    let judged = Judged::of(None, pair_of_files(article, summary)?, by);
    let settings = by.settings;
    keep_one(&judged, settings, arguments)?;
    print_one(&judged, settings, arguments)
}

/// Keeps one pair where that is asked for.
fn keep_one(judged: &Judged, settings: Settings, arguments: &Arguments) -> Result<()> {
    let mut keeper = Keeper::open(arguments, settings, false)?;
    keeper.keep(keeper.wanted.prepare(judged)?)?;
    keeper.finish()
}

/// The pair that two files hold.
fn pair_of_files(article: &Path, summary: &Path) -> Result<Pair> {
    let both = |path: &Path| path == Path::new("-");
    ensure!(
        !(both(article) && both(summary)),
        "article and summary cannot both be read from standard input"
    );
    Ok(Pair {
        place: Place::Line(1),
        article: input::text(article)?,
        summary: input::text(summary)?,
        record: serde_json::Value::Null,
    })
}

/// Prints one pair in full.
fn print_one(judged: &Judged, settings: Settings, arguments: &Arguments) -> Result<Tally> {
    let look = arguments.look()?;
    let scorecard = || judged.to_wire(settings, look.explain, &look.calibrations);
    let card = judged.to_card(1, settings, &look.calibrations);
    let text = match look.format {
        Format::Json => pretty(&scorecard()),
        Format::Jsonl => format!("{}\n", line(&scorecard())),
        Format::Table => match &card {
            Ok(card) => ledger::scorecard(card, true),
            Err(reason) => format!("error: {reason}\n"),
        },
        Format::Html => {
            let texts = judged.pair.as_ref().map(|pair| (&*pair.article, &*pair.summary));
            let card = card.as_ref().map_err(|reason| Refused { reason, texts });
            page::single(card, &settings.method(), settings.judge.name())
        }
    };
    write_whole(arguments.output.as_deref(), &text)?;
    let mut tally = Tally::default();
    match card {
        Ok(card) => tally.add(&Ok(card.scores)),
        Err(_) if judged.trail.is_some() => {
            tally.add(&Err("unscored".to_owned()));
            tally.unscored += 1;
        }
        Err(reason) => bail!("the pair cannot be scored: {reason}"),
    }
    Ok(tally)
}

/// Says which means are too low, and decides how the command ends. A mean over the pairs that
/// happen to have a score proves nothing, so pairs without one fail too, unless they are allowed.
fn conclude(arguments: &Arguments, tally: &Tally) -> Done {
    let requirements: Vec<Requirement> =
        arguments.fail_under.iter().map(FailUnder::requirement).collect();
    let figures = tally.figures();
    let mut checks = check(&requirements, &figures, None);
    if !checks.is_empty() && !arguments.allow_unscored {
        checks.extend(check_scored(&figures));
    }
    thresholds::conclude(&checks)
}
