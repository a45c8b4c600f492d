//! Widening a question by the words that likely answers use, in any document.
//!
//! Documents of a corpus tend to speak of the same things in different words. The best
//! window of each of the best documents is read, and terms that many of these windows
//! share are added to the question. It is pseudo-relevance feedback: nobody says which
//! windows are right, agreement between documents does.
//!
//! Reference: Lavrenko & Croft (2001), Relevance-based language models, SIGIR.

use assize_score::float::{descending, ln};
use rustc_hash::FxHashMap;

use super::standard::Standard;
use super::{WITHIN, or_zero};
use crate::chunk::Chunking;
use crate::collection::{Passage, cut};
use crate::corpus::Corpus;
use crate::dense::{EmbedError, Embedder, Vectors};
use crate::lexical::{Bags, Bm25, Postings};
use crate::tokens::Tokenizer;
use crate::tokens::stems::distinct_stems;

/// Words in a window: about one clause of a contract.
const WINDOW_WORDS: usize = 100;
/// Documents whose best window is read.
const DOCUMENTS_MAX: usize = 20;
/// Terms that are added at most.
const TERMS_MAX: usize = 40;
/// What a term is worth that all windows agree on, against a term of the question.
const AGREED_WEIGHT: f64 = 1.0;

/// Windows over all documents.
#[derive(Debug)]
pub struct Feedback {
    windows: Vec<Passage>,
    bags: Bags,
    bm25: Bm25,
    vectors: Vectors,
}

impl Feedback {
    /// Cuts a corpus into windows and learns their terms and vectors.
    pub fn new(corpus: &Corpus, embedder: &dyn Embedder) -> Result<Self, EmbedError> {
        let windows = cut(corpus, Chunking::words(WINDOW_WORDS, WINDOW_WORDS));
        let text = |window: usize| {
            let window: &Passage = &windows[window];
            &corpus.documents()[window.document].text[window.bytes.clone()]
        };
        let bags = Bags::of(windows.len(), text, Tokenizer::Stems);
        let vectors = Vectors::of(embedder, windows.len(), text)?;
        let bm25 = Bm25::new(Postings::of(&bags), WITHIN);
        Ok(Self { windows, bags, bm25, vectors })
    }

    /// The terms of a question and those that likely answers agree on, with weights.
    pub(crate) fn widened(&self, question: &str, vector: &[f32]) -> Vec<(String, f64)> {
        let mut terms: Vec<(String, f64)> =
            distinct_stems(question).into_iter().map(|term| (term, 1.0)).collect();
        let agreed = self.agreed(&self.likely_answers(&terms, vector));
        for (term, weight) in agreed {
            let term = self.bags.vocabulary.term(term);
            match terms.iter_mut().find(|(known, _)| known == term) {
                Some((_, known)) => *known += weight,
                None => terms.push((term.to_owned(), weight)),
            }
        }
        terms
    }

    /// The best window of each of the best documents.
    fn likely_answers(&self, terms: &[(String, f64)], vector: &[f32]) -> Vec<usize> {
        let query = self.bm25.weighted(terms.iter().map(|(term, _)| term.as_str()));
        let shared = self.bm25.scores(&query);
        let bm25 = or_zero(&shared);
        let cosines = self.vectors.cosines(vector);
        let (by_terms, by_meaning) = (Standard::of(&bm25), Standard::of(&cosines));
        let mut best: Vec<(f64, usize)> = Vec::new();
        let mut document = usize::MAX;
        for (window, (bm25, cosine)) in bm25.into_iter().zip(cosines).enumerate() {
            if shared[window].is_none() {
                continue;
            }
            let score: f64 =
                by_terms.score("terms", bm25) + by_meaning.score::<f64>("meaning", cosine);
            match best.last_mut() {
                Some(last) if document == self.windows[window].document => {
                    if score > last.0 {
                        *last = (score, window);
                    }
                }
                _ => best.push((score, window)),
            }
            document = self.windows[window].document;
        }
        best.sort_by(|left, right| descending(left.0, right.0));
        best.truncate(DOCUMENTS_MAX);
        best.into_iter().map(|(_, window)| window).collect()
    }

    /// The terms that most windows share, the rarer the better; each with its weight.
    fn agreed(&self, windows: &[usize]) -> Vec<(u32, f64)> {
        let mut sharing: FxHashMap<u32, f64> = FxHashMap::default();
        for window in windows {
            for count in self.bags.bag(*window) {
                *sharing.entry(count.term).or_default() += 1.0;
            }
        }
        let all = self.windows.len() as f64;
        let mut terms: Vec<(f64, u32, f64)> = sharing
            .into_iter()
            .map(|(term, sharing)| {
                let rarity = ln(all / self.bm25.postings().with(term).len() as f64);
                (sharing * rarity, term, AGREED_WEIGHT * sharing / DOCUMENTS_MAX as f64)
            })
            .collect();
        terms.sort_by(|left, right| descending(left.0, right.0).then(left.1.cmp(&right.1)));
        terms.truncate(TERMS_MAX);
        terms.into_iter().map(|(_, term, weight)| (term, weight)).collect()
    }
}
