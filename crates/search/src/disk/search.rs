//! Searching an index on disk: BM25 by the engine, order and explanation by us.

use assize_score::Explained;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, Searcher, TantivyDocument, Term};

use super::explain::explained;
use super::{DiskError, DiskIndex};
use crate::tokens::stems::distinct_stems;

/// Hits fetched beyond those asked for, so that ties at the edge are broken by file and
/// span and not by where the engine happens to keep them.
const TIES_MAX: usize = 256;

/// A passage found in an index on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskHit {
    /// The file, below the corpus folder.
    pub file_path: String,
    /// Start and end in code points of the file's text.
    pub span: (u64, u64),
    /// Which passage of its file it is, counted from 0.
    pub chunk: u64,
    /// The passage.
    pub text: String,
    /// BM25 by stems.
    pub score: f64,
    address: DocAddress,
}

impl DiskIndex {
    /// The `k` passages that fit a query best; none when nothing is left to search for.
    pub fn search(&self, query: &str, k: usize) -> Result<Vec<DiskHit>, DiskError> {
        let Some(query) = self.query(query) else {
            return Ok(Vec::new());
        };
        let searcher = self.reader.searcher();
        let limit = k.saturating_add(TIES_MAX);
        let found = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
        let edge = found.get(k.wrapping_sub(1)).map(|(score, _)| *score);
        let mut hits = Vec::new();
        for (score, address) in found {
            if edge.is_none_or(|edge| score >= edge) {
                hits.push(self.hit(&searcher, score, address)?);
            }
        }
        hits.sort_by(|left, right| {
            let key = |hit: &DiskHit| (hit.file_path.clone(), hit.span);
            right.score.total_cmp(&left.score).then_with(|| key(left).cmp(&key(right)))
        });
        hits.truncate(k);
        Ok(hits)
    }

    /// How the score of a hit came about.
    pub fn explain(&self, query: &str, hit: &DiskHit) -> Result<Option<Explained>, DiskError> {
        let Some(query) = self.query(query) else {
            return Ok(None);
        };
        let explanation = query.explain(&self.reader.searcher(), hit.address)?;
        Ok(Some(explained(&serde_json::to_value(&explanation)?)))
    }

    fn query(&self, query: &str) -> Option<BooleanQuery> {
        let term = |term: String| -> Box<dyn Query> {
            let term = Term::from_field_text(self.fields.text, &term);
            Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
        };
        let terms: Vec<_> = distinct_stems(query).into_iter().map(term).collect();
        (!terms.is_empty()).then(|| BooleanQuery::union(terms))
    }

    fn hit(
        &self,
        searcher: &Searcher,
        score: f32,
        address: DocAddress,
    ) -> Result<DiskHit, DiskError> {
        let entry: TantivyDocument = searcher.doc(address)?;
        let text = |field| entry.get_first(field).and_then(|value| value.as_str()).unwrap_or("");
        let number = |field| entry.get_first(field).and_then(|value| value.as_u64()).unwrap_or(0);
        Ok(DiskHit {
            file_path: text(self.fields.path).to_owned(),
            span: (number(self.fields.start), number(self.fields.end)),
            chunk: number(self.fields.chunk),
            text: text(self.fields.text).to_owned(),
            score: f64::from(score),
            address,
        })
    }
}
