//! Why a configuration was refused: which file, what in it, and what may have been meant.

use std::io;
use std::path::{Path, PathBuf};

use assize_methods::retrieval::ranked::nearest;
use assize_models::{CatalogueError, EndpointError};
use thiserror::Error;

/// Why a configuration was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file could not be read.
    #[error("{} could not be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is not what we understand.
    #[error("{}: {source}{hint}", .path.display())]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// The key that may have been meant, as the end of a sentence; empty if none is near.
        hint: String,
        /// What is wrong with it.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// The prices are not.
    #[error("{}: the prices are not valid", .path.display())]
    Prices {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: CatalogueError,
    },
    /// A value is not one of its kind.
    #[error("{}: {key}: {problem}", .path.display())]
    Value {
        /// Which file.
        path: PathBuf,
        key: &'static str,
        /// What is wrong with its value.
        problem: String,
    },
    /// An endpoint is not.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

impl ConfigError {
    /// What the reader of TOML refused, with the nearest key for an unknown one.
    pub(super) fn syntax(path: &Path, source: toml::de::Error) -> Self {
        let hint = hint(source.message());
        Self::Syntax { path: path.to_owned(), hint, source: Box::new(source) }
    }
}

/// The reader says: unknown field `qorum`, expected one of `profile`, `quorum`, …
fn hint(message: &str) -> String {
    let Some(rest) = message.strip_prefix("unknown field `") else { return String::new() };
    let mut names = rest.split('`').step_by(2);
    let Some(unknown) = names.next() else { return String::new() };
    // Names alternate with what stands between them: after the first, every other piece.
    let known: Vec<&str> = rest.split('`').skip(2).step_by(2).collect();
    match nearest(unknown, known.into_iter()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_named_and_a_stranger_gets_no_advice() {
        let message = "unknown field `qorum`, expected one of `profile`, `quorum`, `seed`";
        assert_eq!(hint(message), "did you mean `quorum`?");
        assert_eq!(hint("unknown field `zzzzzz`, expected `profile`"), "");
        assert_eq!(
            hint("unknown field `base_ulr`, expected `base_url`"),
            "did you mean `base_url`?"
        );
        assert_eq!(hint("invalid type: string"), "");
    }
}
