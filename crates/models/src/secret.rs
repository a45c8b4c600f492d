//! A key that cannot be printed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs, io};

use thiserror::Error;

/// What stands in a text where a key was.
const REMOVED: &str = "[key removed]";
/// A shorter beginning of a key is no secret: many keys share theirs.
const PARTIAL_MIN: usize = 4;

/// A provider's key. It has no `Display` and no `Serialize`, and `Debug` shows nothing of
/// it; only what sends it looks inside ([`Secret::expose`]).
#[derive(Clone)]
pub struct Secret(String);

/// Looks up variables that hold keys. Whoever runs the program hands it in, so that a server
/// decides itself which variables its callers can reach; the default knows none.
#[derive(Clone)]
pub struct Variables {
    get: Arc<Lookup>,
    names: Arc<[String]>,
}

type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Variables {
    /// By a function that gives the value of a variable, if it is set.
    pub fn new(get: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { get: Arc::new(get), names: Arc::default() }
    }

    /// The same with the names of those that are set, so that a misspelt one can be noticed.
    #[must_use]
    pub fn listing(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names = names.into_iter().collect();
        self
    }

    /// The names that were listed.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The value of a variable; an empty one is one that is not set.
    pub fn get(&self, name: &str) -> Option<String> {
        (self.get)(name).filter(|value| !value.trim().is_empty())
    }
}

impl Default for Variables {
    fn default() -> Self {
        Self::new(|_| None)
    }
}

impl fmt::Debug for Variables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Variables")
    }
}

/// Why a key could not be had. The key is never part of the message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The variable is not set, or empty.
    #[error("the environment variable {0} contains no API key: set it, or configure a key file")]
    NoVariable(String),
    /// The file could not be read.
    #[error("the key file {0} could not be read")]
    Unreadable(PathBuf, #[source] io::Error),
    /// Others may read the file.
    #[error("the key file {0} is accessible to other users: run chmod 600 on it")]
    TooOpen(PathBuf),
    /// The text cannot be a key.
    #[error(
        "the API key from {0} is empty or contains spaces, line breaks or non-ASCII characters"
    )]
    NotAKey(String),
}

impl Secret {
    /// From an environment variable.
    pub fn from_variable(name: &str, variables: &Variables) -> Result<Self, SecretError> {
        let value = variables.get(name).ok_or_else(|| SecretError::NoVariable(name.to_owned()))?;
        Self::checked(&value, || format!("the environment variable {name}"))
    }

    /// From a file that only its owner may read.
    pub fn from_file(path: &Path) -> Result<Self, SecretError> {
        let unreadable = |error| SecretError::Unreadable(path.to_owned(), error);
        let file = fs::File::open(path).map_err(unreadable)?;
        if is_open_to_others(&file.metadata().map_err(unreadable)?) {
            return Err(SecretError::TooOpen(path.to_owned()));
        }
        let value = io::read_to_string(file).map_err(unreadable)?;
        Self::checked(&value, || path.display().to_string())
    }

    /// A key must fit into an HTTP header, so that nobody can smuggle a second one in.
    fn checked(value: &str, origin: impl Fn() -> String) -> Result<Self, SecretError> {
        let value = value.trim();
        if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SecretError::NotAKey(origin()));
        }
        Ok(Self(value.to_owned()))
    }

    /// The key itself, for the one place that sends it: never for a message or a log.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key in it: providers like to repeat a key they refuse. A text that
    /// was cut off in the middle of the key loses that part of it too.
    pub(crate) fn removed_from(&self, text: &str) -> String {
        let text = text.replace(&self.0, REMOVED);
        let whole = text.trim_end_matches('…');
        let partial =
            (PARTIAL_MIN..self.0.len()).rev().find_map(|end| whole.strip_suffix(&self.0[..end]));
        partial.map(|before| format!("{before}{REMOVED}…")).unwrap_or(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

#[cfg(unix)]
fn is_open_to_others(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_open_to_others(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn a_key_shows_nothing_of_itself() {
        let file = file("sk-very-secret\n");
        let secret = Secret::from_file(file.path()).unwrap();
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret Some(Secret)");
        assert_eq!(secret.expose(), "sk-very-secret");
    }

    #[test]
    fn a_provider_that_repeats_the_key_is_not_quoted() {
        let secret = Secret::from_file(file("sk-1").path()).unwrap();
        assert_eq!(secret.removed_from("no such key: sk-1"), "no such key: [key removed]");
        let secret = Secret::from_file(file("sk-12345678").path()).unwrap();
        assert_eq!(secret.removed_from("no such key: sk-1234…"), "no such key: [key removed]…");
        assert_eq!(secret.removed_from("a risk"), "a risk");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let file = file("sk-1");
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = Secret::from_file(file.path()).unwrap_err();
            assert!(error.to_string().contains("chmod 600"), "{mode:o}: {error}");
        }
    }

    #[test]
    fn what_would_break_a_header_is_no_key_and_is_not_quoted() {
        for text in ["", " \n", "sk-1\nX-Other: 2", "clé"] {
            let error = Secret::from_file(file(text).path()).unwrap_err().to_string();
            assert!(error.contains("is empty or contains"), "{error}");
            assert!(!error.contains("sk-1"), "{error}");
        }
    }

    #[test]
    fn a_missing_or_empty_variable_is_named() {
        let empty = Variables::new(|name| (name == "EMPTY_KEY").then(|| " ".to_owned()));
        for name in ["NO_SUCH_KEY", "EMPTY_KEY"] {
            let error = Secret::from_variable(name, &empty).unwrap_err();
            assert!(error.to_string().contains(name));
        }
        let set = Variables::new(|_| Some("sk-1".to_owned()));
        assert_eq!(Secret::from_variable("KEY", &set).unwrap().expose(), "sk-1");
    }
}
