//! Hybrid search: terms and meaning together.
//!
//! Read in this order: BM25 by stems and the cosine of vectors are brought to one scale
//! ([`standard`]) and added. Within a document that the query names ([`crate::routing`]) the
//! question is also widened by terms of passages that seem to answer it anywhere in the
//! corpus ([`feedback`]), because documents of one kind say the same thing in other words.
//!
//! In general search the question stays as it is: where documents speak of different things,
//! what they agree on says little. Scores are added, not places: on six collections reciprocal
//! rank fusion with equal weights lost two to seven points of nDCG@10. docs/adr/0005 has the
//! figures.

pub mod feedback;
pub mod standard;

use std::sync::{Arc, OnceLock};

use assize_score::Working;
use assize_score::arithmetic::{sum, times};

use self::feedback::Feedback;
use self::standard::Standard;
use crate::collection::Collection;
use crate::dense::{EmbedError, Embedder, Vectors};
use crate::lexical::bm25::{STEMMED, Weighted};
use crate::lexical::{Bags, Bm25, Idf, Parameters, Postings};
use crate::tokens::{StopWords, Tokenizer};

/// BM25 over passages of one document, which are of like length: length matters little.
const WITHIN: Parameters = Parameters { k1: 1.2, b: 0.3, idf: Idf::Plain };
/// What meaning is worth against terms within a document.
const WITHIN_MEANING_WEIGHT: f64 = 0.5;
/// How passages become terms.
const TERMS: Tokenizer = Tokenizer::Words(StopWords::English);

/// Passages ranked by terms and meaning together.
#[derive(Debug)]
pub struct Hybrid {
    general: Bm25,
    within: Bm25,
    vectors: Vectors,
    meaning_weight: f64,
    /// Only needed, and only learnt, when a query names a document.
    feedback: OnceLock<Feedback>,
}

/// Where a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In all passages alike.
    General,
    /// In a document that the query names.
    Within,
}

/// A question, ready to be put to every passage.
#[derive(Debug)]
pub struct Prepared {
    scope: Scope,
    terms: Vec<Weighted>,
    vector: Vec<f32>,
    bm25: Vec<f64>,
    cosines: Vec<f64>,
    by_terms: Standard,
    by_meaning: Standard,
    meaning_weight: f64,
}

impl Hybrid {
    /// Learns the terms and vectors of all passages.
    pub fn new(collection: &Collection, embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let count = collection.passages().len();
        let bags = Bags::of(count, |passage| collection.text(passage), TERMS);
        let postings = Arc::new(Postings::of(&bags));
        Ok(Self {
            general: Bm25::new(Arc::clone(&postings), STEMMED),
            within: Bm25::new(postings, WITHIN),
            vectors: Vectors::of(embedder, count, |passage| collection.text(passage))?,
            meaning_weight: embedder.weight(),
            feedback: OnceLock::new(),
        })
    }

    /// Learns what questions within a document need, once.
    pub(crate) fn learn_within(
        &self,
        collection: &Collection,
        embedder: &dyn Embedder,
    ) -> Result<(), EmbedError> {
        if self.feedback.get().is_none() {
            // A second thread that came as early has learnt the same.
            let _ = self.feedback.set(Feedback::new(collection.corpus(), embedder)?);
        }
        Ok(())
    }

    /// Prepares a question whose vector is known.
    pub fn prepare(&self, question: &str, vector: Vec<f32>, scope: Scope) -> Prepared {
        let bm25 = self.bm25(scope);
        let widened = match (scope, self.feedback.get()) {
            (Scope::Within, Some(feedback)) => feedback.widened(question, &vector),
            _ => TERMS.terms(question).into_iter().map(|term| (term, 1.0)).collect(),
        };
        let known = widened.into_iter().filter_map(|(term, weight)| {
            Some(Weighted { term: bm25.postings().vocabulary.find(&term)?, weight })
        });
        let terms: Vec<Weighted> = known.collect();
        let bm25 = or_zero(&bm25.scores(&terms));
        let cosines = self.vectors.cosines(&vector);
        Prepared {
            by_terms: Standard::of(&bm25),
            by_meaning: Standard::of(&cosines),
            meaning_weight: match scope {
                Scope::General => self.meaning_weight,
                Scope::Within => WITHIN_MEANING_WEIGHT,
            },
            scope,
            terms,
            vector,
            bm25,
            cosines,
        }
    }

    /// The score of one passage, with workings if the caller wants them.
    pub fn explain<N: Working>(&self, prepared: &Prepared, passage: usize) -> N {
        let bm25 = self.bm25(prepared.scope).score::<N>(&prepared.terms, passage);
        let cosine = self.vectors.cosine::<N>(&prepared.vector, passage);
        prepared.combined(bm25, cosine)
    }

    fn bm25(&self, scope: Scope) -> &Bm25 {
        match scope {
            Scope::General => &self.general,
            Scope::Within => &self.within,
        }
    }
}

/// A passage that shares no term scores 0 among those that do.
fn or_zero(scores: &[Option<f64>]) -> Vec<f64> {
    scores.iter().map(|score| score.unwrap_or(0.0)).collect()
}

impl Prepared {
    /// Whether the question has any term or meaning the corpus knows.
    pub(crate) fn says_something(&self) -> bool {
        !self.terms.is_empty() || self.vector.iter().any(|value| *value != 0.0)
    }

    /// The score of every passage.
    pub fn scores(&self) -> Vec<f64> {
        let pairs = self.bm25.iter().zip(&self.cosines);
        pairs.map(|(bm25, cosine)| self.combined(*bm25, *cosine)).collect()
    }

    fn combined<N: Working>(&self, bm25: N, cosine: N) -> N {
        let meaning = self.by_meaning.score("meaning", cosine);
        let meaning = times("weighted meaning", self.meaning_weight, meaning);
        sum("hybrid", vec![self.by_terms.score("terms", bm25), meaning])
    }
}
