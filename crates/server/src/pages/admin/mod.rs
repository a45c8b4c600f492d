//! Pages of administrators: people, tokens, models, prompts, the record of changes.

pub(crate) mod audit;
pub(crate) mod models;
pub(crate) mod people;
pub(crate) mod prompts;
pub(crate) mod tokens;
