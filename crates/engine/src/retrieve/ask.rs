//! Queries asked one batch after the other, so that progress can be told.

use assize_search::dense::EmbedError;
use assize_search::{Answer, Retriever};

/// Queries of one batch: enough to keep every core busy, few enough to tell progress.
const BATCH_QUERIES: usize = 256;

/// The answers to all queries, in their order; `progress` hears how many are answered.
pub fn ask(
    retriever: &Retriever,
    queries: &[&str],
    k: usize,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Answer>, EmbedError> {
    let mut answers = Vec::with_capacity(queries.len());
    for batch in queries.chunks(BATCH_QUERIES) {
        answers.extend(retriever.search_all(batch, k)?);
        progress(answers.len());
    }
    Ok(answers)
}
