//! `assize council tune`: which weights people's preferences suggest.

use std::path::PathBuf;

use anyhow::{Context, Result};
use assize_engine::council::tuning::read;
use assize_methods::council::tune::{PREFERENCES_MIN, Tuned, tune};
use assize_methods::council::{Dimension, Profile};
use clap::Args;
use serde::Serialize;

use crate::exit::Done;
use crate::output::report::{Report, ReportArguments, Sheet};
use crate::output::table::columns;

const NOTES: &str = "\
A line: {\"question\": …, \"answers\": [{\"model\": \"a\"}, {\"model\": \"b\"}], \"preferred\": \"b\",
\"marks\": {\"judge\": {\"accuracy\": [7, 9], \"clarity\": [8, 8]}}}. No profile is changed: copy \
    the weights into your own profile.";

/// Suggest weights from human preferences.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Answers with marks per dimension and the preferred answer
    data: PathBuf,
    /// The profile whose weights to compare with
    #[arg(long, value_name = "NAME", default_value = "default")]
    profile: String,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    #[command(flatten)]
    report: ReportArguments,
}

/// What programs get.
#[derive(Serialize)]
struct TuneOutput {
    profile: String,
    tuned: Tuned,
}

/// Reads, fits and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.report.check(&[&arguments.data])?;
    let profile = Profile::built_in(&arguments.profile)?;
    let preferences = read(&arguments.data)?;
    let found = tune(&preferences, &profile.weights, arguments.seed).with_context(|| {
        format!(
            "{} preferences are too few to learn from; at least {PREFERENCES_MIN} are needed",
            preferences.len()
        )
    })?;
    let tables = report(&found, &profile);
    arguments.report.write(&tables, &TuneOutput { profile: profile.name, tuned: found })?;
    Ok(Done::Fine)
}

fn report(found: &Tuned, profile: &Profile) -> Report {
    let range = found.gain_interval.map_or_else(String::new, |range| {
        format!(", interval {:+.1} to {:+.1}", range.low * 100.0, range.high * 100.0)
    });
    let worth = match found.gain_interval {
        Some(range) if range.low > 0.0 => "Other weights would agree with people more often",
        Some(range) if range.high < 0.0 => "Other weights would agree with people less often",
        _ => "It is unclear whether other weights would agree with people more often",
    };
    let lead = vec![
        format!(
            "{} preferences on {} questions. The weights of {} agree with people in {:.1} %; weights \
             fitted to other questions in {:.1} %.",
            found.preferences,
            found.questions,
            profile.name,
            found.agreement_now * 100.0,
            found.agreement_held_out * 100.0
        ),
        format!(
            "{worth}: {:+.1} points{range}. {} preferences would be decided differently. No \
             profile was changed.",
            found.gain * 100.0,
            found.decided_otherwise
        ),
    ];
    let rows = Dimension::ALL.map(|dimension| {
        let (now, then) = (found.current.of(dimension), found.suggested.of(dimension));
        vec![
            dimension.name().to_owned(),
            format!("{now:.2}"),
            format!("{then:.2}"),
            format!("{:+.2}", then - now),
        ]
    });
    let sheet = Sheet {
        title: "Weights".to_owned(),
        headings: columns("dimension | #now | #suggested | #change"),
        rows: rows.into(),
        note: "The suggestion is fitted to all preferences; the figures above are measured on \
             held-out questions."
            .to_owned(),
    };
    Report {
        title: "Weights suggested by human preferences".to_owned(),
        lead,
        sheets: vec![sheet],
        drawn: None,
    }
}
