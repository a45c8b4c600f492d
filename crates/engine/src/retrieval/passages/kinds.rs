//! Which measures the input allows: texts can be matched, places can be overlaid.

use super::error::PassageError;
use super::files::{Entry, Files};
use super::options::{Besides, Measures, ScoreOptions};
use super::row::{Lacking, Values};

/// What keeps a passage from being compared letter by letter.
pub(super) const NOT_COMPARABLE: &str =
    "has no `text`, or more than can be compared letter by letter";

/// Which kinds of measures go into the scoreboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds {
    /// The four measures on texts.
    pub(super) text: bool,
    /// The character measures on places.
    pub(super) spans: bool,
    /// Some retrieved passages name their place and others do not.
    pub(super) some_without_place: bool,
    /// What is measured besides.
    pub(super) besides: Besides,
}

/// What can be measured on all queries and is wanted; an error names the first passage
/// that prevents it.
pub(super) fn kinds(
    files: &Files<'_>,
    scored: &[(Entry<'_>, Values)],
    &ScoreOptions { measures: wanted, besides, .. }: &ScoreOptions,
) -> Result<Kinds, PassageError> {
    let some_place = scored.iter().any(|(_, values)| values.some_place);
    let without_text = scored.iter().find_map(|(entry, values)| Some((entry, values.text.err()?)));
    let without_place =
        scored.iter().find_map(|(entry, values)| Some((entry, values.spans.err()?)));
    let all_places = without_place.is_none() && some_place;
    let refuse = |lacking: Option<(&Entry<'_>, Lacking)>, problem| {
        let error = lacking.and_then(|(entry, lacking)| error(files, entry, lacking, problem));
        error.map_or(Ok(()), Err)
    };
    if besides.contexts {
        let lacking =
            scored.iter().find_map(|(entry, values)| Some((entry, values.contexts.err()?)));
        refuse(lacking, NOT_COMPARABLE)?;
    }
    match wanted {
        Measures::Text => refuse(without_text, "has no `text`")?,
        Measures::Spans => refuse(without_place, "has no `file_path` with a `span`")?,
        Measures::Auto if !all_places => {
            refuse(without_text, "has neither `text` nor a `file_path` with a `span`")?;
        }
        Measures::Auto => {}
    }
    Ok(Kinds {
        text: wanted != Measures::Spans && without_text.is_none(),
        spans: wanted == Measures::Spans || (wanted == Measures::Auto && all_places),
        some_without_place: wanted == Measures::Auto && some_place && !all_places,
        besides,
    })
}

/// The error that names a passage; none if the measure was just not asked for.
pub(super) fn error(
    files: &Files<'_>,
    entry: &Entry<'_>,
    lacking: Lacking,
    problem: &'static str,
) -> Option<PassageError> {
    let (source, record, field, item) = match lacking {
        Lacking::NotAsked => return None,
        Lacking::Gold(item) => (files.gold_source, entry.test, "snippets", item),
        Lacking::Retrieved(item) => {
            let (record, _) = entry.prediction?;
            (files.prediction_source, record, "retrieved_passages", item)
        }
    };
    let (file, record, item) = (source.name.clone(), record + 1, item + 1);
    Some(PassageError::Lacking { file, record, field, item, problem })
}
