//! What to type when something went wrong: the engine's hints, with the flags and commands that
//! only the command line knows.

use anyhow::Error;
use assize_engine::compliance::ComplianceError;
use assize_engine::compliance::intake::IntakeError;
use assize_engine::council::RequestError;
use assize_engine::error::ErrorCode;
#[cfg(feature = "readers")]
use assize_engine::readers::ReadersError;
use assize_engine::retrieval::passages::PassageError;
use assize_engine::retrieval::request::ScoreError;
use assize_engine::summary::agree::AgreeError;
use assize_engine::summary::input::PairsError;
use assize_methods::retrieval::ranked::{Measure, nearest};
#[cfg(feature = "server")]
use assize_server::ServeError;

/// The fields of a pair that are looked for under their own names.
const FIELDS: [&str; 3] = ["article", "summary", "response"];

/// What to do about an error, if there is more to say than its message.
pub(crate) fn of(error: &Error, code: &ErrorCode) -> Option<String> {
    let missing = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(ComplianceError::Missing { what, .. }) => listing(what),
        _ => None,
    });
    let mapping = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(PairsError::NoColumn { field, .. }) => Some(field.clone()),
        _ => None,
    });
    if let Some(field) = mapping {
        // A column that --map names is no field.
        let field = if FIELDS.contains(&field.as_str()) { field.as_str() } else { "FIELD" };
        return Some(format!("name the column with --map {field}=COLUMN"));
    }
    if let Some(hint) = of_optional_parts(error) {
        return Some(hint.to_owned());
    }
    let measure = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(ScoreError::NoMeasure { measure, known }) => Some(instead_of(measure, known)),
        _ => None,
    });
    if measure.is_some() {
        return measure;
    }
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(IntakeError::is_about_columns) {
        return Some("name the columns with --map FIELD=COLUMN".to_owned());
    }
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(is_about_rows) {
        return Some("correct the rows, or leave them out with --skip-unusable".to_owned());
    }
    let flags = match code.code {
        "no_judge" => Some("use --judge PROVIDER/MODEL, or --judge panel:A,B,C"),
        "unusable_transcript" => {
            Some("give the judge with --judge, and a different file with --record")
        }
        "no_reviewers" => Some("give the reviewers with --reviewers A,B,C"),
        "budget_spent" => Some("replies so far are saved; resume with a larger --budget"),
        "day_ceiling_reached" => Some(
            "raise the limit with `assize runs ceiling AMOUNT`, or remove it with `assize runs \
             ceiling --none`",
        ),
        "outdated_store" => {
            Some("make a backup, then run `assize db migrate` (with your --database)")
        }
        _ => None,
    };
    let scoring = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(ScoreError::Unknown) => Some("use --mode passages, --mode spans or --mode ranked"),
        Some(ScoreError::Measure(_)) => Some("see `assize measures`"),
        Some(ScoreError::Passages(PassageError::NoKey { key, .. })) => Some(match key.as_str() {
            "query" => "name the key with --map query=KEY",
            "snippets" => "name the key with --map gold=KEY",
            _ => "name the key with --map passages=KEY",
        }),
        _ => None,
    });
    let agreement = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(AgreeError::RulesOnly) => Some("pass the scorecards with --scores FILE"),
        _ => None,
    });
    let authors = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(RequestError::OnlyAuthors) => Some("self-reviews count with --count-own"),
        _ => None,
    });
    let hint = missing.map(|command| format!("run `{command}` to see what exists"));
    let hint = hint.or_else(|| scoring.or(agreement).or(authors).or(flags).map(str::to_owned));
    hint.or_else(|| Some(code.hint.to_owned()).filter(|hint| !hint.is_empty()))
}

fn is_about_rows(error: &ComplianceError) -> bool {
    matches!(error, ComplianceError::UnusableRows { .. })
}

/// What to do about an error of what a build may leave out.
#[cfg_attr(
    not(any(feature = "server", feature = "readers")),
    expect(unused_variables, reason = "nothing is left to look for")
)]
fn of_optional_parts(error: &Error) -> Option<&'static str> {
    #[cfg(feature = "server")]
    if error.chain().any(|cause| matches!(cause.downcast_ref(), Some(ServeError::Bind { .. }))) {
        return Some("another program may listen there; choose another port with --port");
    }
    #[cfg(feature = "readers")]
    if error.chain().any(|cause| matches!(cause.downcast_ref(), Some(ReadersError::Unknown(..)))) {
        return Some("say where it is with --from FOLDER|URL; see `assize readers list`");
    }
    None
}

/// What to ask for in place of a measure that passages do not have.
fn instead_of(measure: &str, known: &[String]) -> String {
    if let [near, ..] = nearest(measure, known.iter().map(String::as_str))[..] {
        return format!("did you mean {near}? see `assize measures`");
    }
    if Measure::parse_all(measure).is_ok() {
        return format!(
            "{measure} is for ranked runs: `assize score RUN JUDGEMENTS`, with documents by their \
             identifiers; see `assize measures`"
        );
    }
    "see `assize measures`".to_owned()
}

/// The command that lists things of a kind.
fn listing(what: &str) -> Option<&'static str> {
    Some(match what {
        "criteria set" | "criteria set and no file" => "assize criteria list",
        "criterion" => "assize criteria show SET",
        "document set" | "document" => "assize documents list",
        "run" => "assize runs list",
        "template" => "assize criteria template list",
        _ => return None,
    })
}
