//! Queries that are searched for in a corpus.

use std::sync::Arc;

use assize_search::corpus::Limits;
use assize_search::{Chunking, Collection, Document, Options, Prediction, Retriever, StaticTable};

use super::score::Scored;
use super::{Measuring, told};
use crate::checks::spec::Searched;
use crate::error::EngineError;
use crate::input::Source;
use crate::retrieval::passages::read_gold;
use crate::retrieval::ranked::{Qrels, Reading};
use crate::retrieval::request::in_folder;
use crate::retrieve::{Found, ask, json, queries_in, read_benchmark, read_texts};

/// How many documents each query lists.
const DOCUMENTS: usize = 100;
/// How many passages are looked at for them: a document may have several.
const PASSAGES: usize = 800;

impl Measuring<'_> {
    /// What a search finds, ready to be scored.
    pub(super) fn retrieved(&self, wanted: &Searched) -> Result<Scored, EngineError> {
        let source = Source::open(&queries_in(&self.path(&wanted.queries))).map_err(told)?;
        let benchmark = read_benchmark(source).map_err(told)?;
        let tests = read_gold(&benchmark.source).map_err(told)?;
        let queries: Vec<&str> = tests.iter().map(|test| &*test.query).collect();
        let (corpus, _) =
            read_texts(&self.path(&wanted.corpus), Limits::default()).map_err(told)?;
        let records = corpus.documents().iter().any(Document::is_record);
        let chunking = if records { Chunking::Whole } else { Chunking::default() };
        let collection = Arc::new(Collection::new(corpus, chunking));
        let retriever = Retriever::with(
            Arc::clone(&collection),
            wanted.method.0,
            Options::default(),
            Arc::new(StaticTable),
        )
        .map_err(told)?;
        let answers = ask(&retriever, &queries, PASSAGES, &mut |_| {}).map_err(told)?;
        let pairs = queries.iter().zip(&answers);
        let predictions: Vec<Prediction<'_>> =
            pairs.map(|(query, answer)| Prediction::new(query, answer, &collection)).collect();
        let Some(qrels) = &wanted.qrels else {
            let value = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(told);
            let run = value(&json(&predictions, None))?;
            return Ok(Scored::Passages(Box::new((run, value(&benchmark.source.bytes)?))));
        };
        let file = self.path(qrels);
        let file = in_folder(&file).map_err(told)?.unwrap_or(file);
        let qrels = Qrels::load(&file, &Reading::default()).map_err(told)?;
        let ids = benchmark.ids.as_deref();
        let name = wanted.method.0.to_string();
        let found = Found { predictions: &predictions, ids, name: &name, k: DOCUMENTS };
        let run = found.run();
        Ok(Scored::Ranked(Box::new((run, qrels)), Some(collection)))
    }
}
