//! One query read and scored by every measure that its passages allow.

use assize_methods::retrieval::passages::measures::context::COMPARED_BYTES_MAX;
use assize_methods::retrieval::passages::measures::{Likeness, context_precision, context_recall};
use assize_methods::retrieval::passages::overlap::OverlapCounter;
use assize_methods::retrieval::passages::score as text;
use assize_methods::retrieval::passages::{Pair, Passage};
use assize_methods::retrieval::spans::{Location, score as spans};

use super::answers;
use super::files::Entry;
use super::notices::Tally;
use super::options::{Measures, ScoreOptions};

/// One query's values, as far as it has any.
#[derive(Debug)]
pub(super) struct Values {
    /// The four measures on texts, or the first passage that has none.
    pub(super) text: Result<[f64; 4], Lacking>,
    /// The character measures, or the first passage without a place.
    pub(super) spans: Result<[f64; 3], Lacking>,
    /// Context precision and recall, or the first passage that cannot be compared.
    pub(super) contexts: Result<[f64; 2], Lacking>,
    /// The measures of the answer, or why it has none; nothing where nobody asks.
    pub(super) answer: Option<Result<[f64; 2], String>>,
    /// Whether any retrieved passage names its place.
    pub(super) some_place: bool,
    /// Whether any stands in a file that the gold names.
    pub(super) shares_file: bool,
    /// What was noticed.
    pub(super) tally: Tally,
}

/// A passage that lacks what a measure needs, or a measure that nobody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lacking {
    /// The index of a retrieved passage.
    Retrieved(usize),
    /// The index of a gold snippet.
    Gold(usize),
    /// Nothing is lacking.
    NotAsked,
}

/// Scores one query; none if it has no gold. Its passages are read and forgotten here.
pub(super) fn scored(
    entry: &Entry<'_>,
    options: &ScoreOptions,
    counter: &mut OverlapCounter,
) -> Result<Option<Values>, serde_json::Error> {
    let retrieved = retrieved(entry)?;
    if entry.gold.is_empty() {
        return Ok(None);
    }
    let pair = Pair { query: entry.query, retrieved: &retrieved, gold: entry.gold };
    let mut tally = Tally::of_passages(&retrieved);
    let text = needs(&pair, options.measures != Measures::Spans, has_text).map(|()| {
        let measured = text::score(&pair, &options.passages, counter);
        tally.add_matches(&measured);
        measured.into_values()
    });
    let spans = needs(&pair, options.measures != Measures::Text, has_place)
        .map(|()| spans::score(&pair, &options.spans()));
    let contexts = needs(&pair, options.besides.contexts, is_comparable).map(|()| {
        let found = Likeness::new(&retrieved, entry.gold);
        [context_precision(&found), context_recall(&found)]
    });
    let answer = options.besides.answers.then(|| answers::score(entry, &retrieved));
    let some_place = retrieved.iter().any(has_place);
    let shares_file = some_place && shares_file(&pair);
    Ok(Some(Values { text, spans, contexts, answer, some_place, shares_file, tally }))
}

/// What was retrieved for a query.
pub(super) fn retrieved<'a>(entry: &Entry<'a>) -> Result<Vec<Passage<'a>>, serde_json::Error> {
    entry.prediction.map_or_else(|| Ok(Vec::new()), |(_, prediction)| prediction.passages())
}

/// Whether a passage can be matched by its text.
pub(super) fn has_text(passage: &Passage<'_>) -> bool {
    passage.text.is_some()
}

/// Whether a passage can be compared letter by letter.
pub(super) fn is_comparable(passage: &Passage<'_>) -> bool {
    passage.text.as_ref().is_some_and(|text| text.len() <= COMPARED_BYTES_MAX)
}

/// Whether a passage can be overlaid by its place.
pub(super) fn has_place(passage: &Passage<'_>) -> bool {
    passage.location().is_some()
}

/// Whether a passage stands in a file that the gold names.
fn shares_file(pair: &Pair<'_>) -> bool {
    let paths = |passages| -> Vec<_> {
        let locations = <[Passage<'_>]>::iter(passages).filter_map(Passage::location);
        locations.map(Location::comparable_path).collect()
    };
    let gold = paths(pair.gold);
    paths(pair.retrieved).iter().any(|path| gold.contains(path))
}

/// Whether all passages of a query have what a measure needs.
pub(super) fn needs(
    pair: &Pair<'_>,
    asked: bool,
    has: fn(&Passage<'_>) -> bool,
) -> Result<(), Lacking> {
    let lacking = |passages: &[Passage<'_>]| passages.iter().position(|passage| !has(passage));
    match (asked, lacking(pair.retrieved), lacking(pair.gold)) {
        (false, ..) => Err(Lacking::NotAsked),
        (true, Some(index), _) => Err(Lacking::Retrieved(index)),
        (true, None, Some(index)) => Err(Lacking::Gold(index)),
        (true, None, None) => Ok(()),
    }
}
