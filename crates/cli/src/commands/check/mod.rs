//! `assize check`: the checks of `assize.toml`, run.

mod annotations;
mod markdown;
mod sarif;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use assize_engine::ErrorKind;
use assize_engine::asking::Stop;
use assize_engine::checks::suite::to_wire;
use assize_engine::checks::{Asking, Outcome, Spec, Update, read_specs, run_suite};
use assize_engine::configuration::{FILE, find};
use assize_engine::thresholds::junit;
use assize_wire::text::pretty;
use assize_wire::threshold::Check;
use clap::Args;
use clap::builder::FalseyValueParser;

use crate::exit::Done;
use crate::model_args::{AskingArguments, variables};
use crate::output::asking::{bill, tell};
use crate::output::{files, terminal};
use crate::runtime::block_on;

const NOTES: &str = "\
A check fails if an answer or a score is missing, if its items are not those of the baseline, if a file
is empty, or if it cannot be run; `allow = [\"missing\", \"other-items\", \"empty\"]` permits the first three.
Exit code 2: a check cannot be run; 3: a model or the database failed. Guide: docs/guide/check.md";

/// Run the checks in assize.toml and report PASS or FAIL for each requirement.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Run only the check with this name (repeatable)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Compare with the baseline, then save the current results as the new one; nothing is
    /// saved if a requirement does not hold
    #[arg(long)]
    update_baseline: bool,
    /// Save the current results as the new baseline although they are worse, and keep the reason
    #[arg(long, value_name = "REASON", value_parser = reason)]
    accept: Option<String>,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    junit: Option<PathBuf>,
    /// Write a Markdown table, for a CI job summary or a comment
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    markdown: Option<PathBuf>,
    /// Write SARIF 2.1.0, which code hosts show at the lines of assize.toml
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    sarif: Option<PathBuf>,
    /// Mark lines of assize.toml in GitHub Actions: `::error file=…,line=…` on standard error for
    /// each requirement that does not hold
    #[arg(
        long,
        env = "GITHUB_ACTIONS",
        hide_env_values = true,
        value_parser = FalseyValueParser::new(),
        help_heading = "Reports"
    )]
    annotations: bool,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,
    /// Write a self-contained HTML page
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    html: Option<PathBuf>,
    #[command(flatten)]
    asking: AskingArguments,
}

impl Arguments {
    fn update(&self) -> Update {
        match &self.accept {
            Some(reason) => Update::Accepted(reason.clone()),
            None if self.update_baseline => Update::IfPassed,
            None => Update::No,
        }
    }
}

/// Blank words are no reason.
fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("say why".to_owned()) } else { Ok(text.to_owned()) }
}

/// Runs every check and says what became of it.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let named = arguments.asking.models.providers.config.as_deref();
    let Some(config) = find(named, &variables()) else {
        bail!("no {FILE} in this folder or its parents; create one with `assize init`");
    };
    let specs = wanted(read_specs(&config)?, &arguments.only)?;
    let Arguments { junit, markdown, sarif, json, html, .. } = arguments;
    for path in [junit, markdown, sarif, json, html] {
        files::check(path.as_deref(), &[&config])?;
    }
    // Paths in messages are those that the user wrote, where the file lies in this folder.
    let folder = config.parent().unwrap_or(Path::new(""));
    let here = std::env::current_dir().ok();
    let folder = if here.as_deref() == Some(folder) { Path::new("") } else { folder };
    let stop = Stop::default();
    let options = arguments.asking.to_options();
    let providers = arguments.asking.models.providers.load()?;
    let asking = Asking::new(options, providers, stop.clone(), tell);
    let outcomes = block_on(&stop, async {
        Ok(run_suite(&specs, folder, &asking, &arguments.update()).await)
    })?;
    if let Some(session) = asking.opened() {
        terminal::remark(&bill(&session.account()));
    }
    write_reports(arguments, &outcomes, &config)?;
    for outcome in &outcomes {
        for notice in outcome.end.iter().flat_map(|ended| &ended.notices) {
            terminal::notice(&format!("{}: {notice}", outcome.name));
        }
    }
    files::print(&text::table_of(&outcomes, specs.len()))?;
    let checks = outcomes.iter().flat_map(Outcome::checks);
    if checks.into_iter().any(|check| check.line.ends_with("has no baseline")) {
        terminal::remark("save the current results as a baseline: assize check --update-baseline");
    }
    Ok(end(&outcomes))
}

/// The checks that are asked for.
fn wanted(mut specs: Vec<Spec>, only: &[String]) -> Result<Vec<Spec>> {
    for name in only {
        if !specs.iter().any(|spec| spec.name == *name) {
            let known: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
            bail!("no check named `{name}`; the checks are {}", known.join(", "));
        }
    }
    specs.retain(|spec| only.is_empty() || only.contains(&spec.name));
    Ok(specs)
}

fn write_reports(arguments: &Arguments, outcomes: &[Outcome], config: &Path) -> Result<()> {
    if let Some(path) = &arguments.junit {
        files::write(path, &junit("assize check", &every_check(outcomes)))?;
    }
    if let Some(path) = &arguments.markdown {
        files::write(path, &markdown::render(outcomes))?;
    }
    let (text, here) = (std::fs::read_to_string(config)?, std::env::current_dir()?);
    let shown = config.strip_prefix(&here).unwrap_or(config);
    if let Some(path) = &arguments.sarif {
        files::write(path, &pretty(&sarif::render(outcomes, shown, &text)))?;
    }
    if arguments.annotations {
        terminal::plain(&annotations::render(outcomes, shown, &text));
    }
    if let Some(path) = &arguments.json {
        files::write(path, &pretty(&to_wire(outcomes)))?;
    }
    if let Some(path) = &arguments.html {
        files::write(path, &assize_page::checks::render(&to_wire(outcomes)))?;
    }
    Ok(())
}

/// Every requirement under the name of its check.
fn every_check(outcomes: &[Outcome]) -> Vec<Check> {
    let named = |outcome: &Outcome, check: Check| Check {
        name: format!("{}: {}", outcome.name, check.name),
        ..check
    };
    let all = outcomes
        .iter()
        .flat_map(|outcome| outcome.checks().into_iter().map(move |check| named(outcome, check)));
    all.collect()
}

/// What could not be run weighs more than what failed, and what is not ours to mend more still.
fn end(outcomes: &[Outcome]) -> Done {
    let kinds = outcomes.iter().filter_map(|outcome| outcome.end.as_ref().err());
    match kinds.map(|error| error.kind).max_by_key(|kind| weight(*kind)) {
        Some(kind) => Done::Ended(kind),
        None if outcomes.iter().all(Outcome::passed) => Done::Fine,
        None => Done::ThresholdMissed,
    }
}

fn weight(kind: ErrorKind) -> u8 {
    crate::exit::number(kind)
}
