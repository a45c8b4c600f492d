//! A retrieval score from beginning to end: a request in, a report out.
//!
//! Command line, MCP and every other caller fill a [`ScoreRequest`]; which kind of content it
//! is, which measures are computed and what a query's numbers rest on is decided here alone.

mod board;
mod columns;
mod error;
mod explain;
mod gold;
mod measures;
mod names;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use assize_methods::retrieval::passages::PassageOptions;
use serde_json::Value;

pub use error::ScoreError;
pub use explain::Explained;
pub(crate) use gold::in_folder;
pub use measures::split_list;
pub use names::run_names;

use super::detect::Contents;
use super::groups::by_field;
use super::ranked::{Qrels, RankedOptions, Run};
use super::report::{Summary, summarize};
use super::scoreboard::Scoreboard;
use super::uncertainty::Uncertainty;
use crate::input::{STANDARD_INPUT, Source};

/// What is to be scored, and how.
#[derive(Debug, Clone, Default)]
pub struct ScoreRequest {
    /// Measures to compute; empty for the usual ones.
    pub measures: Vec<String>,
    /// Measures to compute besides, such as those that thresholds name; what is none is passed
    /// over.
    pub also: Vec<String>,
    /// Which kind of scoring.
    pub mode: Mode,
    /// The readings of passage measures; their k also holds for ranked runs.
    pub passages: PassageOptions,
    /// Further numbers of passages that count, where a measure names none.
    pub more_ks: Vec<NonZeroUsize>,
    /// Whether character measures count overlaps twice, as LegalBench-RAG does.
    pub span_compat: bool,
    /// Whether gold without a prediction scores 0 instead of being left out.
    pub require_all: bool,
    /// How ranked runs are read and ordered.
    pub ranked: RankedOptions,
    /// Intervals.
    pub uncertainty: Uncertainty,
    /// A field of the gold tests that makes groups.
    pub by: Option<String>,
    /// Which column or key holds a field ([`FIELDS`]), where the usual names do not say it.
    pub map: BTreeMap<String, String>,
}

/// What a user may name a column for: those of passages, then those of ranked runs.
pub const FIELDS: [&str; 7] =
    ["query", "passages", "gold", "document", "score", "rank", "relevance"];

/// Which kind of scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Found out from the content.
    #[default]
    Auto,
    /// Passage texts against gold texts.
    Passages,
    /// Character spans against gold spans.
    Spans,
    /// Document identifiers against relevance judgements.
    Ranked,
}

/// A run and its gold, wherever they are.
#[derive(Debug, Clone, Copy)]
pub enum Inputs<'a> {
    /// Two files; one of them may be standard input.
    Files(&'a Path, &'a Path),
    /// Two JSON values that a caller handed over.
    Values(&'a Value, &'a Value),
    /// A ranked run and its judgements that are in memory already.
    Ranked(&'a Run, &'a Qrels),
}

impl<'a> Inputs<'a> {
    /// The file of judgements in the folder that was given for it, if one was.
    fn gold_in_folder(self) -> Result<Option<PathBuf>, ScoreError> {
        if let Self::Files(_, gold) = self { gold::in_folder(gold) } else { Ok(None) }
    }

    /// The same with other gold, where there is any.
    fn with_gold(self, gold: Option<&'a Path>) -> Self {
        match (self, gold) {
            (Self::Files(run, _), Some(gold)) => Self::Files(run, gold),
            (same, _) => same,
        }
    }
}

/// A run's results.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreReport {
    /// Which kind of content it was.
    pub contents: Contents,
    /// Every query's values.
    pub board: Scoreboard,
    /// Each measure over all queries.
    pub summaries: Vec<Summary>,
    /// One for each value of the field that makes groups.
    pub groups: Vec<Group>,
    /// How intervals were made.
    pub uncertainty: Uncertainty,
}

/// The queries that share a value of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The value.
    pub name: String,
    /// How many queries.
    pub queries: usize,
    /// Their measures.
    pub summaries: Vec<Summary>,
}

impl ScoreRequest {
    /// The usual request with another k.
    pub fn at(k: NonZeroUsize) -> Self {
        Self { passages: PassageOptions { k, ..PassageOptions::default() }, ..Self::default() }
    }

    /// Scores one run.
    pub fn score(&self, inputs: Inputs<'_>) -> Result<ScoreReport, ScoreError> {
        let place = inputs.gold_in_folder()?;
        let inputs = inputs.with_gold(place.as_deref());
        let contents = self.contents(inputs)?;
        let mut board = self.board(inputs, contents)?;
        let read = place.as_ref().map(|file| format!("judgements read from {}", file.display()));
        board.notices.extend(read);
        self.report(contents, board, inputs)
    }

    /// Scores several runs against the same gold; each is named after its file.
    pub fn score_all(
        &self,
        gold: &Path,
        runs: &[PathBuf],
    ) -> Result<Vec<(String, Scoreboard)>, ScoreError> {
        let first = runs.first().ok_or(ScoreError::NoRun)?;
        let from_input = runs.iter().filter(|run| run.as_os_str() == STANDARD_INPUT).count();
        if from_input > 1 {
            return Err(ScoreError::InputTwice);
        }
        let place = gold::in_folder(gold)?;
        let gold = place.as_deref().unwrap_or(gold);
        gold::refuse_gold_among(runs, gold)?;
        let contents = self.contents(Inputs::Files(first, gold))?;
        let boards = self.boards(runs, gold, contents)?;
        Ok(run_names(runs).into_iter().zip(boards).collect())
    }

    fn report(
        &self,
        contents: Contents,
        board: Scoreboard,
        inputs: Inputs<'_>,
    ) -> Result<ScoreReport, ScoreError> {
        if board.rows.is_empty() {
            return Err(ScoreError::Nothing);
        }
        let groups = match &self.by {
            Some(field) => self.groups(&board, contents, inputs, field)?,
            None => Vec::new(),
        };
        let summaries = summarize(&board, &self.uncertainty);
        let uncertainty = self.uncertainty.clone();
        Ok(ScoreReport { contents, board, summaries, groups, uncertainty })
    }

    fn groups(
        &self,
        board: &Scoreboard,
        contents: Contents,
        inputs: Inputs<'_>,
        field: &str,
    ) -> Result<Vec<Group>, ScoreError> {
        let refused = || ScoreError::NoGroups { field: field.to_owned() };
        let gold = match (contents, inputs) {
            (Contents::Ranked, _) | (_, Inputs::Ranked(..)) => return Err(refused()),
            (_, Inputs::Values(_, gold)) => Source::in_memory("gold", gold.to_string()),
            (_, Inputs::Files(_, gold)) if gold.as_os_str() == STANDARD_INPUT => {
                return Err(refused());
            }
            (_, Inputs::Files(_, gold)) => Source::open(gold)?,
        };
        let group = |(name, board): (String, Scoreboard)| Group {
            name,
            queries: board.rows.len(),
            summaries: summarize(&board, &self.uncertainty),
        };
        Ok(by_field(board, &gold, field)?.into_iter().map(group).collect())
    }
}
