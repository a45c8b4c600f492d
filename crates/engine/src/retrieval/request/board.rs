//! From inputs to a scoreboard, whichever kind of content it is.

use std::path::{Path, PathBuf};

use assize_methods::retrieval::passages::PassageOptions;
use assize_methods::retrieval::ranked::Measure;
use serde::Deserialize;
use serde_json::Value;

use super::gold::refuse_run;
use super::{Inputs, Mode, ScoreError, ScoreRequest};
use crate::input::{Source, head};
use crate::retrieval::detect::{Contents, Detected, detect};
use crate::retrieval::passages::{self, Measures, PassageError, ScoreOptions};
use crate::retrieval::ranked::{self, Qrels, RankedOptions, Reading, Run};
use crate::retrieval::scoreboard::Scoreboard;

/// Measures of a ranked run when nobody names any; nDCG and recall among the first k.
const RANKED_DEFAULT: [&str; 4] = ["ndcg@", "map", "recall@", "mrr"];

impl ScoreRequest {
    /// Which kind of content it is, and that judgements are some.
    pub(super) fn contents(&self, inputs: Inputs<'_>) -> Result<Contents, ScoreError> {
        let contents = self.detected(inputs)?;
        if let (Contents::Ranked, Inputs::Files(run, gold)) = (contents, inputs) {
            refuse_run(run, gold)?;
        }
        Ok(contents)
    }

    fn detected(&self, inputs: Inputs<'_>) -> Result<Contents, ScoreError> {
        let is_mapped = |fields: &[&str]| fields.iter().any(|field| self.map.contains_key(*field));
        match (self.mode, inputs) {
            (Mode::Passages | Mode::Spans, Inputs::Ranked(..)) => Err(ScoreError::NoPassages),
            // Whoever says where the passages stand has said that there are passages.
            (Mode::Auto, Inputs::Files(..)) if is_mapped(&["passages", "gold"]) => {
                Ok(Contents::Passages)
            }
            (Mode::Auto, Inputs::Files(..)) if is_mapped(&["score", "rank", "relevance"]) => {
                Ok(Contents::Ranked)
            }
            (Mode::Passages | Mode::Spans, _) => Ok(Contents::Passages),
            (Mode::Ranked, _) | (Mode::Auto, Inputs::Ranked(..)) => Ok(Contents::Ranked),
            (Mode::Auto, Inputs::Files(run, gold)) => match detect(run, gold)? {
                Some(Detected::Contents(contents)) => Ok(contents),
                Some(Detected::Exchanged) => Err(exchanged(run, gold)),
                Some(Detected::RankedRun) => {
                    Err(ScoreError::RankedRun { run: run.to_owned(), gold: gold.to_owned() })
                }
                Some(Detected::RankedGold) => {
                    Err(ScoreError::RankedGold { run: run.to_owned(), gold: gold.to_owned() })
                }
                None => Err(ScoreError::Unknown),
            },
            (Mode::Auto, Inputs::Values(run, gold)) => {
                match (holds_tests(gold), holds_tests(run)) {
                    (true, _) => Ok(Contents::Passages),
                    (false, true) => Err(exchanged(Path::new("predictions"), Path::new("gold"))),
                    (false, false) => Ok(Contents::Ranked),
                }
            }
        }
    }

    /// Every query's values.
    pub(super) fn board(
        &self,
        inputs: Inputs<'_>,
        contents: Contents,
    ) -> Result<Scoreboard, ScoreError> {
        match (contents, inputs) {
            (Contents::Passages, inputs) => {
                let (run, gold) = self.passage_sources(inputs)?;
                self.at_every_k(|options| passages::score_sources(&run, &gold, options))
            }
            (Contents::Ranked, Inputs::Files(run, gold)) => {
                let (of_gold, of_run) = self.readings(gold, &[run])?;
                let qrels = Qrels::load(gold, &of_gold)
                    .map_err(|error| swapped(run, gold).unwrap_or_else(|| error.into()))?;
                self.ranked_file(run, &of_run[0], &qrels)
            }
            (Contents::Ranked, Inputs::Values(run, gold)) => {
                let both = ranked_values(run, gold).map_err(|error| {
                    let is_swapped = ranked_values(gold, run).is_ok();
                    if is_swapped { ScoreError::LevelsAsScores } else { error }
                });
                let (run, qrels) = both?;
                self.ranked_lists(&run, &qrels)
            }
            (Contents::Ranked, Inputs::Ranked(run, qrels)) => self.ranked_lists(run, qrels),
        }
    }

