//! A collection and a method: queries in, ranked passages out.

use std::fmt;
use std::sync::Arc;

use assize_score::Explained;
use assize_score::arithmetic::{sum, times};
use rayon::prelude::*;

use crate::collection::Collection;
use crate::dense::vectors::to_length_one;
use crate::dense::{EmbedError, Embedder, StaticTable, Vectors};
use crate::hybrid::{Hybrid, Scope};
use crate::lexical::{Bags, Bm25, Postings, TfIdf, bm25, tfidf};
use crate::method::Method;
use crate::ranking::{Hit, best};
use crate::routing::{Route, Router};
use crate::tokens::{Stem, StopWords, Tokenizer};

/// What was found for a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The passages, best first; fewer than asked for when no more have anything in common
    /// with the query.
    pub hits: Vec<Hit>,
    /// Something the user should know about the query.
    pub remark: Option<QueryRemark>,
    /// The document that the query names, where the method looks for one.
    pub route: Option<Route>,
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
            Self::NothingToSearch => formatter.write_str(
                "nothing to search for: only stop words, or words that occur in no document",
            ),
        }
    }
}

/// How hard a named document is preferred, against the distance between the best passage and
/// the worst. At full confidence and a margin of a third, no passage elsewhere comes before it.
const NAMED_WEIGHT: f64 = 3.0;

/// How a method is varied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// What BM25 ranks by: stems, or words by the recipe of the reference figures (the
    /// `rank_bm25` library with NLTK's words).
    pub stem: Stem,
    /// The words that BM25 by stems leaves out.
    pub stop_words: StopWords,
}

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
    Bm25(Bm25, Tokenizer),
    Dense(Vectors),
    Hybrid(Box<(Hybrid, Router)>),
}

impl Retriever {
    /// Learns what the method needs from a collection; meaning by the table compiled in.
    pub fn new(collection: impl Into<Arc<Collection>>, method: Method) -> Self {
        let retriever =
            Self::with(collection.into(), method, Options::default(), Arc::new(StaticTable));
        retriever.expect("the table compiled in embeds every text")
    }

