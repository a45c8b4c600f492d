//! From arguments to a scoreboard, whichever kind of files these are.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use assize_engine::input::STANDARD_INPUT;
use assize_engine::retrieval::detect::{Contents, Detected, detect};
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
        let from_input = runs.iter().filter(|run| run.as_os_str() == STANDARD_INPUT).count();
        ensure!(from_input < 2, "only one of the runs can come from standard input");
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
                let mut found = passages::explain(run, gold, &options, &selector)?;
                if !self.measures.is_empty() {
                    let all = found.verdicts.iter().flat_map(|verdict| &verdict.scores);
                    let names: Vec<&str> = all.map(|(name, _)| name.as_ref()).collect();
                    let chosen = self.passage_measures(&names)?;
                    for verdict in &mut found.verdicts {
                        verdict.scores.retain(|(name, _)| chosen.iter().any(|one| one == name));
                    }
                }
                let title = format!("Query {}: {}", found.number, found.query);
                Ok(Explanation { title, verdicts: found.verdicts })
            }
            Contents::Ranked => {
                let reading = Reading::default();
                let (qrels, run) = (Qrels::load(gold, &reading)?, Run::load(run, &reading)?);
                let query = ranked_query(&qrels, query);
                let (measures, options) = (self.measures()?, self.ranked_options());
                let verdict = ranked::explain(&run, &qrels, &query, &measures, &options)?;
                Ok(Explanation { title: format!("Query {query}"), verdicts: vec![verdict] })
            }
        }
    }

    fn contents(&self, run: &Path, gold: &Path) -> Result<Contents> {
        match self.mode {
            Mode::Passages | Mode::Spans => Ok(Contents::Passages),
            Mode::Ranked => Ok(Contents::Ranked),
            Mode::Auto => match detect(run, gold)? {
                Some(Detected::Contents(contents)) => Ok(contents),
                Some(Detected::Exchanged) => bail!(
                    "{} holds gold tests and {} does not: the two seem to be exchanged",
                    run.display(),
                    gold.display()
                ),
                None => bail!(
                    "neither file can be looked at before it is read: say --mode passages, spans or ranked"
                ),
            },
        }
    }

    fn score_passages(&self, run: &Path, gold: &Path) -> Result<Scoreboard> {
        let board = passages::score(run, gold, &self.passage_options()?)?;
        self.chosen(board)
    }

    /// Only the measures that were asked for, in that order.
    fn chosen(&self, mut board: Scoreboard) -> Result<Scoreboard> {
        if !self.measures.is_empty() {
            let names: Vec<&str> =
                board.columns.iter().map(|column| column.name.as_str()).collect();
            board.keep_columns(&self.passage_measures(&names)?);
        }
        Ok(board)
    }

    /// The measures that were asked for, each once, if passages have them.
    fn passage_measures(&self, names: &[&str]) -> Result<Vec<String>> {
        let mut chosen: Vec<String> = Vec::new();
        for measure in &self.measures {
            ensure!(
                names.contains(&measure.as_str()),
                "passages have no measure `{measure}`; they have {} (--k sets the number of passages)",
                names.join(", ")
            );
            if !chosen.contains(measure) {
                chosen.push(measure.clone());
            }
        }
        Ok(chosen)
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
        for measure in self.measures.iter().map(|name| Measure::parse_all(name)) {
            // The same measure under two names is one measure.
            found.extend(
                measure?.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>(),
            );
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

/// A query by its identifier, or by its place among the judged queries, from 1.
fn ranked_query(qrels: &Qrels, asked: &str) -> String {
    let known = qrels.queries().any(|query| query == asked);
    let place = asked.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
    match place {
        Some(place) if !known => qrels.queries().nth(place).unwrap_or_else(|| asked.to_owned()),
        _ => asked.to_owned(),
    }
}

/// Names that tell runs apart: the file's name without its ending, the whole path where two
/// would be the same, with its place where even that is.
fn names(runs: &[PathBuf]) -> Vec<String> {
    let short = |run: &PathBuf| {
        run.file_stem()
            .map_or_else(|| run.display().to_string(), |stem| stem.to_string_lossy().into())
    };
    let stems: Vec<String> = runs.iter().map(short).collect();
    if all_differ(&stems) {
        return stems;
    }
    let paths: Vec<String> = runs.iter().map(|run| run.display().to_string()).collect();
    if all_differ(&paths) {
        return paths;
    }
    paths.iter().enumerate().map(|(index, path)| format!("{path} ({})", index + 1)).collect()
}

fn all_differ(names: &[String]) -> bool {
    names.iter().enumerate().all(|(index, name)| !names[..index].contains(name))
}