    /// Predictions and gold in our shape.
    pub(super) fn passage_sources(
        &self,
        inputs: Inputs<'_>,
    ) -> Result<(Source, Source), ScoreError> {
        let source = |name: &str, value: &Value| Source::in_memory(name, value.to_string());
        match inputs {
            Inputs::Files(run, gold) if !self.map.is_empty() => self.renamed(run, gold),
            Inputs::Files(run, gold) => Ok(passages::open(run, gold)?),
            Inputs::Values(run, gold) => Ok((source("predictions", run), source("gold", gold))),
            Inputs::Ranked(..) => Err(ScoreError::NoPassages),
        }
    }

    /// The boards of several runs; judgements are read once.
    pub(super) fn boards(
        &self,
        runs: &[PathBuf],
        gold: &Path,
        contents: Contents,
    ) -> Result<Vec<Scoreboard>, ScoreError> {
        match contents {
            Contents::Passages => {
                runs.iter().map(|run| self.board(Inputs::Files(run, gold), contents)).collect()
            }
            Contents::Ranked => {
                let paths: Vec<&Path> = runs.iter().map(PathBuf::as_path).collect();
                let (of_gold, of_runs) = self.readings(gold, &paths)?;
                let qrels = Qrels::load(gold, &of_gold)?;
                let runs = paths.into_iter().zip(&of_runs);
                runs.map(|(run, reading)| self.ranked_file(run, reading, &qrels)).collect()
            }
        }
    }

    fn ranked_file(
        &self,
        run: &Path,
        reading: &Reading,
        qrels: &Qrels,
    ) -> Result<Scoreboard, ScoreError> {
        let (measures, options) = (self.ranked_measures()?, self.ranked_options());
        Ok(ranked::score_file(run, reading, qrels, &measures, &options)?)
    }

    /// How a table is read; its value is called otherwise in a run and in judgements.
    pub(super) fn reading(&self, value: &str) -> Reading {
        let column = |field: &str| self.map.get(field).cloned();
        let columns = ranked::Columns {
            query: column("query"),
            document: column("document"),
            value: column(value),
            rank: column("rank").filter(|_| value == "score"),
        };
        Reading { columns, ..Reading::default() }
    }

    fn ranked_lists(&self, run: &Run, qrels: &Qrels) -> Result<Scoreboard, ScoreError> {
        Ok(ranked::score(run, qrels, &self.ranked_measures()?, &self.ranked_options())?)
    }

    /// Every number of passages is scored apart; what does not depend on it stands once.
    fn at_every_k(
        &self,
        score: impl Fn(&ScoreOptions) -> Result<Scoreboard, PassageError>,
    ) -> Result<Scoreboard, ScoreError> {
        let mut options = self.passage_options();
        let mut all: Option<Scoreboard> = None;
        for k in self.passage_ks() {
            options.passages.k = k;
            let board = score(&options)?;
            match &mut all {
                None => all = Some(board),
                Some(all) => all.add_columns(&board),
            }
        }
        let mut board = self.chosen(all.ok_or(ScoreError::Nothing)?)?;
        for measure in &self.also {
            let alone = Self { measures: vec![measure.clone()], ..self.clone() };
            let names: Vec<&str> = board.columns.iter().map(|one| one.name.as_str()).collect();
            if alone.passage_measures(&names).is_ok() {
                continue;
            }
            let Some(k) = alone.passage_ks().first().copied() else { continue };
            options.passages.k = k;
            if let Ok(found) = alone.chosen(score(&options)?) {
                board.add_columns(&found);
            }
        }
        Ok(board)
    }

    /// Only the measures that were asked for, in that order.
    fn chosen(&self, mut board: Scoreboard) -> Result<Scoreboard, ScoreError> {
        if !self.measures.is_empty() {
            let names: Vec<&str> =
                board.columns.iter().map(|column| column.name.as_str()).collect();
            board.keep_columns(&self.passage_measures(&names)?);
        }
        Ok(board)
    }