    /// Learns what the method needs from a collection; meaning by this embedder.
    pub fn with(
        collection: Arc<Collection>,
        method: Method,
        options: Options,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self, EmbedError> {
        let count = collection.passages().len();
        let text = |passage: usize| collection.text(passage);
        let engine = match method {
            Method::TfIdf => Engine::TfIdf(TfIdf::new(count, text, tfidf::REFERENCE_FEATURES_MAX)),
            Method::Bm25 => {
                let (tokenizer, parameters) = match options.stem {
                    Stem::English => (Tokenizer::Words(options.stop_words), bm25::STEMMED),
                    Stem::None => (Tokenizer::Nltk, bm25::REFERENCE),
                };
                let bags = Bags::of(count, text, tokenizer);
                Engine::Bm25(Bm25::new(Postings::of(&bags), parameters), tokenizer)
            }
            Method::Dense => Engine::Dense(Vectors::of(&*embedder, count, text)?),
            Method::Hybrid => {
                let hybrid = Hybrid::new(&collection, &*embedder)?;
                Engine::Hybrid(Box::new((hybrid, Router::new(&collection))))
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
        let asked = self.asked(query);
        let vector = self.vector(&asked)?;
        self.learn(std::slice::from_ref(&asked))?;
        Ok(self.answer(asked, vector, k))
    }

    /// The same for many queries, in their order; vectors are asked for in batches.
    pub fn search_all(&self, queries: &[&str], k: usize) -> Result<Vec<Answer>, EmbedError> {
        let asked: Vec<RoutedQuery<'_>> =
            queries.par_iter().map(|query| self.asked(query)).collect();
        let vectors = if self.asks_for_meaning() {
            let questions: Vec<_> =
                asked.iter().map(|asked| self.embedder.question(asked.question())).collect();
            let vectors = Vectors::of(&*self.embedder, asked.len(), |index| &*questions[index])?;
            (0..vectors.len()).map(|index| vectors.vector(index).to_vec()).collect()
        } else {
            vec![Vec::new(); queries.len()]
        };
        self.learn(&asked)?;
        let pairs = asked.into_par_iter().zip(vectors);
        Ok(pairs.map(|(asked, vector)| self.answer(asked, vector, k)).collect())
    }

    /// How the score of a passage was computed.
    pub fn explain(&self, query: &str, passage: usize) -> Result<Explained, EmbedError> {
        let asked = self.asked(query);
        let vector = self.vector(&asked)?;
        self.learn(std::slice::from_ref(&asked))?;
        Ok(match &self.engine {
            Engine::TfIdf(tfidf) => tfidf.score(query, passage),
            Engine::Bm25(bm25, tokenizer) => bm25.score(&terms(bm25, *tokenizer, query), passage),
            Engine::Dense(vectors) => vectors.cosine(&vector, passage),
            Engine::Hybrid(parts) => {
                let prepared = parts.0.prepare(asked.question(), vector, asked.scope());
                let score = parts.0.explain(&prepared, passage);
                match &asked.route {
                    None => score,
                    Some(route) => {
                        let document = self.collection.passages()[passage].document;
                        let weight = weight(route, &prepared.scores());
                        let named = times("weighted document", weight, route.share(document));
                        sum("score", vec![score, named])
                    }
                }
            }
        })
    }

    fn answer(&self, asked: RoutedQuery<'_>, vector: Vec<f32>, k: usize) -> Answer {
        let query = asked.query;
        let hits = match &self.engine {
            Engine::TfIdf(tfidf) => best(tfidf.scores(query), k),
            Engine::Bm25(bm25, tokenizer) => best(bm25.scores(&terms(bm25, *tokenizer, query)), k),
            Engine::Dense(vectors) => {
                let known = vector.iter().any(|value| *value != 0.0);
                best(vectors.cosines(&vector).into_iter().map(|score| known.then_some(score)), k)
            }
            Engine::Hybrid(parts) => {
                let prepared = parts.0.prepare(asked.question(), vector, asked.scope());
                if !prepared.says_something() {
                    return Answer::nothing();
                }
                let scores = self.routed(prepared.scores(), asked.route.as_ref());
                best(scores.into_iter().map(Some), k)
            }
        };
        if hits.is_empty() && k > 0 {
            Answer::nothing()
        } else {
            Answer { hits, remark: None, route: asked.route }
        }
    }

    /// Scores with the preference for the document that a query names.
    fn routed(&self, mut scores: Vec<f64>, route: Option<&Route>) -> Vec<f64> {
        let Some(route) = route else { return scores };
        let weight = weight(route, &scores);
        let documents = self.collection.corpus().documents().len();
        let shares: Vec<f64> =
            (0..documents).map(|document| weight * route.share::<f64>(document)).collect();
        for (score, passage) in scores.iter_mut().zip(self.collection.passages()) {
            *score += shares[passage.document];
        }
        scores
    }

    /// A query, and the document it names where the method looks for one.
    fn asked<'a>(&self, query: &'a str) -> RoutedQuery<'a> {
        match &self.engine {
            Engine::Hybrid(parts) => match parts.1.route(query) {
                None => RoutedQuery { query: parts.1.without_introduction(query), route: None },
                route => RoutedQuery { query, route },
            },
            Engine::TfIdf(_) | Engine::Bm25(..) | Engine::Dense(_) => {
                RoutedQuery { query, route: None }
            }
        }
    }

    /// Learns what only questions within a document need, when the first is asked.
    fn learn(&self, asked: &[RoutedQuery<'_>]) -> Result<(), EmbedError> {
        match &self.engine {
            Engine::Hybrid(parts) if asked.iter().any(|one| one.route.is_some()) => {
                parts.0.learn_within(&self.collection, &*self.embedder)
            }
            _ => Ok(()),
        }
    }

    fn asks_for_meaning(&self) -> bool {
        matches!(self.engine, Engine::Dense(_) | Engine::Hybrid(_))
    }

    /// The vector of what is asked, of length one; empty when none is needed.
    fn vector(&self, asked: &RoutedQuery<'_>) -> Result<Vec<f32>, EmbedError> {
        if !self.asks_for_meaning() {
            return Ok(Vec::new());
        }
        let mut vector = self
            .embedder
            .embed(&[&self.embedder.question(asked.question())])?
            .pop()
            .unwrap_or_default();
        to_length_one(&mut vector);
        Ok(vector)
    }
}

impl Answer {
    fn nothing() -> Self {
        Self { hits: Vec::new(), remark: Some(QueryRemark::NothingToSearch), route: None }
    }
}

/// A query and where it leads.
struct RoutedQuery<'a> {
    query: &'a str,
    route: Option<Route>,
}

impl RoutedQuery<'_> {
    fn scope(&self) -> Scope {
        if self.route.is_some() { Scope::Within } else { Scope::General }
    }

    /// What is asked: the query without the name of the document it leads to.
    fn question(&self) -> &str {
        self.route.as_ref().map_or(self.query, |route| &route.question)
    }
}

/// What the whole evidence of a route is worth beside these scores.
fn weight(route: &Route, scores: &[f64]) -> f64 {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let spread = if scores.is_empty() { 0.0 } else { highest - lowest };
    // Where all passages are alike, the document still decides.
    NAMED_WEIGHT * route.confidence * if spread > 0.0 { spread } else { 1.0 }
}

fn terms(bm25: &Bm25, tokenizer: Tokenizer, query: &str) -> Vec<bm25::Weighted> {
    let terms = tokenizer.terms(query);
    bm25.weighted(terms.iter().map(String::as_str))
}
