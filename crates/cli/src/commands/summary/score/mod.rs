//! `assize summary score`: a pair of files, or a whole file of pairs.

mod args;
mod by_model;
mod card;
mod data;
mod dry_run;
pub(super) mod ledger;
mod line;
mod many;
pub(super) mod page;
mod tally;

use std::path::Path;

use anyhow::{Result, bail, ensure};
use assize_engine::summary::input::{self, Place};
use assize_engine::summary::{Judged, Pair, Settings};
use assize_methods::summary::Metric;

pub(crate) use args::Arguments;
pub(super) use card::Card;

use self::args::Format;
use self::data::Printed;
use self::tally::Tally;
use crate::commands::summary::sink::write_whole;
use crate::commands::thresholds::{Check, Threshold};
use crate::exit::Done;
use crate::output::{files, terminal};

/// Scores what was given, prints it, and holds the means against thresholds.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    for Threshold { measure, .. } in &arguments.fail_under {
        let known = Metric::ALL.map(Metric::name);
        ensure!(
            known.contains(&measure.as_str()),
            "--fail-under: there is no metric `{measure}`; there are {}",
            known.join(", ")
        );
    }
    let inputs = [&arguments.article, &arguments.summary, &arguments.input];
    let inputs: Vec<&Path> = inputs.into_iter().filter_map(Option::as_deref).collect();
    files::check(arguments.output.as_deref(), &inputs)?;
    let settings = arguments.judging.to_settings();
    if by_model::is_asked_for(arguments) {
        return by_model::run(settings, arguments);
    }
    by_model::refuse_what_only_models_take(arguments)?;
    let tally = match (&arguments.article, &arguments.summary, &arguments.input) {
        (Some(article), Some(summary), None) => one(article, summary, settings, arguments)?,
        (None, None, Some(input)) => many::run(input, settings, arguments)?,
        _ => bail!("give either --article and --summary, or --input"),
    };
    Ok(conclude(&arguments.fail_under, &tally))
}

/// One pair of files.
fn one(article: &Path, summary: &Path, settings: Settings, arguments: &Arguments) -> Result<Tally> {
    let judged = Judged::of(None, pair_of_files(article, summary)?, settings);
    print_one(&judged, settings, arguments)
}

/// The pair that two files hold.
fn pair_of_files(article: &Path, summary: &Path) -> Result<Pair> {
    let both = |path: &Path| path == Path::new("-");
    ensure!(
        !(both(article) && both(summary)),
        "article and summary cannot both come from standard input"
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
    let card = Card::of(judged, settings).map(|card| card.beside(&look.calibrations));
    let text = match look.format {
        Format::Json => Printed::of(judged, settings, &look).pretty(),
        Format::Jsonl => format!("{}\n", Printed::of(judged, settings, &look).line()),
        Format::Table => match &card {
            Ok(card) => ledger::scorecard(card, true),
            Err(reason) => format!("error: {reason}\n"),
        },
        Format::Html => page::single(&card, judged, settings),
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

/// Says which means are too low, and decides how the command ends.
fn conclude(thresholds: &[Threshold], tally: &Tally) -> Done {
    let mut done = Done::Fine;
    for Threshold { measure, at_least } in thresholds {
        let name = format!("{measure} is at least {at_least}");
        let mean = tally.mean(measure);
        let passed = mean
            .is_some_and(|value| Check { name: name.clone(), value, at_least: *at_least }.passed());
        if !passed {
            let found =
                mean.map_or("it has no score".to_owned(), |mean| format!("it is {mean:.4}"));
            terminal::notice(&format!("missed: {name}; {found}"));
            done = Done::ThresholdMissed;
        }
    }
    done
}
