//! `assize judges infer`: what people would say of all items.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use assize_engine::judges::{
    Estimate, Inference, Inferred, Items, Source, difference, infer, share_bound,
};
use assize_wire::number::counted;
use clap::Args;

use crate::exit::Done;
use crate::output::report::{Report, ReportArguments, Sheet};
use crate::output::table::{numbers, words};
use crate::output::terminal;

const NOTES: &str = "\
The labelled items must be a random part of all: `--next` draws the ones to label. The corrected mean is
prediction-powered (PPI++): the judge makes the interval of the labels narrower, and its own errors are taken
out. A judge or rater is NAME=col:COLUMN or NAME=file:FILE, as for `judges bench`. Guide: docs/guide/few-labels.md

Example:
  assize judges infer --items data.csv --judge gpt4=col:judge --raters ann=col:human --width 0.5";

/// Estimate what people would say of all items, from a few labels and a judge.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Infer {
    /// The items, one per row
    #[arg(long, value_name = "FILE")]
    items: PathBuf,
    /// The judge, as NAME=SOURCE; it should have scored every item
    #[arg(long, value_name = "NAME=SOURCE")]
    judge: Source,
    /// The raters, as NAME=SOURCE; they may have labelled a few items
    #[arg(long, value_name = "NAME=SOURCE", num_args = 1.., required = true)]
    raters: Vec<Source>,
    /// The judge of a second system, as NAME=SOURCE: estimate how much better the first one is
    #[arg(long, value_name = "NAME=SOURCE", requires = "minus_raters")]
    minus_judge: Option<Source>,
    /// The raters of the second system
    #[arg(long, value_name = "NAME=SOURCE", num_args = 1.., requires = "minus_judge")]
    minus_raters: Vec<Source>,
    /// Column with the item ids [default: id, item, key or name, otherwise the row number]
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Estimate the share of items for which this holds instead of the mean, such as ">= 7"
    #[arg(long, value_name = "BOUND", allow_hyphen_values = true)]
    share: Option<String>,
    /// Say how many labels an interval of this width needs
    #[arg(long, value_name = "WIDTH")]
    width: Option<f64>,
    /// Number of items to label next that are named
    #[arg(long, value_name = "N", default_value_t = 10)]
    next: usize,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    confidence: f64,
    /// Random seed for the items to label next
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    #[command(flatten)]
    report: ReportArguments,
}

/// Reads, estimates and reports.
pub(super) fn run(arguments: &Infer) -> Result<Done> {
    let level = arguments.confidence;
    ensure!(level > 0.0 && level < 1.0, "--confidence must lie between 0 and 1");
    ensure!(arguments.width.is_none_or(|width| width > 0.0), "--width must be above 0");
    arguments.report.check(&[&arguments.items])?;
    let share = arguments.share.as_deref().map(share_bound).transpose();
    let share = share.map_err(|problem| anyhow!("--share: {problem}"))?;
    let judges = std::slice::from_ref(&arguments.judge);
    let id = arguments.id.as_deref();
    let items = Items::read(&arguments.items, judges, &arguments.raters, id, None)?;
    let items = match &arguments.minus_judge {
        None => items,
        Some(judge) => {
            let (judges, raters) = (std::slice::from_ref(judge), &arguments.minus_raters);
            let other = Items::read(&arguments.items, judges, raters, id, None)?;
            difference(&items, &other).map_err(|problem| anyhow!(problem))?
        }
    };
    let Infer { width, next, confidence: level, seed, .. } = *arguments;
    let found = infer(&items, &Inference { level, share, width, next, seed });
    let found = found.map_err(|problem| anyhow!(problem))?;
    for notice in &found.notices {
        terminal::notice(notice);
    }
    arguments.report.write(&report(&found, arguments), &found)?;
    Ok(Done::Fine)
}

fn report(found: &Inferred, arguments: &Infer) -> Report {
    let row = |name: &str, from: String, estimate: Option<Estimate>| {
        let interval = |one: Estimate| format!("[{:.4}, {:.4}]", one.low, one.high);
        let value = estimate.map_or_else(String::new, |one| format!("{:.4}", one.value));
        vec![name.to_owned(), from, value, estimate.map_or_else(String::new, interval)]
    };
    let labels = counted(found.labels, "label", "labels");
    let mut rows = vec![vec![
        "judge alone".to_owned(),
        counted(found.items, "score", "scores"),
        format!("{:.4}", found.judged),
        String::new(),
    ]];
    rows.push(row("labels alone", labels.clone(), found.labelled));
    rows.push(row("corrected", format!("{labels} and the judge"), found.corrected));
    let what = match &arguments.share {
        Some(bound) => format!("share {bound}"),
        None if arguments.minus_judge.is_some() => "difference".to_owned(),
        None => "mean".to_owned(),
    };
    let mut lead = Vec::new();
    if let (Some(weight), Some(worth)) = (found.weight, found.worth) {
        lead.push(format!(
            "{} counts with weight {weight:.2}; {labels} and the judge are worth {worth} labels.",
            found.judge
        ));
    }
    if let (Some(width), Some(needed)) = (arguments.width, found.needed) {
        let more = needed.saturating_sub(found.labels);
        lead.push(format!(
            "An interval of width {width} needs {needed} labels: {more} more than there are."
        ));
    }
    if !found.next.is_empty() {
        lead.push(format!("Label next, drawn at random: {}.", found.next.join(", ")));
    }
    let note = "The judge alone has no interval: how far it is off is not known without labels.";
    let headings = vec![words("estimate"), words("from"), numbers(what), words("interval")];
    Report {
        title: "What people would say of all items".to_owned(),
        lead,
        sheets: vec![Sheet { title: String::new(), headings, rows, note: note.to_owned() }],
        drawn: None,
    }
}
