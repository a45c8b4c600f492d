//! What people see and do in the browser, as whole jobs: a value comes back, ready to be shown.
//!
//! Read in this order: means with their intervals ([`figures`]), lists and runs at a glance
//! ([`runs`]), a run scored another way ([`again`]), a compliance run with its lines and its matrix ([`evaluation`]), one result
//! ([`result`]), the items of the other
//! instruments ([`items`], [`query`]), one of them in two runs ([`compared`]) and why it differs ([`reasons`]), which
//! runs to compare ([`proposals`]), runs over time ([`series`]), documents ([`documents`]), criteria sets ([`sets`]), their criteria, rubrics and structures under change ([`criterion`],
//! [`rubric`], [`structure`], both as [`drafts`]), prompts
//! and what changed in them ([`prompts`]), the
//! queue of a reviewer ([`review`]), truth keys ([`truth`]) and where analysts differ about them
//! ([`dispute`]), searches for something better ([`search`]), runs from files that somebody hands over ([`begin`], [`pairs`]) and what they would take ([`wizard`]), and samples to start from
//! ([`samples`]).

pub mod again;
pub mod assign;
pub mod begin;
pub mod compared;
pub mod criterion;
pub mod cursor;
pub mod data;
pub mod dispute;
pub mod documents;
pub mod drafts;
pub mod evaluation;
pub mod export;
pub mod figures;
pub mod items;
pub mod pairs;
pub mod prompts;
pub mod proposals;
pub mod query;
pub mod reasons;
pub mod result;
pub mod review;
pub mod rubric;
pub mod runs;
pub mod samples;
pub mod search;
pub mod series;
pub mod sets;
pub mod structure;
pub mod truth;
pub mod wizard;
