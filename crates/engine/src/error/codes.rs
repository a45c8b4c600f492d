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
        "an argument or a file does not say what it should" ""
    FILE "unreadable_file" BadInput
        "a file cannot be opened or read" ""
    DAMAGED "damaged_file" BadInput
        "a file is empty, cut short, or not in the format its start announces" ""
    CONFIGURATION "invalid_configuration" BadInput
        "assize.toml, a price file or a variable cannot be understood" ""
    ENDPOINT "unusable_provider" BadInput
        "a provider is unknown, its address is not one, or its key is missing"
        "`assize models list` shows the providers and the variables of their keys"
    TRANSCRIPT "unusable_transcript" BadInput
        "a transcript cannot be read or begun, or does not say which model it holds" ""
    NO_JUDGE "no_judge" BadInput
        "no model was named where one has to judge" ""
    NO_REVIEWERS "no_reviewers" BadInput
        "a council has answers and no reviewers" ""
    COUNCIL "invalid_council" BadInput
        "question, members, weights, profile or patterns of a council cannot be used" ""
    DOCUMENT "unreadable_document" BadInput
        "a document is not in a format that can be read, or holds no text" ""
    CRITERIA "invalid_criteria_settings" BadInput
        "a rubric, response structure or prompt template is not valid" ""
    DATABASE_ADDRESS "unsupported_database" BadInput
        "the address is that of a database which cannot be used" ""
    NOT_A_STORE "not_a_store" BadInput
        "the file is something else, or a database of another program; it was not changed"
        "name another file"
    MISSING "not_found" NotFound
        "what was named is not there, or belongs to another organisation" ""
    OUTDATED "outdated_store" Conflict
        "the tables are those of an older program"
        "make a backup, then bring the tables up to date with `assize db migrate`"
    NEWER "foreign_store" Conflict
        "the tables are not those this program knows"
        "use the newer program, or a database of your own"
    EXISTS "already_exists" Conflict
        "something of that name or id is there already" ""
    IN_USE "in_use" Conflict
        "something else refers to it" ""
    FROZEN "frozen" Conflict
        "it was used, and what was used does not change"
        "make a new version of it"
    WRONG_PASSWORD "wrong_password" Refused
        "the name or the password is wrong; which of the two is not told" ""
    REFUSED "refused" Refused
        "the request is understood and makes no sense here" ""
    REJECTED "provider_rejected" Provider
        "the provider rejected the API key, the model or the account"
        "check the key's variable and the model's name: `assize models list`"
    PROVIDER "provider_failed" Provider
        "the provider could not be reached, failed, or did not answer in time"
        "what was answered is kept; try again later"
    NOT_RECORDED "not_recorded" Provider
        "a transcript holds no reply to this request"
        "replay with the same input and settings it was recorded with"
    BUDGET "budget_spent" Provider
        "more would be spent than was allowed"
        "what was answered is kept; resume with a larger budget"
    DAY_CEILING "day_ceiling_reached" Provider
        "all runs of the organisation together would spend more in a day than they may"
        "what was answered is kept; it goes on when the ceiling is raised, or tomorrow (UTC)"
    UNOPENED "store_unopened" Store
        "the database cannot be opened: no such folder, no permission, no server"
        "check the path or address, and whether the server is up"
    UNREACHABLE "store_unreachable" Store
        "the database does not answer any more; what was committed is kept"
        "go on when it is back"
    STORE "store_failed" Store
        "the database failed: a full disk, a lock held too long" ""
    RECORDING "recording_failed" Store
        "the transcript could not be written any further" ""
    STOPPED "interrupted" Interrupted
        "it was interrupted; what was done is kept" ""
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
