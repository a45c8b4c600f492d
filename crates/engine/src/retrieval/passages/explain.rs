//! The ledger of one query.

use std::path::Path;

use assize_methods::retrieval::passages::score as text;
use assize_methods::retrieval::passages::{Pair, Passage};
use assize_methods::retrieval::spans::score as spans;
use assize_score::Verdict;

use super::error::PassageError;
use super::files::{Files, open};
use super::kinds::Kinds;
use super::options::ScoreOptions;
use super::selector::QuerySelector;
use crate::input::Source;

/// One query and everything that led to its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The query's place among the predictions, from 1.
    pub number: usize,
    /// Its text.
    pub query: String,
    /// The top k passages, best first; blank where a passage has only a place.
    pub passages: Vec<String>,
    /// The gold snippets.
    pub gold: Vec<String>,
    /// What is said about it: by the four measures on texts, by the character measures,
    /// or by both.
    pub verdicts: Vec<Verdict>,
}

/// Explains one query of a file of predictions; `-` is standard input.
pub fn explain(
    predictions: &Path,
    gold: &Path,
    options: &ScoreOptions,
    which: &QuerySelector,
) -> Result<Explanation, PassageError> {
    let (predictions, gold) = open(predictions, gold)?;
    explain_sources(&predictions, &gold, options, which)
}

/// Explains one query of predictions and gold that are open already.
pub fn explain_sources(
    predictions: &Source,
    gold: &Source,
    options: &ScoreOptions,
    which: &QuerySelector,
) -> Result<Explanation, PassageError> {
    let files = Files::read(predictions, gold)?;
    let queries = files.queries(options.measures)?;
    let pairs = queries.in_order(options);
    let texts_of_queries: Vec<&str> = pairs.iter().map(|pair| pair.query).collect();
    let index = which.choose(&texts_of_queries)?;
    let pair = pairs[index];
    let texts = |passages: &[Passage<'_>]| -> Vec<String> {
        passages.iter().map(|passage| passage.text().to_owned()).collect()
    };
    let top = pair.retrieved.len().min(options.passages.k.get());
    Ok(Explanation {
        number: index + 1,
        query: pair.query.to_owned(),
        passages: texts(&pair.retrieved[..top]),
        gold: texts(pair.gold),
        verdicts: verdicts(pair, queries.kinds, options),
    })
}

fn verdicts(pair: &Pair<'_>, kinds: Kinds, options: &ScoreOptions) -> Vec<Verdict> {
    let text = kinds.text.then(|| text::explain(pair, &options.passages));
    let spans = kinds.spans.then(|| spans::explain(pair, &options.spans()));
    text.into_iter().chain(spans).collect()
}
