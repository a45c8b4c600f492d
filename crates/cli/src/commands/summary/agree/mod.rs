//! `assize summary agree`: scores compared with people's ratings.

mod args;
mod text;

use anyhow::Result;
use assize_engine::summary::agree::{AgreeError, AgreeRequest, agree};
use assize_engine::summary::agreement::Number;
use assize_engine::summary::input::PairsError;
use assize_page::summary::agreement as page;
use assize_wire::text::pretty;

pub(crate) use args::Arguments;

use crate::commands::summary::progress::Bar;
use crate::exit::Done;
use crate::output::shown::Format;
use crate::output::terminal;

/// Scores every pair of the file and compares.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let number = Number::named(&arguments.metric)?;
    arguments.output.check(&[&arguments.input])?;
    let request = request(arguments, number)?;
    let mut bar = Bar::new();
    let report = agree(&request, &mut |progress| bar.advance(progress));
    bar.finish();
    let report = report.inspect_err(|error| {
        if has_no_scorecards(error) {
            terminal::notice(
                "`summary agree` compares summary scorecards with ratings; to compare other \
                 scores with ratings, use `assize judges bench`",
            );
        }
    })?;
    if let Some(first) = &report.points.first_error {
        let unscored = report.points.unscored;
        terminal::notice(&format!("{unscored} records have no score; the first: {first}"));
    }
    if report.points.unrated > 0 {
        let (unrated, human) = (report.points.unrated, &arguments.human);
        terminal::notice(&format!("{unrated} records have no rating in `{human}`"));
    }
    let shown = report.to_wire(&request);
    let text = match arguments.output.format() {
        Format::Table => text::render(&shown),
        Format::Json => pretty(&shown),
        Format::Html => page::render(&shown),
    };
    arguments.output.write(&text)?;
    Ok(Done::Fine)
}

/// Whether the file may hold scores of another kind.
fn has_no_scorecards(error: &AgreeError) -> bool {
    matches!(
        error,
        AgreeError::Pairs(PairsError::NoColumn { .. })
            | AgreeError::Unknown(_)
            | AgreeError::TooFew { found: 0, unrated: 0, .. }
    )
}

fn request(arguments: &Arguments, number: Number) -> Result<AgreeRequest> {
    Ok(AgreeRequest {
        input: arguments.input.clone(),
        scores: arguments.scores.clone(),
        number,
        human: arguments.human.clone(),
        group: arguments.group.clone(),
        by: arguments.by.clone(),
        fields: arguments.fields.to_fields()?,
        reading: arguments.fields.to_reading()?,
        settings: arguments.judging.settings()?,
        options: arguments.options(),
    })
}
