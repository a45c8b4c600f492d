//! `assize council report`: how far kept council runs can be trusted.

mod bias;
mod trust;
mod view;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use assize_engine::council::CouncilRun;
use assize_methods::council::CouncilVerdict;
use assize_methods::council::report::{Case, CouncilReport, report};
use assize_page::page as whole_page;
use assize_wire::council::Report;
use assize_wire::text::pretty;
use clap::Args;
use maud::html;

use self::view::Section;
use super::args::{Format, OutputArguments};
use super::words::counted;
use super::{page, text};
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::strong;

const EXAMPLES: &str = "\
Examples:
  assize council report assize-councils/ID.json                  one run: its ranking, and how far to trust it
  assize council report assize-councils/*.json                   many questions together: more to tell effects by
  assize council report ID -o report.html                        with heat map and dimensions

Agreement is Krippendorff's alpha, ICC(2,k) and Kendall's W, for each dimension, for our sums and for the overall scores
that reviewers stated; stability draws the reviewers anew; effects carry their interval and number, and below 10 cases
nothing is called an effect. No model is asked.";

/// Say how far kept council runs can be trusted.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Council runs: their files, or their names in assize-councils
    #[arg(required = true, value_name = "RUNS")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
}

/// Reads, computes and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let output = &arguments.output;
    let inputs: Vec<&Path> = arguments.runs.iter().map(PathBuf::as_path).collect();
    files::check(output.output.as_deref(), &inputs)?;
    let sittings =
        inputs.iter().map(|path| CouncilRun::read(path)).collect::<Result<Vec<_>, _>>()?;
    let rubric = &sittings[0].settings;
    ensure!(
        sittings.iter().all(|sitting| sitting.settings == *rubric),
        "these runs are counted by different rubrics or methods: count them alike first, with \
         `assize council rescore`"
    );
    let verdicts: Vec<CouncilVerdict> = sittings.iter().map(CouncilRun::verdict).collect();
    let cases: Vec<Case<'_>> = sittings
        .iter()
        .zip(&verdicts)
        .map(|(sitting, verdict)| Case { record: &sitting.record, verdict })
        .collect();
    let found = report(&cases, rubric);
    let whole = Whole { sittings: &sittings, verdicts: &verdicts, report: &found };
    let text = match output.format() {
        Format::Table => whole.text(output.explain),
        Format::Json => whole.json(),
        Format::Html => whole.html(),
    };
    files::write(output.output.as_deref().unwrap_or(Path::new("-")), &text)?;
    Ok(Done::Fine)
}

struct Whole<'a> {
    sittings: &'a [CouncilRun],
    verdicts: &'a [CouncilVerdict],
    report: &'a CouncilReport,
}

impl Whole<'_> {
    fn text(&self, explain: bool) -> String {
        let mut text = match (self.sittings, self.verdicts) {
            ([sitting], [verdict]) => text::standing(sitting, verdict, explain),
            _ => format!("{}\n", strong(&self.count())),
        };
        for section in self.sections() {
            text.push_str(&section.text());
        }
        text
    }

    fn json(&self) -> String {
        let both = self.sittings.iter().zip(self.verdicts);
        let verdicts = both.map(|(sitting, verdict)| sitting.to_wire(verdict.clone())).collect();
        pretty(&Report { report: self.report.clone(), verdicts })
    }

    fn html(&self) -> String {
        let sections = html! {
            h2 { "How far to trust it" }
            @for section in self.sections() { (section.html()) }
        };
        match (self.sittings, self.verdicts) {
            ([sitting], [verdict]) => page::verdict(sitting, verdict, &sections),
            _ => whole_page("Council report", &html! { h1 { (self.count()) } (sections) }),
        }
    }

    fn count(&self) -> String {
        format!(
            "{}, {}, {}",
            counted(self.report.questions, "question", "questions"),
            counted(self.report.answers, "answer", "answers"),
            counted(self.report.reviews, "review", "reviews")
        )
    }

    fn sections(&self) -> Vec<Section> {
        vec![
            trust::agreement(self.report),
            trust::stability(self.report),
            trust::sensitivity(self.report, self.verdicts),
            bias::length(self.report),
            bias::effects(self.report),
            bias::harshness(self.report),
            bias::reviewing(self.report),
        ]
    }
}
