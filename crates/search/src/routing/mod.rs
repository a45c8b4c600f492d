//! Which document a query means, by its file name, its opening and its text.
//!
//! A name that few documents share says much, one that all share says nothing: every
//! match is worth the rarity of its term, once for the file name, half for the opening
//! words, and up to half again for the text as a whole.

pub mod names;

use assize_score::Working;
use assize_score::arithmetic::{sum, times};
use rustc_hash::FxHashSet;

use self::names::Names;
use crate::corpus::Corpus;
use crate::lexical::bm25::Weighted;
use crate::lexical::{Bags, Bm25, Idf, Parameters, Postings};
use crate::tokens::Tokenizer;

/// Words at the start of a document that are likely to hold its title and parties.
const OPENING_WORDS: usize = 400;
/// What a term in the opening is worth, against one in the file name.
const OPENING_WEIGHT: f64 = 0.5;
/// What a term that fills the text is worth, against one in the file name.
const TEXT_WEIGHT: f64 = 0.5;

/// One occurrence in the opening is as good as many.
const OPENING: Parameters = Parameters { k1: 0.0, b: 0.0, idf: Idf::Plain };
/// In the text, repetitions raise a term from about half its worth towards the whole.
const TEXT: Parameters = Parameters { k1: 1.2, b: 0.0, idf: Idf::Plain };
/// BM25 lets a term grow to `k1 + 1` times its rarity; this takes it back to one.
const TEXT_SCALE: f64 = 1.0 / 2.2;

/// Documents ranked by how well a query names them.
#[derive(Debug, Clone)]
pub struct Router {
    names: Names,
    openings: Bm25,
    texts: Bm25,
}

impl Router {
    /// Learns the names, openings and terms of all documents.
    pub fn new(corpus: &Corpus) -> Self {
        let documents = corpus.documents();
        let openings = Bags::of(
            documents.len(),
            |document| opening(&documents[document].text),
            Tokenizer::Stems,
        );
        let texts = Bags::of(
            documents.len(),
            |document| documents[document].text.as_str(),
            Tokenizer::Stems,
        );
        Self {
            names: Names::new(corpus),
            openings: Bm25::new(Postings::of(&openings), OPENING),
            texts: Bm25::new(Postings::of(&texts), TEXT),
        }
    }

    /// How strongly a text names each document.
    pub fn evidence(&self, naming: &str) -> Vec<f64> {
        let terms = Terms::of(self, naming);
        let openings = self.openings.scores(&terms.openings);
        let texts = self.texts.scores(&terms.texts);
        self.names
            .scores(naming)
            .into_iter()
            .zip(openings.into_iter().zip(texts))
            .map(|(name, (opening, text))| {
                name + OPENING_WEIGHT * opening.unwrap_or(0.0)
                    + TEXT_WEIGHT * TEXT_SCALE * text.unwrap_or(0.0)
            })
            .collect()
    }

    /// How strongly a text names one document, with workings if the caller wants them.
    pub fn explain<N: Working>(&self, naming: &str, document: usize) -> N {
        let terms = Terms::of(self, naming);
        let opening = self.openings.score::<N>(&terms.openings, document).named("opening words");
        let text = self.texts.score::<N>(&terms.texts, document).named("text");
        sum(
            "document",
            vec![
                self.names.score(naming, document),
                times("by the opening words", OPENING_WEIGHT, opening),
                times("by the text", TEXT_WEIGHT * TEXT_SCALE, text),
            ],
        )
    }
}

/// The terms of a naming, each once, as each index numbers them.
struct Terms {
    openings: Vec<Weighted>,
    texts: Vec<Weighted>,
}

impl Terms {
    fn of(router: &Router, naming: &str) -> Self {
        let terms = distinct_stems(naming);
        let terms = || terms.iter().map(String::as_str);
        Self { openings: router.openings.weighted(terms()), texts: router.texts.weighted(terms()) }
    }
}

/// The stems of a text, each once, in order.
pub(crate) fn distinct_stems(text: &str) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut terms = Tokenizer::Stems.terms(text);
    terms.retain(|term| seen.insert(term.clone()));
    terms
}

/// The first words of a text.
fn opening(text: &str) -> &str {
    let mut inside = false;
    let mut words = 0;
    for (byte, character) in text.char_indices() {
        let space = character.is_whitespace();
        if inside && space {
            words += 1;
            if words == OPENING_WORDS {
                return &text[..byte];
            }
        }
        inside = !space;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Document;
    use assize_score::Explained;

    fn router() -> Router {
        let documents = [
            ("acme_nda.txt", "This agreement is between Acme Corporation and Bolt Limited."),
            ("form-7.txt", "This agreement is between Bolt Limited and Crane Works."),
            ("CraneWorks-lease.txt", "A lease. The tenant pays."),
        ];
        let documents = documents.map(|(path, text)| Document::new(path, text.to_owned()));
        Router::new(&Corpus::new(documents.to_vec()))
    }

    /// Documents by path: `CraneWorks-lease`, `acme_nda`, `form-7`.
    fn first(naming: &str) -> usize {
        let evidence = router().evidence(naming);
        (0..3).max_by(|left, right| evidence[*left].total_cmp(&evidence[*right])).unwrap()
    }

    #[test]
    fn a_file_name_outweighs_the_text() {
        assert_eq!(first("Consider Crane Works's lease"), 0);
        assert_eq!(first("the agreement of Acme"), 1);
    }

    #[test]
    fn parties_in_the_text_decide_where_file_names_say_nothing() {
        assert_eq!(first("Consider the agreement between Bolt and Crane"), 2);
    }

    #[test]
    fn the_workings_add_up_to_the_evidence() {
        let (router, naming) = (router(), "the agreement between Acme and Bolt");
        for (document, evidence) in router.evidence(naming).into_iter().enumerate() {
            let explained: Explained = router.explain(naming, document);
            assert!((explained.value - evidence).abs() < 1e-12);
        }
    }
}
