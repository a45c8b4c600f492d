//! Hybrid search: terms and meaning, and the words other documents use for the same.
//!
//! Read in this order: the question is widened by terms of passages that seem to answer
//! it anywhere in the corpus ([`feedback`]), BM25 by stems and the cosine of vectors are
//! brought to one scale ([`standard`]) and added, and a document the query names comes
//! first ([`crate::routing`]).

pub mod feedback;
pub mod standard;

use assize_score::Working;
use assize_score::arithmetic::{sum, times};

use self::feedback::Feedback;
use self::standard::Standard;
use crate::collection::Collection;
use crate::dense::{EmbedError, Embedder, Vectors};
use crate::lexical::bm25::Weighted;
use crate::lexical::{Bags, Bm25, Idf, Parameters, Postings};
use crate::tokens::Tokenizer;

/// BM25 over passages of like length: length matters little.
pub(crate) const STEMMED: Parameters = Parameters { k1: 1.2, b: 0.3, idf: Idf::Plain };
/// What meaning is worth against terms.
const MEANING_WEIGHT: f64 = 0.5;

/// Passages ranked by terms and meaning together.
#[derive(Debug)]
pub struct Hybrid {
    bm25: Bm25,
    vectors: Vectors,
    feedback: Feedback,
}

/// A question, ready to be put to every passage.
#[derive(Debug)]
pub struct Prepared {
    terms: Vec<Weighted>,
    vector: Vec<f32>,
    bm25: Vec<f64>,
    cosines: Vec<f64>,
    bm25_standard: Standard,
    cosine_standard: Standard,
}

impl Hybrid {
    /// Learns the terms and vectors of all passages.
    pub fn new(collection: &Collection, embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let count = collection.passages().len();
        let bags = Bags::of(count, |passage| collection.text(passage), Tokenizer::Stems);
        Ok(Self {
            bm25: Bm25::new(Postings::of(&bags), STEMMED),
            vectors: Vectors::of(embedder, count, |passage| collection.text(passage))?,
            feedback: Feedback::new(collection.corpus(), embedder)?,
        })
    }

    /// Prepares a question whose vector is known.
    pub fn prepare(&self, question: &str, vector: Vec<f32>) -> Prepared {
        let terms: Vec<Weighted> = self
            .feedback
            .widened(question, &vector)
            .into_iter()
            .filter_map(|(term, weight)| {
                let term = self.bm25.postings().vocabulary.find(&term)?;
                Some(Weighted { term, weight })
            })
            .collect();
        let bm25 = or_zero(&self.bm25.scores(&terms));
        let cosines = self.vectors.cosines(&vector);
        let (bm25_standard, cosine_standard) = (Standard::of(&bm25), Standard::of(&cosines));
        Prepared { terms, vector, bm25, cosines, bm25_standard, cosine_standard }
    }

    /// The score of one passage, with workings if the caller wants them.
    pub fn explain<N: Working>(&self, prepared: &Prepared, passage: usize) -> N {
        let bm25 = self.bm25.score::<N>(&prepared.terms, passage);
        let cosine = self.vectors.cosine::<N>(&prepared.vector, passage);
        prepared.combined(bm25, cosine)
    }
}

/// A passage that shares no term scores 0 among those that do.
fn or_zero(scores: &[Option<f64>]) -> Vec<f64> {
    scores.iter().map(|score| score.unwrap_or(0.0)).collect()
}

impl Prepared {
    /// Whether the question has any term or meaning the corpus knows.
    pub fn says_something(&self) -> bool {
        !self.terms.is_empty() || self.vector.iter().any(|value| *value != 0.0)
    }

    /// The score of every passage.
    pub fn scores(&self) -> Vec<f64> {
        let pairs = self.bm25.iter().zip(&self.cosines);
        pairs.map(|(bm25, cosine)| self.combined::<f64>(*bm25, *cosine)).collect()
    }

    fn combined<N: Working>(&self, bm25: N, cosine: N) -> N {
        let meaning = self.cosine_standard.score("meaning", cosine);
        sum(
            "hybrid",
            vec![
                self.bm25_standard.score("terms", bm25),
                times("weighted meaning", MEANING_WEIGHT, meaning),
            ],
        )
    }
}
