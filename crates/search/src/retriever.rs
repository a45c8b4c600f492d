//! A collection and a method: queries in, ranked passages out.

use std::fmt;
use std::sync::Arc;

use assize_score::Explained;
use assize_score::arithmetic::{sum, times};
use rayon::prelude::*;

use crate::collection::Collection;
use crate::dense::vectors::to_length_one;
use crate::dense::{EmbedError, Embedder, StaticTable, Vectors};
use crate::hybrid::{Fusion, Hybrid};
use crate::lexical::{Bags, Bm25, Postings, TfIdf, bm25, tfidf};
use crate::method::Method;
use crate::query::QueryParts;
use crate::ranking::{Hit, best};
use crate::routing::Router;
use crate::tokens::Tokenizer;

/// What was found for a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The passages, best first; fewer than asked for when no more have anything in common
    /// with the query.
    pub hits: Vec<Hit>,
    /// Something the user should know about the query.
    pub remark: Option<QueryRemark>,
}

/// Something to know about a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryRemark {
    /// Nothing is left to search for: only stop words, or words the corpus does not have.
    NothingToSearch,
}

impl fmt::Display for QueryRemark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToSearch => formatter
                .write_str("nothing to search for: only stop words, or words no document has"),
        }
    }
}

/// How hard a named document is preferred: evidence for one term outweighs any passage.
const NAMED_WEIGHT: f64 = 100.0;
/// How much whole documents count when the query names none.
const UNNAMED_WEIGHT: f64 = 0.5;
/// The same beside places, which are worth a thirtieth at most.
const UNNAMED_WEIGHT_OF_RANKS: f64 = UNNAMED_WEIGHT / 60.0;

/// Passages ready to be searched.
#[derive(Debug)]
pub struct Retriever {
    collection: Arc<Collection>,
    engine: Engine,
    embedder: Arc<dyn Embedder>,
}

#[derive(Debug)]
enum Engine {
    TfIdf(TfIdf),
    Bm25(Bm25),
    Dense(Vectors),
    Hybrid(Box<(Hybrid, Router)>),
}

impl Retriever {
    /// Learns what the method needs from a collection; meaning by the table compiled in.
    pub fn new(collection: impl Into<Arc<Collection>>, method: Method) -> Self {
        let retriever = Self::with_embedder(collection.into(), method, Arc::new(StaticTable));
        retriever.expect("the table compiled in embeds every text")
    }

