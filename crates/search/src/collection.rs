//! A corpus cut into passages: what every retriever ranks.

use std::ops::Range;

use rayon::prelude::*;

use crate::chunk::Chunking;
use crate::corpus::Corpus;

/// One passage of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Index of its document in the corpus.
    pub document: usize,
    /// Which passage of its document it is, counted from 0.
    pub chunk: usize,
    /// Where it stands in its document, in bytes.
    pub bytes: Range<usize>,
    /// Where it stands in its document, in code points: start and end.
    pub span: (usize, usize),
}

/// A corpus and its passages, in order of file and span.
#[derive(Debug, Clone)]
pub struct Collection {
    corpus: Corpus,
    chunking: Chunking,
    passages: Vec<Passage>,
    /// Where the passages of each document begin; one more than there are documents.
    first_of_document: Vec<usize>,
}

impl Collection {
    /// Cuts every document of a corpus.
    pub fn new(corpus: Corpus, chunking: Chunking) -> Self {
        let passages = cut(&corpus, chunking);
        let starts = 0..=corpus.documents().len();
        let first_of_document = starts
            .map(|document| passages.partition_point(|passage| passage.document < document))
            .collect();
        Self { corpus, chunking, passages, first_of_document }
    }

    /// The documents the passages are cut from.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// How they were cut.
    pub fn chunking(&self) -> Chunking {
        self.chunking
    }

    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The indices of the passages of one document.
    pub fn of_document(&self, document: usize) -> Range<usize> {
        self.first_of_document[document]..self.first_of_document[document + 1]
    }

    /// The text of a passage, by its index.
    pub fn text(&self, passage: usize) -> &str {
        let passage = &self.passages[passage];
        &self.corpus.documents()[passage.document].text[passage.bytes.clone()]
    }

    /// The path of the file a passage stands in.
    pub fn path(&self, passage: usize) -> &str {
        &self.corpus.documents()[self.passages[passage].document].path
    }
}

/// The passages of every document, in order of file and span.
pub fn cut(corpus: &Corpus, chunking: Chunking) -> Vec<Passage> {
    let cut: Vec<Vec<Passage>> = corpus
        .documents()
        .par_iter()
        .enumerate()
        .map(|(index, document)| {
            let ranges = chunking.ranges(&document.text).into_iter().enumerate();
            let passage = |(chunk, bytes): (usize, Range<usize>)| Passage {
                document: index,
                chunk,
                span: document.span(&bytes),
                bytes,
            };
            ranges.map(passage).collect()
        })
        .collect();
    cut.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Document;

    #[test]
    fn passages_know_their_document_chunk_and_span() {
        let documents =
            vec![Document::new("b", "x y".to_owned()), Document::new("a", "é €\nz".to_owned())];
        let collection = Collection::new(Corpus::new(documents), Chunking::Lines);
        let facts: Vec<_> = (0..collection.passages().len())
            .map(|index| {
                let passage = &collection.passages()[index];
                (collection.path(index), passage.chunk, passage.span, collection.text(index))
            })
            .collect();
        assert_eq!(
            facts,
            [("a", 0, (0, 3), "é €"), ("a", 1, (4, 5), "z"), ("b", 0, (0, 3), "x y")]
        );
        assert_eq!(collection.of_document(0), 0..2);
    }
}
