//! From arguments to a scoreboard, whichever kind of content it is.

use std::num::NonZeroUsize;

use assize_engine::input::Source;
use assize_engine::retrieval::passages::{self, Measures, ScoreOptions};
use assize_engine::retrieval::ranked::{self, Qrels, RankedOptions, Run};
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_methods::retrieval::passages::PassageOptions;
use assize_methods::retrieval::ranked::Measure;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::{Arguments, Mode};
use crate::reply::Refusal;

/// Every query's values.
pub(super) fn score(arguments: &Arguments) -> Result<Scoreboard, Refusal> {
    let mode = match arguments.mode.unwrap_or(Mode::Auto) {
        Mode::Auto if !holds_tests(&arguments.gold) && holds_tests(&arguments.predictions) => {
            return Err(Refusal::because(
                "predictions holds gold tests and gold does not: the two seem to be exchanged",
            ));
        }
        Mode::Auto if !holds_tests(&arguments.gold) => Mode::Ranked,
        mode => mode,
    };
    let board = match mode {
        Mode::Ranked => ranked_board(arguments)?,
        mode => passage_board(arguments, mode)?,
    };
    if board.rows.is_empty() {
        return Err(Refusal::because(
            "there is nothing to score: no query has both a result and gold",
        ));
    }
    Ok(board)
}

fn passage_board(arguments: &Arguments, mode: Mode) -> Result<Scoreboard, Refusal> {
    let usual = PassageOptions::default();
    let options = ScoreOptions {
        passages: PassageOptions { k: arguments.k.unwrap_or(usual.k), ..usual },
        require_all: arguments.require_all.unwrap_or(false),
        measures: match mode {
            Mode::Spans => Measures::Spans,
            Mode::Passages => Measures::Text,
            Mode::Auto | Mode::Ranked => Measures::Auto,
        },
        ..ScoreOptions::default()
    };
    let source = |name: &str, value: &Value| Source::in_memory(name, value.to_string());
    let (predictions, gold) =
        (source("predictions", &arguments.predictions), source("gold", &arguments.gold));
    let mut board = passages::score_sources(&predictions, &gold, &options)?;
    if let Some(wanted) = arguments.measures.as_ref().filter(|names| !names.is_empty()) {
        let names: Vec<&str> = board.columns.iter().map(|one| one.name.as_str()).collect();
        if let Some(unknown) = wanted.iter().find(|name| !names.contains(&name.as_str())) {
            return Err(Refusal(format!(
                "measures: passages have no `{unknown}`; they have {}",
                names.join(", ")
            )));
        }
        let mut chosen: Vec<String> = Vec::new();
        for name in wanted {
            if !chosen.contains(name) {
                chosen.push(name.clone());
            }
        }
        board.keep_columns(&chosen);
    }
    Ok(board)
}

fn ranked_board(arguments: &Arguments) -> Result<Scoreboard, Refusal> {
    let run: Listed<'_, f64> = listed("predictions", &arguments.predictions)?;
    let gold: Listed<'_, i32> = listed("gold", &arguments.gold)?;
    let qrels = Qrels::from_judgements(gold)?;
    let run = Run::from_scores("predictions", run);
    let k = arguments.k.map_or(10, NonZeroUsize::get);
    let usual = ["ndcg", "map", "recall", "mrr"].map(|name| match name {
        "ndcg" | "recall" => format!("{name}@{k}"),
        name => name.to_owned(),
    });
    let wanted = arguments.measures.as_deref().filter(|names| !names.is_empty()).unwrap_or(&usual);
    let mut measures: Vec<Measure> = Vec::new();
    for name in wanted {
        for measure in Measure::parse_all(name)? {
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
    }
    let all_queries = arguments.require_all.unwrap_or(false);
    let options = RankedOptions { all_queries, ..RankedOptions::default() };
    Ok(ranked::score(&run, &qrels, &measures, &options)?)
}

/// Query, document, and what is said of it, in the order in which it was given: intervals and
/// ties depend on it.
type Listed<'a, T> = Vec<(&'a str, &'a str, T)>;

fn listed<'a, T: DeserializeOwned>(name: &str, value: &'a Value) -> Result<Listed<'a, T>, Refusal> {
    let expected = |place: &str, problem: &str| {
        let form = "{query: {document: number}}, or gold with `tests` for passages";
        Refusal(format!("{name}{place}: {problem}; expected was {form}"))
    };
    let queries = value.as_object().ok_or_else(|| expected("", "not an object"))?;
    let mut all = Vec::new();
    for (query, documents) in queries {
        let place = format!(".{query}");
        let documents = documents.as_object().ok_or_else(|| expected(&place, "not an object"))?;
        for (document, value) in documents {
            let value = T::deserialize(value)
                .map_err(|error| expected(&format!("{place}.{document}"), &error.to_string()))?;
            all.push((query.as_str(), document.as_str(), value));
        }
    }
    Ok(all)
}

/// Gold of passages: an object with `tests`, or their list.
fn holds_tests(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.get("tests").is_some_and(Value::is_array),
        Value::Array(list) => list.iter().any(|test| test.get("snippets").is_some()),
        _ => false,
    }
}
