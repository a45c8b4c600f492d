//! From arguments to a scoreboard, whichever kind of files these are.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use assize_engine::retrieval::detect::{Contents, detect};
use assize_engine::retrieval::passages::{self, Measures, QuerySelector, ScoreOptions};
use assize_engine::retrieval::ranked::{Qrels, RankedOptions, Reading, Run};
use assize_engine::retrieval::{ranked, scoreboard::Scoreboard};
use assize_methods::retrieval::passages::{F1, NdcgIdeal, PassageOptions, Whitespace};
use assize_methods::retrieval::ranked::{Measure, Ties};
use assize_score::Verdict;

use super::args::{self, Mode, PassageArguments, RankedArguments, Scoring};

/// Measures of a ranked run when the user names none.
const RANKED_DEFAULT: [&str; 4] = ["ndcg", "map", "recall", "mrr"];

/// A query and what is said about it.
pub(crate) struct Explanation {
    pub(crate) title: String,
    pub(crate) verdicts: Vec<Verdict>,
}

impl Scoring {
    /// Scores one run; says which kind of files it found.
    pub(crate) fn score(&self, run: &Path, gold: &Path) -> Result<(Contents, Scoreboard)> {
        let contents = self.contents(run, gold)?;
        let board = match contents {
            Contents::Passages => self.score_passages(run, gold)?,
            Contents::Ranked => {
                let qrels = Qrels::load(gold, &Reading::default())?;
                self.score_ranked(run, &qrels)?
            }
        };
        Ok((contents, board))
    }

    /// Scores several runs against the same gold; each is named after its file.
    pub(crate) fn score_all(
        &self,
        gold: &Path,
        runs: &[PathBuf],
    ) -> Result<Vec<(String, Scoreboard)>> {
        let first = runs.first().context("there is no run to score")?;
        let names = names(runs);
        let boards: Result<Vec<Scoreboard>> = match self.contents(first, gold)? {
            Contents::Passages => runs.iter().map(|run| self.score_passages(run, gold)).collect(),
            Contents::Ranked => {
                let qrels = Qrels::load(gold, &Reading::default())?;
                runs.iter().map(|run| self.score_ranked(run, &qrels)).collect()
            }
        };
        Ok(names.into_iter().zip(boards?).collect())
    }

    /// The ledger of one query.
    pub(crate) fn explain(&self, run: &Path, gold: &Path, query: &str) -> Result<Explanation> {
        match self.contents(run, gold)? {
            Contents::Passages => {
                let selector: QuerySelector = query.parse()?;
                let options = self.passage_options()?;
                let found = passages::explain(run, gold, &options, &selector)?;
                let title = format!("Query {}: {}", found.number, found.query);
                Ok(Explanation { title, verdicts: found.verdicts })
            }
            Contents::Ranked => {
                let reading = Reading::default();
                let (qrels, run) = (Qrels::load(gold, &reading)?, Run::load(run, &reading)?);
                let verdict = ranked::explain(
                    &run,
                    &qrels,
                    query,
                    &self.measures()?,
                    &self.ranked_options(),
                )?;
                Ok(Explanation { title: format!("Query {query}"), verdicts: vec![verdict] })
            }
        }
    }

    fn contents(&self, run: &Path, gold: &Path) -> Result<Contents> {
        match self.mode {
            Mode::Passages | Mode::Spans => Ok(Contents::Passages),
            Mode::Ranked => Ok(Contents::Ranked),
            Mode::Auto => detect(run, gold)?.context(
                "neither file can be looked at before it is read: say --mode passages, spans or ranked",
            ),
        }
    }

    fn score_passages(&self, run: &Path, gold: &Path) -> Result<Scoreboard> {
        let board = passages::score(run, gold, &self.passage_options()?)?;
        self.chosen(board)
    }