    /// The measures of a ranked run; the same measure under two names is one measure.
    pub(super) fn ranked_measures(&self) -> Result<Vec<Measure>, ScoreError> {
        let usual = RANKED_DEFAULT.iter().flat_map(|name| match name.strip_suffix('@') {
            Some(_) => self.k.all().iter().map(|k| format!("{name}{k}")).collect(),
            None => vec![(*name).to_owned()],
        });
        let usual: Vec<String> = usual.collect();
        let names = if self.measures.is_empty() { &usual[..] } else { &self.measures };
        let mut found: Vec<Measure> = Vec::new();
        for name in names {
            found.extend(Measure::parse_all(name)?);
        }
        found.extend(self.also.iter().filter_map(|name| Measure::parse_all(name).ok()).flatten());
        let mut distinct: Vec<Measure> = Vec::new();
        for measure in found {
            if !distinct.contains(&measure) {
                distinct.push(measure);
            }
        }
        Ok(distinct)
    }

    /// How passages are scored.
    pub(super) fn passage_options(&self) -> ScoreOptions {
        ScoreOptions {
            passages: PassageOptions {
                k: self.k.first(),
                whitespace: self.whitespace,
                f1: self.f1,
                ndcg_ideal: self.ndcg_ideal,
                ndcg_clipped: !self.ndcg_unclipped,
            },
            span_compat: self.compat,
            require_all: self.require_all,
            measures: match self.mode {
                Mode::Spans => Measures::Spans,
                Mode::Passages => Measures::Text,
                Mode::Auto | Mode::Ranked => Measures::Auto,
            },
            besides: self.besides(),
        }
    }

    /// How a ranked run is scored: that all gold counts is one wish for both kinds.
    pub(super) fn ranked_options(&self) -> RankedOptions {
        RankedOptions {
            ties: self.ties,
            relevant_from: self.relevance_level,
            depth: self.depth,
            all_queries: self.require_all,
            judged_only: self.judged_only,
            ..RankedOptions::default()
        }
    }
}

/// A ranked run and its judgements, as a caller handed them over.
pub(super) fn ranked_values(run: &Value, gold: &Value) -> Result<(Run, Qrels), ScoreError> {
    let run = listed::<f64>("predictions", run)?;
    let qrels = Qrels::from_judgements(listed::<i32>("gold", gold)?)?;
    Ok((Run::from_scores("predictions", run), qrels))
}

/// Whether two files that cannot be read as they were given can be the other way round.
fn swapped(run: &Path, gold: &Path) -> Option<ScoreError> {
    let is_file = |path: &Path| head(path, 1).is_ok_and(|start| start.is_some());
    let usual = Reading::default();
    let is_swapped = is_file(run)
        && is_file(gold)
        && Qrels::load(run, &usual).is_ok()
        && Run::load(gold, &usual).is_ok();
    let (run, gold) = (run.to_owned(), gold.to_owned());
    is_swapped.then_some(ScoreError::RunAndJudgements { run, gold })
}

fn exchanged(run: &Path, gold: &Path) -> ScoreError {
    ScoreError::Exchanged { run: run.to_owned(), gold: gold.to_owned() }
}

/// Gold of passages: an object with `tests`, or their list.
fn holds_tests(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.get("tests").is_some_and(Value::is_array),
        Value::Array(list) => list.iter().any(|test| test.get("snippets").is_some()),
        _ => false,
    }
}

/// Query, document, and what is said of it, in the order in which it was given: intervals and
/// ties depend on it.
fn listed<'a, T: Deserialize<'a>>(
    name: &str,
    value: &'a Value,
) -> Result<Vec<(&'a str, &'a str, T)>, ScoreError> {
    let refused =
        |place: String, problem: &str| ScoreError::Shape { place, problem: problem.to_owned() };
    let queries = value.as_object().ok_or_else(|| refused(name.to_owned(), "not an object"))?;
    let mut all = Vec::new();
    for (query, documents) in queries {
        let place = format!("{name}.{query}");
        let documents = documents.as_object();
        let documents = documents.ok_or_else(|| refused(place.clone(), "not an object"))?;
        for (document, value) in documents {
            let value = T::deserialize(value)
                .map_err(|error| refused(format!("{place}.{document}"), &error.to_string()))?;
            all.push((query.as_str(), document.as_str(), value));
        }
    }
    Ok(all)
}
