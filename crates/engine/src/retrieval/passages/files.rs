//! Two open files, read as far as needed to pair them.

use std::path::Path;

use assize_methods::retrieval::passages::{Pairing, Passage, Test, pair};
use assize_text::tokens::count_alnum_tokens;
use serde_json::Value;

use super::error::PassageError;
use super::options::ScoreOptions;
use super::parse::{self, Unread};
use super::shapes;
use crate::input::{STANDARD_INPUT, Source, foreign};
use crate::summary::input::{PairsError, Record, Records};

/// So much of a file shows which tool wrote it; to look further would map all of a large one.
const HEAD_BYTES: usize = 1 << 20;
/// Queries whose passages are held in memory at once.
const BATCH_QUERIES_MAX: usize = 2_048;
/// So many bytes of passages are enough for a batch.
const BATCH_BYTES: usize = 16 << 20;

/// Opens predictions and gold.
pub(in crate::retrieval) fn open(
    predictions: &Path,
    gold: &Path,
) -> Result<(Source, Source), PassageError> {
    if predictions == gold && predictions.as_os_str() == STANDARD_INPUT {
        return Err(PassageError::BothFromStandardInput);
    }
    let (predictions, gold) = (opened(predictions)?, opened(gold)?);
    let turned = (shapes::predictions(&predictions)?, shapes::gold(&gold)?);
    Ok((turned.0.unwrap_or(predictions), turned.1.unwrap_or(gold)))
}

/// A file; one of another tool, or a table of passages in Parquet, as a list of records.
fn opened(path: &Path) -> Result<Source, PassageError> {
    let source = Source::open(path)?;
    let records = if source.content().starts_with(b"PAR1") {
        let rows = Records::open(path, None).map_err(|error| unreadable(path, &error))?;
        let value = |row: Result<Record, PairsError>| {
            let row = row.map_err(|error| unreadable(path, &error))?;
            row.value().map_err(|error| unreadable(path, &error))
        };
        Some(rows.map(value).collect::<Result<Vec<Value>, _>>()?)
    } else {
        let content = source.content();
        let is_foreign = foreign::tool(&content[..content.len().min(HEAD_BYTES)]).is_some();
        is_foreign.then(|| foreign::records(content)).flatten()
    };
    Ok(match records {
        Some(records) => Source::in_memory(path, Value::Array(records).to_string()),
        None => source,
    })
}

fn unreadable(path: &Path, error: &dyn std::error::Error) -> PassageError {
    PassageError::Table { file: path.to_owned(), problem: error.to_string() }
}

/// Predictions and gold with the sources whose texts they borrow.
pub(super) struct Files<'a> {
    pub(super) prediction_source: &'a Source,
    pub(super) gold_source: &'a Source,
    pub(super) predictions: Vec<Unread<'a>>,
    pub(super) tests: Vec<Test<'a>>,
    pub(super) pairing: Pairing,
}

/// One query that may be scored.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) query: &'a str,
    /// The prediction; none where `require_all` has a missing one scored 0.
    pub(super) prediction: Option<(usize, &'a Unread<'a>)>,
    /// The index of the test, and its gold.
    pub(super) test: usize,
    pub(super) gold: &'a [Passage<'a>],
}

impl<'a> Files<'a> {
    /// Reads both inputs at the same time, and pairs them.
    pub(super) fn read(
        prediction_source: &'a Source,
        gold_source: &'a Source,
    ) -> Result<Self, PassageError> {
        let read_gold = || {
            // Gold is the smaller file: whoever reads it has time to load the sentence model.
            count_alnum_tokens("The model is read at first use. Then it stays.");
            parse::gold(gold_source)
        };
        let (predictions, tests) = rayon::join(|| parse::predictions(prediction_source), read_gold);
        let (predictions, tests) = (predictions?, tests?);
        let predicted: Vec<&str> = predictions.iter().map(|one| &*one.query).collect();
        let asked: Vec<&str> = tests.iter().map(|test| &*test.query).collect();
        let pairing = pair(&predicted, &asked).map_err(|source| PassageError::Pairing {
            predictions: prediction_source.name.clone(),
            gold: gold_source.name.clone(),
            source,
        })?;
        Ok(Self { prediction_source, gold_source, predictions, tests, pairing })
    }

    /// The queries in the order of their numbers: predictions as they come, then gold
    /// that nobody predicted if that is to be scored too.
    pub(super) fn entries(&self, options: &ScoreOptions) -> Vec<Entry<'_>> {
        let entry = |prediction, test: usize| {
            let Test { query, snippets } = &self.tests[test];
            Entry { query, prediction, test, gold: snippets }
        };
        let predicted = self.predictions.iter().enumerate().zip(&self.pairing.test_of);
        let predicted = predicted.map(|(prediction, test)| entry(Some(prediction), *test));
        let unpredicted: &[usize] =
            if options.require_all { &self.pairing.unpredicted } else { &[] };
        predicted.chain(unpredicted.iter().map(|test| entry(None, *test))).collect()
    }

    /// Queries that are scored together: so many, or fewer where their passages are long.
    pub(super) fn batches<'b, 'e>(&self, entries: &'b [Entry<'e>]) -> Vec<&'b [Entry<'e>]> {
        let content = self.prediction_source.content();
        let (mut batches, mut begin, mut bytes) = (Vec::new(), 0, 0);
        for (index, entry) in entries.iter().enumerate() {
            let is_full = bytes >= BATCH_BYTES || index - begin == BATCH_QUERIES_MAX;
            if is_full {
                batches.push(&entries[begin..index]);
                (begin, bytes) = (index, 0);
            }
            bytes += entry.prediction.map_or(0, |(_, unread)| unread.place(content).len());
        }
        batches.push(&entries[begin..]);
        batches
    }

    /// Gives memory back that held the passages of these queries.
    pub(super) fn release(&self, entries: &[Entry<'_>]) {
        let content = self.prediction_source.content();
        let places = entries.iter().filter_map(|entry| Some(entry.prediction?.1.place(content)));
        let part = places.reduce(|all, one| all.start.min(one.start)..all.end.max(one.end));
        if let Some(part) = part {
            self.prediction_source.bytes.release(part);
        }
    }

    /// The error where no prediction has an answer that can be scored.
    pub(super) fn no_answer(&self) -> PassageError {
        PassageError::NothingToScore {
            predictions: self.prediction_source.name.clone(),
            gold: self.gold_source.name.clone(),
            because: "no prediction has an answer (`response`, `answer`, `result` or `output`) that \
                      can be scored",
        }
    }

    /// The error that says why no query is left.
    pub(super) fn nothing_to_score(&self) -> PassageError {
        PassageError::NothingToScore {
            predictions: self.prediction_source.name.clone(),
            gold: self.gold_source.name.clone(),
            because: if self.predictions.is_empty() {
                "there are no predictions"
            } else {
                "none of the tests has gold snippets"
            },
        }
    }
}
