//! Every query scored, on all cores, in the order of the input.

use std::path::Path;

use assize_methods::retrieval::passages::Pair;
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::score as text;
use assize_methods::retrieval::spans::score as spans;
use rayon::prelude::*;

use super::error::PassageError;
use super::files::{Files, open};
use super::kinds::Kinds;
use super::notices::{self, Tally};
use super::options::ScoreOptions;
use crate::input::Source;
use crate::retrieval::scoreboard::{Aggregate, Column, Row, Scoreboard};

/// Queries that one core takes at a time; fewer, and sharing costs more than it gains.
const QUERIES_AT_A_TIME_MIN: usize = 8;

/// Scores a file of predictions against a file of gold; `-` is standard input.
pub fn score(
    predictions: &Path,
    gold: &Path,
    options: &ScoreOptions,
) -> Result<Scoreboard, PassageError> {
    let (predictions, gold) = open(predictions, gold)?;
    score_sources(&predictions, &gold, options)
}

/// Scores predictions against gold that are open already.
pub fn score_sources(
    predictions: &Source,
    gold: &Source,
    options: &ScoreOptions,
) -> Result<Scoreboard, PassageError> {
    let files = Files::read(predictions, gold)?;
    let queries = files.queries(options.measures)?;
    let mut scored = queries.in_order(options);
    scored.retain(|pair| !pair.gold.is_empty());
    if scored.is_empty() {
        return Err(files.nothing_to_score());
    }
    let values: Vec<(Row, Tally)> = scored
        .par_iter()
        .with_min_len(QUERIES_AT_A_TIME_MIN)
        .map_init(OverlapCounter::default, |counter, pair| {
            row(pair, queries.kinds, options, counter)
        })
        .collect();
    let tally = values.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
    Ok(Scoreboard {
        columns: columns(queries.kinds, options),
        rows: values.into_iter().map(|(row, _)| row).collect(),
        notices: notices::all(&queries, &tally, options),
    })
}

fn columns(kinds: Kinds, options: &ScoreOptions) -> Vec<Column> {
    let k = options.passages.k.get();
    let text = kinds.text.then(|| text::metric_names(k)).into_iter().flatten();
    let spans = kinds.spans.then(|| spans::metric_names(k)).into_iter().flatten();
    let column = |name| Column { name, aggregate: Aggregate::Mean, count: false };
    text.chain(spans).map(column).collect()
}

fn row(
    pair: &Pair<'_>,
    kinds: Kinds,
    options: &ScoreOptions,
    counter: &mut OverlapCounter,
) -> (Row, Tally) {
    let mut values = Vec::with_capacity(7);
    let mut tally = Tally::of_passages(pair.retrieved);
    if kinds.text {
        let measured = text::score(pair, &options.passages, counter);
        tally.add_matches(&measured);
        values.extend(measured.into_values());
    }
    if kinds.spans {
        values.extend(spans::score(pair, &options.spans()));
    }
    (Row { query: pair.query.to_owned(), values }, tally)
}
