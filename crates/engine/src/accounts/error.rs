//! What can go wrong with accounts.

use assize_store::StoreError;
use thiserror::Error;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = AccountError> = std::result::Result<T, E>;

/// Why somebody does not come in, or cannot be let in.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AccountError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The password is too short.
    #[error("the password is too short: use at least {0} characters")]
    ShortPassword(usize),
    /// The password is longer than anybody types.
    #[error("the password is too long: use at most {0} bytes")]
    LongPassword(usize),
    /// The password is easy to guess.
    #[error("the password is easy to guess{}", .0.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    WeakPassword(Option<String>),
    /// Nobody of that name with that password; which of the two is not told.
    #[error("wrong user name or password")]
    Wrong,
    /// The name cannot be used.
    #[error(
        "invalid name `{0}`: use 1 to 100 visible characters, without leading or trailing spaces; \
         `token …` is not allowed"
    )]
    Name(String),
    /// There is one already.
    #[error("user `{0}` already exists, or one whose name looks the same")]
    Exists(String),
    /// An organisation has that name.
    #[error("organisation `{0}` already exists, or one whose name looks the same")]
    Taken(String),
    /// There is none.
    #[error("there is no {what} `{name}`")]
    Missing {
        /// What kind of thing.
        what: &'static str,
        /// How it was named.
        name: String,
    },
    /// Who asks has no role in that organisation.
    #[error("`{0}` is not a member of any organisation")]
    NoMembership(String),
    /// What is asked for would leave nobody who can undo it.
    #[error("{0}")]
    Refused(String),
    /// The system gives no random numbers.
    #[error("the system random number generator failed: {0}")]
    Random(String),
}
