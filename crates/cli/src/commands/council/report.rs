//! `assize council report`: how far kept council runs can be trusted.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use assize_engine::council::{CouncilRequest, CouncilRun, OperatorPolicy, rescored_under};
use assize_engine::runs::understood::understood_together;
use assize_methods::council::CouncilVerdict;
use assize_methods::council::report::{Case, report};
use assize_page::council::report::{self as page, Section};
use assize_wire::council::{Report, Understood};
use assize_wire::text::pretty;
use clap::Args;

use super::args::VerdictArguments;
use super::text;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::shown::Format;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{quiet, strong};
use crate::runtime::block_on_or_drop;
use crate::save_args;

const NOTES: &str = "\
Agreement is Krippendorff's alpha, ICC(2,k) and Kendall's W, for each dimension, for the computed totals and
for the overall scores stated by reviewers; stability is computed by resampling the reviewers; effects are
reported with interval and number of cases, and only from 10 cases on. No model is called.";

/// Report how reliable saved council runs are.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Council runs: files, or names in assize-councils
    #[arg(required = true, value_name = "RUNS")]
    runs: Vec<PathBuf>,
    /// RUNS are runs in --database instead: their numbers, names or ids; what readers said about
    /// them is reported too
    #[arg(long)]
    stored: bool,
    #[command(flatten)]
    database: DatabaseArguments,
    #[command(flatten)]
    output: VerdictArguments,
}

/// Reads, computes and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let output = &arguments.output;
    let inputs: Vec<&Path> = arguments.runs.iter().map(PathBuf::as_path).collect();
    output.to.check(if arguments.stored { &[] } else { &inputs })?;
    let operator = OperatorPolicy::load(&variables(), None)?;
    let (read, readers) = if arguments.stored {
        stored(arguments)?
    } else {
        let key = operator.signing_key.as_ref();
        let read = inputs.iter().map(|path| CouncilRun::read(path, key));
        (read.collect::<Result<_, _>>()?, None)
    };
    let mut runs = Vec::with_capacity(read.len());
    for run in read {
        runs.push(rescored_under(&run, &CouncilRequest::default(), &operator.request)?);
    }
    let rubric = &runs[0].settings;
    ensure!(
        runs.iter().all(|run| run.settings == *rubric),
        "these runs use different rubrics or aggregation methods; make them match first with \
         `assize council rescore`"
    );
    let verdicts: Vec<CouncilVerdict> = runs.iter().map(CouncilRun::verdict).collect();
    let cases: Vec<Case<'_>> = runs
        .iter()
        .zip(&verdicts)
        .map(|(run, verdict)| Case { record: &run.record, verdict })
        .collect();
    let found = report(&cases, rubric);
    let both = runs.iter().zip(&verdicts);
    let councils = both.map(|(run, verdict)| run.to_wire(verdict.clone())).collect();
    let shown = Report { report: found, verdicts: councils, readers };
    let text = match output.to.format() {
        Format::Table => {
            let mut text = match (runs.as_slice(), verdicts.as_slice()) {
                ([run], [verdict]) => text::standing(run, verdict, output.explain),
                _ => format!("{}\n", strong(&page::count(&shown))),
            };
            for section in page::sections(&shown) {
                text.push_str(&section_text(&section));
            }
            text
        }
        Format::Json => pretty(&shown),
        Format::Html => page::render(&shown),
    };
    output.to.write(&text)?;
    Ok(Done::Fine)
}

/// The councils of stored runs, and what their readers said.
fn stored(arguments: &Arguments) -> Result<(Vec<CouncilRun>, Option<Understood>)> {
    arguments.database.check_exists()?;
    block_on_or_drop(async {
        let workspace = save_args::reader(arguments.database.place()).await?;
        let (mut councils, mut said) = (Vec::new(), Vec::new());
        for name in &arguments.runs {
            let run = workspace.find_run(&name.to_string_lossy()).await?;
            councils.push(workspace.council_of(&run).await?);
            said.push(workspace.understood(&run).await?);
        }
        workspace.close().await;
        Ok((councils, Some(understood_together(&said))))
    })
}

fn section_text(section: &Section) -> String {
    if section.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", strong(section.title));
    if !section.rows.is_empty() {
        let heading = |(index, name): (usize, &&'static str)| match name.strip_prefix('~') {
            Some(name) => words(name),
            None if index == 0 => words(*name),
            None => numbers(*name),
        };
        let headings: Vec<_> = section.headings.iter().enumerate().map(heading).collect();
        text.push_str(&table(&headings, section.rows.clone()));
    }
    if !section.remark.is_empty() {
        let _ = writeln!(text, "{}", quiet(&section.remark));
    }
    text
}
