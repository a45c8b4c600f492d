//! The ledger of one query.

use std::path::Path;

use assize_methods::retrieval::passages::measures::context;
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::score as text;
use assize_methods::retrieval::passages::{Pair, Passage};
use assize_methods::retrieval::spans::score as spans;
use assize_score::Verdict;

use super::answers;
use super::error::PassageError;
use super::files::{Entry, Files, open};
use super::kinds::{NOT_COMPARABLE, error};
use super::options::{Measures, ScoreOptions};
use super::parse::wrong_predictions;
use super::row::{Lacking, has_place, has_text, is_comparable, needs, retrieved};
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
    /// The gold snippets that none of the top k passages match.
    pub missed: Vec<String>,
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
    let entries = files.entries(options);
    let queries: Vec<&str> = entries.iter().map(|entry| entry.query).collect();
    let index = which.choose(&queries)?;
    let entry = &entries[index];
    let retrieved = retrieved(entry).map_err(|error| wrong_predictions(predictions, &error))?;
    let pair = Pair { query: entry.query, retrieved: &retrieved, gold: entry.gold };
    let texts = |passages: &[Passage<'_>]| -> Vec<String> {
        passages.iter().map(|passage| passage.text().to_owned()).collect()
    };
    let top = retrieved.len().min(options.passages.k.get());
    Ok(Explanation {
        number: index + 1,
        query: entry.query.to_owned(),
        passages: texts(&retrieved[..top]),
        gold: texts(entry.gold),
        missed: missed(&pair, options),
        verdicts: {
            let mut all = verdicts(&pair, options).map_err(|lacking| {
                let problem = "has neither `text` nor a `file_path` with a `span`";
                error(&files, entry, lacking, problem).unwrap_or_else(|| files.nothing_to_score())
            })?;
            all.extend(besides(&files, entry, &pair, options)?);
            all
        },
    })
}

/// What is said by measures that are only computed for whoever asks for them.
fn besides(
    files: &Files<'_>,
    entry: &Entry<'_>,
    pair: &Pair<'_>,
    options: &ScoreOptions,
) -> Result<Vec<Verdict>, PassageError> {
    let mut verdicts = Vec::new();
    match needs(pair, options.besides.contexts, is_comparable) {
        Ok(()) => verdicts.push(context::explain(pair.retrieved, pair.gold)),
        Err(lacking) => {
            error(files, entry, lacking, NOT_COMPARABLE).map_or(Ok(()), Err)?;
        }
    }
    if options.besides.answers {
        verdicts.push(answers::explain(entry, pair.retrieved).map_err(|_| files.no_answer())?);
    }
    Ok(verdicts)
}

/// The gold snippets with a text that none of the top k passages match.
fn missed(pair: &Pair<'_>, options: &ScoreOptions) -> Vec<String> {
    if needs(pair, true, has_text).is_err() {
        return Vec::new();
    }
    let matches = text::score(pair, &options.passages, &mut OverlapCounter::default()).matches;
    let golds = pair.gold.iter().enumerate();
    let missed = golds.filter(|(index, _)| matches.first_of(*index).is_none());
    missed.map(|(_, gold)| gold.text().to_owned()).collect()
}

/// What is said by every measure that this query allows and the user wants.
fn verdicts(pair: &Pair<'_>, options: &ScoreOptions) -> Result<Vec<Verdict>, Lacking> {
    let with_text = needs(pair, options.measures != Measures::Spans, has_text);
    let with_place = needs(pair, options.measures != Measures::Text, has_place);
    let places_unknown =
        options.measures == Measures::Auto && !pair.retrieved.iter().any(has_place);
    let mut verdicts = Vec::new();
    if with_text.is_ok() {
        verdicts.push(text::explain(pair, &options.passages));
    }
    if with_place.is_ok() && !places_unknown {
        verdicts.push(spans::explain(pair, &options.spans()));
    }
    match (with_text, with_place) {
        _ if !verdicts.is_empty() => Ok(verdicts),
        (Err(Lacking::NotAsked), lacking) | (lacking, _) => lacking.map(|()| verdicts),
    }
}
