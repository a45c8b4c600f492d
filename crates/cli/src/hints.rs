//! What to type when something went wrong: the engine's hints, with the flags and commands that
//! only the command line knows.

use anyhow::Error;
use assize_engine::compliance::ComplianceError;
use assize_engine::compliance::intake::IntakeError;
use assize_engine::council::RequestError;
use assize_engine::error::ErrorCode;
use assize_engine::retrieval::passages::PassageError;
use assize_engine::retrieval::request::ScoreError;
use assize_engine::summary::agree::AgreeError;
use assize_engine::summary::input::PairsError;

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
        return Some(format!("name the column with --map {field}=COLUMN"));
    }
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(IntakeError::is_about_columns) {
        return Some("name the columns with --map FIELD=COLUMN".to_owned());
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
        Some(ScoreError::NoMeasure { .. }) => {
            Some("--k sets how many passages count; see `assize measures`")
        }
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
