//! Every query scored, on all cores, in the order of the input.

use std::path::Path;

use assize_methods::retrieval::answers;
use assize_methods::retrieval::passages::measures::context;
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::score as text;
use assize_methods::retrieval::spans::score as spans;
use assize_score::NotFinite;
use rayon::prelude::*;

use super::error::PassageError;
use super::files::{Entry, Files, open};
use super::kinds::{Kinds, kinds};
use super::notices::{self, Tally};
use super::options::ScoreOptions;
use super::overlap;
use super::parse::wrong_predictions;
use super::row::{self, Values};
use crate::input::Source;
use crate::retrieval::scoreboard::{Aggregate, Column, Row, Scoreboard};

/// Queries that one core takes at a time; fewer, and sharing costs more than it gains.
const QUERIES_AT_A_TIME_MIN: usize = 16;

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
    let entries = files.entries(options);
    let mut scored: Vec<(Entry<'_>, Values)> = Vec::with_capacity(entries.len());
    for batch in files.batches(&entries) {
        let values: Result<Vec<Option<Values>>, serde_json::Error> = batch
            .par_iter()
            .with_min_len(QUERIES_AT_A_TIME_MIN)
            .map_init(OverlapCounter::default, |counter, entry| {
                row::scored(entry, options, counter)
            })
            .collect();
        let values = values.map_err(|error| wrong_predictions(predictions, &error))?;
        let pairs = batch.iter().zip(values);
        scored.extend(pairs.filter_map(|(entry, values)| Some((*entry, values?))));
        files.release(batch);
    }
    if scored.is_empty() {
        return Err(files.nothing_to_score());
    }
    let without_answer = leave_out_unanswered(&mut scored, &files)?;
    let kinds = kinds(&files, &scored, options)?;
    let tally = scored.iter().fold(Tally::default(), |sum, (_, values)| sum.plus(values.tally));
    let columns = columns(kinds, options);
    let rows: Result<Vec<Row>, NotFinite> = scored
        .iter()
        .map(|(entry, values)| Row::new(entry.query.to_owned(), row(values, kinds), &columns))
        .collect();
    let (rows, mut notices) = (rows?, notices::all(&files, &tally, kinds, options));
    let remarks = overlap::remarks(&scored, kinds, options);
    notices.extend(remarks.notices);
    let mut unanswered = if options.require_all { 0 } else { notices::unpredicted(&files) };
    if let Some((count, reason)) = without_answer {
        unanswered += count;
        notices.push(format!("queries whose answer has no score: {count}, skipped; {reason}"));
    }
    let disjoint = remarks.disjoint;
    Ok(Scoreboard { columns, rows, unanswered, notices, disjoint, ..Scoreboard::default() })
}

/// Leaves queries out whose answer has no score; how many there are, and why the first has none.
fn leave_out_unanswered(
    scored: &mut Vec<(Entry<'_>, Values)>,
    files: &Files<'_>,
) -> Result<Option<(usize, String)>, PassageError> {
    let mut first = None;
    let before = scored.len();
    scored.retain(|(_, values)| match &values.answer {
        Some(Err(reason)) => {
            first.get_or_insert_with(|| reason.clone());
            false
        }
        _ => true,
    });
    if scored.is_empty() {
        return Err(files.no_answer());
    }
    Ok(first.map(|reason| (before - scored.len(), reason)))
}

fn columns(kinds: Kinds, options: &ScoreOptions) -> Vec<Column> {
    let k = options.passages.k.get();
    let text = kinds.text.then(|| text::metric_names(k)).into_iter().flatten();
    let spans = kinds.spans.then(|| spans::metric_names(k)).into_iter().flatten();
    let contexts = kinds.besides.contexts.then_some(context::NAMES).into_iter().flatten();
    let answers = kinds.besides.answers.then_some(answers::NAMES).into_iter().flatten();
    let besides = contexts.chain(answers).map(str::to_owned);
    let column = |name| Column { name, aggregate: Aggregate::Mean, count: false };
    text.chain(spans).chain(besides).map(column).collect()
}

/// A row of exactly those values that the columns name.
fn row(values: &Values, kinds: Kinds) -> Vec<f64> {
    let text = values.text.iter().filter(|_| kinds.text).flatten();
    let spans = values.spans.iter().filter(|_| kinds.spans).flatten();
    let contexts = values.contexts.iter().flatten();
    let answer = values.answer.iter().flatten().flatten();
    text.chain(spans).chain(contexts).chain(answer).copied().collect()
}
