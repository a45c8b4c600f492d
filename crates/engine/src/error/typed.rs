//! Which code each typed error has. Wrappers that only pass an error on give its code.

use std::error::Error;

use assize_documents::DocumentError;
use assize_models::{EndpointError, Exhausted, ProviderError, ReplayError};
use assize_search::dense::EmbedError;
use assize_store::{Refusal, StoreError};

use super::codes::{self, ErrorCode};
use crate::accounts::AccountError;
use crate::asking::{AskError, ConfigError, Halt};
use crate::compliance::ComplianceError;
use crate::council::{
    FileError, OperatorError, PlanError, RequestError, SuppliedError, TrustFileError,
};
use crate::input::InputError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::RankedError;
use crate::retrieval::request::ScoreError;
use crate::retrieve::EmbedderError;
use crate::runs::RunError;
use crate::summary::agree::AgreeError;
use crate::summary::calibration::CalibrationError;
use crate::summary::input::PairsError;
use crate::thresholds::BaselineError;

type Code = &'static ErrorCode;

macro_rules! typed {
    ($error:ident: $($kind:ty => $code:expr),+ $(,)?) => {
        $(if let Some(error) = $error.downcast_ref::<$kind>() {
            return Some(($code)(error));
        })+
    };
}

/// The code of an error, if its type is one of ours.
pub(super) fn code(error: &(dyn Error + 'static)) -> Option<Code> {
    #[cfg(feature = "readers")]
    typed!(error: crate::readers::ReadersError => readers);
    typed!(error:
        StoreError => store,
        Halt => halt,
        AskError => ask,
        ComplianceError => compliance,
        RunError => run,
        AccountError => account,
        EmbedderError => embedder,
        EmbedError => |_| codes::PROVIDER,
        assize_readers::ReaderError => |_| codes::INPUT,
        ProviderError => provider,
        Exhausted => budget,
        EndpointError => |_| codes::ENDPOINT,
        ReplayError => |_| codes::TRANSCRIPT,
        ConfigError => config,
        OperatorError => |_| codes::CONFIGURATION,
        RequestError => request,
        PlanError => |_| codes::COUNCIL,
        FileError => |_| codes::FILE,
        TrustFileError => |_| codes::FILE,
        SuppliedError => |_| codes::INPUT,
        InputError => input,
        ScoreError => score,
        AgreeError => agree,
        BaselineError => baseline,
        CalibrationError => |_| codes::INPUT,
        PassageError => passages,
        RankedError => ranked,
        PairsError => pairs,
        DocumentError => |_| codes::DOCUMENT,
    );
    None
}

fn store(error: &StoreError) -> Code {
    match error {
        StoreError::Unopened { .. } => match error.refusal() {
            Some(Refusal::Login) => codes::LOGIN_REFUSED,
            Some(Refusal::NoDatabase) => codes::NO_DATABASE,
            Some(Refusal::Privilege) => codes::NO_PRIVILEGE,
            None => codes::UNOPENED,
        },
        StoreError::ReadOnly(_) if error.refusal() == Some(Refusal::Privilege) => {
            codes::NO_PRIVILEGE
        }
        StoreError::Unreachable(_) => codes::UNREACHABLE,
        StoreError::Scheme { .. } => codes::DATABASE_ADDRESS,
        StoreError::NotAStore(_) => codes::NOT_A_STORE,
        StoreError::Outdated { .. } => codes::OUTDATED,
        StoreError::Unreleased { .. } => codes::UNRELEASED,
        StoreError::Foreign { .. } | StoreError::Newer { .. } => codes::NEWER,
        StoreError::Missing { .. } => codes::MISSING,
        StoreError::Exists(_) => codes::EXISTS,
        StoreError::Attached(_) => codes::IN_USE,
        StoreError::Frozen { .. } => codes::FROZEN,
        StoreError::Refused(_) | StoreError::LastAdministrator => codes::REFUSED,
        StoreError::Transfer(_) => codes::FILE,
        StoreError::Import { .. } => codes::INPUT,
        // Failed, closed, and whatever a later store adds.
        _ => codes::STORE,
    }
}

fn halt(halt: &Halt) -> Code {
    match halt {
        Halt::Asked => codes::STOPPED,
        Halt::Budget(used_up) => budget(used_up),
        Halt::Provider { source, .. } => provider(source),
        Halt::Endpoint(_) => codes::ENDPOINT,
        Halt::Store(error) => store(error),
        Halt::Recording(_) => codes::RECORDING,
        Halt::Reader(_) => codes::INPUT,
        Halt::Prompt { .. } => codes::CRITERIA,
    }
}

fn budget(used_up: &Exhausted) -> Code {
    match used_up {
        Exhausted::Day => codes::DAY_CEILING,
        _ => codes::BUDGET,
    }
}

fn ask(error: &AskError) -> Code {
    match error {
        AskError::Config(error) => config(error),
        AskError::Endpoint(_) => codes::ENDPOINT,
        AskError::Store(error) => store(error),
        AskError::Replay(_) | AskError::Record(..) | AskError::WhoseTranscript(_) => {
            codes::TRANSCRIPT
        }
        AskError::NoModel => codes::NO_JUDGE,
        AskError::Request(_) => codes::INPUT,
    }
}

fn compliance(error: &ComplianceError) -> Code {
    match error {
        ComplianceError::Store(error) => store(error),
        ComplianceError::Run(error) => run(error),
        ComplianceError::Ask(error) => ask(error),
        ComplianceError::Missing { .. } => codes::MISSING,
        ComplianceError::SetExists { .. } => codes::EXISTS,
        ComplianceError::Document { .. } => codes::DOCUMENT,
        ComplianceError::Intake { .. } | ComplianceError::UnusableRows { .. } => codes::INPUT,
        ComplianceError::Rubric(_)
        | ComplianceError::Structure(_)
        | ComplianceError::Template(_) => codes::CRITERIA,
        ComplianceError::Refused(_) | ComplianceError::Unstorable { .. } => codes::REFUSED,
        ComplianceError::Stored { .. } => codes::NEWER,
    }
}

fn run(error: &RunError) -> Code {
    match error {
        RunError::Store(error) => store(error),
        RunError::Ask(error) => ask(error),
        RunError::Missing(_) | RunError::NoRuns => codes::MISSING,
        RunError::Ambiguous(_) | RunError::Instrument { .. } | RunError::Refused(_) => {
            codes::REFUSED
        }
        RunError::Name(_)
        | RunError::Measure { .. }
        | RunError::Package { .. }
        | RunError::Field(_)
        | RunError::Unchanged(_) => codes::INPUT,
        RunError::NameTaken(_) => codes::EXISTS,
        RunError::Io(_) => codes::FILE,
        RunError::Unreadable { .. } => codes::NEWER,
    }
}

fn account(error: &AccountError) -> Code {
    match error {
        AccountError::Store(error) => store(error),
        AccountError::Wrong => codes::WRONG_PASSWORD,
        AccountError::Exists(_) | AccountError::Taken(_) => codes::EXISTS,
        AccountError::Missing { .. } => codes::MISSING,
        AccountError::NoMembership(_) | AccountError::Refused(_) => codes::REFUSED,
        AccountError::Random(_) => codes::STORE,
        AccountError::ShortPassword(_)
        | AccountError::LongPassword(_)
        | AccountError::WeakPassword(_)
        | AccountError::Name(_) => codes::INPUT,
    }
}

fn embedder(error: &EmbedderError) -> Code {
    match error {
        EmbedderError::Endpoint(_) => codes::ENDPOINT,
        EmbedderError::Embed(_) | EmbedderError::Runtime(_) => codes::PROVIDER,
        // A folder that is no model, or one that vectors cannot be kept in.
        _ => codes::INPUT,
    }
}

#[cfg(feature = "readers")]
fn readers(error: &crate::readers::ReadersError) -> Code {
    use crate::readers::ReadersError;
    match error {
        ReadersError::Interrupted { .. } => codes::PROVIDER,
        _ => codes::INPUT,
    }
}

fn provider(error: &ProviderError) -> Code {
    match error {
        ProviderError::Rejected { .. } => codes::REJECTED,
        ProviderError::NotRecorded { .. } => codes::NOT_RECORDED,
        _ => codes::PROVIDER,
    }
}

fn config(error: &ConfigError) -> Code {
    match error {
        ConfigError::Endpoint(_) => codes::ENDPOINT,
        ConfigError::Unreadable(..) => codes::FILE,
        _ => codes::CONFIGURATION,
    }
}

fn request(error: &RequestError) -> Code {
    match error {
        RequestError::NoReviewers => codes::NO_REVIEWERS,
        _ => codes::COUNCIL,
    }
}

fn score(error: &ScoreError) -> Code {
    match error {
        ScoreError::Input(error) => input(error),
        ScoreError::Passages(error) => passages(error),
        ScoreError::Ranked(error) => ranked(error),
        _ => codes::INPUT,
    }
}

fn agree(error: &AgreeError) -> Code {
    if let AgreeError::Pairs(error) = error { pairs(error) } else { codes::INPUT }
}

fn baseline(error: &BaselineError) -> Code {
    if let BaselineError::Unreadable(..) = error { codes::FILE } else { codes::INPUT }
}

fn passages(error: &PassageError) -> Code {
    if let PassageError::Input(error) = error { input(error) } else { codes::INPUT }
}

fn ranked(error: &RankedError) -> Code {
    if let RankedError::Input(error) = error { input(error) } else { codes::INPUT }
}

fn pairs(error: &PairsError) -> Code {
    if let PairsError::Input(error) = error { input(error) } else { codes::DAMAGED }
}

fn input(error: &InputError) -> Code {
    match error {
        InputError::Directory { .. } | InputError::Unreadable { .. } => codes::FILE,
        _ => codes::DAMAGED,
    }
}
