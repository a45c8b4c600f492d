//! `assize.toml`: where it is found, what it may say, and what takes effect.
//!
//! In rising order of strength: what ships, the file, the environment, the caller (flags, or the
//! arguments of a tool). [`Written`] is the whole file; every part of the program reads its
//! table out of it, so that a misspelt key is refused whoever reads the file first.

mod effective;
mod error;
mod find;
mod serve;
mod written;

pub use assize_models::{Secret, SecretError};
pub use effective::{Caller, Effective, Origin, effective};
pub use error::ConfigError;
pub use find::{FILE, find};
pub use serve::{OidcTable, ServeTable};
pub use written::{ModelsTable, RunTable, Written};
