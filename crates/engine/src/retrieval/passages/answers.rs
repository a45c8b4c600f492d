//! What was answered from the passages, read by the rules that read summaries.

use assize_methods::retrieval::answers;
use assize_methods::retrieval::passages::Passage;
use assize_methods::summary::{Evidence, SummaryPair};
use assize_score::Verdict;

use super::files::Entry;
use crate::summary::Settings;

/// What stands between two passages.
const BETWEEN: &str = "\n\n";

/// The values of an answer, or why it has none.
pub(super) fn score(entry: &Entry<'_>, retrieved: &[Passage<'_>]) -> Result<[f64; 2], String> {
    answers::score(&evidence(entry, retrieved)?).map_err(|unscored| unscored.0.to_owned())
}

/// The same with all workings.
pub(super) fn explain(entry: &Entry<'_>, retrieved: &[Passage<'_>]) -> Result<Verdict, String> {
    Ok(answers::explain(&evidence(entry, retrieved)?))
}

/// What the rules find in an answer, held against everything that was retrieved for it.
fn evidence(entry: &Entry<'_>, retrieved: &[Passage<'_>]) -> Result<Evidence, String> {
    let answer = entry.prediction.and_then(|(_, prediction)| prediction.answer());
    let answer = answer.ok_or("the record has no answer")?;
    let texts: Vec<&str> = retrieved.iter().map(Passage::text).collect();
    let texts = texts.join(BETWEEN);
    let pair = SummaryPair::new(&texts, &answer).map_err(|refusal| refusal.to_string())?;
    Ok(Settings::default().evidence(pair))
}
