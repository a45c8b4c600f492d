//! A collection and a method: queries in, ranked passages out.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use assize_score::Explained;
use assize_score::arithmetic::{sum, times};
use thiserror::Error;

use crate::collection::Collection;
use crate::dense::vectors::to_length_one;
use crate::dense::{EmbedError, Embedder, StaticTable, Vectors};
use crate::hybrid::{Hybrid, Prepared};
use crate::lexical::{Bags, Bm25, Postings, TfIdf, bm25, tfidf};
use crate::query::QueryParts;
use crate::ranking::{Hit, best};
use crate::routing::Router;
use crate::tokens::Tokenizer;

/// How passages are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// TF-IDF and cosine, by the recipe of the reference figures.
    TfIdf,
    /// BM25, by the recipe of the reference figures.
    Bm25,
    /// The cosine of embeddings.
    Dense,
    /// Terms and meaning together, in the document that the query names.
    Hybrid,
}

impl Method {
    /// Every method, in the order in which they are compared.
    pub const ALL: [Self; 4] = [Self::TfIdf, Self::Bm25, Self::Dense, Self::Hybrid];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TfIdf => "tfidf",
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that is no method.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no method; use tfidf, bm25, dense or hybrid")]
pub struct UnknownMethod(String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}

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
            Method::Hybrid => {
                let hybrid = Hybrid::new(&collection, &*embedder)?;
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
        let hits = match &self.engine {
            Engine::TfIdf(tfidf) => best(tfidf.scores(query), k),
            Engine::Bm25(bm25) => {
                let terms = bm25_terms(bm25, query);
                best(bm25.scores(&terms), k)
            }
            Engine::Dense(vectors) => {
                let vector = self.vector(query)?;
                let known = vector.iter().any(|value| *value != 0.0);
                best(vectors.cosines(&vector).into_iter().map(|score| known.then_some(score)), k)
            }
            Engine::Hybrid(parts) => {
                let (hybrid, router) = &**parts;
                let (routing, prepared) = self.prepared(hybrid, query)?;
                if !prepared.says_something() {
                    return Ok(Answer::nothing());
                }
                let evidence = router.evidence(routing.naming);
                let passages = self.collection.passages().iter();
                let scores = prepared.scores().into_iter().zip(passages).map(|(score, passage)| {
                    Some(score + routing.weight * evidence[passage.document])
                });
                best(scores, k)
            }
        };
        if hits.is_empty() && k > 0 {
            Ok(Answer::nothing())
        } else {
            Ok(Answer { hits, remark: None })
        }
    }

    /// How the score of a passage came about.
    pub fn explain(&self, query: &str, passage: usize) -> Result<Explained, EmbedError> {
        Ok(match &self.engine {
            Engine::TfIdf(tfidf) => tfidf.score(query, passage),
            Engine::Bm25(bm25) => bm25.score(&bm25_terms(bm25, query), passage),
            Engine::Dense(vectors) => vectors.cosine(&self.vector(query)?, passage),
            Engine::Hybrid(parts) => {
                let (hybrid, router) = &**parts;
                let (routing, prepared) = self.prepared(hybrid, query)?;
                let document = self.collection.passages()[passage].document;
                let evidence = router.explain(routing.naming, document);
                let passage = hybrid.explain(&prepared, passage);
                sum("score", vec![passage, times("weighted document", routing.weight, evidence)])
            }
        })
    }

    fn prepared<'a>(
        &self,
        hybrid: &Hybrid,
        query: &'a str,
    ) -> Result<(Routing<'a>, Prepared), EmbedError> {
        let QueryParts { naming, question } = QueryParts::of(query);
        let routing = match naming {
            Some(naming) => Routing { naming, weight: NAMED_WEIGHT },
            None => Routing { naming: question, weight: UNNAMED_WEIGHT },
        };
        Ok((routing, hybrid.prepare(question, self.vector(question)?)))
    }

    fn vector(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
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

fn bm25_terms(bm25: &Bm25, query: &str) -> Vec<bm25::Weighted> {
    let terms = Tokenizer::Nltk.terms(query);
    bm25.weighted(terms.iter().map(String::as_str))
}
