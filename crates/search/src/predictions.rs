//! What was found, in the form that `assize score` reads.

use std::borrow::Cow;

use serde::Serialize;

use crate::collection::Collection;
use crate::retriever::Answer;

/// One query and its passages, best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction<'a> {
    /// The query as the benchmark has it.
    pub query: &'a str,
    /// The passages, best first.
    pub retrieved_passages: Vec<Retrieved<'a>>,
}

/// One passage and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retrieved<'a> {
    /// Its text, exactly as it stands in the file.
    pub text: Cow<'a, str>,
    /// The file, below the corpus folder.
    pub file_path: Cow<'a, str>,
    /// Start and end in code points of the file's text.
    pub span: (usize, usize),
    /// Which passage of its file it is, counted from 0.
    pub chunk: usize,
    /// How well it fits, on the scale of the method.
    pub score: f64,
}

impl<'a> Prediction<'a> {
    /// An answer with the texts it points at.
    pub fn new(query: &'a str, answer: &Answer, collection: &'a Collection) -> Self {
        let retrieved = |hit: &crate::Hit| {
            let passage = &collection.passages()[hit.passage];
            Retrieved {
                text: collection.text(hit.passage).into(),
                file_path: collection.path(hit.passage).into(),
                span: passage.span,
                chunk: passage.chunk,
                score: hit.score,
            }
        };
        Self { query, retrieved_passages: answer.hits.iter().map(retrieved).collect() }
    }

    /// What an index on disk found.
    pub fn of_disk(query: &'a str, hits: Vec<crate::disk::DiskHit>) -> Self {
        // Positions were counted in memory once, so they fit it again.
        let here = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let retrieved = |hit: crate::disk::DiskHit| Retrieved {
            text: hit.text.into(),
            file_path: hit.file_path.into(),
            span: (here(hit.span.0), here(hit.span.1)),
            chunk: here(hit.chunk),
            score: hit.score,
        };
        Self { query, retrieved_passages: hits.into_iter().map(retrieved).collect() }
    }
}
