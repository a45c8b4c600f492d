//! Hybrid search: terms and meaning, and the words other documents use for the same.
//!
//! Read in this order: the question is widened by terms of passages that seem to answer
//! it anywhere in the corpus ([`feedback`]), BM25 by stems and the cosine of vectors are
//! brought to one scale ([`standard`]) and added, or only their ranks are ([`ranks`]), and
//! a document the query names comes first ([`crate::routing`]).

pub mod feedback;
pub mod ranks;
pub mod standard;

use assize_score::Working;
use assize_score::arithmetic::{sum, times};

use self::feedback::Feedback;
use self::ranks::Ranks;
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

/// How terms and meaning become one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fusion {
    /// Both brought to one scale and added.
    Scores,
    /// Reciprocal rank fusion: only the places count.
    Ranks,
}

/// Passages ranked by terms and meaning together.
#[derive(Debug)]
pub struct Hybrid {
    fusion: Fusion,
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
    fused: Fused,
}

/// What one passage's terms and meaning are held against.
#[derive(Debug)]
enum Fused {
    Scores { terms: Standard, meaning: Standard },
    Ranks { terms: Ranks, meaning: Ranks },
}

impl Hybrid {
    /// Learns the terms and vectors of all passages.
    pub fn new(
        collection: &Collection,
        embedder: &dyn Embedder,
        fusion: Fusion,
    ) -> Result<Self, EmbedError> {
        let count = collection.passages().len();
        let bags = Bags::of(count, |passage| collection.text(passage), Tokenizer::Stems);
        Ok(Self {
            fusion,
            bm25: Bm25::new(Postings::of(&bags), STEMMED),
            vectors: Vectors::of(embedder, count, |passage| collection.text(passage))?,
            feedback: Feedback::new(collection.corpus(), embedder)?,
        })
    }

    /// How terms and meaning become one score.
    pub fn fusion(&self) -> Fusion {
        self.fusion
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
        let fused = match self.fusion {
            Fusion::Scores => {
                Fused::Scores { terms: Standard::of(&bm25), meaning: Standard::of(&cosines) }
            }
            Fusion::Ranks => Fused::Ranks { terms: Ranks::of(&bm25), meaning: Ranks::of(&cosines) },
        };
        Prepared { terms, vector, bm25, cosines, fused }
    }

    /// The score of one passage, with workings if the caller wants them.
    pub fn explain<N: Working>(&self, prepared: &Prepared, passage: usize) -> N {
        let bm25 = self.bm25.score::<N>(&prepared.terms, passage);
        let cosine = self.vectors.cosine::<N>(&prepared.vector, passage);
        prepared.combined(passage, bm25, cosine)
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
        let pairs = self.bm25.iter().zip(&self.cosines).enumerate();
        pairs.map(|(passage, (bm25, cosine))| self.combined(passage, *bm25, *cosine)).collect()
    }

    fn combined<N: Working>(&self, passage: usize, bm25: N, cosine: N) -> N {
        match &self.fused {
            Fused::Scores { terms, meaning } => {
                let meaning = meaning.score("meaning", cosine);
                let meaning = times("weighted meaning", MEANING_WEIGHT, meaning);
                sum("hybrid", vec![terms.score("terms", bm25), meaning])
            }
            Fused::Ranks { terms, meaning } => {
                let terms = terms.share("place by terms", passage, bm25);
                let meaning = meaning.share("place by meaning", passage, cosine);
                sum("hybrid", vec![terms, meaning])
            }
        }
    }
}
