//! The rule judge: a summary held against its article without any model.
//!
//! Read in this order: how texts are read (`vocabulary`, `reading`, `index`,
//! `language`), what is found for each metric, and how [`judge()`] puts it together.
//! Every rule is deterministic, and the whole is linear in the length of the texts.

mod index;
mod language;
mod quoting;
mod reading;
mod vocabulary;
mod word_lists;

mod centrality;
mod coverage;
mod soft_recall;

mod antonyms;
mod claims;
mod clauses;
mod contradiction;
mod evidence_sentence;
mod extraneous;
mod fragments;
mod notes;
mod numbers;
mod order;
mod support;

mod alignment;
mod bias_toxicity;
mod facts;
mod questions;
mod relevance;
mod sentiment;

mod judge;

pub use judge::{judge, judge_with};