    /// Learns what the method needs from a collection; meaning by this embedder.
    pub fn with_embedder(
        collection: Arc<Collection>,
        method: Method,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self, EmbedError> {
        let count = collection.passages().len();
        let text = |passage: usize| collection.text(passage);
        let engine = match method {
            Method::TfIdf => Engine::TfIdf(TfIdf::new(count, text, tfidf::REFERENCE_FEATURES_MAX)),
            Method::Bm25 => {
                let bags = Bags::of(count, text, Tokenizer::Nltk);
                Engine::Bm25(Bm25::new(Postings::of(&bags), bm25::REFERENCE))
            }
            Method::Dense => Engine::Dense(Vectors::of(&*embedder, count, text)?),
            Method::Hybrid | Method::HybridRanks => {
                let fusion = if method == Method::Hybrid { Fusion::Scores } else { Fusion::Ranks };
                let hybrid = Hybrid::new(&collection, &*embedder, fusion)?;
                Engine::Hybrid(Box::new((hybrid, Router::new(collection.corpus()))))
            }
        };
        Ok(Self { collection, engine, embedder })
    }

    /// The passages that are searched.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// The `k` passages that fit a query best.
    pub fn search(&self, query: &str, k: usize) -> Result<Answer, EmbedError> {
        Ok(self.answer(query, self.vector(query)?, k))
    }

    /// The same for many queries, in their order; vectors are asked for in batches.
    pub fn search_all(&self, queries: &[&str], k: usize) -> Result<Vec<Answer>, EmbedError> {
        let texts: Vec<&str> =
            queries.iter().filter_map(|query| self.asks_for_meaning(query)).collect();
        let vectors = if texts.is_empty() {
            vec![Vec::new(); queries.len()]
        } else {
            let vectors = Vectors::of(&*self.embedder, texts.len(), |index| texts[index])?;
            (0..vectors.len()).map(|index| vectors.vector(index).to_vec()).collect()
        };
        let pairs = queries.par_iter().zip(vectors);
        Ok(pairs.map(|(query, vector)| self.answer(query, vector, k)).collect())
    }

    /// How the score of a passage came about.
    pub fn explain(&self, query: &str, passage: usize) -> Result<Explained, EmbedError> {
        let vector = self.vector(query)?;
        Ok(match &self.engine {
            Engine::TfIdf(tfidf) => tfidf.score(query, passage),
            Engine::Bm25(bm25) => bm25.score(&bm25_terms(bm25, query), passage),
            Engine::Dense(vectors) => vectors.cosine(&vector, passage),
            Engine::Hybrid(parts) => {
                let (hybrid, router) = &**parts;
                let (routing, question) = Routing::of(query, hybrid.fusion());
                let document = self.collection.passages()[passage].document;
                let evidence = router.explain(routing.naming, document);
                let passage = hybrid.explain(&hybrid.prepare(question, vector), passage);
                sum("score", vec![passage, times("weighted document", routing.weight, evidence)])
            }
        })
    }

    fn answer(&self, query: &str, vector: Vec<f32>, k: usize) -> Answer {
        let hits = match &self.engine {
            Engine::TfIdf(tfidf) => best(tfidf.scores(query), k),
            Engine::Bm25(bm25) => best(bm25.scores(&bm25_terms(bm25, query)), k),
            Engine::Dense(vectors) => {
                let known = vector.iter().any(|value| *value != 0.0);
                best(vectors.cosines(&vector).into_iter().map(|score| known.then_some(score)), k)
            }
            Engine::Hybrid(parts) => {
                let (hybrid, router) = &**parts;
                let (routing, question) = Routing::of(query, hybrid.fusion());
                let prepared = hybrid.prepare(question, vector);
                if !prepared.says_something() {
                    return Answer::nothing();
                }
                let evidence = router.evidence(routing.naming);
                let passages = self.collection.passages().iter();
                let scores = prepared.scores().into_iter().zip(passages).map(|(score, passage)| {
                    Some(score + routing.weight * evidence[passage.document])
                });
                best(scores, k)
            }
        };
        if hits.is_empty() && k > 0 { Answer::nothing() } else { Answer { hits, remark: None } }
    }

    /// The part of a query whose vector the method needs.
    fn asks_for_meaning<'a>(&self, query: &'a str) -> Option<&'a str> {
        match self.engine {
            Engine::TfIdf(_) | Engine::Bm25(_) => None,
            Engine::Dense(_) => Some(query),
            Engine::Hybrid(_) => Some(QueryParts::of(query).question),
        }
    }

    /// The vector of that part, of length one; empty when none is needed.
    fn vector(&self, query: &str) -> Result<Vec<f32>, EmbedError> {
        let Some(text) = self.asks_for_meaning(query) else {
            return Ok(Vec::new());
        };
        let mut vector = self.embedder.embed(&[text])?.pop().unwrap_or_default();
        to_length_one(&mut vector);
        Ok(vector)
    }
}

impl Answer {
    fn nothing() -> Self {
        Self { hits: Vec::new(), remark: Some(QueryRemark::NothingToSearch) }
    }
}

/// What names a document in a query, and how much it counts.
struct Routing<'a> {
    naming: &'a str,
    weight: f64,
}

impl<'a> Routing<'a> {
    /// The routing of a query, and its question.
    fn of(query: &'a str, fusion: Fusion) -> (Self, &'a str) {
        let unnamed = match fusion {
            Fusion::Scores => UNNAMED_WEIGHT,
            Fusion::Ranks => UNNAMED_WEIGHT_OF_RANKS,
        };
        let QueryParts { naming, question } = QueryParts::of(query);
        let routing = match naming {
            Some(naming) => Self { naming, weight: NAMED_WEIGHT },
            None => Self { naming: question, weight: unnamed },
        };
        (routing, question)
    }
}

fn bm25_terms(bm25: &Bm25, query: &str) -> Vec<bm25::Weighted> {
    let terms = Tokenizer::Nltk.terms(query);
    bm25.weighted(terms.iter().map(String::as_str))
}
