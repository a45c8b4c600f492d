//! The part of a document that a criterion is shown, within a limit of tokens.
//!
//! A document that fits is shown whole. A longer one is cut into passages, our own search
//! ranks them by the criterion, and the best that fit are shown in the order of the document.
//! Which they were is kept: the ledger of a result says what its judge did not see.

use std::ops::Range;

use assize_methods::compliance::{Context, Criterion};
use assize_search::{Chunking, Collection, Corpus, Method, Retriever};

/// What a context may hold unless the user says otherwise, in tokens.
pub const TOKENS_MAX: usize = 12_000;
/// Bytes of a usual token; the same rule of thumb as for the bill.
const BYTES_A_TOKEN: usize = 4;
/// The longest passage, in code points: a few sentences.
const PASSAGE: &str = "rcts:900";

/// A document ready to be shown in part.
#[derive(Debug)]
pub struct Reader {
    bytes_max: usize,
    /// Only of a document that does not fit.
    retriever: Option<Retriever>,
}

impl Reader {
    /// Cuts and indexes the document if it does not fit.
    pub fn of(text: &str, tokens_max: usize) -> Self {
        let bytes_max = tokens_max.saturating_mul(BYTES_A_TOKEN);
        let retriever = (text.len() > bytes_max).then(|| {
            let chunking = PASSAGE.parse().unwrap_or(Chunking::Sentences);
            let collection = Collection::new(Corpus::of_text("document", text), chunking);
            Retriever::new(collection, Method::Hybrid)
        });
        Self { bytes_max, retriever }
    }

    /// What a criterion is shown of the document this reader was made of.
    pub fn context<'t>(&self, text: &'t str, criterion: &Criterion) -> Context<'t> {
        match &self.retriever {
            None => Context::whole(text),
            Some(retriever) => Context::select(text, &ranked(retriever, criterion), self.bytes_max),
        }
    }
}

/// The passages, best first; without any in common with the criterion, in their order.
fn ranked(retriever: &Retriever, criterion: &Criterion) -> Vec<Range<usize>> {
    let passages = retriever.collection().passages();
    let query = format!("{} {}", criterion.requirement, criterion.description);
    let hits = retriever.search(&query, passages.len()).map(|answer| answer.hits);
    match hits {
        Ok(hits) if !hits.is_empty() => {
            hits.iter().map(|hit| passages[hit.passage].bytes.clone()).collect()
        }
        _ => passages.iter().map(|passage| passage.bytes.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long() -> String {
        let filler = |number: usize| {
            let line = format!("Part {number} tells how the canteen orders bread and fruit. ");
            line.repeat(9)
        };
        let mut parts: Vec<String> = (0..40).map(filler).collect();
        parts[31] = "Passwords are changed every ninety days.".to_owned();
        parts.join("\n\n")
    }

    #[test]
    fn a_document_that_fits_is_shown_whole() {
        let context = Reader::of("short", 2).context("short", &Criterion::new("1", "x", ""));
        assert_eq!((&*context.text, context.is_whole), ("short", true));
    }

    #[test]
    fn of_a_long_one_the_passages_that_answer_are_shown_and_named() {
        let text = long();
        let criterion = Criterion::new("1", "How often are passwords changed; who says?", "");
        let context = Reader::of(&text, 500).context(&text, &criterion);
        assert!(context.text.contains("every ninety days"), "{}", context.text);
        assert!(!context.is_whole);
        let shown: usize = context.shown.iter().map(ExactSizeIterator::len).sum();
        assert!(shown > 1_000 && shown <= 2_000, "{shown}");
    }

    #[test]
    fn a_criterion_that_says_nothing_is_shown_the_beginning() {
        let text = long();
        let context = Reader::of(&text, 500).context(&text, &Criterion::new("1", "", ""));
        assert!(context.text.starts_with("Part 0"), "{}", context.text);
    }
}
