//! Which measures the input allows: texts can be matched, places can be overlaid.

use std::path::Path;

use assize_methods::retrieval::passages::Passage;

use super::error::PassageError;
use super::files::Files;
use super::options::Measures;

/// Which kinds of measures are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds {
    /// The four measures on texts.
    pub(super) text: bool,
    /// The character measures on places.
    pub(super) spans: bool,
    /// Some retrieved passages name their place and others do not.
    pub(super) some_without_place: bool,
}

/// What can be measured and is wanted; an error names the first passage that prevents it.
pub(super) fn kinds(files: &Files<'_>, wanted: Measures) -> Result<Kinds, PassageError> {
    let without_text = first_lacking(files, |passage| passage.text.is_some());
    let without_place = first_lacking(files, |passage| passage.location().is_some());
    let retrieved = || files.predictions.iter().flat_map(|one| &one.retrieved_passages);
    let some_place = retrieved().any(|passage| passage.location().is_some());
    let all_places = without_place.is_none() && some_place;

    let lacking = |place: Option<Lacking<'_>>, problem| match place {
        Some(place) => Err(place.error(problem)),
        None => Ok(()),
    };
    match wanted {
        Measures::Text => lacking(without_text, "has no `text`")?,
        Measures::Spans => lacking(without_place, "has no `file_path` with a `span`")?,
        Measures::Auto if !all_places => {
            lacking(without_text, "has neither `text` nor a `file_path` with a `span`")?;
        }
        Measures::Auto => {}
    }
    Ok(Kinds {
        text: wanted != Measures::Spans && without_text.is_none(),
        spans: wanted == Measures::Spans || (wanted == Measures::Auto && all_places),
        some_without_place: wanted == Measures::Auto && some_place && !all_places,
    })
}

/// A passage that lacks something.
#[derive(Clone, Copy)]
struct Lacking<'a> {
    file: &'a Path,
    record: usize,
    field: &'static str,
    item: usize,
}

impl Lacking<'_> {
    fn error(&self, problem: &'static str) -> PassageError {
        let Self { file, record, field, item } = *self;
        PassageError::Lacking { file: file.to_owned(), record, field, item, problem }
    }
}

/// The first passage in either file that does not have what `has` looks for.
fn first_lacking<'a>(files: &'a Files<'_>, has: fn(&Passage<'_>) -> bool) -> Option<Lacking<'a>> {
    let in_record = |passages: &[Passage<'_>]| passages.iter().position(|passage| !has(passage));
    let predicted = files.predictions.iter().enumerate().find_map(|(index, prediction)| {
        let item = in_record(&prediction.retrieved_passages)? + 1;
        let file = &files.predictions_name;
        Some(Lacking { file, record: index + 1, field: "retrieved_passages", item })
    });
    let in_gold = || {
        files.gold.iter().enumerate().find_map(|(index, test)| {
            let item = in_record(&test.snippets)? + 1;
            Some(Lacking { file: &files.gold_name, record: index + 1, field: "snippets", item })
        })
    };
    predicted.or_else(in_gold)
}
