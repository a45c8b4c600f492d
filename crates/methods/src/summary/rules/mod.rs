//! The rule judge: a summary held against its article without any language model, and with a reader
//! where there is one.
//!
//! Read in this order: how texts are read (`vocabulary`, `reading`, `index`,
//! `language`), how a statement is laid beside the article (`statement`), what speaks
//! against it (`contradiction`, `doubts`), what a reader says (`read`), how claims are labelled (`ruling`, `claims`),
//! what is found for each metric, and how [`judge()`] puts it together.
//! Every rule is deterministic, and the whole is linear in the length of the texts.

mod index;
mod language;
mod prefixes;
mod quoting;
mod read;
mod reading;
mod vocabulary;
mod word_lists;

mod centrality;
mod coverage;
mod soft_recall;

mod evidence_sentence;
mod fragments;
mod kinds;
mod meanings;
mod order;
mod pieces;
mod regime;
mod statement;
mod windows;

mod contradiction;
mod doubts;
mod names;
mod nearby;
mod numbers;
mod roles;

mod claims;
mod extraneous;
mod notes;
mod ruling;

mod alignment;
mod bias_toxicity;
mod facts;
mod questions;
mod relevance;
mod sentiment;
mod stereotypes;

mod judge;

pub use judge::{judge, judge_with, read_and_judge};
pub use language::{LANGUAGE_NOT_ENGLISH, LANGUAGES_DIFFER};
