//! The workplace in the browser: a shell around pages, each a function from a value to markup.
//!
//! Nothing here needs a script to be read or used: filters are links, changes are forms. A
//! script only saves steps (keys, a preview while typing, progress without reloading).

pub mod account;
pub mod address;
pub mod admin;
pub mod again;
pub mod approval;
pub mod assign;
pub mod compare;
pub mod compared;
pub mod council;
pub mod council_live;
pub mod criteria;
pub mod criterion;
pub mod data;
pub mod dispute;
pub mod documents;
pub mod evaluation;
pub mod forms;
pub mod help;
pub mod home;
pub mod item;
pub mod lines;
pub mod new_council;
pub mod new_pairs;
pub mod new_run;
pub mod new_run_check;
pub mod optimise;
pub mod own;
pub mod parts;
pub mod result;
pub mod review;
pub mod rubric;
pub mod run;
pub mod run_edit;
pub mod runs;
pub mod series;
pub mod shell;
pub mod structure;
pub mod styleguide;
pub mod truth;

#[cfg(test)]
mod tests;

pub use shell::{Here, Shell, page};
