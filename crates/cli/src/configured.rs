//! What the configuration file says about flags: read once, before the arguments are.
//!
//! The help then shows the defaults that hold here, and no command has to know the file.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::Result;
use assize_engine::asking::{AskOptions, LazyReader, Limit};
#[cfg(feature = "server")]
use assize_engine::configuration::OidcTable;
use assize_engine::configuration::Written;

use crate::model_args::variables;

/// The database that is used when nobody names one.
const DATABASE: &str = "assize.db";

static FOUND: OnceLock<(Written, Option<Limit>)> = OnceLock::new();

/// Reads the file that `--config` names, or the one that is found.
pub(crate) fn read(words: &[OsString]) -> Result<()> {
    let written = Written::load(named(words.iter().cloned()).as_deref(), &variables())?;
    let budget = written.budget()?;
    let _ = FOUND.set((written, budget));
    Ok(())
}

/// The value of `--config` among raw arguments: clap has not looked at them yet.
fn named(arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let mut arguments = arguments.skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--config") => return arguments.next().map(PathBuf::from),
            Some("--") => return None,
            Some(text) => {
                if let Some(path) = text.strip_prefix("--config=") {
                    return Some(PathBuf::from(path));
                }
            }
            None => {}
        }
    }
    None
}

fn written() -> Option<&'static Written> {
    FOUND.get().map(|(written, _)| written)
}

/// Where everything is kept.
pub(crate) fn database() -> &'static str {
    written().and_then(|written| written.database.as_deref()).unwrap_or(DATABASE)
}

/// With whom people sign in to the server.
#[cfg(feature = "server")]
pub(crate) fn identity_provider() -> Option<&'static OidcTable> {
    written().and_then(|written| written.serve.oidc.as_ref())
}

/// Maximum concurrent requests per provider.
pub(crate) fn concurrency() -> usize {
    written().and_then(|written| written.models.concurrency).unwrap_or(AskOptions::CONCURRENCY)
}

/// What reads for judges without a language model; opened when one needs it.
pub(crate) fn reader() -> LazyReader {
    #[cfg(feature = "readers")]
    if let Some(written) = written() {
        return assize_engine::readers::configured::lazy(written.clone(), variables());
    }
    LazyReader::default()
}

/// The folder of the encoder that is installed here.
pub(crate) fn encoder_folder() -> Result<PathBuf> {
    #[cfg(feature = "readers")]
    if let Some(written) = written() {
        return Ok(assize_engine::readers::configured::encoder_folder(written, &variables())?);
    }
    anyhow::bail!("this build contains no encoder; it was built without the feature `readers`")
}

/// Whether results are kept as runs without being asked to.
pub(crate) fn save() -> bool {
    written().and_then(|written| written.run.save).unwrap_or(false)
}

/// Timeout for a model reply.
pub(crate) fn reply_timeout_seconds() -> u64 {
    let stated = written().and_then(Written::reply_timeout);
    stated.unwrap_or(AskOptions::REPLY_TIMEOUT).as_secs()
}

/// What one command may spend. No default of the flag: rules refuse a flag, not a file.
pub(crate) fn budget() -> Option<Limit> {
    FOUND.get().and_then(|(_, budget)| *budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_named_in_either_form_and_not_behind_a_double_dash() {
        let path = |words: &str| named(words.split(' ').map(Into::into));
        assert_eq!(path("assize models list --config a.toml"), Some("a.toml".into()));
        assert_eq!(path("assize models list --config=b.toml x"), Some("b.toml".into()));
        assert_eq!(path("assize council ask -- --config a.toml"), None);
        assert_eq!(path("assize demo"), None);
    }
}
