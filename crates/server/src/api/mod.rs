//! `/api/v1`: one file a noun. What a handler takes and gives is described beside it, and the
//! `OpenAPI` document is made from that (`describe`).

pub(crate) mod accuracy;
pub(crate) mod audit;
pub mod compare;
pub(crate) mod council;
pub(crate) mod criteria_sets;
pub(crate) mod demo;
pub mod describe;
pub mod docs;
pub(crate) mod document_sets;
pub(crate) mod documents;
pub(crate) mod events;
pub(crate) mod extract;
pub(crate) mod gate;
pub(crate) mod models;
pub(crate) mod optimisations;
pub(crate) mod organisations;
pub(crate) mod runs;
pub(crate) mod score;
pub(crate) mod sessions;
pub(crate) mod tokens;
pub(crate) mod truth_keys;
pub(crate) mod users;
