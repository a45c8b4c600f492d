//! A retrieval score from beginning to end: a request in, a report out.
//!
//! Command line, MCP and every other caller fill a [`ScoreRequest`]; which kind of content it
//! is, which measures are computed and what a query's numbers rest on is decided here alone.

mod board;
mod check;
mod columns;
mod cutoffs;
mod error;
mod explain;
mod gold;
mod measures;
mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assize_methods::retrieval::passages::{F1, NdcgIdeal, Whitespace};
use assize_methods::retrieval::ranked::Ties;
use assize_methods::retrieval::ranked::ranking::RELEVANT_FROM;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use check::FIELDS;
pub use cutoffs::Cutoffs;
pub use error::ScoreError;
pub use explain::{Explained, Missed};
pub(crate) use gold::in_folder;
pub(crate) use names::run_names;

use super::detect::Contents;
use super::groups::by_field;
use super::passages::PassageError;
use super::ranked::{Qrels, RankedError, Run};
use super::report::{Summary, summarize};
use super::scoreboard::Scoreboard;
use super::uncertainty::{LEVEL, RESAMPLES, SEED, Uncertainty};
use crate::input::{STANDARD_INPUT, Source, foreign, head};

/// How much of a file is looked at for identifiers.
const IDENTIFIERS_BYTES: u64 = 64 << 10;

/// What is to be scored, and how: what every door fills, and what a run stores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct ScoreRequest {
    /// Cutoff for measures that do not name one; several values: 1,5,10
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub k: Cutoffs,
    /// Measures to compute, separated by commas: recall@5,recall@10 (`assize measures` lists them)
    #[cfg_attr(
        feature = "clap",
        arg(short, long, value_name = "NAMES", visible_alias = "metrics")
    )]
    pub measures: Vec<String>,
    /// Kind of scoring
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub mode: Mode,
    /// Column or key that holds a field: query, passages, gold, answer, document, score, rank or relevance
    #[cfg_attr(feature = "clap", arg(skip))]
    pub map: BTreeMap<String, String>,
    /// How to normalise whitespace before matching
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Passages")
    )]
    pub whitespace: Whitespace,
    /// Compute span F1 on token sets, or on bags of tokens as SQuAD does
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Passages")
    )]
    pub f1: F1,
    /// How to build the ideal ranking for nDCG
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Passages")
    )]
    pub ndcg_ideal: NdcgIdeal,
    /// Let nDCG exceed 1 when several passages match one gold snippet
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Passages"))]
    pub ndcg_unclipped: bool,
    /// Spans: count overlaps twice, as LegalBench-RAG does
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Passages"))]
    pub compat: bool,
    /// Score gold queries without a prediction as 0 instead of skipping them
    #[cfg_attr(feature = "clap", arg(long, visible_alias = "complete"))]
    pub require_all: bool,
    /// Lowest relevance level that counts as relevant
    #[cfg_attr(
        feature = "clap",
        arg(
            long = "level",
            value_name = "LEVEL",
            default_value_t = RELEVANT_FROM,
            help_heading = "Ranked runs"
        )
    )]
    pub relevance_level: i32,
    /// Only consider the first N documents of each query
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", help_heading = "Ranked runs"))]
    pub depth: Option<usize>,
    /// How to order documents with equal scores
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, default_value_t, help_heading = "Ranked runs")
    )]
    pub ties: Ties,
    /// Leave out documents that nobody judged
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Ranked runs"))]
    pub judged_only: bool,
    /// Confidence level of intervals
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LEVEL", default_value_t = LEVEL, help_heading = "Intervals")
    )]
    pub confidence: f64,
    /// Number of bootstrap resamples; 0 omits intervals
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = RESAMPLES, help_heading = "Intervals")
    )]
    pub resamples: usize,
    /// Random seed; the same seed gives the same output
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = SEED, help_heading = "Intervals")
    )]
    pub seed: u64,
    /// Field of the gold tests whose values make groups
    #[cfg_attr(feature = "clap", arg(skip))]
    pub by: Option<String>,
    /// Measures to compute besides, such as those that thresholds name; what is none is passed
    /// over. No part of what a run stores: thresholds are not what it was scored with.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub also: Vec<String>,
}