    /// Only the measures that were asked for, in that order.
    fn chosen(&self, mut board: Scoreboard) -> Result<Scoreboard> {
        if self.measures.is_empty() {
            return Ok(board);
        }
        let names: Vec<&str> = board.columns.iter().map(|column| column.name.as_str()).collect();
        let mut indices = Vec::new();
        for measure in &self.measures {
            match names.iter().position(|name| name == measure) {
                Some(index) => indices.push(index),
                None => bail!(
                    "passages have no measure `{measure}`; they have {} (--k sets the number of passages)",
                    names.join(", ")
                ),
            }
        }
        board.columns = indices.iter().map(|index| board.columns[*index].clone()).collect();
        for row in &mut board.rows {
            row.values = indices.iter().map(|index| row.values[*index]).collect();
        }
        Ok(board)
    }

    fn score_ranked(&self, run: &Path, qrels: &Qrels) -> Result<Scoreboard> {
        let (measures, options) = (self.measures()?, self.ranked_options());
        Ok(ranked::score_file(run, &Reading::default(), qrels, &measures, &options)?)
    }

    fn measures(&self) -> Result<Vec<Measure>> {
        if self.measures.is_empty() {
            let defaults = RANKED_DEFAULT.iter().map(|name| match *name {
                "ndcg" | "recall" => format!("{name}@{}", self.k),
                name => name.to_owned(),
            });
            return defaults.map(|name| Ok(name.parse()?)).collect();
        }
        let mut found = Vec::new();
        for name in &self.measures {
            found.extend(Measure::parse_all(name)?);
        }
        Ok(found)
    }

    fn passage_options(&self) -> Result<ScoreOptions> {
        let PassageArguments { whitespace, f1, ndcg_ideal, ndcg_unclipped, require_all, compat } =
            &self.passages;
        let k = usize::try_from(self.k).ok().and_then(NonZeroUsize::new);
        Ok(ScoreOptions {
            passages: PassageOptions {
                k: k.context("--k must be at least 1")?,
                whitespace: match whitespace {
                    args::WhiteSpace::Collapse => Whitespace::Collapse,
                    args::WhiteSpace::Strip => Whitespace::Strip,
                },
                f1: match f1 {
                    args::F1Tokens::Set => F1::Set,
                    args::F1Tokens::Bag => F1::Bag,
                },
                ndcg_ideal: match ndcg_ideal {
                    args::NdcgIdeal::Gold => NdcgIdeal::Gold,
                    args::NdcgIdeal::Retrieved => NdcgIdeal::Retrieved,
                    args::NdcgIdeal::Matched => NdcgIdeal::Matched,
                },
                ndcg_clipped: !ndcg_unclipped,
            },
            span_compat: *compat,
            require_all: *require_all,
            measures: match self.mode {
                Mode::Spans => Measures::Spans,
                Mode::Passages => Measures::Text,
                Mode::Auto | Mode::Ranked => Measures::Auto,
            },
        })
    }

    fn ranked_options(&self) -> RankedOptions {
        let RankedArguments { level, complete, depth, ties } = &self.ranked;
        RankedOptions {
            relevant_from: *level,
            all_queries: *complete,
            depth: depth.and_then(|depth| usize::try_from(depth).ok()),
            ties: match ties {
                args::Ties::Trec => Ties::DocumentDescending,
                args::Ties::Ascending => Ties::DocumentAscending,
                args::Ties::Input => Ties::InputOrder,
            },
            ..RankedOptions::default()
        }
    }
}

/// Names that tell runs apart: the file's name without its ending, or the whole path where
/// two would be the same.
fn names(runs: &[PathBuf]) -> Vec<String> {
    let short = |run: &PathBuf| {
        run.file_stem()
            .map_or_else(|| run.display().to_string(), |stem| stem.to_string_lossy().into())
    };
    let stems: Vec<String> = runs.iter().map(short).collect();
    let unique = stems.iter().enumerate().all(|(index, stem)| !stems[..index].contains(stem));
    if unique { stems } else { runs.iter().map(|run| run.display().to_string()).collect() }
}
