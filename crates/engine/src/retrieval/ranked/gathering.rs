//! A run or judgements that a caller holds in memory, taken over query by query.

use std::path::Path;

use super::error::Result;
use super::lists::{Lists, ListsBuilder};
use super::qrels::Qrels;
use super::run::Run;

/// A run (`f64`) or judgements (`i32`) in the making. Identifiers are copied once, one after the
/// other, and no document is looked up on the way.
///
/// ```
/// use assize_engine::retrieval::ranked::Gathering;
/// let mut gathering = Gathering::with_room(2);
/// gathering.query("q1");
/// gathering.document("d1", 0.5);
/// gathering.document("d2", 0.25);
/// assert_eq!(gathering.into_run("example").len(), 1);
/// ```
#[derive(Debug)]
pub struct Gathering<V> {
    builder: ListsBuilder<V>,
    distinct: bool,
}

impl<V: Copy> Gathering<V> {
    /// Nothing yet, with room for so many documents.
    pub fn with_room(documents: usize) -> Self {
        Self { builder: ListsBuilder::with_room(documents), distinct: false }
    }

    /// Names a query; the documents that follow belong to it. Without any it found nothing.
    pub fn query(&mut self, name: &str) {
        self.builder.end();
        self.builder.begin(name.as_bytes());
    }

    /// Adds a document under the query that was named last; there must be one.
    #[inline]
    pub fn document(&mut self, name: &str, value: V) {
        self.builder.add(name.as_bytes(), value);
    }

    /// Says whether it is known that no document came twice between one query and the next, as
    /// in a map: then nobody looks for it. That a query came again is noticed all the same.
    #[must_use]
    pub fn distinct(self, distinct: bool) -> Self {
        Self { distinct, ..self }
    }

    fn finish(mut self) -> Lists<V> {
        self.builder.end();
        if self.distinct { self.builder.finish_distinct() } else { self.builder.finish() }
    }
}

impl Gathering<f64> {
    /// The run; no score may be NaN.
    pub fn into_run(self, name: impl Into<String>) -> Run {
        let lists = self.finish();
        Run { name: name.into(), file: None, lists, has_surplus: false }
    }
}

impl Gathering<i32> {
    /// The judgements; without any, and with a document that stands twice, an error.
    pub fn into_qrels(self) -> Result<Qrels> {
        Qrels::checked(Path::new("qrels"), self.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A query, and its documents with their scores.
    type Listed<'a> = (&'a [u8], Vec<(&'a [u8], f64)>);

    fn judged(judgements: &[(&str, &[(&str, i32)])], distinct: bool) -> Result<Qrels, String> {
        let mut gathering = Gathering::with_room(0);
        for (query, documents) in judgements {
            gathering.query(query);
            documents.iter().for_each(|(name, level)| gathering.document(name, *level));
        }
        gathering.distinct(distinct).into_qrels().map_err(|error| error.to_string())
    }

    #[test]
    fn what_was_gathered_is_listed_as_it_came() {
        let mut gathering = Gathering::with_room(3);
        for (query, documents) in
            [("q1", [("b", 2.0), ("a", 1.0)]), ("q2", [("c", 3.0), ("a", 0.5)])]
        {
            gathering.query(query);
            for (name, score) in documents {
                gathering.document(name, score);
            }
        }
        let run = gathering.into_run("r");
        let listed: Vec<Listed<'_>> =
            run.queries().map(|(query, documents)| (query, documents.collect())).collect();
        let expected: [Listed<'_>; 2] =
            [(b"q1", vec![(b"b", 2.0), (b"a", 1.0)]), (b"q2", vec![(b"c", 3.0), (b"a", 0.5)])];
        assert_eq!(listed, expected);
    }

    #[test]
    fn a_query_that_comes_again_is_one_query_and_its_documents_are_looked_at() {
        let twice: [(&str, &[(&str, i32)]); 3] =
            [("q1", &[("a", 1)]), ("q2", &[("a", 1)]), ("q1", &[("a", 0)])];
        for distinct in [false, true] {
            let error = judged(&twice, distinct).unwrap_err();
            assert_eq!(error, "qrels: document `a` appears twice for query `q1`");
        }
        assert_eq!(judged(&twice[..2], true).unwrap().len(), 2);
        assert!(judged(&[], true).is_err());
    }
}