impl Default for ScoreRequest {
    fn default() -> Self {
        Self {
            k: Cutoffs::default(),
            measures: Vec::new(),
            mode: Mode::default(),
            map: BTreeMap::new(),
            whitespace: Whitespace::default(),
            f1: F1::default(),
            ndcg_ideal: NdcgIdeal::default(),
            ndcg_unclipped: false,
            compat: false,
            require_all: false,
            relevance_level: RELEVANT_FROM,
            depth: None,
            ties: Ties::default(),
            judged_only: false,
            confidence: LEVEL,
            resamples: RESAMPLES,
            seed: SEED,
            by: None,
            also: Vec::new(),
        }
    }
}

/// Kind of scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Mode {
    /// Detected from the files
    #[default]
    Auto,
    /// Passage texts against gold texts
    Passages,
    /// Character spans against gold spans
    Spans,
    /// Document identifiers against relevance judgements
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

    /// Documents by identifier where one file names those retrieved and those relevant, as ragas does.
    fn by_identifier(self) -> Result<Option<(Value, Value)>, ScoreError> {
        let Self::Files(run, gold) = self else { return Ok(None) };
        if run != gold || run.as_os_str() == STANDARD_INPUT {
            return Ok(None);
        }
        let is_it = head(run, IDENTIFIERS_BYTES)?.is_some_and(|start| {
            memchr::memmem::find(&start, b"\"retrieved_context_ids\"").is_some()
        });
        if is_it { Ok(foreign::ranked(Source::open(run)?.content())) } else { Ok(None) }
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
    /// Scores one run. One that shares no document or file with its gold is refused: its zeros
    /// measure nothing.
    pub fn score(&self, inputs: Inputs<'_>) -> Result<ScoreReport, ScoreError> {
        let report = self.score_part(inputs)?;
        check_overlap(report.contents, &report.board)?;
        Ok(report)
    }

    /// Scores some queries of a run, of which no document need have been judged.
    pub fn score_part(&self, inputs: Inputs<'_>) -> Result<ScoreReport, ScoreError> {
        let request = self.checked()?;
        let ids = inputs.by_identifier()?;
        let inputs = ids.as_ref().map_or(inputs, |(run, gold)| Inputs::Values(run, gold));
        let place = inputs.gold_in_folder()?;
        let inputs = inputs.with_gold(place.as_deref());
        let contents = request.contents(inputs)?;
        let mut board = request.board(inputs, contents)?;
        let read = place.as_ref().map(|file| format!("judgements read from {}", file.display()));
        board.notices.extend(read);
        request.report(contents, board, inputs)
    }

    /// Scores several runs against the same gold; each is named after its file.
    pub fn score_all(
        &self,
        gold: &Path,
        runs: &[PathBuf],
    ) -> Result<Vec<(String, Scoreboard)>, ScoreError> {
        let request = self.checked()?;
        let first = runs.first().ok_or(ScoreError::NoRun)?;
        let from_input = runs.iter().filter(|run| run.as_os_str() == STANDARD_INPUT).count();
        if from_input > 1 {
            return Err(ScoreError::InputTwice);
        }
        let place = gold::in_folder(gold)?;
        let gold = place.as_deref().unwrap_or(gold);
        gold::refuse_gold_among(runs, gold)?;
        let contents = request.contents(Inputs::Files(first, gold))?;
        let boards = request.boards(runs, gold, contents)?;
        boards.iter().try_for_each(|board| check_overlap(contents, board))?;
        Ok(run_names(runs).into_iter().zip(boards).collect())
    }

    /// How intervals are made.
    pub fn uncertainty(&self) -> Uncertainty {
        let Self { confidence: level, resamples, seed, .. } = *self;
        Uncertainty { level, resamples, seed, ..Uncertainty::default() }
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
        let uncertainty = self.uncertainty();
        let summaries = summarize(&board, &uncertainty);
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
            summaries: summarize(&board, &self.uncertainty()),
        };
        Ok(by_field(board, &gold, field)?.into_iter().map(group).collect())
    }
}

fn check_overlap(contents: Contents, board: &Scoreboard) -> Result<(), ScoreError> {
    let Some(disjoint) = board.disjoint.clone() else { return Ok(()) };
    Err(match contents {
        Contents::Ranked => RankedError::NoDocumentInCommon(disjoint).into(),
        Contents::Passages => PassageError::NoFileInCommon(disjoint).into(),
    })
}
