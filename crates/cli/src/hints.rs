//! What to type when something went wrong: the engine's hints, with the flags and commands that
//! only the command line knows.

use anyhow::Error;
use assize_engine::compliance::ComplianceError;
use assize_engine::compliance::intake::IntakeError;
use assize_engine::error::ErrorCode;
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
        return Some(format!("say which column it is with --map {field}=COLUMN"));
    }
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(IntakeError::is_about_columns) {
        return Some("say which column holds what with --map FIELD=COLUMN".to_owned());
    }
    let flags = match code.code {
        "no_judge" => Some("name it with --judge PROVIDER/MODEL, or --judge panel:A,B,C"),
        "unusable_transcript" => Some("name the judge with --judge, and another file to --record"),
        "no_reviewers" => Some("name models with --reviewers A,B,C"),
        "budget_spent" => Some("what was answered is kept; resume with a larger --budget"),
        "day_ceiling_reached" => {
            Some("`assize runs ceiling AMOUNT` raises the ceiling, `runs ceiling --none` lifts it")
        }
        "outdated_store" => Some("make a backup, then `assize db migrate` (with your --database)"),
        _ => None,
    };
    let scoring = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(ScoreError::Unknown) => Some("say it with --mode passages, spans or ranked"),
        Some(ScoreError::NoMeasure { .. }) => Some("--k sets how many passages count"),
        _ => None,
    });
    let agreement = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(AgreeError::RulesOnly) => Some("hand the scorecards over with --scores FILE"),
        _ => None,
    });
    let hint = missing.map(|command| format!("`{command}` shows what there is"));
    let hint = hint.or_else(|| scoring.or(agreement).or(flags).map(str::to_owned));
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
