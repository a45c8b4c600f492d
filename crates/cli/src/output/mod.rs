//! What the user sees: data on stdout, talk on stderr, files whole or not at all.

pub(crate) mod asking;
pub(crate) mod data;
pub(crate) mod files;
pub(crate) mod names;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod shown;
pub(crate) mod table;
pub(crate) mod terminal;
