//! Which document a query means, if it names one at all.
//!
//! Read in this order: what file names ([`names`]) and texts ([`texts`]) hold, the words of a
//! query ([`words`]) as evidence for documents ([`mention`]), and here the decision. Nothing
//! in the form of a query decides: not a semicolon, not a word like `in`. Words are matched
//! against the corpus, and the more clearly one document stands out, the more it is preferred.

mod mention;
mod names;
mod texts;
mod words;

use std::ops::Range;

use assize_score::Working;

use self::mention::{Evidence, rarity};
use self::names::Names;
use self::texts::Texts;
use self::words::{Naming, Word};
use crate::collection::Collection;

/// Up to this margin between the best document and the next no document is preferred.
const MARGIN_NONE: f64 = 0.1;
/// The same where no file name fits: what texts say of names is less sure.
const MARGIN_NONE_BY_TEXT: f64 = 0.2;
/// From this margin on the best document is preferred with full weight.
const MARGIN_FULL: f64 = 0.3;
/// A document needs this share of what one word that only its name has would be worth.
const EVIDENCE_SHARE: f64 = 0.5;

/// The names and texts of all documents, ready to be looked up.
#[derive(Debug, Clone)]
pub(crate) struct Router {
    names: Names,
    texts: Texts,
    /// Whether a document has more than one passage.
    long: Vec<bool>,
    /// Whether a document is a file, which somebody gave a name.
    files: Vec<bool>,
    count: usize,
}

/// The document that a query names.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Index of the document in the corpus.
    pub document: usize,
    /// How far it is ahead of the next document, as a share of its own evidence.
    pub margin: f64,
    /// From 0 to 1: how much of the full weight the margin earns.
    pub confidence: f64,
    /// What is asked about it: the query without the name.
    pub question: String,
    /// The words that name it.
    pub words: Vec<String>,
    strength: f64,
    evidence: Evidence,
}

impl Router {
    /// Learns the names, openings and words of all documents.
    pub(crate) fn new(collection: &Collection) -> Self {
        let documents = collection.corpus().documents();
        let long = (0..documents.len()).map(|index| collection.of_document(index).len() > 1);
        let files = documents.iter().map(|document| !document.is_record());
        Self {
            files: files.collect(),
            names: Names::new(documents),
            texts: Texts::of(documents),
            long: long.collect(),
            count: documents.len(),
        }
    }

    /// The document that a query names, if one stands out clearly.
    pub(crate) fn route(&self, query: &str) -> Option<Route> {
        if self.count < 2 {
            return None;
        }
        let words = words::words(query);
        let is_name = |word: &Word<'_>| self.is_name(word);
        let spelt = self.names.spelt(query, &words, &is_name);
        let evidence = Evidence::of(self, &words, &spelt);
        let ranked = evidence.ranked();
        let (document, strength) = *ranked.first()?;
        let next = ranked.get(1).map_or(0.0, |(_, strength)| *strength);
        let margin = (strength - next) / strength;
        let none = if evidence.is_by_name(document) { MARGIN_NONE } else { MARGIN_NONE_BY_TEXT };
        let confidence = ((margin - none) / (MARGIN_FULL - none)).clamp(0.0, 1.0);
        if confidence <= 0.0
            || strength < EVIDENCE_SHARE * rarity(1, self.count)
            || !evidence.is_enough(document)
        {
            return None;
        }
        let named: Vec<String> =
            evidence.parts(document).iter().map(|part| part.term.clone()).collect();
        let spelt = spelt.iter().filter(|spelt| spelt.documents.contains(&document));
        let spelt: Vec<Range<usize>> = spelt.map(|spelt| spelt.words.clone()).collect();
        let question = words::without_name(&Naming {
            query,
            words: &words,
            spelt: &spelt,
            speaks: &|stem| named.iter().any(|word| word == stem),
            in_name: &|stem| self.names.holds(document, stem),
            is_kind: &|stem| self.texts.is_common(stem, self.count),
            is_name: &is_name,
        });
        let (document, words) = (document as usize, named);
        Some(Route { document, margin, confidence, question, words, strength, evidence })
    }
}

impl Router {
    /// Whether a word of a query is a name.
    fn is_name(&self, word: &Word<'_>) -> bool {
        word.stem.as_deref().is_some_and(|stem| self.texts.is_name(stem, word))
    }

    /// Whether a document has a name: the title of a record of one passage is content as well.
    fn has_name(&self, document: u32) -> bool {
        self.long[document as usize] || self.files[document as usize]
    }

    /// A query without a beginning that says nothing: `Consider the following; …`, or the name
    /// of a document that the corpus does not have.
    pub(crate) fn without_introduction<'a>(&self, query: &'a str) -> &'a str {
        let unknown =
            |stem: &str| self.texts.holders(stem).is_empty() && self.names.fits(stem).is_empty();
        words::without_introduction(query, &unknown)
    }
}

impl Route {
    /// The evidence for a document against that for the best, with workings if wanted.
    pub fn share<N: Working>(&self, document: usize) -> N {
        let evidence: N = match u32::try_from(document) {
            Ok(document) => self.evidence.explain(document),
            Err(_) => N::given("evidence", 0.0),
        };
        let value = evidence.value() / self.strength;
        let inputs = [evidence, N::given("best evidence", self.strength)];
        N::computed("named document", "evidence / best evidence", value, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunking;
    use crate::corpus::{Corpus, Document};

    fn router() -> Router {
        let documents = [
            (
                "acme_nda.txt",
                "This agreement is between Acme Corporation and Bolt Limited. It ends.",
            ),
            ("form-7.txt", "This agreement is between Bolt Limited and Drum Works. It may end."),
            ("CraneWorks-lease.txt", "A lease. The tenant pays. The lease ends."),
        ];
        let documents = documents.map(|(path, text)| Document::new(path, text.to_owned()));
        Router::new(&Collection::new(Corpus::new(documents.to_vec()), Chunking::Sentences))
    }

    /// Documents by path: `CraneWorks-lease`, `acme_nda`, `form-7`.
    fn led_to(query: &str) -> Option<usize> {
        Some(router().route(query)?.document)
    }

    #[test]
    fn a_file_name_is_found_wherever_it_stands() {
        assert_eq!(led_to("In Crane Works's lease, who pays?"), Some(0));
        assert_eq!(led_to("who pays in the Crane Works lease"), Some(0));
        assert_eq!(led_to("the agreement of Acme; when does it end?"), Some(1));
    }

    #[test]
    fn parties_in_the_text_decide_where_file_names_say_nothing() {
        assert_eq!(led_to("under the agreement between Bolt and Drum, who pays?"), Some(2));
    }

    #[test]
    fn a_query_that_names_nothing_leads_nowhere() {
        for query in ["who pays?", "Consider this; who pays", "the end; of it", "", "in 2017; 7"] {
            assert_eq!(led_to(query), None, "{query}");
        }
    }

    #[test]
    fn a_name_that_two_documents_share_does_not_decide() {
        assert_eq!(led_to("what does Limited mean?"), None);
    }

    #[test]
    fn the_best_document_has_the_whole_evidence() {
        let route = router().route("In the NDA between Acme and Bolt, who pays?").unwrap();
        assert_eq!((route.document, route.share::<f64>(1)), (1, 1.0));
        assert!(route.share::<f64>(0) < 0.5);
        assert_eq!(route.question, "who pays");
    }
}
