//! Every code: how it is told, what it means, what to do.
//!
//! Programs rely on codes: one that was published keeps its name and its kind.

use serde::Serialize;

/// What kind of trouble it is; this decides exit codes, statuses and exception classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// What was given cannot be used as it is.
    BadInput,
    /// What was named is not there.
    NotFound,
    /// It does not go together with what is there.
    Conflict,
    /// It is understood, and not done.
    Refused,
    /// A model or its provider failed, or may not be paid.
    Provider,
    /// The database failed.
    Store,
    /// Somebody wanted it to stop.
    Interrupted,
}

impl ErrorKind {
    /// All of them, in the order of the reference.
    pub const ALL: [Self; 7] = [
        Self::BadInput,
        Self::NotFound,
        Self::Conflict,
        Self::Refused,
        Self::Provider,
        Self::Store,
        Self::Interrupted,
    ];

    /// The name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::BadInput => "bad_input",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
            Self::Provider => "provider",
            Self::Store => "store",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A code with all that is fixed about it.
#[derive(Debug, PartialEq, Eq)]
pub struct ErrorCode {
    /// The name for programs.
    pub code: &'static str,
    /// How it is told.
    pub kind: ErrorKind,
    /// What happened.
    pub meaning: &'static str,
    /// What to do; empty where the message says it.
    pub hint: &'static str,
}

macro_rules! codes {
    ($($name:ident $code:literal $kind:ident $meaning:literal $hint:literal)+) => {
        $(pub(super) const $name: &ErrorCode = &ErrorCode {
            code: $code, kind: ErrorKind::$kind, meaning: $meaning, hint: $hint,
        };)+
        /// Every code there is.
        pub const ALL: &[&ErrorCode] = &[$($name),+];
    };
}

codes! {
    INPUT "invalid_input" BadInput
        "an argument or the content of a file is not valid" ""
    FILE "unreadable_file" BadInput
        "a file cannot be opened or read" ""
    DAMAGED "damaged_file" BadInput
        "a file is empty, truncated, or not in the format it claims to be" ""
    CONFIGURATION "invalid_configuration" BadInput
        "assize.toml, a price file or an environment variable is not valid" ""
    ENDPOINT "unusable_provider" BadInput
        "a provider is unknown, its address is not valid, or its API key is missing"
        "run `assize models list` to see the providers and the variables for their keys"
    TRANSCRIPT "unusable_transcript" BadInput
        "a transcript cannot be read or created, or holds several models and none was selected" ""
    NO_JUDGE "no_judge" BadInput
        "the command needs a model as judge and none was given" ""
    NO_REVIEWERS "no_reviewers" BadInput
        "a council has answers but no reviewers" ""
    COUNCIL "invalid_council" BadInput
        "the question, members, weights, profile or patterns of a council are not valid" ""
    DOCUMENT "unreadable_document" BadInput
        "a document is in an unsupported format, or contains no text" ""
    CRITERIA "invalid_criteria_settings" BadInput
        "a rubric, response structure or prompt template is not valid" ""
    DATABASE_ADDRESS "unsupported_database" BadInput
        "the database type is not supported" ""
    NOT_A_STORE "not_a_store" BadInput
        "the file is not an Assize database; it was not changed"
        "use a different file"
    MISSING "not_found" NotFound
        "the requested item does not exist, or belongs to another organisation" ""
    OUTDATED "outdated_store" Conflict
        "the database schema is older than this program"
        "make a backup, then upgrade the database with `assize db migrate`"
    UNRELEASED "unreleased_store" Conflict
        "the database was made by an unreleased build"
        "export what you need with that build, and start a new database"
    NEWER "foreign_store" Conflict
        "the database schema is newer than this program, or unknown"
        "upgrade assize, or use a different database"
    EXISTS "already_exists" Conflict
        "the name or id is already in use" ""
    IN_USE "in_use" Conflict
        "other data refers to it" ""
    FROZEN "frozen" Conflict
        "it has been used and can no longer be changed"
        "create a new version"
    WRONG_PASSWORD "wrong_password" Refused
        "wrong user name or password" ""
    REFUSED "refused" Refused
        "the request is valid but not possible in this state" ""
    REJECTED "provider_rejected" Provider
        "the provider rejected the API key, the model or the account"
        "check the API key variable and the model name with `assize models list`"
    PROVIDER "provider_failed" Provider
        "the provider could not be reached, failed, or did not answer in time"
        "replies so far are saved; try again later"
    NOT_RECORDED "not_recorded" Provider
        "the transcript contains no reply to this request"
        "replay with the same input and settings as in the recording"
    BUDGET "budget_spent" Provider
        "the budget is used up"
        "replies so far are saved; resume with a larger budget"
    DAY_CEILING "day_ceiling_reached" Provider
        "the organisation's daily spending limit is reached"
        "replies so far are saved; raise the limit, or continue tomorrow (UTC)"
    UNOPENED "store_unopened" Store
        "the database cannot be opened: missing folder, no permission, or no server"
        "check the path or address, and that the server is running"
    LOGIN_REFUSED "store_login_refused" Store
        "the database server rejected the user or the password"
        "check the user and the password in the address of the database"
    NO_DATABASE "store_missing" Store
        "the database server has no database of that name"
        "create it with `createdb NAME`, or correct the name in the address"
    NO_PRIVILEGE "store_privilege_missing" Store
        "the database user lacks a privilege that the command needs"
        "grant it to the user, or use the user that owns the tables"
    UNREACHABLE "store_unreachable" Store
        "lost the connection to the database; committed data is safe"
        "try again when the database is available"
    STORE "store_failed" Store
        "the database failed, for example because the disk is full or a lock was held too long" ""
    RECORDING "recording_failed" Store
        "the transcript could not be written" ""
    STOPPED "interrupted" Interrupted
        "interrupted; finished work is saved" ""
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_one_snake_case_word_and_has_a_meaning() {
        let names: BTreeSet<&str> = ALL.iter().map(|code| code.code).collect();
        assert_eq!(names.len(), ALL.len());
        for code in ALL {
            assert!(code.code.chars().all(|letter| letter == '_' || letter.is_ascii_lowercase()));
            assert!(!code.meaning.is_empty() && !code.meaning.ends_with('.'), "{}", code.code);
            assert!(!code.hint.contains("--"), "{}: flags are the command line's", code.code);
        }
    }

    #[test]
    fn every_kind_has_a_code() {
        let kinds: BTreeSet<ErrorKind> = ALL.iter().map(|code| code.kind).collect();
        assert_eq!(kinds.len(), ErrorKind::ALL.len());
    }
}
