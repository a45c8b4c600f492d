//! `assize summary agree`: scores held against people's ratings.

mod args;
mod data;
mod page;
mod points;
mod scored;
mod text;

use anyhow::{Result, ensure};
use assize_engine::retrieval::sureness::Sureness;
use assize_engine::summary::agreement::{Agreement, ConstantGroups, Number, Options, measure};
use assize_engine::summary::{Framework, Judge, Settings};

pub(crate) use args::Arguments;

use self::args::Format;
use self::points::Points;
use self::scored::Scored;
use crate::commands::summary::sink::write_whole;
use crate::exit::Done;
use crate::output::{files, terminal};

/// Everything that is shown.
struct View<'a> {
    arguments: &'a Arguments,
    settings: Settings,
    number: Number,
    options: Options,
    points: Points,
    agreement: Agreement,
}

/// Scores every pair of the file and compares.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let number = Number::named(&arguments.metric)?;
    files::check(arguments.output.output.as_deref(), &[&arguments.input])?;
    let settings = arguments.judging.to_settings();
    let points = if let Some(scores) = &arguments.scores {
        points::join(arguments, &Scored::read(scores)?, &number)?
    } else {
        ensure!(
            settings.judge == Judge::Rules && settings.framework != Framework::JudgeLockUltra,
            "only the rule judge is asked here; score with the model first and hand its scorecards over with --scores"
        );
        points::collect(arguments, settings, &number)?
    };
    ensure!(
        points.all.len() > 1,
        "{}: {} pairs have both a score and a rating, and at least 2 are needed ({} without a score, {} without a rating in `{}`)",
        arguments.input.display(),
        points.all.len(),
        points.unscored,
        points.unrated,
        arguments.human
    );
    if let Some(first) = &points.first_error {
        terminal::notice(&format!("{} records have no score; the first: {first}", points.unscored));
    }
    if points.unrated > 0 {
        terminal::notice(&format!(
            "{} records have no rating in `{}`",
            points.unrated, arguments.human
        ));
    }
    let options = arguments.options();
    let agreement = measure(&points.all, &options);
    let view = View { arguments, settings, number, options, points, agreement };
    let text = match arguments.format() {
        Format::Table => text::render(&view),
        Format::Json => data::render(&view),
        Format::Html => page::render(&view),
    };
    write_whole(arguments.output.output.as_deref(), &text)?;
    Ok(Done::Fine)
}

impl View<'_> {
    /// Who counted the labels.
    fn method(&self) -> String {
        let own = || self.settings.framework.name().into_owned();
        self.points.method.clone().unwrap_or_else(own)
    }

    /// Who judged.
    fn judge(&self) -> String {
        let own = || self.settings.judge.name().to_owned();
        self.points.judge.clone().unwrap_or_else(own)
    }

    /// What the shown correlations are over, as a sentence.
    fn scope(&self) -> String {
        let count = self.agreement.count;
        let (Some(grouped), Some(field)) = (&self.agreement.grouped, &self.arguments.group) else {
            return format!("{count} pairs, pooled");
        };
        let constant = match self.options.constant_groups {
            ConstantGroups::Zero => "count as 0",
            ConstantGroups::Skip => "are left out",
        };
        format!(
            "{count} pairs in {} groups by {field}, mean over groups; groups without variation {constant} ({} by score, {} by rating)",
            grouped.count, grouped.constant_scores, grouped.constant_human
        )
    }

    /// How intervals were made, as a sentence.
    fn intervals(&self) -> String {
        let Sureness { level, resamples, seed, .. } = self.options.sureness;
        let what = if self.agreement.grouped.is_some() { "groups" } else { "pairs" };
        format!(
            "{} % intervals by bootstrap over {what}, {resamples} resamples, seed {seed}",
            level * 100.0
        )
    }
}
